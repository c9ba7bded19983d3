//go:build !macos_rehearsal

package helper

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// From linux/genetlink.h and linux/wireguard.h.
const (
	netlinkGeneric       = 16
	generalControl       = 16
	controlGetFamily     = 3
	controlFamilyID      = 1
	controlFamilyName    = 2
	wgGetDevice          = 0
	wgSetDevice          = 1
	wgDeviceName         = 2
	wgDevicePrivateKey   = 3
	wgDeviceFlags        = 5
	wgDeviceListenPort   = 6
	wgDeviceMark         = 7
	wgDevicePeers        = 8
	wgDeviceReplacePeers = 1
	wgPeerPublicKey      = 1
	wgPeerSharedKey      = 2
	wgPeerFlags          = 3
	wgPeerEndpoint       = 4
	wgPeerKeepalive      = 5
	wgPeerHandshake      = 6
	wgPeerReceived       = 7
	wgPeerSent           = 8
	wgPeerAllowed        = 9
	wgPeerReplaceAllowed = 2
	wgPeerUpdateOnly     = 4
	wgAllowedFamily      = 1
	wgAllowedAddress     = 2
	wgAllowedLength      = 3
	// maxAllowedPerMessage keeps a message below the 64 KiB that an attribute can hold.
	maxAllowedPerMessage = 400
)

// kernelDevice is a device of the kernel's WireGuard.
type kernelDevice struct {
	socket *netlinkSocket
	family uint16
	name   string
	access sync.Mutex
}

// findKernelWireGuard returns nil if the kernel has no WireGuard. The question makes it load the module, if there is one.
func findKernelWireGuard(name device) (*kernelDevice, error) {
	socket, err := openNetlink(netlinkGeneric)
	if err != nil {
		return nil, err
	}
	found := &kernelDevice{socket: socket, name: string(name)}
	err = socket.ask(generalControl, 0, joined(generalHead(controlGetFamily),
		attribute(controlFamilyName, zeroEnded("wireguard"))), func(_ uint16, data []byte) {
		if len(data) < generalHeadBytes {
			return
		}
		attributesOf(data[generalHeadBytes:], func(kind uint16, value []byte) {
			if kind == controlFamilyID && len(value) == 2 {
				found.family = nativeOrder.Uint16(value)
			}
		})
	})
	if err == nil && found.family != 0 {
		return found, nil
	}
	socket.close()
	if err == syscall.ENOENT {
		err = nil
	}
	return nil, err
}

const generalHeadBytes = 4

func generalHead(command byte) []byte { return []byte{command, 1, 0, 0} }

func (d *kernelDevice) set(flags uint16, attributes ...[]byte) error {
	d.access.Lock()
	defer d.access.Unlock()
	body := joined(append([][]byte{
		generalHead(wgSetDevice), attribute(wgDeviceName, zeroEnded(d.name)),
	}, attributes...)...)
	return d.socket.do(d.family, flags, body)
}

func (d *kernelDevice) configure(asked *wireGuardRequest, endpoint netip.AddrPort, mark uint32) error {
	defer wipe(asked.privateKey[:])
	if err := d.setKey(asked.privateKey, attribute(wgDevicePrivateKey, make([]byte, keyBytes))); err != nil {
		return err
	}
	err := d.set(0, attribute(wgDeviceMark, number32(mark)), attribute(wgDeviceListenPort, number16(asked.listenPort)))
	if err != nil {
		return err
	}
	return d.setPeer(asked, endpoint)
}

func (d *kernelDevice) setPeer(asked *wireGuardRequest, endpoint netip.AddrPort) error {
	peer := joined(attribute(wgPeerPublicKey, asked.peer[:]), attribute(wgPeerFlags, number32(wgPeerReplaceAllowed)),
		attribute(wgPeerEndpoint, socketAddress(endpoint)), attribute(wgPeerKeepalive, number16(asked.keepalive)))
	replacing := attribute(wgDeviceFlags, number32(wgDeviceReplacePeers))
	if asked.sharedKey != nil {
		// First: a handshake without it would be in vain.
		err := d.setKey(asked.sharedKey, joined(replacing, nested(wgDevicePeers, nested(0,
			attribute(wgPeerPublicKey, asked.peer[:]), attribute(wgPeerSharedKey, make([]byte, keyBytes))))))
		if err != nil {
			return err
		}
		replacing = nil
	}
	err := d.set(0, replacing, nested(wgDevicePeers, nested(0, peer)))
	for from := 0; err == nil && from < len(asked.allowed); from += maxAllowedPerMessage {
		until := from + maxAllowedPerMessage
		if until > len(asked.allowed) {
			until = len(asked.allowed)
		}
		prefixes := []byte{}
		for _, each := range asked.allowed[from:until] {
			family := uint16(familyNumber(ipVersion(each.Addr())))
			prefixes = append(prefixes, nested(0, attribute(wgAllowedFamily, number16(family)),
				attribute(wgAllowedAddress, each.Addr().AsSlice()),
				attribute(wgAllowedLength, []byte{byte(each.Bits())}))...)
		}
		err = d.set(0, nested(wgDevicePeers, nested(0, attribute(wgPeerPublicKey, asked.peer[:]),
			attribute(wgPeerFlags, number32(wgPeerUpdateOnly)), nested(wgPeerAllowed, prefixes))))
	}
	return err
}

// setKey sends a key in place of the last bytes of an attribute, in memory that is overwritten afterwards.
func (d *kernelDevice) setKey(key *wireGuardKey, attributes []byte) error {
	body := joined(generalHead(wgSetDevice), attribute(wgDeviceName, zeroEnded(d.name)), attributes)
	defer wipe(body)
	copy(body[len(body)-keyBytes:], key[:])
	d.access.Lock()
	defer d.access.Unlock()
	return d.socket.do(d.family, 0, body)
}

func (d *kernelDevice) setEndpoint(peer wireGuardKey, endpoint netip.AddrPort) error {
	return d.set(0, nested(wgDevicePeers, nested(0, attribute(wgPeerPublicKey, peer[:]),
		attribute(wgPeerFlags, number32(wgPeerUpdateOnly)), attribute(wgPeerEndpoint, socketAddress(endpoint)))))
}

func (d *kernelDevice) counters() (counters, error) {
	d.access.Lock()
	defer d.access.Unlock()
	found := counters{}
	body := joined(generalHead(wgGetDevice), attribute(wgDeviceName, zeroEnded(d.name)))
	err := d.socket.ask(d.family, syscall.NLM_F_DUMP, body, func(_ uint16, data []byte) {
		if len(data) >= generalHeadBytes {
			attributesOf(data[generalHeadBytes:], func(kind uint16, value []byte) {
				if kind == wgDevicePeers {
					attributesOf(value, func(_ uint16, peer []byte) { found.addPeer(peer) })
				}
			})
		}
	})
	return found, err
}

// addPeer reads the attributes of a peer, which may be repeated without counters for a long list of prefixes.
func (c *counters) addPeer(peer []byte) {
	attributesOf(peer, func(kind uint16, value []byte) {
		switch {
		case kind == wgPeerHandshake && len(value) == 16:
			if seconds := int64(nativeOrder.Uint64(value)); seconds > 0 {
				c.handshake = time.Unix(seconds, int64(nativeOrder.Uint64(value[8:])))
			}
		case kind == wgPeerReceived && len(value) == 8:
			c.received = nativeOrder.Uint64(value)
		case kind == wgPeerSent && len(value) == 8:
			c.sent = nativeOrder.Uint64(value)
		}
	})
}

// socketAddress returns the form that the kernel has for an address and port.
func socketAddress(endpoint netip.AddrPort) []byte {
	port := make([]byte, 2)
	binary.BigEndian.PutUint16(port, endpoint.Port())
	family := number16(uint16(familyNumber(ipVersion(endpoint.Addr()))))
	if endpoint.Addr().Is4() {
		return joined(family, port, endpoint.Addr().AsSlice(), make([]byte, 8))
	}
	return joined(family, port, make([]byte, 4), endpoint.Addr().AsSlice(), make([]byte, 4))
}

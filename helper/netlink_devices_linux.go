//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"syscall"
	"unsafe"
)

// link is a network device.
type link struct {
	index uint32
	isUp  bool
	mtu   int
}

func linkHead(index, flags, mask uint32) []byte {
	return joined(make([]byte, 4), number32(index), number32(flags), number32(mask))
}

func parseLink(data []byte) (link, bool) {
	if len(data) < syscall.SizeofIfInfomsg {
		return link{}, false
	}
	head := (*syscall.IfInfomsg)(unsafe.Pointer(&data[0]))
	found := link{index: uint32(head.Index), isUp: head.Flags&syscall.IFF_UP != 0}
	attributesOf(data[syscall.SizeofIfInfomsg:], func(kind uint16, value []byte) {
		if kind == syscall.IFLA_MTU {
			found.mtu = int(uint32Of(value))
		}
	})
	return found, true
}

// findLink returns a device by its name, or if that is empty, by its index. It returns ENODEV if there is none.
func (s *netlinkSocket) findLink(name string, index uint32) (link, error) {
	body := linkHead(index, 0, 0)
	if name != "" {
		body = append(body, attribute(syscall.IFLA_IFNAME, zeroEnded(name))...)
	}
	found, any := link{}, false
	err := s.ask(syscall.RTM_GETLINK, 0, body, func(kind uint16, data []byte) {
		if parsed, ok := parseLink(data); kind == syscall.RTM_NEWLINK && ok {
			found, any = parsed, true
		}
	})
	if err == nil && !any {
		err = syscall.ENODEV
	}
	return found, err
}

func (s *netlinkSocket) addLink(name, kind string) error {
	return s.do(syscall.RTM_NEWLINK, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, joined(
		linkHead(0, 0, 0), attribute(syscall.IFLA_IFNAME, zeroEnded(name)),
		nested(iflaLinkInfo, attribute(iflaInfoKind, zeroEnded(kind)))))
}

// deleteLink succeeds if there is no such device.
func (s *netlinkSocket) deleteLink(name string) error {
	err := s.do(syscall.RTM_DELLINK, 0, append(linkHead(0, 0, 0), attribute(syscall.IFLA_IFNAME, zeroEnded(name))...))
	if err == syscall.ENODEV {
		return nil
	}
	return err
}

func (s *netlinkSocket) setMTU(index uint32, mtu int) error {
	return s.do(syscall.RTM_NEWLINK, 0, append(linkHead(index, 0, 0), attribute(syscall.IFLA_MTU, number32(uint32(mtu)))...))
}

// useNoOtherAddresses keeps the kernel from giving a device a link-local address, which WireGuard's own devices have not.
// With one, it would ask for routers, up to every hour, and so wake the tunnel and its server.
func (s *netlinkSocket) useNoOtherAddresses(index uint32) error {
	return s.do(syscall.RTM_NEWLINK, 0, append(linkHead(index, 0, 0), nested(iflaFamilies,
		nested(syscall.AF_INET6, attribute(iflaInet6Addresses, []byte{noAddresses})))...))
}

func (s *netlinkSocket) setUp(index uint32) error {
	return s.do(syscall.RTM_NEWLINK, 0, linkHead(index, syscall.IFF_UP, syscall.IFF_UP))
}

func (s *netlinkSocket) addAddress(index uint32, prefix netip.Prefix) error {
	family := ipVersion(prefix.Addr())
	flags := byte(0)
	if family == 6 {
		// Nobody else is on this link who could have the address.
		flags = ifaNoDAD
	}
	address := prefix.Addr().AsSlice()
	return s.do(syscall.RTM_NEWADDR, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, joined(
		[]byte{familyNumber(family), byte(prefix.Bits()), flags, 0}, number32(index),
		attribute(syscall.IFA_LOCAL, address), attribute(syscall.IFA_ADDRESS, address)))
}

// deviceAddress is an address of this computer with the network that it is in, which is that of the other end if it has one.
type deviceAddress struct {
	index   uint32
	own     netip.Prefix
	network netip.Prefix
}

// addressesOf returns the addresses of a device.
func (s *netlinkSocket) addressesOf(index uint32) ([]netip.Prefix, error) {
	all, err := s.addresses()
	found := []netip.Prefix{}
	for _, each := range all {
		if each.index == index {
			found = append(found, each.own)
		}
	}
	return found, err
}

// addresses returns those of all devices.
func (s *netlinkSocket) addresses() ([]deviceAddress, error) {
	found := []deviceAddress{}
	err := s.ask(syscall.RTM_GETADDR, syscall.NLM_F_DUMP, make([]byte, syscall.SizeofIfAddrmsg), func(kind uint16, data []byte) {
		if kind != syscall.RTM_NEWADDR || len(data) < syscall.SizeofIfAddrmsg {
			return
		}
		own, other := netip.Addr{}, netip.Addr{}
		attributesOf(data[syscall.SizeofIfAddrmsg:], func(kind uint16, value []byte) {
			switch kind {
			case syscall.IFA_LOCAL:
				own, _ = netip.AddrFromSlice(value)
			case syscall.IFA_ADDRESS:
				other, _ = netip.AddrFromSlice(value)
			}
		})
		if !own.IsValid() {
			// IPv6 has no local address of its own in this message.
			own = other
		}
		if !other.IsValid() {
			other = own
		}
		found = append(found, deviceAddress{
			nativeOrder.Uint32(data[4:]), netip.PrefixFrom(own, int(data[1])), netip.PrefixFrom(other, int(data[1])).Masked(),
		})
	})
	return found, err
}

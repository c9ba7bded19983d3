//go:build !windows

package helper

import (
	"encoding/binary"
	"errors"
	"math/rand"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// ping sends echo requests through a device. It never fragments them.
type ping struct {
	file     *os.File
	to       netip.Addr
	id       uint16
	sequence uint16
	buffer   []byte
}

func openPing(through string, to netip.Addr) (*ping, error) {
	family, protocol := syscall.AF_INET6, syscall.IPPROTO_ICMPV6
	var address syscall.Sockaddr = &syscall.SockaddrInet6{Addr: to.As16()}
	if to.Is4() {
		family, protocol = syscall.AF_INET, syscall.IPPROTO_ICMP
		address = &syscall.SockaddrInet4{Addr: to.As4()}
	}
	descriptor, err := openSocket(family, syscall.SOCK_RAW, protocol)
	if err != nil {
		return nil, err
	}
	if err = bindToDevice(descriptor, family, through); err == nil {
		err = syscall.Connect(descriptor, address)
	}
	if err != nil {
		syscall.Close(descriptor)
		return nil, err
	}
	rand.Seed(time.Now().UnixNano())
	return &ping{
		file: os.NewFile(uintptr(descriptor), "ping"), to: to, id: uint16(rand.Intn(1 << 16)), buffer: make([]byte, 2048),
	}, nil
}

// openSocket opens one that no other program inherits, and on which nothing waits.
func openSocket(family, kind, protocol int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	descriptor, err := syscall.Socket(family, kind, protocol)
	if err != nil {
		return 0, err
	}
	syscall.CloseOnExec(descriptor)
	if err := syscall.SetNonblock(descriptor, true); err != nil {
		syscall.Close(descriptor)
		return 0, err
	}
	return descriptor, nil
}

func (p *ping) close() { p.file.Close() }

// send sends a request with this many bytes.
func (p *ping) send(payload int) error {
	p.sequence++
	packet := make([]byte, pingHead+payload)
	packet[0] = p.requestKind()
	binary.BigEndian.PutUint16(packet[4:], p.id)
	binary.BigEndian.PutUint16(packet[6:], p.sequence)
	if p.to.Is4() {
		// The kernel does this for IPv6.
		binary.BigEndian.PutUint16(packet[2:], checksum(packet))
	}
	_, err := p.file.Write(packet)
	return err
}

func (p *ping) requestKind() byte {
	if p.to.Is4() {
		return 8
	}
	return 128
}

func checksum(packet []byte) uint16 {
	sum := uint32(0)
	for index, each := range packet {
		if index%2 == 0 {
			sum += uint32(each) << 8
		} else {
			sum += uint32(each)
		}
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}

// receive returns the payload's size of the next answer, or false at the end of the time.
func (p *ping) receive(until time.Time) (int, bool) {
	if p.file.SetReadDeadline(until) != nil {
		return 0, false
	}
	for {
		length, err := p.file.Read(p.buffer)
		if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
			return 0, false
		}
		if err != nil {
			// Such as an unreachable host, which the kernel reports here.
			if time.Now().After(until) {
				return 0, false
			}
			time.Sleep(10 * time.Millisecond)
			continue
		}
		packet := p.buffer[:length]
		answer := byte(129)
		if p.to.Is4() {
			answer = 0
			if len(packet) < 20 || len(packet) < int(packet[0]&15)*4 {
				continue
			}
			packet = packet[int(packet[0]&15)*4:]
		}
		if len(packet) >= pingHead && packet[0] == answer && binary.BigEndian.Uint16(packet[4:]) == p.id {
			return len(packet) - pingHead, true
		}
	}
}

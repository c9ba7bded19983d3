package helper

import (
	"net"
	"syscall"
)

// From netinet/in.h and netinet6/in6.h.
const (
	ipBoundInterface   = 25  // IP_BOUND_IF
	ipv6BoundInterface = 125 // IPV6_BOUND_IF
)

func bindToDevice(socket, family int, device string) error {
	found, err := net.InterfaceByName(device)
	if err != nil {
		return err
	}
	if family == syscall.AF_INET6 {
		return syscall.SetsockoptInt(socket, syscall.IPPROTO_IPV6, ipv6BoundInterface, found.Index)
	}
	return syscall.SetsockoptInt(socket, syscall.IPPROTO_IP, ipBoundInterface, found.Index)
}

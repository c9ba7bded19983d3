package main

import (
	"syscall"
	"unsafe"
)

// From linux/if_tun.h and linux/udp.h.
const (
	tunGetFeatures = 0x800454cf
	tunHasHeaders  = 0x4000 // IFF_VNET_HDR
	udpSegment     = 103
	udpReceive     = 104 // UDP_GRO
)

// offloads returns those of the kernel that the library makes use of: large packets on the device, and several datagrams in
// one call in both directions.
func offloads() []string {
	found := []string{}
	if device, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC, 0); err == nil {
		features := uint32(0)
		_, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(device), tunGetFeatures, uintptr(unsafe.Pointer(&features)))
		if number == 0 && features&tunHasHeaders != 0 {
			found = append(found, "TSO")
		}
		syscall.Close(device)
	}
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return found
	}
	defer syscall.Close(socket)
	if _, err := syscall.GetsockoptInt(socket, syscall.IPPROTO_UDP, udpSegment); err == nil {
		found = append(found, "UDP GSO")
	}
	if syscall.SetsockoptInt(socket, syscall.IPPROTO_UDP, udpReceive, 1) == nil {
		found = append(found, "UDP GRO")
	}
	return found
}

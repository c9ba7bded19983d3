package helper

import (
	"os"
	"syscall"
	"unsafe"
)

// From sys/sys_domain.h, sys/kern_control.h and net/if_utun.h.
const (
	systemControl     = 2          // SYSPROTO_CONTROL
	systemControlAddr = 2          // AF_SYS_CONTROL
	controlInfo       = 0xc0644e03 // CTLIOCGINFO
	tunControl        = "com.apple.net.utun_control"
)

type ctlInfo struct {
	id   uint32
	name [96]byte
}

type sockaddrCtl struct {
	length, family uint8
	system         uint16
	id, unit       uint32
	reserved       [5]uint32
}

// createTun returns the file of a new device, which ends when all of its files are closed. It fails if the device exists.
func createTun(name device) (*os.File, error) {
	descriptor, err := openSocket(syscall.AF_SYSTEM, syscall.SOCK_DGRAM, systemControl)
	if err != nil {
		return nil, at("open-tun", err)
	}
	info := ctlInfo{}
	copy(info.name[:], tunControl)
	_, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(descriptor), controlInfo, uintptr(unsafe.Pointer(&info)))
	if number == 0 {
		// Units count from 1, and names from 0.
		address := sockaddrCtl{family: syscall.AF_SYSTEM, system: systemControlAddr, id: info.id, unit: uint32(interfaceNumber(name)) + 1}
		address.length = uint8(unsafe.Sizeof(address))
		_, _, number = syscall.Syscall(syscall.SYS_CONNECT, uintptr(descriptor), uintptr(unsafe.Pointer(&address)), unsafe.Sizeof(address))
	}
	if number != 0 {
		syscall.Close(descriptor)
		return nil, number
	}
	return os.NewFile(uintptr(descriptor), "utun"), nil
}

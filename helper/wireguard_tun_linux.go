// With the tag macos_rehearsal, such a device stands in for one of macOS.

package helper

import (
	"os"
	"syscall"
	"unsafe"
)

// From linux/if_tun.h.
const (
	tunSetInterface = 0x400454ca
	tunFlags        = 0x0001 | 0x1000 | 0x4000 // IFF_TUN | IFF_NO_PI | IFF_VNET_HDR
)

// createTun returns the file of a new device, which ends when all of its files are closed.
func createTun(name device) (*os.File, error) {
	descriptor, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, at("open-tun", err)
	}
	request := [40]byte{}
	copy(request[:syscall.IFNAMSIZ-1], interfaceOf(name))
	*(*uint16)(unsafe.Pointer(&request[syscall.IFNAMSIZ])) = tunFlags
	_, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(descriptor), tunSetInterface, uintptr(unsafe.Pointer(&request[0])))
	if number != 0 {
		syscall.Close(descriptor)
		return nil, number
	}
	return os.NewFile(uintptr(descriptor), "tun"), nil
}

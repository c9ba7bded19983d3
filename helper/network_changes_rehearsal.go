//go:build macos_rehearsal && !darwin

package helper

import (
	"os"
	"syscall"
)

// From linux/rtnetlink.h: links, addresses and routes.
const allChanges = 0x001 | 0x010 | 0x100 | 0x040 | 0x400

// openChanges returns Linux's messages in place of those of macOS.
func openChanges() (*os.File, error) {
	descriptor, err := openSocket(syscall.AF_NETLINK, syscall.SOCK_RAW, syscall.NETLINK_ROUTE)
	if err != nil {
		return nil, err
	}
	if err := syscall.Bind(descriptor, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: allChanges}); err != nil {
		syscall.Close(descriptor)
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), "changes"), nil
}

func isChange(message []byte) bool { return len(message) > 0 }

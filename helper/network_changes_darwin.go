package helper

import (
	"os"
	"syscall"
)

// openChanges returns the messages with which the kernel tells of changes of routes, addresses and devices from now on.
func openChanges() (*os.File, error) {
	descriptor, err := openSocket(syscall.AF_ROUTE, syscall.SOCK_RAW, syscall.AF_UNSPEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), "changes"), nil
}

// isChange reports whether a message, whose type is its fourth byte, is no answer or question, such as for a missing route.
func isChange(message []byte) bool {
	if len(message) < 4 {
		return false
	}
	switch message[3] {
	case syscall.RTM_ADD, syscall.RTM_DELETE, syscall.RTM_CHANGE, syscall.RTM_NEWADDR, syscall.RTM_DELADDR, syscall.RTM_IFINFO:
		return true
	}
	return false
}

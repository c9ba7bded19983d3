//go:build windows

package main

import (
	"errors"
	"syscall"
	"unsafe"
)

const (
	policyKey   = `SOFTWARE\Policies\Causeway`
	policyValue = "Policy"
	// wow64View is the registry of 64-bit programs, whatever this program is.
	wow64View = 0x0100
	// maxPolicy is more than the policies that Causeway accepts.
	maxPolicy = 4 << 20
)

// policy is a text that only administrators can write.
type policy struct {
	// Kind is `none` without a value, `text`, or `other` for a value of another type.
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func readPolicy() (policy, error) { return readValue(policyKey, policyValue) }

func readValue(path, name string) (policy, error) {
	pathText, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return policy{}, err
	}
	nameText, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return policy{}, err
	}
	var key syscall.Handle
	err = syscall.RegOpenKeyEx(syscall.HKEY_LOCAL_MACHINE, pathText, 0, syscall.KEY_QUERY_VALUE|wow64View, &key)
	if errors.Is(err, syscall.ERROR_FILE_NOT_FOUND) || errors.Is(err, syscall.ERROR_PATH_NOT_FOUND) {
		return policy{Kind: "none"}, nil
	}
	if err != nil {
		return policy{}, err
	}
	defer syscall.RegCloseKey(key)
	kind, size := uint32(0), uint32(maxPolicy)
	text := make([]uint16, maxPolicy/2)
	err = syscall.RegQueryValueEx(key, nameText, nil, &kind, (*byte)(unsafe.Pointer(&text[0])), &size)
	if errors.Is(err, syscall.ERROR_FILE_NOT_FOUND) {
		return policy{Kind: "none"}, nil
	}
	if err != nil {
		return policy{}, err
	}
	if kind != syscall.REG_SZ {
		return policy{Kind: "other"}, nil
	}
	return policy{Kind: "text", Text: syscall.UTF16ToString(text[:size/2])}, nil
}

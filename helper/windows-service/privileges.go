//go:build windows && !causeway_model

package main

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// dropPrivileges gives up all privileges of this process but the one that removes the device at its end. What else it changes needs
// SYSTEM's access alone.
func dropPrivileges() error {
	kept := windows.LUID{}
	name, err := windows.UTF16PtrFromString("SeLoadDriverPrivilege")
	if err != nil {
		return err
	}
	if err := windows.LookupPrivilegeValue(nil, name, &kept); err != nil {
		return err
	}
	token := windows.Token(0)
	err = windows.OpenProcessToken(windows.CurrentProcess(), windows.TOKEN_QUERY|windows.TOKEN_ADJUST_PRIVILEGES, &token)
	if err != nil {
		return err
	}
	defer token.Close()
	size := uint32(0)
	if err := windows.GetTokenInformation(token, windows.TokenPrivileges, nil, 0, &size); err != windows.ERROR_INSUFFICIENT_BUFFER {
		return err
	}
	buffer := make([]byte, size)
	if err := windows.GetTokenInformation(token, windows.TokenPrivileges, &buffer[0], size, &size); err != nil {
		return err
	}
	list := (*windows.Tokenprivileges)(unsafe.Pointer(&buffer[0]))
	for index := range list.AllPrivileges() {
		if each := &list.AllPrivileges()[index]; each.Luid != kept {
			each.Attributes = windows.SE_PRIVILEGE_REMOVED
		}
	}
	return windows.AdjustTokenPrivileges(token, false, list, size, nil, nil)
}

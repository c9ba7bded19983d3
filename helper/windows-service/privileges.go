//go:build windows

package main

import (
	"errors"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

// unused are privileges that not even an administrator who installs a driver has, and those to read, take or debug what is others'.
// Whoever got hold of a worker while it reads a request would become any user with them.
var unused = []string{
	"SeTcbPrivilege", "SeCreateTokenPrivilege", "SeAssignPrimaryTokenPrivilege", "SeDebugPrivilege", "SeTakeOwnershipPrivilege",
	"SeLockMemoryPrivilege", "SeCreatePermanentPrivilege", "SeAuditPrivilege", "SeRelabelPrivilege", "SeEnableDelegationPrivilege",
}

// dropUnused gives up what no worker needs, before it reads anything.
func dropUnused() error {
	gone := []windows.LUID{}
	for _, each := range unused {
		found, err := privilege(each)
		if errors.Is(err, windows.ERROR_NO_SUCH_PRIVILEGE) {
			continue
		}
		if err != nil {
			return err
		}
		gone = append(gone, found)
	}
	return drop(func(each windows.LUID) bool { return slices.Contains(gone, each) })
}

// dropPrivileges gives up all privileges of this process but the one that removes the device at its end. What else it changes needs
// SYSTEM's access alone.
func dropPrivileges() error {
	kept, err := privilege("SeLoadDriverPrivilege")
	if err != nil {
		return err
	}
	return drop(func(each windows.LUID) bool { return each != kept })
}

func privilege(name string) (found windows.LUID, err error) {
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return found, err
	}
	return found, windows.LookupPrivilegeValue(nil, text, &found)
}

// drop gives up some privileges, for good.
func drop(isGone func(windows.LUID) bool) error {
	return changePrivileges(func(each *windows.LUIDAndAttributes) {
		if isGone(each.Luid) {
			each.Attributes = windows.SE_PRIVILEGE_REMOVED
		}
	})
}

// changePrivileges passes on each privilege of this process, and sets what becomes of it.
func changePrivileges(change func(*windows.LUIDAndAttributes)) error {
	token := windows.Token(0)
	err := windows.OpenProcessToken(windows.CurrentProcess(), windows.TOKEN_QUERY|windows.TOKEN_ADJUST_PRIVILEGES, &token)
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
		change(&list.AllPrivileges()[index])
	}
	return windows.AdjustTokenPrivileges(token, false, list, size, nil, nil)
}

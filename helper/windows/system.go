//go:build windows

package main

import (
	"path/filepath"
	"syscall"
	"unsafe"
)

var (
	// Every process has this library loaded before it starts.
	kernel32 = syscall.NewLazyDLL("kernel32.dll")
	iphlpapi = systemLibrary("iphlpapi.dll")
	powrprof = systemLibrary("powrprof.dll")
	wintrust = systemLibrary("wintrust.dll")
	crypt32  = systemLibrary("crypt32.dll")
)

// systemLibrary names a library by its path, because a bare name may be found in another folder.
func systemLibrary(name string) *syscall.LazyDLL {
	path := [syscall.MAX_PATH]uint16{}
	length, _, _ := kernel32.NewProc("GetSystemDirectoryW").Call(uintptr(unsafe.Pointer(&path[0])), uintptr(len(path)))
	if length == 0 || length >= uintptr(len(path)) {
		return syscall.NewLazyDLL(`C:\Windows\System32\` + name)
	}
	return syscall.NewLazyDLL(filepath.Join(syscall.UTF16ToString(path[:]), name))
}

// call calls a function that returns an error code of the system. Older systems may lack it. The directive keeps what the
// arguments point to from moving with a growing stack.
//
//go:uintptrescapes
func call(function *syscall.LazyProc, arguments ...uintptr) error {
	if err := function.Find(); err != nil {
		return err
	}
	if code, _, _ := function.Call(arguments...); code != 0 {
		return syscall.Errno(code)
	}
	return nil
}

//go:build macos_rehearsal && !darwin

package helper

import "syscall"

const capNetAdmin = 12

// stayConfigurable lets the program for Linux set the MTU of its device, which that for macOS doesn't do.
func stayConfigurable(attributes *syscall.SysProcAttr) {
	attributes.AmbientCaps = []uintptr{capNetAdmin}
}

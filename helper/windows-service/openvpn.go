//go:build windows

package main

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows/registry"
)

// openVPNKey is where OpenVPN's installer says where it is, and OpenVPN's own service reads it. Only administrators may change it. Tests
// replace it.
var openVPNKey = `SOFTWARE\OpenVPN`

// openVPN is the OpenVPN that its own service starts, while the kill switch lets it pass.
type openVPN struct {
	// program is its path.
	program string
	access  sync.Mutex
	devices *filter.Devices
	// stop ends the calls after changes.
	stop func()
}

// openVPNProgram returns the program that OpenVPN's service starts, if only administrators may change it: whoever could replace it
// would get past the kill switch.
func openVPNProgram() (string, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, openVPNKey, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if errors.Is(err, registry.ErrNotExist) {
		return "", helper.ErrNoOpenVPN
	}
	if err != nil {
		return "", err
	}
	defer key.Close()
	// As in its src/openvpnserv/common.c.
	program, _, err := key.GetStringValue("exe_path")
	if errors.Is(err, registry.ErrNotExist) {
		program, _, err = key.GetStringValue("")
		program += `\bin\openvpn.exe`
	}
	if errors.Is(err, registry.ErrNotExist) {
		return "", helper.ErrNoOpenVPN
	}
	if err != nil {
		return "", err
	}
	program = filepath.Clean(program)
	if !filepath.IsAbs(program) || !isProtected(program) {
		return "", helper.ErrOpenVPNOfOthers
	}
	found, err := os.Lstat(program)
	if errors.Is(err, os.ErrNotExist) {
		return "", helper.ErrNoOpenVPN
	}
	if err == nil && !found.Mode().IsRegular() {
		err = helper.ErrOpenVPNOfOthers
	}
	return program, err
}

// followOpenVPN begins before OpenVPN starts, and calls back after each change of the computer's devices, until close.
func followOpenVPN(program string, changed func()) (*openVPN, error) {
	stop, err := onDeviceChange(changed)
	if err != nil {
		return nil, err
	}
	up, err := openVPNDevices()
	if err != nil {
		stop()
		return nil, err
	}
	return &openVPN{program: program, devices: filter.NewDevices(up), stop: stop}, nil
}

// device returns the number of the tunnel's device, or 0. One that can't be found passes nothing.
func (o *openVPN) device() uint64 {
	o.access.Lock()
	defer o.access.Unlock()
	up, err := openVPNDevices()
	if err != nil {
		return 0
	}
	return o.devices.Update(up)
}

func (o *openVPN) close() { o.stop() }

//go:build windows

package main

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

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
	// passing is the number of the device that the rules let pass, or 0.
	passing uint64
	// stop ends the calls after changes.
	stop func()
}

// after returns the end of a pause, and ends it early. Tests replace it.
var after = func(pause time.Duration) (end <-chan time.Time, stop func()) {
	timer := time.NewTimer(pause)
	return timer.C, func() { timer.Stop() }
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

// followOpenVPN begins before OpenVPN starts, and calls back while another device is to pass than the rules let pass, until close: after each
// change of the computer's devices, and some times in the seconds that follow, because Windows may tell of a change before its table shows
// the device as up, and changing the rules may fail. At rest, it looks once a minute. It ends when a call returns false.
func followOpenVPN(program string, changed func() (goOn bool)) (*openVPN, error) {
	changes, ended := make(chan struct{}, 1), make(chan struct{})
	stop, err := onDeviceChange(func() {
		select {
		case changes <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return nil, err
	}
	up, err := openVPNDevices()
	if err != nil {
		stop()
		return nil, err
	}
	o := &openVPN{program: program, devices: filter.NewDevices(up)}
	o.stop = func() {
		close(ended)
		stop()
	}
	// Closing doesn't wait for what is called: it may wait for whoever closes.
	wait := after
	go func() {
		looks := filter.Looks{}
		for {
			pauseEnd, stopPause := wait(looks.Pause())
			select {
			case <-changes:
				looks.Changed()
			case <-pauseEnd:
			case <-ended:
				stopPause()
				return
			}
			stopPause()
			isPending := !o.isPassing(o.device())
			if isPending && !changed() {
				return
			}
			looks.Looked(isPending)
		}
	}()
	return o, nil
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

func (o *openVPN) isPassing(device uint64) bool {
	o.access.Lock()
	defer o.access.Unlock()
	return o.passing == device
}

// setPassing notes what the rules let pass.
func (o *openVPN) setPassing(device uint64) {
	o.access.Lock()
	defer o.access.Unlock()
	o.passing = device
}

func (o *openVPN) close() { o.stop() }

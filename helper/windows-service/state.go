//go:build windows

package main

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// stateKey holds what is to be undone; only administrators may change it. It goes with the service.
const stateKey = `SYSTEM\CurrentControlSet\Services\` + serviceName + `\State`

// Values of the key. Each is written before what it names is done.
const (
	// stateBypass is the address of a proxy that a route leads to, and the number of the route's interface and its next hop.
	stateBypass = "Bypass"
	// stateOwner is the SID of the user whose kill switch may be up.
	stateOwner = "KillSwitch"
	// stateLocal says that local networks may be blocked, for one tunnel.
	stateLocal = "LocalBlock"
	// stateServer is a server's name and the addresses that it had, for when the kill switch keeps it from being looked up.
	stateServer = "Server"
)

func note(name, text string) error {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, stateKey, registry.SET_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return err
	}
	defer key.Close()
	return key.SetStringValue(name, text)
}

// noted returns an empty text without a value.
func noted(name string) (string, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, stateKey, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer key.Close()
	text, _, err := key.GetStringValue(name)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	return text, err
}

func forget(name string) error {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, stateKey, registry.SET_VALUE|registry.WOW64_64KEY)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer key.Close()
	if err = key.DeleteValue(name); errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

func forgetState() error {
	err := registry.DeleteKey(registry.LOCAL_MACHINE, stateKey)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

// killSwitchOwner returns the SID of the user whose kill switch is up, or an empty text. What can't be read has an owner.
func killSwitchOwner() string {
	owner, err := noted(stateOwner)
	if err != nil {
		return "unknown"
	}
	return owner
}

// undo reverts what a tunnel has changed and does not end with its device, but for the kill switch. A failed part does not stop
// the others.
func undo() error {
	failure := clearNameRules()
	text, err := noted(stateBypass)
	if err == nil && text != "" {
		if err = undoBypass(text); err == nil {
			err = forget(stateBypass)
		}
	}
	if err != nil {
		failure = err
	}
	if text, err = noted(stateLocal); err == nil && text != "" {
		if err = newFirewall().clear(); err == nil {
			err = forget(stateLocal)
		}
	}
	if err != nil {
		failure = err
	}
	return failure
}

// lift ends a kill switch, also one of another user.
func lift() error {
	if err := newFirewall().clear(); err != nil {
		return err
	}
	failure := forget(stateServer)
	if err := forget(stateOwner); err != nil {
		failure = err
	}
	return failure
}

// remember stores the addresses of a server's name.
func remember(name string, addresses []netip.Addr) error {
	words := []string{name}
	for _, each := range addresses {
		words = append(words, each.String())
	}
	return note(stateServer, strings.Join(words, " "))
}

// recall returns the stored addresses of a name.
func recall(name string) ([]netip.Addr, error) {
	text, err := noted(stateServer)
	words := strings.Fields(text)
	if err != nil || len(words) < 2 || words[0] != name {
		return nil, errors.Join(windows.ERROR_NOT_FOUND, err)
	}
	found := []netip.Addr{}
	for _, each := range words[1:] {
		address, err := netip.ParseAddr(each)
		if err != nil {
			return nil, err
		}
		found = append(found, address)
	}
	return found, nil
}

// lockTunnel waits until no other process has a tunnel, such as one whose service was killed, which ends it. The lock ends with
// this process.
func lockTunnel() (windows.Handle, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	path, err := windows.UTF16PtrFromString(filepath.Join(filepath.Dir(program), "tunnel.lock"))
	if err != nil {
		return 0, err
	}
	for until := time.Now().Add(endTimeout); ; time.Sleep(50 * time.Millisecond) {
		lock, err := windows.CreateFile(path, windows.GENERIC_WRITE, 0, nil, windows.OPEN_ALWAYS, windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
		if err == nil {
			return lock, nil
		}
		if time.Now().After(until) {
			return 0, err
		}
	}
}

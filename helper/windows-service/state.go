//go:build windows

package main

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"causeway-service/filter"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// stateKey holds what is to be undone; only administrators may change it. It is volatile, as are the rules and routes that it names: a
// restart of the computer ends both, also if the service never starts again.
const stateKey = `SYSTEM\CurrentControlSet\Services\` + serviceName + `\State`

// Values of the key. Each is written before what it names is done.
const (
	// stateBypass is the address of a proxy that a route leads to, and the number of the route's interface and its next hop.
	stateBypass = "Bypass"
	// stateOwner is the SID of the user whose kill switch may be up.
	stateOwner = "KillSwitch"
	// stateLocal says that the rules of one tunnel may be up, such as for local networks.
	stateLocal = "LocalBlock"
	// stateNames says that the resolver may have rules to forget.
	stateNames = "Names"
	// stateServer holds the names of servers and the addresses that they had, for when the kill switch keeps them from being looked up.
	stateServer = "Server"
	// stateOpenVPN says that rules of the kill switch may let OpenVPN's program and device pass, which don't end with the tunnel.
	stateOpenVPN = "OpenVPN"
)

func note(name, text string) error {
	key, err := createVolatile(stateKey)
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

// killSwitchOwner returns the SID of the user whose kill switch is up, or an empty text. What can't be read has an owner; a record
// without rules has none.
func killSwitchOwner() string {
	owner, err := noted(stateOwner)
	if err != nil {
		return "unknown"
	}
	if up, err := isBlocked(newFirewall(), everything); err == nil && !up {
		return ""
	}
	return owner
}

// undo reverts what a tunnel has changed and does not end with its device, but for the kill switch. A failed part does not stop
// the others.
func undo() error {
	return errors.Join(clearNameRules(), clearBypass(), withRules(func() error { return errors.Join(clearRules(), closeOpenVPN()) }))
}

// closeOpenVPN has a kill switch let nothing pass any more: after the tunnel, its device may be that of another one.
func closeOpenVPN() error {
	text, err := noted(stateOpenVPN)
	if err != nil || text == "" {
		return err
	}
	up, err := isBlocked(newFirewall(), everything)
	if err == nil && up {
		err = newFirewall().set(killSwitchRules, filter.Rules(filter.Plan{Blocked: everything}))
	}
	if err != nil {
		return err
	}
	return forget(stateOpenVPN)
}

func clearBypass() error {
	text, err := noted(stateBypass)
	if err == nil && text != "" {
		err = undoBypass(text)
	}
	if err != nil {
		return err
	}
	return forget(stateBypass)
}

// clearRules deletes the rules of a tunnel, and the record of a kill switch without any.
func clearRules() error {
	text, err := noted(stateLocal)
	if err == nil && text != "" {
		err = newFirewall().clear(tunnelRules)
	}
	if err == nil {
		err = forget(stateLocal)
	}
	if up, unknown := isBlocked(newFirewall(), everything); unknown == nil && !up {
		err = errors.Join(err, forgetKillSwitch())
	}
	return err
}

// lift ends a kill switch, also one of another user.
func lift() error {
	if err := newFirewall().clear(killSwitchRules); err != nil {
		return err
	}
	return forgetKillSwitch()
}

func forgetKillSwitch() error { return errors.Join(forget(stateServer), forget(stateOwner)) }

// undoAll reverts everything. The records stay as long as something could not be undone.
func undoAll() error {
	// Nobody has to remove the service again for an empty folder, and an installer that goes on anyway leaves nothing.
	defer func() { _ = removeLockFolder() }()
	owner, err := noted(stateOwner)
	lifted := withRules(lift)
	if err == nil && owner == "" {
		// There was nothing to lift. A firewall that is turned off keeps nobody from removing the service.
		lifted = nil
	}
	if err := errors.Join(undo(), lifted); err != nil {
		return err
	}
	return forgetState()
}

// maxNames is how many names are remembered: as many as a profile may have servers.
const maxNames = 64

// remember stores the addresses of a server's name, before those of other names.
func remember(name string, addresses []netip.Addr) error {
	words := []string{name}
	for _, each := range addresses {
		words = append(words, each.String())
	}
	text, err := noted(stateServer)
	if err != nil {
		return err
	}
	lines := []string{strings.Join(words, " ")}
	for _, line := range strings.Split(text, "\n") {
		if line != "" && !strings.HasPrefix(line, name+" ") && len(lines) < maxNames {
			lines = append(lines, line)
		}
	}
	return note(stateServer, strings.Join(lines, "\n"))
}

// recall returns the stored addresses of a name.
func recall(name string) ([]netip.Addr, error) {
	text, err := noted(stateServer)
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if err != nil || len(words) < 2 || words[0] != name {
			continue
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
	return nil, errors.Join(windows.ERROR_NOT_FOUND, err)
}

// lockTunnel waits until no other process has a tunnel, such as one whose service was killed, which ends it. The lock ends with
// this process.
func lockTunnel() (windows.Handle, error) { return lock("tunnel.lock") }

// withRules keeps the rules of the firewall and their records consistent: no other process changes them meanwhile.
func withRules(change func() error) error {
	held, err := lock("rules.lock")
	if err != nil {
		return err
	}
	defer windows.CloseHandle(held)
	return change()
}

// lockAccess is that of the folder of locks. Whoever may list the folder of a file may open it, too, whatever other programs share, at least to
// read its attributes: a file that is deleted when its lock ends would stay, and refuse the next lock, for as long as they please.
const lockAccess = "D:P(A;OICI;GA;;;SY)(A;OICI;GA;;;BA)"

func lockFolder() (string, error) {
	program, err := os.Executable()
	return filepath.Join(filepath.Dir(program), "locks"), err
}

func makeLockFolder() (string, error) {
	folder, err := lockFolder()
	if err != nil {
		return "", err
	}
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return "", err
	}
	access := windows.SecurityAttributes{}
	access.Length = uint32(unsafe.Sizeof(access))
	if access.SecurityDescriptor, err = windows.SecurityDescriptorFromString(lockAccess); err != nil {
		return "", err
	}
	if err = windows.CreateDirectory(path, &access); errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		err = nil
	}
	return folder, err
}

func removeLockFolder() error {
	folder, err := lockFolder()
	if err != nil {
		return err
	}
	if err = os.Remove(folder); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func lock(name string) (windows.Handle, error) {
	folder, err := makeLockFolder()
	if err != nil {
		return 0, err
	}
	path, err := windows.UTF16PtrFromString(filepath.Join(folder, name))
	if err != nil {
		return 0, err
	}
	for until := time.Now().Add(endTimeout); ; time.Sleep(lockPause) {
		held, err := windows.CreateFile(path, windows.GENERIC_WRITE, 0, nil, windows.OPEN_ALWAYS, windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
		if err == nil {
			return held, nil
		}
		if time.Now().After(until) {
			return 0, err
		}
	}
}

// lockPause is the time until a lock is tried again.
const lockPause = 20 * time.Millisecond

//go:build windows

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

const (
	ownServiceKey = `SYSTEM\CurrentControlSet\Services\` + ownService
	// killSwitchValue is the SID of the user whose kill switch is up; administrators alone may write it.
	killSwitchKey, killSwitchValue = ownServiceKey + `\State`, "KillSwitch"
	wintunLibrary                  = "wintun.dll"

	serviceQueryConfig   = 0x1
	serviceDisabled      = 4
	maxServiceConfig     = 8 << 10
	notifyNamesAndValues = 0x1 | 0x4
)

var (
	queryServiceConfig = advapi32.NewProc("QueryServiceConfigW")
	notifyKeyChange    = advapi32.NewProc("RegNotifyChangeKeyValue")
)

// serviceConfig is QUERY_SERVICE_CONFIGW.
type serviceConfig struct {
	kind, start, errorControl uint32
	program, group            *uint16
	tag                       uint32
	dependencies, user, name  *uint16
}

// ownServiceState is what Windows' list of services says of Causeway's service, and what is there of it.
type ownServiceState struct {
	Installed bool `json:"installed"`
	Running   bool `json:"running"`
	Disabled  bool `json:"disabled"`
	// MayStart tells that this user may start it.
	MayStart bool `json:"mayStart"`
	// Program and Library tell that the program in the list is there, and Wintun's library beside it.
	Program bool `json:"program"`
	Library bool `json:"library"`
}

func readOwnService() (ownServiceState, error) {
	service, err := findService(serviceQueryStatus | serviceQueryConfig)
	if isMissing(err) {
		return ownServiceState{}, nil
	}
	if err != nil {
		return ownServiceState{}, err
	}
	status, err := statusOf(service)
	if err != nil {
		return ownServiceState{}, err
	}
	buffer, needed := [maxServiceConfig]byte{}, uint32(0)
	done, _, err := queryServiceConfig.Call(service, uintptr(unsafe.Pointer(&buffer[0])), maxServiceConfig, uintptr(unsafe.Pointer(&needed)))
	if done == 0 {
		return ownServiceState{}, failure{"service", err}
	}
	config := (*serviceConfig)(unsafe.Pointer(&buffer[0]))
	program := strings.Trim(textAt(config.program), `"`)
	_, err = findService(serviceStart)
	return ownServiceState{
		Installed: true,
		Running:   status.state == serviceRunning,
		Disabled:  config.start == serviceDisabled,
		MayStart:  err == nil,
		Program:   isFile(program),
		Library:   isFile(filepath.Join(filepath.Dir(program), wintunLibrary)),
	}, nil
}

func isMissing(err error) bool {
	known := failure{}
	return errors.As(err, &known) && known.reason == "service-missing"
}

func isFile(path string) bool {
	found, err := os.Stat(path)
	return err == nil && found.Mode().IsRegular()
}

// textAt reads a text that ends with a zero.
func textAt(first *uint16) string {
	if first == nil {
		return ""
	}
	return syscall.UTF16ToString(unsafe.Slice((*uint16)(unsafe.Pointer(first)), lengthAt(first)))
}

func lengthAt(first *uint16) int {
	length := 0
	for *(*uint16)(unsafe.Add(unsafe.Pointer(first), 2*length)) != 0 {
		length++
	}
	return length
}

// killSwitchState is what the service has recorded: whether a kill switch may be up, and whether it is this user's.
type killSwitchState struct {
	Recorded bool `json:"recorded"`
	Own      bool `json:"own"`
}

func readKillSwitch(user string) (killSwitchState, error) {
	owner, err := readValue(killSwitchKey, killSwitchValue)
	if err != nil {
		return killSwitchState{}, failure{"kill-switch", err}
	}
	return killSwitchState{Recorded: owner.Kind != "none", Own: owner.Text == user}, nil
}

// watchKillSwitch writes the state, and again after each change, until the input ends.
func watchKillSwitch(input io.Reader) error {
	user, err := ownSID()
	if err != nil {
		return failure{"kill-switch", err}
	}
	last, err := readKillSwitch(user)
	if err == nil {
		err = answer(last)
	}
	if err != nil {
		return err
	}
	failed := make(chan error)
	go func() { failed <- followKillSwitch(user, last) }()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, input)
	}()
	select {
	case <-ended:
		return nil
	case err := <-failed:
		return err
	}
}

// followKillSwitch returns only after a failure.
func followKillSwitch(user string, last killSwitchState) error {
	// Windows cancels what a thread waits for when that ends.
	runtime.LockOSThread()
	path, err := syscall.UTF16PtrFromString(ownServiceKey)
	if err != nil {
		return err
	}
	key := syscall.Handle(0)
	if err := syscall.RegOpenKeyEx(syscall.HKEY_LOCAL_MACHINE, path, 0, syscall.KEY_NOTIFY|wow64View, &key); err != nil {
		return failure{"kill-switch", err}
	}
	changed, _, err := createEvent.Call(0, 0, 0, 0)
	if changed == 0 {
		return failure{"kill-switch", err}
	}
	for {
		// Before it is read: a change after that sets the event.
		if err := call(notifyKeyChange, uintptr(key), 1, notifyNamesAndValues, changed, 1); err != nil {
			return failure{"kill-switch", err}
		}
		next, err := readKillSwitch(user)
		if err != nil {
			return err
		}
		if next != last {
			last = next
			if err := answer(last); err != nil {
				return err
			}
		}
		if _, err := syscall.WaitForSingleObject(syscall.Handle(changed), syscall.INFINITE); err != nil {
			return failure{"kill-switch", err}
		}
	}
}

func ownSID() (string, error) {
	token, err := syscall.OpenCurrentProcessToken()
	if err != nil {
		return "", err
	}
	defer token.Close()
	user, err := token.GetTokenUser()
	if err != nil {
		return "", err
	}
	return user.User.Sid.String()
}

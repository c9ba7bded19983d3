//go:build windows

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

const (
	// gentle is the time that OpenVPN has to exit in order.
	gentle = 5 * time.Second
	// startUp is the time during which an OpenVPN that is still unknown may start, and find the event set.
	startUp = 30 * time.Second

	eventModifyState        = 0x0002
	processTerminate        = 0x0001
	processQueryInformation = 0x0400
)

var (
	createEvent       = kernel32.NewProc("CreateEventW")
	openEvent         = kernel32.NewProc("OpenEventW")
	setEvent          = kernel32.NewProc("SetEvent")
	processImageName  = kernel32.NewProc("QueryFullProcessImageNameW")
	setConsoleHandler = kernel32.NewProc("SetConsoleCtrlHandler")
)

// ownExitEvent creates the event that ends OpenVPN, and sets it when standard input ends, which happens however Causeway
// ends. First it sets the event of an earlier tunnel, if there still is one.
func ownExitEvent(name, earlier string) error {
	// Ctrl-C in Causeway's terminal must not end the owner first.
	_, _, _ = setConsoleHandler.Call(0, 1)
	if earlier != "" {
		if event, err := openNamedEvent(earlier); err == nil {
			_, _, _ = setEvent.Call(uintptr(event))
			_ = syscall.CloseHandle(event)
		}
	}
	event, err := createNamedEvent(name)
	if err != nil {
		return failure{"event", err}
	}
	fmt.Println("ready")
	openVPN, isOver := followOwner(os.Stdin)
	if isOver {
		return nil
	}
	_, _, _ = setEvent.Call(uintptr(event))
	if openVPN == 0 {
		time.Sleep(startUp)
		return nil
	}
	if waited, err := syscall.WaitForSingleObject(openVPN, uint32(gentle.Milliseconds())); err != nil || waited != syscall.WAIT_OBJECT_0 {
		_ = syscall.TerminateProcess(openVPN, 1)
	}
	return nil
}

// followOwner reads OpenVPN's process id, and returns a handle of the process, 0 if it is unknown. isOver is true after
// `gone`: OpenVPN has ended.
func followOwner(input io.Reader) (openVPN syscall.Handle, isOver bool) {
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "gone" {
			return 0, true
		}
		// The handle keeps the id from being given to another process.
		if id, err := strconv.ParseUint(line, 10, 32); err == nil && openVPN == 0 {
			openVPN, _ = openOpenVPN(uint32(id))
		}
	}
	return openVPN, false
}

func openOpenVPN(id uint32) (syscall.Handle, error) {
	process, err := syscall.OpenProcess(syscall.SYNCHRONIZE|processTerminate|processQueryInformation, false, id)
	if err != nil {
		return 0, err
	}
	path := [syscall.MAX_LONG_PATH]uint16{}
	length := uint32(len(path))
	ok, _, _ := processImageName.Call(uintptr(process), 0, uintptr(unsafe.Pointer(&path[0])), uintptr(unsafe.Pointer(&length)))
	if ok == 0 || !strings.EqualFold(filepath.Base(syscall.UTF16ToString(path[:])), "openvpn.exe") {
		_ = syscall.CloseHandle(process)
		return 0, errors.New("not an OpenVPN")
	}
	return process, nil
}

// createNamedEvent refuses an event that exists already, because somebody else might set it.
func createNamedEvent(name string) (syscall.Handle, error) {
	text, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return 0, err
	}
	const manualReset, notSet = 1, 0
	event, _, err := createEvent.Call(0, manualReset, notSet, uintptr(unsafe.Pointer(text)))
	if event == 0 {
		return 0, err
	}
	if errors.Is(err, syscall.ERROR_ALREADY_EXISTS) {
		_ = syscall.CloseHandle(syscall.Handle(event))
		return 0, err
	}
	return syscall.Handle(event), nil
}

func openNamedEvent(name string) (syscall.Handle, error) {
	text, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return 0, err
	}
	event, _, err := openEvent.Call(eventModifyState, 0, uintptr(unsafe.Pointer(text)))
	if event == 0 {
		return 0, err
	}
	return syscall.Handle(event), nil
}

//go:build windows

package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"causeway-helper"
)

const (
	ownService = "CausewayService"
	ownPipe    = `\\.\pipe\ProtectedPrefix\Administrators\causeway-service`
	// callTimeout is the time that the service gets to start.
	callTimeout = 20 * time.Second
	callPause   = 50 * time.Millisecond

	serviceQueryStatus, serviceStart  = 0x4, 0x10
	serviceStopped, serviceRunning    = 1, 4
	errorServiceExists                = syscall.Errno(1056)
	errorNoService                    = syscall.Errno(1060)
	errorPipeBusy                     = syscall.Errno(231)
	errorBrokenPipe, errorNotAttached = syscall.Errno(109), syscall.Errno(233)
	// Reading and writing without the right to add an end to the pipe, which GENERIC_WRITE contains and the service grants nobody.
	readAndWrite = 0x12019b
	// A server learns who calls, and can't act as the caller.
	identifyOnly = 0x00100000 | 0x00010000
)

var (
	advapi32             = systemLibrary("advapi32.dll")
	openManager          = advapi32.NewProc("OpenSCManagerW")
	openService          = advapi32.NewProc("OpenServiceW")
	startService         = advapi32.NewProc("StartServiceW")
	queryService         = advapi32.NewProc("QueryServiceStatusEx")
	getServerProcess     = kernel32.NewProc("GetNamedPipeServerProcessId")
	getOverlappedResult  = kernel32.NewProc("GetOverlappedResult")
	errServiceOfOthers   = failure{reason: "service-of-others"}
	errServiceNotStarted = failure{reason: "service-not-started"}
)

// serviceStatus is SERVICE_STATUS_PROCESS.
type serviceStatus struct {
	kind, state, accepted, exitCode, specificCode, checkPoint, waitHint, process, flags uint32
}

// callService runs a command of Causeway's service, which it starts, and returns the exit status. The end of the input ends the command.
func callService(command string) (int, error) {
	service, err := findService(serviceQueryStatus | serviceStart)
	if err != nil {
		return 0, err
	}
	pipe, err := connectService(service, time.Now().Add(callTimeout))
	if err != nil {
		return 0, err
	}
	if _, err := pipe.Write([]byte(command + "\n")); err != nil {
		return 0, failure{"service", err}
	}
	go helper.SendInput(pipe, os.Stdin)
	return relayFrames(pipe, os.Stdout, os.Stderr)
}

func findService(access uintptr) (uintptr, error) {
	const connect = 1
	manager, _, err := openManager.Call(0, 0, connect)
	if manager == 0 {
		return 0, failure{"service", err}
	}
	name, err := syscall.UTF16PtrFromString(ownService)
	if err != nil {
		return 0, err
	}
	found, _, err := openService.Call(manager, uintptr(unsafe.Pointer(name)), access)
	if found == 0 && errors.Is(err, errorNoService) {
		return 0, failure{"service-missing", err}
	}
	if found == 0 {
		return 0, failure{"service", err}
	}
	return found, nil
}

func statusOf(service uintptr) (serviceStatus, error) {
	status, needed := serviceStatus{}, uint32(0)
	done, _, err := queryService.Call(service, 0, uintptr(unsafe.Pointer(&status)), unsafe.Sizeof(status), uintptr(unsafe.Pointer(&needed)))
	if done == 0 {
		return status, failure{"service", err}
	}
	return status, nil
}

// connectService starts the service if it doesn't run, and returns a pipe whose other end is the service's process, as the
// system's list of services has it: another program may have taken the name of the pipe.
func connectService(service uintptr, until time.Time) (*overlappedPipe, error) {
	for ; time.Now().Before(until); time.Sleep(callPause) {
		status, err := statusOf(service)
		if err != nil {
			return nil, err
		}
		pipe, err := (*overlappedPipe)(nil), error(syscall.ERROR_FILE_NOT_FOUND)
		switch status.state {
		case serviceRunning:
			pipe, err = openPipe(ownPipe)
		case serviceStopped:
		default:
			continue
		}
		if errors.Is(err, syscall.ERROR_FILE_NOT_FOUND) {
			// Of one that was killed, the list may not know the end yet.
			if done, _, err := startService.Call(service, 0, 0); done == 0 && !errors.Is(err, errorServiceExists) {
				return nil, failure{"service-not-started", err}
			}
			continue
		}
		if errors.Is(err, errorPipeBusy) {
			continue
		}
		if err != nil {
			return nil, failure{"service", err}
		}
		server := uint32(0)
		done, _, err := getServerProcess.Call(uintptr(pipe.handle), uintptr(unsafe.Pointer(&server)))
		if done == 0 {
			return nil, failure{"service", err}
		}
		if status, err = statusOf(service); err != nil {
			return nil, err
		}
		if status.state != serviceRunning || status.process != server {
			return nil, errServiceOfOthers
		}
		return pipe, nil
	}
	return nil, errServiceNotStarted
}

// overlappedPipe can be read and written at the same time.
type overlappedPipe struct {
	handle         syscall.Handle
	reading        syscall.Handle
	writing        syscall.Handle
	access, output sync.Mutex
}

func openPipe(path string) (*overlappedPipe, error) {
	text, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(text, readAndWrite, 0, nil, syscall.OPEN_EXISTING,
		syscall.FILE_FLAG_OVERLAPPED|identifyOnly, 0)
	if err != nil {
		return nil, err
	}
	pipe := &overlappedPipe{handle: handle}
	for _, each := range []*syscall.Handle{&pipe.reading, &pipe.writing} {
		event, _, err := createEvent.Call(0, 1, 0, 0)
		if event == 0 {
			return nil, err
		}
		*each = syscall.Handle(event)
	}
	return pipe, nil
}

func (p *overlappedPipe) Read(into []byte) (int, error) {
	p.access.Lock()
	defer p.access.Unlock()
	length, err := p.transfer(p.reading, func(o *syscall.Overlapped) error { return syscall.ReadFile(p.handle, into, nil, o) })
	if errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNotAttached) {
		return 0, io.EOF
	}
	return length, err
}

func (p *overlappedPipe) Write(text []byte) (int, error) {
	p.output.Lock()
	defer p.output.Unlock()
	return p.transfer(p.writing, func(o *syscall.Overlapped) error { return syscall.WriteFile(p.handle, text, nil, o) })
}

// transfer waits for the end of what it begins.
func (p *overlappedPipe) transfer(event syscall.Handle, begin func(*syscall.Overlapped) error) (int, error) {
	overlapped := &syscall.Overlapped{HEvent: event}
	if err := begin(overlapped); err != nil && !errors.Is(err, syscall.ERROR_IO_PENDING) {
		return 0, err
	}
	length := uint32(0)
	done, _, err := getOverlappedResult.Call(uintptr(p.handle), uintptr(unsafe.Pointer(overlapped)), uintptr(unsafe.Pointer(&length)), 1)
	if done == 0 {
		return int(length), err
	}
	return int(length), nil
}

//go:build windows

package main

import (
	"errors"
	"syscall"
	"unsafe"
)

const (
	servicePipe = `\\.\pipe\openvpn\service`
	serviceKey  = `SYSTEM\CurrentControlSet\Services\OpenVPNServiceInteractive`
	// errorSemTimeout says that a pipe exists, but all of its instances are in use.
	errorSemTimeout = syscall.Errno(121)

	tokenGroups    = 2
	tokenElevation = 20
)

var waitNamedPipe = kernel32.NewProc("WaitNamedPipeW")

// isPipe reports whether a named pipe exists, without connecting to it.
func isPipe(path string) bool {
	text, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	const milliseconds = 1
	found, _, err := waitNamedPipe.Call(uintptr(unsafe.Pointer(text)), milliseconds)
	return found != 0 || errors.Is(err, errorSemTimeout)
}

// account describes the user of this process.
type account struct {
	// Elevated is true for a process with an administrator's rights.
	Elevated bool    `json:"elevated"`
	Groups   []group `json:"groups"`
}

type group struct {
	SID string `json:"sid"`
	// Name is empty if the system knows none; its language is the system's.
	Name string `json:"name"`
}

func readAccount() (account, error) {
	token, err := syscall.OpenCurrentProcessToken()
	if err != nil {
		return account{}, err
	}
	defer token.Close()
	elevation, err := tokenInformation(token, tokenElevation)
	if err != nil || len(elevation) < 4 {
		return account{}, errors.New("no elevation")
	}
	found := account{Elevated: *(*uint32)(unsafe.Pointer(&elevation[0])) != 0, Groups: []group{}}
	listed, err := tokenInformation(token, tokenGroups)
	if err != nil || len(listed) < 4 {
		return account{}, errors.New("no groups")
	}
	// TOKEN_GROUPS
	table := (*struct {
		count  uint32
		groups [1]syscall.SIDAndAttributes
	})(unsafe.Pointer(&listed[0]))
	for _, each := range unsafe.Slice(&table.groups[0], table.count) {
		sid, err := each.Sid.String()
		if err != nil {
			return account{}, err
		}
		name, _, _, err := each.Sid.LookupAccount("")
		if err != nil {
			name = ""
		}
		found.Groups = append(found.Groups, group{SID: sid, Name: name})
	}
	return found, nil
}

func tokenInformation(token syscall.Token, class uint32) ([]byte, error) {
	size := uint32(256)
	for {
		buffer := make([]byte, size)
		err := syscall.GetTokenInformation(token, class, &buffer[0], size, &size)
		if err == nil {
			return buffer[:size], nil
		}
		if !errors.Is(err, syscall.ERROR_INSUFFICIENT_BUFFER) || size <= uint32(len(buffer)) {
			return nil, err
		}
	}
}

//go:build windows

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
	"golang.org/x/sys/windows/svc/mgr"
)

// serviceAccess lets users who have signed in at the computer start the service and ask for its state, and nothing else.
const serviceAccess = "D:P(A;;CCLCSWRPWPDTLOCRSDRCWDWO;;;SY)(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)(A;;CCLCRPLORC;;;IU)"

var errFolder = errors.New("the folder isn't below Program Files, so others than administrators may be able to change it")

// install creates the service, or takes the place of an earlier version.
func install() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if !isProtected(program) {
		return errFolder
	}
	manager, err := mgr.Connect()
	if err != nil {
		return err
	}
	defer manager.Disconnect()
	settings := mgr.Config{
		ServiceType: windows.SERVICE_WIN32_OWN_PROCESS, StartType: mgr.StartManual, ErrorControl: mgr.ErrorNormal,
		DisplayName: "Causeway", Description: "Makes WireGuard tunnels and holds the kill switch for Causeway.",
	}
	created, err := manager.OpenService(serviceName)
	if err == nil {
		if err = stop(created); err == nil {
			err = setProgram(created, program)
		}
	} else if errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST) {
		created, err = manager.CreateService(serviceName, program, settings)
	}
	if err != nil {
		return err
	}
	defer created.Close()
	again := mgr.RecoveryAction{Type: mgr.ServiceRestart, Delay: time.Second}
	if err := created.SetRecoveryActions([]mgr.RecoveryAction{again, again, again}, 86400); err != nil {
		return err
	}
	access, err := windows.SecurityDescriptorFromString(serviceAccess)
	if err != nil {
		return err
	}
	list, _, err := access.DACL()
	if err != nil {
		return err
	}
	const kinds = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	return windows.SetSecurityInfo(created.Handle, windows.SE_SERVICE, kinds, nil, nil, list, nil)
}

// setProgram has a service of an earlier version start this program.
func setProgram(existing *mgr.Service, program string) error {
	// In quotes: Windows would try each part of a path with spaces.
	path, err := windows.UTF16PtrFromString(windows.EscapeArg(program))
	if err != nil {
		return err
	}
	const same = windows.SERVICE_NO_CHANGE
	return windows.ChangeServiceConfig(existing.Handle, same, same, same, path, nil, nil, nil, nil, nil, nil)
}

// isProtected reports whether a program is in a folder that only administrators can change.
func isProtected(program string) bool {
	for _, each := range []*windows.KNOWNFOLDERID{windows.FOLDERID_ProgramFilesX64, windows.FOLDERID_ProgramFiles} {
		folder, err := windows.KnownFolderPath(each, 0)
		if err != nil {
			continue
		}
		inside, err := filepath.Rel(folder, program)
		if err == nil && inside != "." && !strings.HasPrefix(inside, "..") && !filepath.IsAbs(inside) {
			return true
		}
	}
	return false
}

// remove ends the service and everything that it has changed, and deletes it. Without a service, it undoes what one has left.
func remove() error {
	manager, err := mgr.Connect()
	if err != nil {
		return err
	}
	defer manager.Disconnect()
	existing, err := manager.OpenService(serviceName)
	if errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST) {
		return undoAll()
	}
	if err != nil {
		return err
	}
	defer existing.Close()
	if err := stop(existing); err != nil {
		return err
	}
	// Its records go with the service, so it stays if something could not be undone, and removing it can be tried again.
	if err := undoAll(); err != nil {
		return err
	}
	return existing.Delete()
}

func stop(running *mgr.Service) error {
	status, err := running.Query()
	if err != nil || status.State == svc.Stopped {
		return err
	}
	if status.State != svc.StopPending {
		if _, err := running.Control(svc.Stop); err != nil && !errors.Is(err, windows.ERROR_SERVICE_NOT_ACTIVE) {
			return err
		}
	}
	for until := time.Now().Add(endTimeout + 5*time.Second); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		if status, err = running.Query(); err != nil || status.State == svc.Stopped {
			return err
		}
	}
	return errors.New("the service doesn't stop")
}

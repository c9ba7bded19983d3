//go:build windows

package main

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

// client is who has connected.
type client struct {
	// sid is that of the user, as text.
	sid             string
	isAdministrator bool
	// isAtComputer is true for the user of the console, and for one who has connected to the computer's desktop.
	isAtComputer bool
}

var (
	advapi32                   = windows.NewLazySystemDLL("advapi32.dll")
	impersonateNamedPipeClient = advapi32.NewProc("ImpersonateNamedPipeClient")
	errNotHere                 = errors.New("not at this computer")
)

// identify asks Windows about the client, by the token with which it opened the pipe. A client need not allow more than that.
func identify(of *connection) (client, error) {
	token := windows.Token(0)
	err := of.use(func(pipe windows.Handle) (err error) {
		token, err = tokenOf(pipe)
		return err
	})
	if err != nil {
		return client{}, err
	}
	defer token.Close()
	user, err := token.GetTokenUser()
	if err != nil {
		return client{}, err
	}
	for _, kind := range []windows.WELL_KNOWN_SID_TYPE{windows.WinNetworkSid, windows.WinAnonymousSid} {
		if is, err := isMember(token, kind); err != nil || is {
			return client{}, errors.Join(errNotHere, err)
		}
	}
	session, size := uint32(0), uint32(0)
	if err := windows.GetTokenInformation(token, windows.TokenSessionId, (*byte)(unsafe.Pointer(&session)), 4, &size); err != nil {
		return client{}, err
	}
	isAdministrator, err := isMember(token, windows.WinBuiltinAdministratorsSid)
	if err != nil {
		return client{}, err
	}
	return client{
		sid: user.User.Sid.String(), isAdministrator: isAdministrator, isAtComputer: isActive(session),
	}, nil
}

// tokenOf returns the client's token.
func tokenOf(pipe windows.Handle) (windows.Token, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if done, _, err := impersonateNamedPipeClient.Call(uintptr(pipe)); done == 0 {
		return 0, err
	}
	token := windows.Token(0)
	err := windows.OpenThreadToken(windows.CurrentThread(), windows.TOKEN_QUERY|windows.TOKEN_DUPLICATE, true, &token)
	if failure := windows.RevertToSelf(); failure != nil {
		// This thread would act as somebody else.
		os.Exit(1)
	}
	return token, err
}

// isMember reports whether a group of the token is in force, which an administrator's is not without elevated rights.
func isMember(token windows.Token, kind windows.WELL_KNOWN_SID_TYPE) (bool, error) {
	sid, err := windows.CreateWellKnownSid(kind)
	if err != nil {
		return false, err
	}
	return token.IsMember(sid)
}

// isActive reports whether somebody sees the desktop of a session now.
func isActive(session uint32) bool {
	if session == windows.WTSGetActiveConsoleSessionId() {
		return true
	}
	list, count := (*windows.WTS_SESSION_INFO)(nil), uint32(0)
	if windows.WTSEnumerateSessions(0, 0, 1, &list, &count) != nil {
		return false
	}
	defer windows.WTSFreeMemory(uintptr(unsafe.Pointer(list)))
	for _, each := range unsafe.Slice(list, count) {
		if each.SessionID == session {
			return each.State == windows.WTSActive
		}
	}
	return false
}

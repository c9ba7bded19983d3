//go:build !macos_rehearsal

package helper

import (
	"os"
	"os/user"
	"syscall"
)

const (
	// ownUser is the system user of the packages.
	ownUser = "causeway"
	// lastSystemID is the last one of users that are no persons.
	lastSystemID = 999
	overflowID   = 65534
	tunFile      = "/dev/net/tun"
)

// programUser returns as whom OpenVPN and the program for WireGuard run: as the caller, but never as root, whose files are the
// system. They have no right but CAP_NET_ADMIN, and need no file but, for OpenVPN, that of devices.
func programUser(by caller, group uint32, opensTun bool) (uid, gid uint32) {
	if by.uid != 0 {
		return by.uid, group
	}
	if opensTun && !mayEverybodyOpen(tunFile) {
		// Such as in a container that made the file with root's rights alone.
		return 0, group
	}
	if uid, gid, ok := idsOf(ownUser); ok && uid > 0 && uid <= lastSystemID && gid > 0 && gid <= lastSystemID {
		return uid, gid
	}
	if uid, gid, ok := idsOf("nobody"); ok && uid > 0 && gid > 0 {
		return uid, gid
	}
	return overflowID, overflowID
}

func idsOf(name string) (uid, gid uint32, ok bool) {
	found, err := user.Lookup(name)
	if err != nil {
		return 0, 0, false
	}
	uid, err = parseUID(found.Uid)
	if err != nil {
		return 0, 0, false
	}
	gid, err = parseUID(found.Gid)
	return uid, gid, err == nil
}

// mayEverybodyOpen also accepts a file that doesn't exist: OpenVPN then says so, whoever runs it.
func mayEverybodyOpen(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().Perm()&0o006 == 0o006
}

// asProgramUser completes the attributes of a program of the tunnel's.
func (t *tunnel) asProgramUser(attributes *syscall.SysProcAttr, opensTun bool) func() error {
	uid, gid := programUser(t.caller, t.group, opensTun)
	return asUser(attributes, uid, gid)
}

//go:build darwin || macos_rehearsal

package helper

import (
	"os/user"
	"syscall"
)

const (
	// ownUser is the system user that the installers add.
	ownUser = "_causeway"
	// lastSystemID is the last one of users that are no persons.
	lastSystemID = 499
	// nobodyID is that of the user and the group `nobody`.
	nobodyID = 1<<32 - 2
)

// asProgramUser completes the attributes of a program of the tunnel's: OpenVPN needs root's rights, the program for WireGuard
// none. That runs as a user whom no kill switch concerns, and not as the caller: what the caller's programs may not send, they
// could send in its name.
func (t *tunnel) asProgramUser(attributes *syscall.SysProcAttr, isOpenVPN bool) func() error {
	if !isOpenVPN {
		uid, gid := idsOf(ownUser)
		attributes.Credential = &syscall.Credential{Uid: uid, Gid: gid}
		stayConfigurable(attributes)
	}
	return nil
}

// idsOf returns those of a system user, or of nobody.
func idsOf(name string) (uid, gid uint32) {
	found, err := user.Lookup(name)
	if err != nil {
		return nobodyID, nobodyID
	}
	uid, err = parseUID(found.Uid)
	if err == nil {
		gid, err = parseUID(found.Gid)
	}
	if err != nil || uid == 0 || uid > lastSystemID || gid == 0 || gid > lastSystemID {
		return nobodyID, nobodyID
	}
	return uid, gid
}

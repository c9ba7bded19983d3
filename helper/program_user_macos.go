//go:build darwin || macos_rehearsal

package helper

import "syscall"

// firstProgramID is the first one of the users of programs for WireGuard, which have no accounts. pfctl takes no higher ones than
// 1<<31, and directories give people those of 1<<31 numbers that come from a checksum.
const firstProgramID = 2_147_400_000

// programID returns the user, and the group, of a tunnel's program for WireGuard. It shares them with nothing else, not even with
// the program of another tunnel.
func programID(name device) uint32 { return firstProgramID + uint32(interfaceNumber(name)) }

// asProgramUser completes the attributes of a program of the tunnel's: OpenVPN needs root's rights, the program for WireGuard
// none. That doesn't run as the caller: what the kill switch permits it, the caller's programs could send, too.
func (t *tunnel) asProgramUser(attributes *syscall.SysProcAttr, isOpenVPN bool) func() error {
	if !isOpenVPN {
		attributes.Credential = &syscall.Credential{Uid: programID(t.device), Gid: programID(t.device)}
		stayConfigurable(attributes)
	}
	return nil
}

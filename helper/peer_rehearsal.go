//go:build macos_rehearsal && !darwin

package helper

import (
	"syscall"
)

// peerOf returns the user who connected to a Unix socket.
func peerOf(socket int) (uint32, error) {
	peer, err := syscall.GetsockoptUcred(socket, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	if peer.Uid == ^uint32(0) {
		return 0, cause("not-understood")
	}
	return peer.Uid, nil
}

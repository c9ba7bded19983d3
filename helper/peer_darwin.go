package helper

import (
	"syscall"
	"unsafe"
)

// From sys/un.h and sys/ucred.h.
const (
	solLocal      = 0
	localPeerCred = 1
	xucredVersion = 0
)

type xucred struct {
	version uint32
	uid     uint32
	count   int16
	groups  [16]uint32
}

// peerOf returns the user who connected to a Unix socket.
func peerOf(socket int) (uint32, error) {
	peer := xucred{version: ^uint32(0)}
	size := uint32(unsafe.Sizeof(peer))
	_, _, err := syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(socket), solLocal, localPeerCred,
		uintptr(unsafe.Pointer(&peer)), uintptr(unsafe.Pointer(&size)), 0)
	if err != 0 {
		return 0, err
	}
	if size != uint32(unsafe.Sizeof(peer)) || peer.version != xucredVersion || peer.uid == ^uint32(0) {
		return 0, cause("not-understood")
	}
	return peer.uid, nil
}

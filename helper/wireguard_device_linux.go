//go:build !macos_rehearsal

package main

import (
	"net/netip"
	"time"
)

// wireGuardDevice configures WireGuard, in the kernel or in a program for user space.
type wireGuardDevice interface {
	// configure sends the private key and overwrites it.
	configure(asked *wireGuardRequest, endpoint netip.AddrPort, mark uint32) error
	// setPeer replaces the peer by a new one, which begins a handshake at once.
	setPeer(asked *wireGuardRequest, endpoint netip.AddrPort) error
	setEndpoint(peer wireGuardKey, endpoint netip.AddrPort) error
	counters() (counters, error)
}

// counters is the time of the last handshake, zero before the first, and the bytes since the start.
type counters struct {
	handshake      time.Time
	received, sent uint64
}

//go:build windows

package main

import (
	"net"

	"causeway-helper"
	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun"
)

// wireGuard is WireGuard in this process, on any device.
type wireGuard struct {
	device *device.Device
	bind   conn.Bind
	own    net.Conn
	// isGone is closed if somebody else removed the device, and at its end.
	isGone chan struct{}
}

// newWireGuard carries packets once it is up.
func newWireGuard(over tun.Device, bind conn.Bind) *wireGuard {
	// The library's messages name peers and addresses, and nobody would read them.
	logger := &device.Logger{Verbosef: device.DiscardLogf, Errorf: device.DiscardLogf}
	w := &wireGuard{bind: bind, isGone: make(chan struct{})}
	w.device = device.NewDevice(over, w.bind, logger)
	// Answers from another address must not move the tunnel to where the kill switch doesn't expect its packets. Despite its name,
	// this only ends the moving of peers with a set address.
	w.device.DisableSomeRoamingForBrokenMobileSemantics()
	own, its := net.Pipe()
	w.own = own
	// Answers requests until the connection is closed.
	go w.device.IpcHandle(its)
	go func() {
		<-w.device.Wait()
		close(w.isGone)
	}()
	return w
}

func (w *wireGuard) configuration() helper.Connection { return w.own }

func (w *wireGuard) close() {
	w.own.Close()
	w.device.Close()
}

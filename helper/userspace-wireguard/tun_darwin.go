package main

import (
	"os"

	"golang.zx2c4.com/wireguard/tun"
)

// isUpAtOnce is true because macOS makes the device like that, and tells nobody who listens later.
const isUpAtOnce = true

// openTun leaves the MTU to the helper: only root may set it here.
func openTun(descriptor, _ int) (tun.Device, error) {
	return tun.CreateTUNFromFile(os.NewFile(uintptr(descriptor), "tun"), 0)
}

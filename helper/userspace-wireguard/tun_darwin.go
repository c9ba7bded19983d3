package main

import (
	"os"

	"golang.zx2c4.com/wireguard/tun"
)

func openTun(descriptor, mtu int) (tun.Device, error) {
	return tun.CreateTUNFromFile(os.NewFile(uintptr(descriptor), "tun"), mtu)
}

//go:build windows && causeway_model

package main

import (
	"errors"
	"net/netip"
	"os"
	"strconv"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows/registry"
	"golang.zx2c4.com/wireguard/conn/bindtest"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun/tuntest"
)

// modelKey holds the rules of the model's firewall, which outlive a process as those of Windows do.
const modelKey = `SOFTWARE\CausewayModel`

// modelFirewall stands in for Windows' firewall in tests.
type modelFirewall struct{}

func newFirewall() firewall { return modelFirewall{} }

func (modelFirewall) set(rules []filter.Rule) error {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	return key.SetStringValue("Rules", strconv.Itoa(len(rules)))
}

func (modelFirewall) clear() error {
	err := registry.DeleteKey(registry.LOCAL_MACHINE, modelKey)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

func (modelFirewall) isUp() (bool, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, key.Close()
}

func findWay(netip.Addr, uint64) (way, error) {
	return way{luid: 3, index: 3, nextHop: netip.MustParseAddr("192.168.1.1"), mtu: 1500}, nil
}

// modelRoutes holds the routes of the model.
const modelRoutes = `SOFTWARE\CausewayModelRoutes`

func addRoute(to netip.Addr, _ way) error {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelRoutes, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	return key.SetStringValue(to.String(), "route")
}

func deleteRoute(to netip.Addr, _ way) error {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelRoutes, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	return key.DeleteValue(to.String())
}

// modelDevice is WireGuard over a device of this process alone.
type modelDevice struct {
	*wireGuard
}

// modelServer is a WireGuard server for the private key whose bytes are all 1; those of its own are all 2. Port 1 reaches it.
const modelServer = "private_key=0202020202020202020202020202020202020202020202020202020202020202\n" +
	"public_key=a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209\nallowed_ip=0.0.0.0/0\n"

// newDevice makes a device whose packets reach the model's server, because Wine 8 has no sockets for UDP that Go could use.
func newDevice(int) (tunnelDevice, error) {
	binds := bindtest.NewChannelBinds()
	quiet := &device.Logger{Verbosef: device.DiscardLogf, Errorf: device.DiscardLogf}
	server := device.NewDevice(tuntest.NewChannelTUN().TUN(), binds[1], quiet)
	if err := server.IpcSet(modelServer); err != nil {
		return nil, err
	}
	return modelDevice{newWireGuard(tuntest.NewChannelTUN().TUN(), binds[0])}, server.Up()
}

func (d modelDevice) name() string          { return "cw" + strconv.Itoa(os.Getpid()) + "t" }
func (d modelDevice) number() uint64        { return 7 }
func (d modelDevice) gone() <-chan struct{} { return d.isGone }
func (d modelDevice) setMTU(int) error      { return nil }

func (d modelDevice) setUp(addresses, _ []netip.Prefix) ([]netip.Prefix, error) {
	return addresses, d.device.Up()
}

func (d modelDevice) counters() (helper.Counters, bool)   { return helper.Counters{}, false }
func (d modelDevice) setDNS([]netip.Addr, []string) error { return nil }
func (d modelDevice) openPing(netip.Addr) (helper.Ping, error) {
	return nil, errors.New("no ping in the model")
}

//go:build windows && causeway_model

package main

import (
	"encoding/json"
	"errors"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
	"golang.zx2c4.com/wireguard/conn/bindtest"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun/tuntest"
)

// modelKey holds the rules of the model's firewall, which outlive a process as those of Windows do.
const modelKey = `SOFTWARE\CausewayModel`

// modelHold holds the step at which a process is to stay, so that a test can kill it there, and then the one where it stays.
const modelHold = `SOFTWARE\CausewayModelHold`

// hold stays for good at a step that the test has chosen.
func hold(step string) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelHold, registry.QUERY_VALUE|registry.SET_VALUE)
	if err != nil {
		return
	}
	defer key.Close()
	if chosen, _, err := key.GetStringValue("At"); err == nil && chosen == step && key.SetStringValue("Held", step) == nil {
		select {}
	}
}

// modelFirewall stands in for Windows' firewall in tests.
type modelFirewall struct{}

func newFirewall() firewall { return modelFirewall{} }

// modelValues names the values for the sets of rules.
var modelValues = map[ruleSet]string{killSwitchRules: "Rules", tunnelRules: "TunnelRules"}

func (modelFirewall) set(which ruleSet, rules []filter.Rule) error {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	text, err := json.Marshal(rules)
	if err != nil {
		return err
	}
	err = key.SetStringValue(modelValues[which], string(text))
	hold(modelValues[which])
	return err
}

// modelIsOff is true while the model's firewall doesn't run.
var modelIsOff bool

func (modelFirewall) clear(which ruleSet) error {
	if modelIsOff {
		return windows.ERROR_SERVICE_NOT_ACTIVE
	}
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelKey, registry.SET_VALUE)
	if err == nil {
		defer key.Close()
		err = key.DeleteValue(modelValues[which])
	}
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

func (modelFirewall) begins(which ruleSet, rules []filter.Rule) (bool, error) {
	if modelIsOff {
		return false, windows.ERROR_SERVICE_NOT_ACTIVE
	}
	there, err := modelRules(which)
	return len(there) >= len(rules) && slices.Equal(there[:len(rules)], rules), err
}

// modelRules returns those that the model's firewall has.
func modelRules(which ruleSet) (rules []filter.Rule, err error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelKey, registry.QUERY_VALUE)
	text := ""
	if err == nil {
		defer key.Close()
		text, _, err = key.GetStringValue(modelValues[which])
	}
	if errors.Is(err, registry.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return rules, json.Unmarshal([]byte(text), &rules)
}

// modelShows returns those of the devices that are up which Windows' table shows as such. Tests replace it.
var modelShows = func(up []uint64) []uint64 { return up }

// modelDevices holds the devices of OpenVPN that are up, by their numbers.
const modelDevices = `SOFTWARE\CausewayModelDevices`

func openVPNDevices() ([]uint64, error) {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelDevices, registry.QUERY_VALUE)
	if err != nil {
		return nil, err
	}
	defer key.Close()
	names, err := key.ReadValueNames(-1)
	if err != nil {
		return nil, err
	}
	up := []uint64{}
	for _, name := range names {
		number, err := strconv.ParseUint(name, 10, 64)
		if err != nil {
			return nil, err
		}
		up = append(up, number)
	}
	return modelShows(up), nil
}

// onDeviceChange calls back after each change of the model's devices.
func onDeviceChange(changed func()) (stop func(), err error) {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelDevices, registry.NOTIFY)
	if err != nil {
		return nil, err
	}
	ended, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return nil, err
	}
	happened, err := windows.CreateEvent(nil, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	begun, over := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(over)
		// Windows cancels what a thread waits for when that ends.
		runtime.LockOSThread()
		for isFirst := true; ; isFirst = false {
			const names, values = 0x1, 0x4
			err := windows.RegNotifyChangeKeyValue(windows.Handle(key), false, names|values, happened, true)
			if isFirst {
				begun <- err
			} else {
				changed()
			}
			if err != nil {
				return
			}
			if which, err := windows.WaitForMultipleObjects([]windows.Handle{ended, happened}, false, windows.INFINITE); err != nil || which == windows.WAIT_OBJECT_0 {
				return
			}
		}
	}()
	return func() {
		_ = windows.SetEvent(ended)
		<-over
	}, <-begun
}

// modelHop is the gateway of the model's network.
var modelHop = netip.MustParseAddr("192.168.1.1")

func findWay(netip.Addr, uint64, bypassRoute) (way, error) {
	return way{luid: 3, index: 3, nextHop: modelHop, mtu: 1500}, nil
}

// modelRoutes holds the routes of the model.
const modelRoutes = `SOFTWARE\CausewayModelRoutes`

func addRoute(to netip.Addr, over way) error {
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelRoutes, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	err = key.SetStringValue(to.String(), over.nextHop.String())
	hold("route")
	return err
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
	inside  []netip.Addr
	changed func()
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
	if err := dropPrivileges(); err != nil {
		return nil, err
	}
	hold("device")
	return &modelDevice{wireGuard: newWireGuard(tuntest.NewChannelTUN().TUN(), binds[0])}, server.Up()
}

func (d *modelDevice) name() string          { return "cw" + strconv.Itoa(os.Getpid()) + "t" }
func (d *modelDevice) number() uint64        { return 7 }
func (d *modelDevice) gone() <-chan struct{} { return d.isGone }
func (d *modelDevice) setMTU(int) error      { return nil }

func (d *modelDevice) leadInside(addresses []netip.Addr) error {
	d.inside = addresses
	return nil
}

func (d *modelDevice) onChange(do func()) { d.changed = do }

func (d *modelDevice) setUp(addresses, _ []netip.Prefix) ([]netip.Prefix, bool, error) {
	err := d.device.Up()
	hold("set-up")
	return addresses, false, err
}

func (d *modelDevice) counters() (helper.Counters, bool)   { return helper.Counters{}, false }
func (d *modelDevice) setDNS([]netip.Addr, []string) error { return nil }
func (d *modelDevice) openPing(netip.Addr) (helper.Ping, error) {
	return nil, errors.New("no ping in the model")
}

//go:build windows && !causeway_model

package main

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"causeway-helper"
	"golang.org/x/sys/windows"
	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/tun"
	"golang.zx2c4.com/wireguard/windows/tunnel/winipcfg"
)

// wintunDevice is a device of Wintun's driver. Its addresses, routes and name servers end with it, and it ends with this process.
type wintunDevice struct {
	*wireGuard
	tun   *tun.NativeTun
	alias string
	luid  winipcfg.LUID
	// changes end with stop.
	changes []interface{ Unregister() error }
	stop    chan struct{}
	closing sync.Once
	// changed is called after each change of the network, and ended closed when it isn't any more.
	changed func()
	ended   chan struct{}
	// inside holds the addresses with routes of their own.
	inside []netip.Addr
}

// familyTimeout is the time that Windows gets to add a family to a new device.
const familyTimeout = 3 * time.Second

// deviceGUID is that of each device, so that Windows knows the network again.
var deviceGUID = windows.GUID{Data1: 0x6c1c7f0b, Data2: 0x5e0f, Data3: 0x4f0e, Data4: [8]byte{0x9a, 0x61, 0x0d, 0x5b, 0x7a, 0x1f, 0x3c, 0x52}}

// newDevice makes a device, and gives up the rights that this takes.
func newDevice(mtu int) (tunnelDevice, error) {
	if err := loadWintun(); err != nil {
		return nil, err
	}
	alias := fmt.Sprintf("cw%dt", os.Getpid())
	made, err := tun.CreateTUNWithRequestedGUID(alias, &deviceGUID, mtu)
	if err != nil {
		return nil, err
	}
	native := made.(*tun.NativeTun)
	d := &wintunDevice{
		wireGuard: newWireGuard(native, conn.NewDefaultBind()), tun: native, alias: alias, luid: winipcfg.LUID(native.LUID()),
		stop: make(chan struct{}), changed: func() {},
	}
	if err := dropPrivileges(); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// loadWintun loads the library beside this program, never one of another folder: later, Windows finds it by its name.
func loadWintun() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = windows.LoadLibraryEx(filepath.Join(filepath.Dir(program), "wintun.dll"), 0, windows.LOAD_LIBRARY_SEARCH_SYSTEM32)
	return err
}

func (d *wintunDevice) name() string { return d.alias }

func (d *wintunDevice) number() uint64 { return uint64(d.luid) }

func (d *wintunDevice) gone() <-chan struct{} { return d.isGone }

// setUp starts WireGuard, leads its own packets past the tunnel, and then everything else into it.
func (d *wintunDevice) setUp(addresses, routes []netip.Prefix) (taken []netip.Prefix, withoutIPv6 bool, err error) {
	if err := d.device.Up(); err != nil {
		return nil, false, err
	}
	if err := d.followNetwork(); err != nil {
		return nil, false, err
	}
	for _, family := range []winipcfg.AddressFamily{windows.AF_INET, windows.AF_INET6} {
		own := ofFamily(addresses, family)
		if err := d.configureFamily(family, own, ofFamily(routes, family)); err != nil {
			// Windows without IPv6, or one that gave the device none within familyTimeout.
			if family == windows.AF_INET6 && (err == windows.ERROR_NOT_FOUND || err == windows.ERROR_NOT_SUPPORTED) {
				withoutIPv6 = true
				continue
			}
			return nil, false, err
		}
		taken = append(taken, own...)
	}
	return taken, withoutIPv6, nil
}

func ofFamily(all []netip.Prefix, family winipcfg.AddressFamily) []netip.Prefix {
	found := []netip.Prefix{}
	for _, each := range all {
		if familyOf(each.Addr()) == family {
			found = append(found, each)
		}
	}
	return found
}

// awaitFamily returns the settings for a family, which Windows adds to a new device a moment later.
func (d *wintunDevice) awaitFamily(family winipcfg.AddressFamily, isNeeded bool) (*winipcfg.MibIPInterfaceRow, error) {
	for until := time.Now().Add(familyTimeout); ; time.Sleep(20 * time.Millisecond) {
		settings, err := d.luid.IPInterface(family)
		if err != windows.ERROR_NOT_FOUND || !isNeeded || time.Now().After(until) {
			return settings, err
		}
	}
}

// configureFamily sets routes that Windows prefers to others of the same length.
func (d *wintunDevice) configureFamily(family winipcfg.AddressFamily, addresses, routes []netip.Prefix) error {
	settings, err := d.awaitFamily(family, family == windows.AF_INET || len(addresses)+len(routes) > 0)
	if err != nil {
		return err
	}
	settings.RouterDiscoveryBehavior = winipcfg.RouterDiscoveryDisabled
	settings.DadTransmits = 0
	settings.ManagedAddressConfigurationSupported = false
	settings.OtherStatefulConfigurationSupported = false
	settings.UseAutomaticMetric, settings.Metric = false, 0
	mtu, err := d.tun.MTU()
	if err != nil {
		return err
	}
	settings.NLMTU = uint32(mtu)
	if err := settings.Set(); err != nil {
		return err
	}
	if err := d.luid.SetIPAddressesForFamily(family, addresses); err != nil {
		return err
	}
	nextHop := netip.IPv4Unspecified()
	if family == windows.AF_INET6 {
		nextHop = netip.IPv6Unspecified()
	}
	wanted := []*winipcfg.RouteData{}
	for _, each := range routes {
		wanted = append(wanted, &winipcfg.RouteData{Destination: each, NextHop: nextHop})
	}
	return d.luid.SetRoutesForFamily(family, wanted)
}

// followNetwork keeps WireGuard's own packets on the interface that leads past the tunnel.
func (d *wintunDevice) followNetwork() error {
	changed := make(chan struct{}, 1)
	tell := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	routes, err := winipcfg.RegisterRouteChangeCallback(func(_ winipcfg.MibNotificationType, row *winipcfg.MibIPforwardRow2) {
		if row == nil || row.InterfaceLUID != d.luid {
			tell()
		}
	})
	if err != nil {
		return err
	}
	d.changes = append(d.changes, routes)
	devices, err := winipcfg.RegisterInterfaceChangeCallback(func(_ winipcfg.MibNotificationType, row *winipcfg.MibIPInterfaceRow) {
		if row == nil || row.InterfaceLUID != d.luid {
			tell()
		}
	})
	if err != nil {
		return err
	}
	d.changes = append(d.changes, devices)
	if err := d.bindToNetwork(); err != nil {
		return err
	}
	d.ended = make(chan struct{})
	go func() {
		defer close(d.ended)
		for {
			select {
			case <-d.stop:
				return
			case <-changed:
				// The next change repeats it.
				_ = d.bindToNetwork()
				d.changed()
			}
		}
	}()
	return nil
}

// bindToNetwork binds both sockets to the way to the Internet. Without one, they send nothing: they would send into the tunnel.
func (d *wintunDevice) bindToNetwork() error {
	binding, ok := d.bind.(conn.BindSocketToInterface)
	if !ok {
		return windows.ERROR_NOT_SUPPORTED
	}
	for _, each := range []struct {
		to   netip.Addr
		bind func(uint32, bool) error
	}{
		{netip.IPv4Unspecified(), binding.BindSocketToInterface4}, {netip.IPv6Unspecified(), binding.BindSocketToInterface6},
	} {
		over, err := findWay(each.to, uint64(d.luid), bypassRoute{})
		if err != nil && err != errNoWay {
			return err
		}
		hasNone := err == errNoWay
		// Without IPv6, there may be no socket for it.
		if err := each.bind(over.index, hasNone); err != nil && !(hasNone && each.to.Is6()) {
			return err
		}
	}
	return nil
}

func (d *wintunDevice) onChange(do func()) { d.changed = do }

// leadInside adds new routes before it deletes those that nobody wants any more.
func (d *wintunDevice) leadInside(addresses []netip.Addr) error {
	for _, each := range addresses {
		if slices.Contains(d.inside, each) {
			continue
		}
		err := d.luid.AddRoute(netip.PrefixFrom(each, each.BitLen()), unspecified(each), 0)
		if err != nil && !errors.Is(err, windows.ERROR_OBJECT_ALREADY_EXISTS) {
			return err
		}
		if err == nil {
			d.inside = append(d.inside, each)
		}
	}
	for _, each := range slices.Clone(d.inside) {
		if slices.Contains(addresses, each) {
			continue
		}
		if err := d.luid.DeleteRoute(netip.PrefixFrom(each, each.BitLen()), unspecified(each)); err != nil && !errors.Is(err, windows.ERROR_NOT_FOUND) {
			return err
		}
		d.inside = slices.DeleteFunc(d.inside, func(one netip.Addr) bool { return one == each })
	}
	return nil
}

// unspecified is the next hop of a route without a gateway.
func unspecified(to netip.Addr) netip.Addr {
	if to.Is4() {
		return netip.IPv4Unspecified()
	}
	return netip.IPv6Unspecified()
}

func (d *wintunDevice) setMTU(mtu int) error {
	d.tun.ForceMTU(mtu)
	for _, family := range []winipcfg.AddressFamily{windows.AF_INET, windows.AF_INET6} {
		settings, err := d.luid.IPInterface(family)
		if err == windows.ERROR_NOT_FOUND && family == windows.AF_INET6 {
			continue
		}
		if err != nil {
			return err
		}
		settings.NLMTU = uint32(mtu)
		if err := settings.Set(); err != nil {
			return err
		}
	}
	return nil
}

func (d *wintunDevice) counters() (helper.Counters, bool) {
	row, err := d.luid.Interface()
	if err != nil {
		return helper.Counters{}, false
	}
	return helper.Counters{
		InPackets: row.InUcastPkts + row.InNUcastPkts, InBytes: row.InOctets,
		OutPackets: row.OutUcastPkts + row.OutNUcastPkts, Lost: row.OutDiscards + row.OutErrors,
	}, true
}

func (d *wintunDevice) setDNS(servers []netip.Addr, domains []string) error {
	for _, family := range []winipcfg.AddressFamily{windows.AF_INET, windows.AF_INET6} {
		own := []netip.Addr{}
		for _, each := range servers {
			if familyOf(each) == family {
				own = append(own, each)
			}
		}
		err := d.luid.SetDNS(family, own, domains)
		if err != nil && (family == windows.AF_INET || len(own) > 0) {
			return err
		}
	}
	return nil
}

func (d *wintunDevice) openPing(to netip.Addr) (helper.Ping, error) {
	from := netip.Addr{}
	table, err := winipcfg.GetUnicastIPAddressTable(familyOf(to))
	if err != nil {
		return nil, err
	}
	for index := range table {
		if address := table[index].Address.Addr(); table[index].InterfaceLUID == d.luid && !address.IsLinkLocalUnicast() {
			from = address
		}
	}
	return openEcho(from, to)
}

func (d *wintunDevice) close() {
	d.closing.Do(func() {
		close(d.stop)
		for _, each := range d.changes {
			_ = each.Unregister()
		}
		if d.ended != nil {
			<-d.ended
		}
		d.wireGuard.close()
	})
}

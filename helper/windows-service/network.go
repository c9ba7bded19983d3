//go:build windows && !causeway_model

package main

import (
	"errors"
	"net/netip"

	"golang.org/x/sys/windows"
	"golang.zx2c4.com/wireguard/windows/tunnel/winipcfg"
)

func familyOf(address netip.Addr) winipcfg.AddressFamily {
	if address.Is4() {
		return windows.AF_INET
	}
	return windows.AF_INET6
}

// findWay returns the way that Windows would choose without the tunnel of this number, and its route past itself: the longest prefix,
// then the smallest sum of the metrics of route and interface.
func findWay(to netip.Addr, tunnel uint64, own bypassRoute) (way, error) {
	table, err := winipcfg.GetIPForwardTable2(familyOf(to))
	if err != nil {
		return way{}, err
	}
	found, length, metric := way{}, -1, uint32(0)
	for index := range table {
		row := &table[index]
		prefix := row.DestinationPrefix.Prefix()
		if uint64(row.InterfaceLUID) == tunnel || !prefix.Contains(to) || prefix.Bits() < length {
			continue
		}
		if prefix == netip.PrefixFrom(own.to, own.to.BitLen()) && uint64(row.InterfaceLUID) == own.over.luid && row.NextHop.Addr() == own.over.nextHop {
			continue
		}
		device, err := row.InterfaceLUID.Interface()
		if err != nil || device.OperStatus != winipcfg.IfOperStatusUp {
			continue
		}
		settings, err := row.InterfaceLUID.IPInterface(familyOf(to))
		if err != nil {
			continue
		}
		if sum := row.Metric + settings.Metric; prefix.Bits() > length || sum < metric {
			found = way{uint64(row.InterfaceLUID), row.InterfaceIndex, row.NextHop.Addr(), int(settings.NLMTU)}
			length, metric = prefix.Bits(), sum
		}
	}
	if length < 0 {
		return way{}, errNoWay
	}
	return found, nil
}

// addRoute adds a route to one address, which is not kept over a restart of the computer.
func addRoute(to netip.Addr, over way) error {
	return winipcfg.LUID(over.luid).AddRoute(netip.PrefixFrom(to, to.BitLen()), over.nextHop, 0)
}

// deleteRoute does nothing without it.
func deleteRoute(to netip.Addr, over way) error {
	err := winipcfg.LUID(over.luid).DeleteRoute(netip.PrefixFrom(to, to.BitLen()), over.nextHop)
	if errors.Is(err, windows.ERROR_NOT_FOUND) || errors.Is(err, windows.ERROR_FILE_NOT_FOUND) {
		return nil
	}
	return err
}

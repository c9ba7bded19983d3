//go:build windows

package main

import (
	"bufio"
	"errors"
	"io"
	"net/netip"
	"syscall"
	"unsafe"
)

// systemRoute is one route of this computer.
type systemRoute struct {
	Prefix string `json:"prefix"`
	Device string `json:"device"`
	// Connected tells that the device itself is in this network.
	Connected bool `json:"connected"`
}

// wayTo tells which device the system uses for an address: none if it can't be reached.
type wayTo struct {
	Address string `json:"address"`
	Device  string `json:"device,omitempty"`
	Local   bool   `json:"local,omitempty"`
}

// protocolLocal is that of routes that the system adds with an address (MIB_IPPROTO_LOCAL).
const protocolLocal = 2

// answerRoutes writes all routes, then the way to each address on a line of the input, until that ends.
func answerRoutes(input io.Reader) error {
	table, err := readForwardTable()
	if err != nil {
		return failure{"routes", err}
	}
	routes := []systemRoute{}
	for _, row := range table {
		device, err := readInterface(row.index)
		address := row.prefix.address()
		if err != nil || !address.IsValid() {
			// The interface is gone, so its route will be too.
			continue
		}
		routes = append(routes, systemRoute{
			Prefix:    netip.PrefixFrom(address, int(row.prefixLength)).String(),
			Device:    syscall.UTF16ToString(device.alias[:]),
			Connected: row.protocol == protocolLocal && row.nextHop.address().IsUnspecified(),
		})
	}
	if err := answer(map[string]any{"routes": routes}); err != nil {
		return err
	}
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		address, err := netip.ParseAddr(lines.Text())
		if err != nil || address.Zone() != "" {
			return failure{reason: "usage"}
		}
		way, err := findWay(address)
		if err != nil {
			return failure{"routes", err}
		}
		way.Address = lines.Text()
		if err := answer(way); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Errors of an address that no route leads to.
const (
	errorNetworkUnreachable = syscall.Errno(1231)
	errorHostUnreachable    = syscall.Errno(1232)
)

// findWay asks the system, which weighs lengths of prefixes and metrics of routes and interfaces.
func findWay(address netip.Addr) (wayTo, error) {
	target := socketAddress{family: syscall.AF_INET}
	if address.Is4() {
		target.ipv4 = address.As4()
	} else {
		target.family, target.ipv6 = syscall.AF_INET6, address.As16()
	}
	var index uint32
	err := call(getBestInterface, uintptr(unsafe.Pointer(&target)), uintptr(unsafe.Pointer(&index)))
	if errors.Is(err, errorNetworkUnreachable) || errors.Is(err, errorHostUnreachable) {
		return wayTo{}, nil
	}
	if err != nil {
		return wayTo{}, err
	}
	device, err := readInterface(index)
	return wayTo{Device: syscall.UTF16ToString(device.alias[:]), Local: index == loopbackIndex}, err
}

// loopbackIndex is the index of the loopback interface on every Windows.
const loopbackIndex = 1

//go:build windows

package main

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// settle is the delay after the last change: routes and addresses change in bursts.
const settle = 300 * time.Millisecond

var (
	notifyRouteChange   = iphlpapi.NewProc("NotifyRouteChange2")
	notifyAddressChange = iphlpapi.NewProc("NotifyUnicastIpAddressChange")
	getForwardTable     = iphlpapi.NewProc("GetIpForwardTable2")
	freeTable           = iphlpapi.NewProc("FreeMibTable")
	getBestInterface    = iphlpapi.NewProc("GetBestInterfaceEx")
	getInterfaceEntry   = iphlpapi.NewProc("GetIpInterfaceEntry")
	getInterfaceRow     = iphlpapi.NewProc("GetIfEntry2")
	notifySuspendResume = powrprof.NewProc("PowerRegisterSuspendResumeNotification")
)

// defaultRoute is one of the routes that the system may prefer.
type defaultRoute struct {
	Family      int     `json:"family"`
	Device      string  `json:"device"`
	Description string  `json:"description"`
	Gateway     string  `json:"gateway"`
	Metric      uint32  `json:"metric"`
	Address     *string `json:"address"`
}

// watchNetwork writes the default routes, again after each change, and when the computer has woken up, until standard input
// ends.
func watchNetwork() error {
	changes, wakes := make(chan struct{}, 1), make(chan struct{}, 1)
	if err := subscribe(changes, wakes); err != nil {
		return failure{"watch", err}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	if err := sendRoutes(); err != nil {
		return err
	}
	for {
		select {
		case <-ended:
			return nil
		case <-wakes:
			if err := answer(map[string]any{"resumed": true}); err != nil {
				return err
			}
		case <-changes:
			time.Sleep(settle)
			drain(changes)
			if err := sendRoutes(); err != nil {
				return err
			}
		}
	}
}

func sendRoutes() error {
	routes, err := defaultRoutes()
	if err != nil {
		return failure{"routes", err}
	}
	return answer(map[string]any{"routes": routes})
}

func drain(channel chan struct{}) {
	select {
	case <-channel:
	default:
	}
}

func signal(channel chan struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}

// deviceNotifyCallback asks for calls instead of window messages.
const deviceNotifyCallback = 2

// resumeAutomatic is the event PBT_APMRESUMEAUTOMATIC, which follows every sleep.
const resumeAutomatic = 0x12

// suspendResume is DEVICE_NOTIFY_SUBSCRIBE_PARAMETERS. The system keeps using it.
var suspendResume struct{ callback, context uintptr }

func subscribe(changes, wakes chan struct{}) error {
	changed := syscall.NewCallback(func(_, _, _ uintptr) uintptr {
		signal(changes)
		return 0
	})
	for _, function := range []*syscall.LazyProc{notifyRouteChange, notifyAddressChange} {
		var handle syscall.Handle
		if err := call(function, syscall.AF_UNSPEC, changed, 0, 0, uintptr(unsafe.Pointer(&handle))); err != nil {
			return err
		}
	}
	suspendResume.callback = syscall.NewCallback(func(_ uintptr, event uint32, _ uintptr) uintptr {
		if event == resumeAutomatic {
			signal(wakes)
		}
		return 0
	})
	var handle uintptr
	// Without it, the server's silence ends the session later.
	_ = call(notifySuspendResume, deviceNotifyCallback,
		uintptr(unsafe.Pointer(&suspendResume)), uintptr(unsafe.Pointer(&handle)))
	return nil
}

// socketAddress is SOCKADDR_INET.
type socketAddress struct {
	family uint16
	_      uint16
	ipv4   [4]byte
	ipv6   [16]byte
	_      uint32
}

func (a socketAddress) address() netip.Addr {
	switch a.family {
	case syscall.AF_INET:
		return netip.AddrFrom4(a.ipv4)
	case syscall.AF_INET6:
		return netip.AddrFrom16(a.ipv6)
	}
	return netip.Addr{}
}

// forwardRow is MIB_IPFORWARD_ROW2.
type forwardRow struct {
	_            uint64
	index        uint32
	prefix       socketAddress
	prefixLength uint8
	nextHop      socketAddress
	_            [3]uint32
	metric       uint32
	protocol     uint32
	_            [3]uint32
}

// forwardTable is MIB_IPFORWARD_TABLE2.
type forwardTable struct {
	count uint32
	_     uint32
	rows  [1]forwardRow
}

// interfaceEntry is MIB_IPINTERFACE_ROW.
type interfaceEntry struct {
	family uint16
	_      uint64
	index  uint32
	_      [128]byte
	metric uint32
	_      [4]uint32
}

// interfaceRow is MIB_IF_ROW2.
type interfaceRow struct {
	_           uint64
	index       uint32
	_           [16]byte
	alias       [257]uint16
	description [257]uint16
	_           [152]byte
	inOctets    uint64
	_           [8]uint64
	outOctets   uint64
	_           [8]uint64
}

// readForwardTable returns a copy of all routes.
func readForwardTable() ([]forwardRow, error) {
	var table *forwardTable
	if err := call(getForwardTable, syscall.AF_UNSPEC, uintptr(unsafe.Pointer(&table))); err != nil {
		return nil, err
	}
	defer freeTable.Call(uintptr(unsafe.Pointer(table)))
	return append([]forwardRow{}, unsafe.Slice(&table.rows[0], table.count)...), nil
}

func defaultRoutes() ([]defaultRoute, error) {
	table, err := readForwardTable()
	if err != nil {
		return nil, err
	}
	found := []defaultRoute{}
	for _, row := range table {
		if row.prefixLength != 0 {
			continue
		}
		route, err := describe(row)
		if err != nil {
			// The interface is gone, so its route will be too.
			continue
		}
		found = append(found, route)
	}
	return found, nil
}

func describe(row forwardRow) (defaultRoute, error) {
	device, err := readInterface(row.index)
	if err != nil {
		return defaultRoute{}, err
	}
	family, address := 6, (*string)(nil)
	if row.prefix.family == syscall.AF_INET {
		family, address = 4, ipv4Address(row.index)
	}
	entry := interfaceEntry{family: row.prefix.family, index: row.index}
	// Only the order of several routes depends on it.
	_ = call(getInterfaceEntry, uintptr(unsafe.Pointer(&entry)))
	return defaultRoute{
		Family:      family,
		Device:      syscall.UTF16ToString(device.alias[:]),
		Description: syscall.UTF16ToString(device.description[:]),
		Gateway:     row.nextHop.address().String(),
		Metric:      row.metric + entry.metric,
		Address:     address,
	}, nil
}

func readInterface(index uint32) (interfaceRow, error) {
	row := interfaceRow{index: index}
	err := call(getInterfaceRow, uintptr(unsafe.Pointer(&row)))
	return row, err
}

// ipv4Address returns the first address of an interface, because another network may use the same gateway.
func ipv4Address(index uint32) *string {
	device, err := net.InterfaceByIndex(int(index))
	if err != nil {
		return nil
	}
	addresses, err := device.Addrs()
	if err != nil {
		return nil
	}
	for _, each := range addresses {
		if network, ok := each.(*net.IPNet); ok && network.IP.To4() != nil {
			text := network.IP.String()
			return &text
		}
	}
	return nil
}

// counters are the bytes of a device since the system started.
type counters struct {
	Received uint64 `json:"received"`
	Sent     uint64 `json:"sent"`
}

func readCounters(device string) (counters, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return counters{}, err
	}
	for _, each := range interfaces {
		if each.Name == device {
			row, err := readInterface(uint32(each.Index))
			return counters{Received: row.inOctets, Sent: row.outOctets}, err
		}
	}
	return counters{}, errors.New("no such device")
}

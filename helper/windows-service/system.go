//go:build windows

package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
)

// lookUpTimeout limits the time for one name.
const lookUpTimeout = 10 * time.Second

// firewall holds rules that outlive this process.
type firewall interface {
	// set replaces all rules at once.
	set(rules []filter.Rule) error
	clear() error
	isUp() (bool, error)
}

// tunnelDevice is a device with WireGuard.
type tunnelDevice interface {
	name() string
	// number is what the rules of the firewall know it by.
	number() uint64
	configuration() helper.Connection
	setUp(addresses, routes []netip.Prefix) (taken []netip.Prefix, err error)
	setMTU(mtu int) error
	counters() (helper.Counters, bool)
	setDNS(servers []netip.Addr, domains []string) error
	openPing(to netip.Addr) (helper.Ping, error)
	gone() <-chan struct{}
	close()
}

// system is Windows, for one tunnel (helper.System).
type system struct {
	// owner is the SID of the client's user.
	owner    string
	firewall firewall
	device   tunnelDevice
	lock     windows.Handle
	removed  chan string
	// changes is held while the rules of the firewall change.
	changes sync.Mutex
}

func newSystem(owner string) helper.System {
	return &system{owner: owner, firewall: newFirewall(), removed: make(chan string, 1)}
}

// begin takes the lock before the first change. Before, a worker whose service was killed may still undo its own.
func (s *system) begin() error {
	if s.lock != 0 {
		return nil
	}
	lock, err := lockTunnel()
	s.lock = lock
	return err
}

func (s *system) LookUp(name string) ([]netip.Addr, error) {
	limit, cancel := context.WithTimeout(context.Background(), lookUpTimeout)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(limit, "ip", name)
	if err != nil {
		if before, failure := recall(name); failure == nil {
			return before, nil
		}
		return nil, err
	}
	for index := range found {
		found[index] = found[index].Unmap()
	}
	return found, remember(name, found)
}

func (s *system) HasWay(to netip.Addr) (bool, error) {
	_, err := findWay(to, s.number())
	if errors.Is(err, errNoWay) {
		return false, nil
	}
	return err == nil, err
}

func (s *system) PathMTU(to netip.Addr) (int, error) {
	way, err := findWay(to, s.number())
	return way.mtu, err
}

func (s *system) Bypass(to netip.Addr) error {
	if err := s.begin(); err != nil {
		return err
	}
	way, err := findWay(to, s.number())
	if err != nil {
		return err
	}
	return bypass(to, way)
}

func (s *system) number() uint64 {
	if s.device == nil {
		return 0
	}
	return s.device.number()
}

func (s *system) Block(servers []helper.Server, everything bool) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	if err := s.begin(); err != nil {
		return err
	}
	name, text := stateOwner, s.owner
	if !everything {
		name, text = stateLocal, "yes"
		if owner := killSwitchOwner(); owner != "" {
			// The kill switch blocks them, too.
			return nil
		}
	}
	if err := note(name, text); err != nil {
		return err
	}
	return s.firewall.set(filter.Rules(filter.Plan{Tunnel: s.number(), Servers: servers, Everything: everything}))
}

func (s *system) Unblock() (bool, error) {
	s.changes.Lock()
	defer s.changes.Unlock()
	if owner, err := noted(stateOwner); err != nil || owner == "" {
		// A block of local networks ends with its tunnel.
		return false, err
	}
	was, err := s.firewall.isUp()
	if err != nil {
		return false, errors.Join(err, lift())
	}
	return was, lift()
}

func (s *system) IsBlocked() (bool, error) {
	if owner, err := noted(stateOwner); err != nil || owner == "" {
		return false, err
	}
	return s.firewall.isUp()
}

func (s *system) Open(mtu int) (string, helper.Connection, error) {
	err := s.begin()
	if err != nil {
		return "", nil, err
	}
	if s.device, err = newDevice(mtu); err != nil {
		return "", nil, err
	}
	go func() {
		<-s.device.gone()
		s.removed <- "device"
	}()
	return s.device.name(), s.device.configuration(), nil
}

func (s *system) SetUp(addresses, routes []netip.Prefix) ([]netip.Prefix, error) {
	return s.device.setUp(addresses, routes)
}

func (s *system) SetMTU(mtu int) error { return s.device.setMTU(mtu) }

func (s *system) Counters() (helper.Counters, bool) { return s.device.counters() }

func (s *system) OpenPing(to netip.Addr) (helper.Ping, error) { return s.device.openPing(to) }

func (s *system) SetDNS(servers []netip.Addr, domains []string, every bool) error {
	if err := s.device.setDNS(servers, domains); err != nil {
		return err
	}
	return setNameRules(servers, domains, every || len(domains) == 0)
}

func (s *system) Gone() <-chan string { return s.removed }

// Close undoes everything but the kill switch.
func (s *system) Close() error {
	if s.lock == 0 {
		// Nothing has changed.
		return nil
	}
	if s.device != nil {
		s.device.close()
	}
	err := undo()
	windows.CloseHandle(s.lock)
	return err
}

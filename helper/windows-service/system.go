//go:build windows

package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
)

// maxRemembered is how many addresses of a name are tried.
const maxRemembered = 8

// ruleSet is a set of rules of the firewall, each of which may block a packet.
type ruleSet int

const (
	killSwitchRules ruleSet = iota
	tunnelRules
)

// firewall holds rules that outlive this process.
type firewall interface {
	// set replaces all rules of a set at once.
	set(which ruleSet, rules []filter.Rule) error
	clear(which ruleSet) error
	// begins reports whether the set has all of these rules, which come first in it.
	begins(which ruleSet, rules []filter.Rule) (bool, error)
}

// tunnelDevice is a device with WireGuard.
type tunnelDevice interface {
	name() string
	// number is what the rules of the firewall know it by.
	number() uint64
	configuration() helper.Connection
	setUp(addresses, routes []netip.Prefix) (taken []netip.Prefix, withoutIPv6 bool, err error)
	// leadInside routes these addresses through the device, and those before no longer.
	leadInside(addresses []netip.Addr) error
	// onChange calls back after changes of the network, from setUp on and until close.
	onChange(do func())
	setMTU(mtu int) error
	counters() (helper.Counters, bool)
	setDNS(servers []netip.Addr, domains []string) error
	openPing(to netip.Addr) (helper.Ping, error)
	gone() <-chan struct{}
	close()
}

// system is Windows, for one tunnel (helper.System).
type system struct {
	// by is who has asked.
	by       client
	firewall firewall
	device   tunnelDevice
	// openVPN, if not nil, is what passes in place of the device.
	openVPN *openVPN
	lock    windows.Handle
	removed chan string
	// hasRaised is true once the kill switch was up. Whoever has lifted it since wants it to stay so.
	hasRaised bool
	// changes is held while the rules of the firewall change.
	changes sync.Mutex
	// naming is held while the stored addresses of names are read and changed.
	naming sync.Mutex
	// bypassing is held while the route past the tunnel changes; bypassed is where it leads.
	bypassing sync.Mutex
	bypassed  netip.Addr
	isOver    bool
}

func newSystem(by client) *system {
	return &system{by: by, firewall: newFirewall(), removed: make(chan string, 1)}
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

func (s *system) LookUp(during context.Context, name string) ([]netip.Addr, error) {
	found, err := net.DefaultResolver.LookupNetIP(during, "ip", name)
	s.naming.Lock()
	defer s.naming.Unlock()
	if err != nil {
		if before, failure := recall(name); failure == nil {
			return before, nil
		}
		return nil, err
	}
	for index := range found {
		found[index] = found[index].Unmap()
	}
	if len(found) > maxRemembered {
		found = found[:maxRemembered]
	}
	return found, remember(name, found)
}

func (s *system) HasWay(to netip.Addr) (bool, error) {
	_, err := s.way(to)
	if errors.Is(err, errNoWay) {
		return false, nil
	}
	return err == nil, err
}

func (s *system) PathMTU(to netip.Addr) (int, error) {
	way, err := s.way(to)
	return way.mtu, err
}

// way is the one past the tunnel, and without the tunnel's route past itself.
func (s *system) way(to netip.Addr) (way, error) {
	own, err := notedBypass()
	if err != nil {
		return way{}, err
	}
	return findWay(to, s.number(), own)
}

func (s *system) Bypass(to netip.Addr) error {
	if err := s.begin(); err != nil {
		return err
	}
	s.bypassing.Lock()
	defer s.bypassing.Unlock()
	over, err := s.way(to)
	if err != nil {
		return err
	}
	s.bypassed = to
	return bypass(to, over)
}

// renewBypass has the route past the tunnel lead where the network leads now. On a network without a way, it stays as it is.
func (s *system) renewBypass() {
	s.bypassing.Lock()
	defer s.bypassing.Unlock()
	if s.isOver || !s.bypassed.IsValid() {
		return
	}
	if over, err := s.way(s.bypassed); err == nil {
		// The next change repeats it.
		_ = bypass(s.bypassed, over)
	}
}

func (s *system) number() uint64 {
	switch {
	case s.openVPN != nil:
		return s.openVPN.device()
	case s.device != nil:
		return s.device.number()
	}
	return 0
}

func (s *system) LetOpenVPN(changed func() (goOn bool)) error {
	program, err := openVPNProgram()
	if err != nil {
		return err
	}
	s.openVPN, err = followOpenVPN(program, changed)
	return err
}

func (s *system) Block(servers []helper.Server, what helper.Blocked) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	if err := s.begin(); err != nil {
		return err
	}
	plan := filter.Plan{Tunnel: s.number(), Servers: servers, Blocked: what}
	if s.openVPN != nil {
		plan.Program = s.openVPN.program
	}
	return withRules(func() error {
		// First: what it blocks stays blocked when the kill switch is lifted.
		if ofTunnel := filter.OfTunnel(plan); ofTunnel.Blocked != (helper.Blocked{}) {
			if err := note(stateLocal, "yes"); err != nil {
				return err
			}
			if err := s.firewall.set(tunnelRules, filter.Rules(ofTunnel)); err != nil {
				return err
			}
		}
		if !what.Everything {
			return nil
		}
		if s.hasRaised {
			if up, err := isBlocked(s.firewall, everything); err != nil || !up {
				return err
			}
		}
		if !mayChange(s.by, killSwitchOwner()) {
			return windows.ERROR_ACCESS_DENIED
		}
		if err := note(stateOwner, s.by.sid); err != nil {
			return err
		}
		if s.openVPN != nil {
			if err := note(stateOpenVPN, "yes"); err != nil {
				return err
			}
		}
		if err := s.firewall.set(killSwitchRules, filter.Rules(filter.KillSwitch(plan))); err != nil {
			return err
		}
		s.hasRaised = true
		if s.openVPN != nil {
			s.openVPN.setPassing(plan.Tunnel)
		}
		return nil
	})
}

func (s *system) Unblock() (was bool, err error) {
	s.changes.Lock()
	defer s.changes.Unlock()
	err = withRules(func() error {
		if !mayChange(s.by, killSwitchOwner()) {
			// Somebody else's, raised since the service asked.
			return windows.ERROR_ACCESS_DENIED
		}
		var unknown error
		was, unknown = isBlocked(s.firewall, everything)
		return errors.Join(unknown, lift())
	})
	return was, err
}

func (s *system) IsBlocked(what helper.Blocked) (bool, error) { return isBlocked(s.firewall, what) }

var everything = helper.Blocked{Everything: true}

// isBlocked asks the firewall for the rules with which Block blocks all of this.
func isBlocked(by firewall, what helper.Blocked) (bool, error) {
	plan := filter.Plan{Blocked: what}
	up, err := by.begins(tunnelRules, filter.Blocking(filter.OfTunnel(plan)))
	if err != nil || !up {
		return false, err
	}
	return by.begins(killSwitchRules, filter.Blocking(filter.KillSwitch(plan)))
}

func (s *system) Open(mtu int) (string, helper.Connection, error) {
	err := s.begin()
	if err != nil {
		return "", nil, err
	}
	if s.device, err = newDevice(mtu); err != nil {
		return "", nil, err
	}
	s.device.onChange(s.renewBypass)
	go func() {
		<-s.device.gone()
		s.removed <- "device"
	}()
	return s.device.name(), s.device.configuration(), nil
}

func (s *system) SetUp(addresses, routes []netip.Prefix) (taken []netip.Prefix, withoutIPv6 bool, err error) {
	return s.device.setUp(addresses, routes)
}

func (s *system) LeadInside(addresses []netip.Addr) error { return s.device.leadInside(addresses) }

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
	if s.openVPN != nil {
		s.openVPN.close()
	}
	if s.lock == 0 {
		// Nothing has changed.
		return nil
	}
	if s.device != nil {
		s.device.close()
	}
	s.bypassing.Lock()
	s.isOver = true
	s.bypassing.Unlock()
	err := undo()
	windows.CloseHandle(s.lock)
	return err
}

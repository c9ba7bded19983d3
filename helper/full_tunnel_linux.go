//go:build !macos_rehearsal

package main

import (
	"net/netip"
	"os"
	"sync"
	"syscall"
)

// fullTunnel keeps traffic inside a tunnel that takes most of it, whatever leases, routers and other programs add to the main
// routing table. Its rules (fullRules) lead to a table of its own first, which holds
//
//   - what the tunnel takes, through its device
//   - the organization's hosts, through its device
//   - the small private networks that this computer is connected to, unless the organization has them, through their devices
//   - what the server sends past the tunnel (`throw`: the main table decides)
//
// It follows the computer's addresses, as those of another network.
type fullTunnel struct {
	number, index uint32
	// blocks is true if no local network stays outside.
	blocks bool
	// access is held for what follows.
	access sync.Mutex
	routes *netlinkSocket
	// changes is a subscription.
	changes *os.File
	// inside holds what the tunnel takes, names the addresses of its name servers, past what goes past it.
	inside, names, past []netip.Prefix
	// set holds what was added, by others of this tunnel, too.
	set map[tableRoute]bool
	// isOver is true once everything is to be undone.
	isOver bool
}

// fullRules returns the rules of a full tunnel for one family, the last one last.
func fullRules(family int, number, priority uint32) []policyRule {
	own := policyRule{family: family, priority: ownPriority(number, priority), table: mainTable, mark: number, suppress: -1}
	rules := []policyRule{own}
	if family == 4 {
		// A DHCP client asks the server of its lease by its address, which may be in a network that doesn't stay outside.
		rules = append(rules, policyRule{family: 4, priority: own.priority, table: mainTable, dhcp: true, suppress: -1})
	}
	return append(rules, policyRule{family: family, priority: priority, table: number, notMark: number, suppress: -1})
}

// keepInside sets what the tunnel takes and what goes past it, and begins to follow the computer's networks.
func (f *fullTunnel) keepInside(inside, past []netip.Prefix) error {
	f.access.Lock()
	defer f.access.Unlock()
	f.inside, f.past = inside, past
	if f.routes == nil && !f.isOver {
		var err error
		if f.routes, err = openNetlink(syscall.NETLINK_ROUTE); err != nil {
			return err
		}
		// Before the networks are read for the first time.
		if f.changes, err = subscribe(); err != nil {
			return err
		}
		go f.follow(f.changes)
	}
	return f.update()
}

// useNames keeps the tunnel's name servers inside, also if a local network has their addresses.
func (f *fullTunnel) useNames(servers []netip.Addr) error {
	if f == nil {
		return nil
	}
	f.access.Lock()
	defer f.access.Unlock()
	f.names = nil
	for _, each := range servers {
		f.names = append(f.names, netip.PrefixFrom(each, each.BitLen()))
	}
	return f.update()
}

// end leaves the table to whoever undoes it.
func (f *fullTunnel) end() {
	f.access.Lock()
	defer f.access.Unlock()
	f.isOver = true
	if f.changes != nil {
		f.changes.Close()
	}
	if f.routes != nil {
		f.routes.close()
	}
}

func (f *fullTunnel) follow(changes *os.File) {
	buffer := make([]byte, 65536)
	for {
		if _, err := changes.Read(buffer); err != nil && !isLostMessages(err) {
			return
		}
		f.access.Lock()
		// What can't be set stays inside the tunnel.
		_ = f.update()
		f.access.Unlock()
	}
}

// update makes the table what it should be now. What can't be added for a local network stays inside the tunnel.
func (f *fullTunnel) update() error {
	if f.isOver || f.routes == nil {
		return nil
	}
	addresses, err := f.routes.addresses()
	if err != nil {
		return err
	}
	wanted, messages := map[tableRoute]bool{}, []message{}
	add := func(route tableRoute, protocol byte, source netip.Addr) {
		if !wanted[route] {
			wanted[route] = true
			messages = append(messages, route.addAs(protocol, source))
		}
	}
	near := nearNetworks(addresses, f.index, append(append([]netip.Prefix{}, f.inside...), f.names...))
	if f.blocks {
		near = nil
	}
	for _, each := range near {
		source := netip.Addr{}
		if each.own.Addr().Is4() {
			// With the address, the kernel also deletes the route.
			source = each.own.Addr()
		}
		add(tableRoute{f.number, each.network, each.index, syscall.RTN_UNICAST}, rtProtocolKernel, source)
	}
	for _, each := range f.past {
		add(tableRoute{f.number, each, 0, syscall.RTN_THROW}, syscall.RTPROT_BOOT, netip.Addr{})
	}
	// Multicast has no hosts, and a link-local address belongs to one link.
	if !f.blocks {
		add(tableRoute{f.number, netip.MustParsePrefix("224.0.0.0/4"), 0, syscall.RTN_THROW}, syscall.RTPROT_BOOT, netip.Addr{})
	}
	add(tableRoute{f.number, netip.MustParsePrefix("fe80::/10"), 0, syscall.RTN_THROW}, syscall.RTPROT_BOOT, netip.Addr{})
	mayFail := len(messages)
	for _, each := range f.insideNow(addresses) {
		if route := (tableRoute{f.number, each, f.index, syscall.RTN_UNICAST}); f.set[route] {
			wanted[route] = true
		} else {
			add(route, syscall.RTPROT_BOOT, netip.Addr{})
		}
	}
	for each := range f.set {
		if !wanted[each] {
			_ = f.routes.change(each.delete())
		}
	}
	f.set = wanted
	for index, err := range f.routes.change(messages...) {
		if err != nil && err != syscall.EEXIST && index >= mayFail && !isWithoutIPv6(err) {
			return err
		}
	}
	return nil
}

// insideNow returns what the tunnel takes, with its own networks and name servers.
func (f *fullTunnel) insideNow(addresses []deviceAddress) []netip.Prefix {
	inside := append([]netip.Prefix{}, f.inside...)
	for _, each := range addresses {
		if each.index == f.index && !each.network.Addr().IsLinkLocalUnicast() {
			inside = append(inside, each.network)
		}
	}
	for _, each := range f.names {
		for _, network := range f.inside {
			if isWithin(each, network) {
				inside = append(inside, each)
				break
			}
		}
	}
	return inside
}

// nearNetworks returns the local networks that stay outside: those of others than the organization.
func nearNetworks(addresses []deviceAddress, tunnel uint32, inside []netip.Prefix) []deviceAddress {
	organization := append([]netip.Prefix{}, inside...)
	for _, each := range addresses {
		if each.index == tunnel {
			organization = append(organization, each.network)
		}
	}
	near := []deviceAddress{}
	for _, each := range addresses {
		stays := each.index != tunnel && isSmallPrivate(each.network)
		for _, its := range organization {
			stays = stays && (its.Bits() < shortestOrganization || !isWithin(each.network, its))
		}
		if stays {
			near = append(near, each)
		}
	}
	return near
}

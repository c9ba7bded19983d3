//go:build !macos_rehearsal

package helper

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
	// number is that of its table, priority that of the table's rules, index that of its device.
	number, priority, index uint32
	// appsMark, if not 0, is the mark of the apps that alone use the tunnel.
	appsMark uint32
	// note writes a rule to the journal.
	note func(policyRule) error
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
	// rules holds those for gateways that were added.
	rules map[policyRule]bool
	// taken holds the families of which takeFamily has added the rules.
	taken map[int]bool
	// isOver is true once everything is to be undone.
	isOver bool
}

func (t *tunnel) fullTunnel(number, priority uint32, blocks bool) *fullTunnel {
	note := func(rule policyRule) error { return t.journal.write("rule %s", rule) }
	return &fullTunnel{
		number: number, priority: priority, blocks: blocks, appsMark: t.apps.insideMark(), note: note,
		set: map[tableRoute]bool{}, taken: map[int]bool{},
	}
}

// fullRules returns the rules of a full tunnel for one family, the last one last. Without a mark of apps, it has the traffic of all.
func fullRules(family int, number, priority, appsMark uint32) []policyRule {
	own := ownRule(family, number, priority)
	rules := []policyRule{own}
	if family == 4 {
		// A DHCP client asks the server of its lease by its address, which may be in a network that doesn't stay outside.
		rules = append(rules, policyRule{family: 4, priority: own.priority, table: mainTable, dhcp: true, suppress: -1})
	}
	return append(rules, tableRule(family, number, priority, appsMark))
}

// ownRule leads a full tunnel's own packets past the tables of all.
func ownRule(family int, number, priority uint32) policyRule {
	return policyRule{family: family, priority: ownPriority(number, priority), table: mainTable, mark: number, suppress: -1}
}

// tableRule leads to the table of a tunnel.
func tableRule(family int, number, priority, appsMark uint32) policyRule {
	rule := policyRule{family: family, priority: priority, table: number, mark: appsMark, suppress: -1}
	if appsMark == 0 {
		rule.notMark = number
	}
	return rule
}

// keepInside sets what the tunnel takes through its device, and what goes past it, and begins to follow the computer's networks.
func (f *fullTunnel) keepInside(index uint32, inside, past []netip.Prefix) error {
	f.access.Lock()
	defer f.access.Unlock()
	f.index, f.inside, f.past = index, inside, past
	if f.routes == nil && !f.isOver {
		var err error
		if f.routes, err = openNetlink(syscall.NETLINK_ROUTE); err != nil {
			return err
		}
		// Before the networks are read for the first time.
		if f.changes, err = subscribe(syscall.RTNLGRP_IPV4_ROUTE); err != nil {
			return err
		}
		go f.follow(f.changes)
	}
	return f.update()
}

// takeFamily adds the rules of a family once.
func (f *fullTunnel) takeFamily(family int) error {
	f.access.Lock()
	defer f.access.Unlock()
	if f.isOver || f.taken[family] {
		return nil
	}
	messages := []message{}
	for _, each := range fullRules(family, f.number, f.priority, f.appsMark) {
		if err := f.note(each); err != nil {
			return err
		}
		messages = append(messages, each.message(rtmNewRule, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL))
	}
	step("rule")
	for _, err := range f.routes.change(messages...) {
		if err != nil && err != syscall.EEXIST {
			return err
		}
	}
	f.taken[family] = true
	return nil
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
	if f == nil {
		return
	}
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
		length, err := changes.Read(buffer)
		if err != nil && !isLostMessages(err) {
			return
		}
		if err == nil && !mayMoveNetworks(buffer[:length]) {
			continue
		}
		f.access.Lock()
		// What can't be set stays inside the tunnel.
		reportProblem("keep-inside", f.update())
		f.access.Unlock()
	}
}

// mayMoveNetworks reports whether a change may be one of the computer's networks or gateways: a gateway comes after its network. Other
// routes are none, of which a tunnel may add thousands.
func mayMoveNetworks(change []byte) bool {
	messages, err := syscall.ParseNetlinkMessage(change)
	for _, each := range messages {
		route := parseTableRoute(each.Data)
		isRoute := each.Header.Type == syscall.RTM_NEWROUTE || each.Header.Type == syscall.RTM_DELROUTE
		if !isRoute || route.table == mainTable && route.prefix.Bits() == 0 {
			return true
		}
	}
	return err != nil
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
		add(f.route(each.network, each.index), rtProtocolKernel, source)
	}
	for _, each := range f.past {
		add(f.throw(each), syscall.RTPROT_BOOT, netip.Addr{})
	}
	// Multicast has no hosts, and a link-local address belongs to one link.
	if !f.blocks {
		add(f.throw(netip.MustParsePrefix("224.0.0.0/4")), syscall.RTPROT_BOOT, netip.Addr{})
	}
	add(f.throw(netip.MustParsePrefix("fe80::/10")), syscall.RTPROT_BOOT, netip.Addr{})
	mayFail := len(messages)
	for _, each := range f.insideNow(addresses) {
		if route := f.route(each, f.index); f.set[route] {
			wanted[route] = true
		} else {
			add(route, syscall.RTPROT_BOOT, netip.Addr{})
		}
	}
	for each := range f.set {
		if !wanted[each] {
			// It is gone already if its device or its address is.
			_ = f.routes.change(each.delete())
		}
	}
	f.set = wanted
	for index, err := range f.routes.change(messages...) {
		if err != nil && err != syscall.EEXIST && index >= mayFail && !isWithoutIPv6(err) {
			return err
		}
	}
	return f.updateRules(addresses, near)
}

func (f *fullTunnel) route(prefix netip.Prefix, index uint32) tableRoute {
	return tableRoute{table: f.number, prefix: prefix, index: index, kind: syscall.RTN_UNICAST}
}

func (f *fullTunnel) throw(prefix netip.Prefix) tableRoute {
	return tableRoute{table: f.number, prefix: prefix, kind: syscall.RTN_THROW}
}

// maxGateways limits the rules for gateways, of which a computer has one or two.
const maxGateways = 16

// updateRules lets the gateways of the computer ask who it is. With a strict reverse path filter, the kernel answers (ARP)
// only those to which it would send through the same device, and these may be in a network that doesn't stay outside. Programs
// take this way only if they choose the computer's address there as their own.
func (f *fullTunnel) updateRules(addresses, near []deviceAddress) error {
	routes, err := f.routes.routesOf(4, mainTable)
	if err != nil {
		return err
	}
	wanted := map[policyRule]bool{}
	for _, route := range routes {
		if route.prefix.Bits() > 0 || !route.gateway.Is4() || route.index == f.index {
			continue
		}
		for _, each := range addresses {
			if each.index == route.index && each.own.Addr().Is4() && !isNear(route.gateway, near) && len(wanted) < maxGateways {
				wanted[policyRule{
					family: 4, priority: ownPriority(f.number, f.priority), table: mainTable, suppress: -1,
					from: each.own.Addr(), gateway: route.gateway,
				}] = true
			}
		}
	}
	for each := range wanted {
		if f.rules[each] {
			continue
		}
		if err := f.note(each); err != nil {
			return err
		}
		if err := f.routes.change(each.message(rtmNewRule, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL))[0]; err != nil {
			return err
		}
	}
	for each := range f.rules {
		if !wanted[each] {
			reportProblem("delete-rule", f.routes.change(each.message(rtmDelRule, 0))[0])
		}
	}
	f.rules = wanted
	return nil
}

func isNear(address netip.Addr, near []deviceAddress) bool {
	for _, each := range near {
		if each.network.Contains(address) {
			return true
		}
	}
	return false
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

func isWithin(inner, outer netip.Prefix) bool {
	return inner.Bits() >= outer.Bits() && outer.Contains(inner.Addr())
}

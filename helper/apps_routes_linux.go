//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"os"
	"sort"
	"sync"
	"syscall"
)

// From linux/rtnetlink.h.
const (
	rtaVia           = 18
	rtaPref          = 20
	rtaEncapType     = 21
	rtaEncap         = 22
	rtaNextHop       = 30
	rtNextHopOnLink  = 4
	rtMessageCloned  = 0x200
	nextHopHeadBytes = 8
	nextHopFlags     = 2
	nextHopIndex     = 4
)

// networkTable holds the routes of the main table that don't lead through the tunnel, as if there were none, and follows its
// changes: OpenVPN, and split tunnels, set their routes in the main table.
type networkTable struct {
	number uint32
	device device
	// isLast is true if nothing may reach the rules after it.
	isLast bool
	routes *netlinkSocket
	// changes is a subscription.
	changes *os.File
	// access is held for what follows.
	access sync.Mutex
	// defaults holds the last default routes of each family, deleted the families of which the tunnel's program has deleted them.
	defaults map[int][]networkRoute
	deleted  map[int]bool
	isOver   bool
}

// networkRoute is a route of one table as a message that adds it to another.
type networkRoute struct {
	prefix netip.Prefix
	body   string
	// hasGateway is true for one that needs the route to its gateway first.
	hasGateway bool
	// isLast is true for one that is unreachable, with the largest metric.
	isLast bool
	// gateway is the only one, if there is one, through the device with this index.
	gateway netip.Addr
	index   uint32
}

func startNetworkTable(number uint32, name device, isLast bool) (*networkTable, error) {
	n := &networkTable{
		number: number, device: name, isLast: isLast, defaults: map[int][]networkRoute{}, deleted: map[int]bool{},
	}
	var err error
	if n.routes, err = openNetlink(syscall.NETLINK_ROUTE); err != nil {
		return nil, err
	}
	// Before the routes are read for the first time.
	if n.changes, err = subscribe(partsOfTunnels...); err == nil {
		err = n.begin()
	}
	if err != nil {
		n.end()
		return nil, err
	}
	go n.follow()
	return n, nil
}

// begin adds the routes that are there now.
func (n *networkTable) begin() error {
	for _, family := range []int{4, 6} {
		if !n.isLast {
			continue
		}
		if err := n.routes.change(n.last(family).add())[0]; err != nil && !(family == 6 && isWithoutIPv6(err)) {
			return err
		}
	}
	return n.update()
}

// last is the route of what no other one takes.
func (n *networkTable) last(family int) tableRoute {
	return tableRoute{table: n.number, prefix: everything(family), kind: syscall.RTN_UNREACHABLE}
}

// end leaves the routes to whoever clears the table.
func (n *networkTable) end() {
	n.access.Lock()
	defer n.access.Unlock()
	n.isOver = true
	if n.changes != nil {
		n.changes.Close()
	}
	n.routes.close()
}

// follow updates the table once for all changes that it has heard of meanwhile.
func (n *networkTable) follow() {
	changed := make(chan struct{}, 1)
	defer close(changed)
	go func() {
		for range changed {
			n.access.Lock()
			reportProblem("follow-network", n.update())
			n.access.Unlock()
		}
	}()
	buffer := make([]byte, 65536)
	for {
		if _, err := n.changes.Read(buffer); err != nil && !isLostMessages(err) {
			return
		}
		select {
		case changed <- struct{}{}:
		default:
		}
	}
}

// keepDefault keeps the default routes of a family that the tunnel's program deletes.
func (a *apps) keepDefault(deleted announcedRoute) {
	if a == nil || deleted.prefix.Bits() > 0 {
		return
	}
	network := a.network.Load()
	if network == nil {
		return
	}
	network.access.Lock()
	defer network.access.Unlock()
	network.deleted[ipVersion(deleted.prefix.Addr())] = true
	reportProblem("follow-network", network.update())
}

// update makes the table what it should be now. A route that can't be added, such as one whose device is going, is left out.
func (n *networkTable) update() error {
	if n.isOver {
		return nil
	}
	through, _ := n.routes.findLink(string(n.device), 0)
	for _, family := range []int{4, 6} {
		wanted, err := n.wanted(family, through.index)
		if err != nil {
			return err
		}
		there, err := n.routes.networkRoutes(family, n.number, n.number, 0)
		if err != nil {
			return err
		}
		set, messages := map[string]bool{}, []message{}
		for _, each := range there {
			set[each.body] = true
		}
		keep := map[string]bool{}
		for _, each := range wanted {
			keep[each.body] = true
			if !set[each.body] {
				messages = append(messages, message{syscall.RTM_NEWROUTE, syscall.NLM_F_CREATE | syscall.NLM_F_APPEND, []byte(each.body)})
			}
		}
		_ = n.routes.change(messages...)
		messages = nil
		for _, each := range there {
			if !keep[each.body] && !each.isLast {
				messages = append(messages, message{syscall.RTM_DELROUTE, 0, []byte(each.body)})
			}
		}
		_ = n.routes.change(messages...)
	}
	return nil
}

// withoutMisplaced leaves out the routes whose gateway is in the tunnel's networks, but not in those of their device. OpenVPN names a
// gateway without a device, and the kernel may look for it through another tunnel.
func withoutMisplaced(routes []networkRoute, addresses []deviceAddress, tunnel uint32) []networkRoute {
	kept := []networkRoute{}
	for _, each := range routes {
		isOfDevice, isOfTunnel := false, false
		for _, address := range addresses {
			isIn := each.gateway.IsValid() && address.network.Contains(each.gateway)
			isOfDevice = isOfDevice || isIn && address.index == each.index
			isOfTunnel = isOfTunnel || isIn && address.index == tunnel
		}
		if isOfDevice || !isOfTunnel {
			kept = append(kept, each)
		}
	}
	return kept
}

// wanted returns the routes of a family, those first that others need.
func (n *networkTable) wanted(family int, except uint32) ([]networkRoute, error) {
	wanted, err := n.routes.networkRoutes(family, mainTable, n.number, except)
	if err != nil {
		return nil, err
	}
	addresses, err := n.routes.addresses()
	if err != nil {
		return nil, err
	}
	wanted = withoutMisplaced(wanted, addresses, except)
	defaults := []networkRoute{}
	for _, each := range wanted {
		if each.prefix.Bits() == 0 {
			defaults = append(defaults, each)
		}
	}
	// The kernel may tell of the deletion before the program's log does.
	if len(defaults) > 0 {
		n.defaults[family] = defaults
	} else if n.deleted[family] {
		wanted = append(wanted, n.defaults[family]...)
	}
	sort.SliceStable(wanted, func(one, other int) bool { return !wanted[one].hasGateway && wanted[other].hasGateway })
	return wanted, nil
}

// networkRoutes returns the routes of a table, but those through a device, in the form that they have in another one.
func (s *netlinkSocket) networkRoutes(family int, from, to, except uint32) ([]networkRoute, error) {
	found := []networkRoute{}
	err := s.listRoutes(family, from, func(data []byte) {
		if each, ok := copyRoute(data, to, except); ok {
			found = append(found, each)
		}
	})
	return found, err
}

// copyRoute returns the message that adds a route to another table, unless it leads through this device.
func copyRoute(data []byte, table, except uint32) (networkRoute, bool) {
	if len(data) < syscall.SizeofRtMsg || nativeOrder.Uint32(data[8:])&rtMessageCloned != 0 {
		return networkRoute{}, false
	}
	parsed := parseTableRoute(data)
	switch parsed.kind {
	case syscall.RTN_UNICAST, syscall.RTN_BLACKHOLE, syscall.RTN_UNREACHABLE, syscall.RTN_PROHIBIT, syscall.RTN_THROW:
	default:
		return networkRoute{}, false
	}
	isThrough, hasNextHop, hasGateway := except != 0 && parsed.index == except, false, false
	isLast := false
	attributes := [][]byte{}
	rawAttributesOf(data[syscall.SizeofRtMsg:], func(kind uint16, value []byte) {
		isLast = isLast || kind == syscall.RTA_PRIORITY && uint32Of(value) == largestMetric && parsed.kind == syscall.RTN_UNREACHABLE
		switch kind & nlaTypeMask {
		case syscall.RTA_MULTIPATH:
			var leads bool
			value, leads = copyNextHops(value, except)
			isThrough, hasGateway = isThrough || leads, true
		case syscall.RTA_GATEWAY, rtaVia:
			hasGateway = true
		case rtaNextHop:
			hasNextHop = true
		case syscall.RTA_DST, syscall.RTA_SRC, syscall.RTA_OIF, syscall.RTA_PRIORITY, syscall.RTA_PREFSRC, syscall.RTA_METRICS,
			syscall.RTA_FLOW, rtaPref, rtaEncapType, rtaEncap:
		default:
			return
		}
		attributes = append(attributes, attribute(kind, value))
	})
	head := append([]byte{}, data[:syscall.SizeofRtMsg]...)
	head[4] = syscall.RT_TABLE_UNSPEC
	copy(head[8:], number32(nativeOrder.Uint32(data[8:])&rtNextHopOnLink))
	body := joined(head, attribute(rtaTable, number32(table)))
	for _, each := range attributes {
		kind := nativeOrder.Uint16(each[2:]) & nlaTypeMask
		// A next hop of its own stands for these.
		if hasNextHop && (kind == syscall.RTA_OIF || kind == syscall.RTA_GATEWAY || kind == rtaVia || kind == syscall.RTA_MULTIPATH) {
			continue
		}
		body = append(body, each...)
	}
	return networkRoute{parsed.prefix, string(body), hasGateway || hasNextHop, isLast, parsed.gateway, parsed.index}, !isThrough
}

// copyNextHops returns the next hops without their state, and whether one is this device.
func copyNextHops(value []byte, except uint32) (copied []byte, isThrough bool) {
	copied = append([]byte{}, value...)
	for rest := copied; len(rest) >= nextHopHeadBytes; {
		length := int(nativeOrder.Uint16(rest))
		rest[nextHopFlags] &= rtNextHopOnLink
		isThrough = isThrough || except != 0 && nativeOrder.Uint32(rest[nextHopIndex:]) == except
		if length = aligned(length); length < nextHopHeadBytes || length > len(rest) {
			break
		}
		rest = rest[length:]
	}
	return copied, isThrough
}

// clearNetworkTable deletes what is left of one.
func clearNetworkTable(number uint32) error {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	for _, family := range []int{4, 6} {
		there, err := socket.networkRoutes(family, number, number, 0)
		if err != nil {
			return at("clear-table", err)
		}
		messages := []message{}
		for _, each := range there {
			messages = append(messages, message{syscall.RTM_DELROUTE, 0, []byte(each.body)})
		}
		_ = socket.change(messages...)
		if there, err = socket.networkRoutes(family, number, number, 0); err != nil || len(there) > 0 {
			return at("clear-table", causeLeft)
		}
	}
	return nil
}

//go:build !macos_rehearsal

package helper

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"syscall"
)

// openVPNRoutes puts a routing table before the main one once OpenVPN has set its routes there, if they take most traffic. It
// learns them from OpenVPN's log: a route of others may have kept one of OpenVPN's from the main table.
type openVPNRoutes struct {
	tunnel *tunnel
	number uint32
	full   *fullTunnel
	// access is held for what follows.
	access sync.Mutex
	socket *netlinkSocket
	// isOff is true if this kernel has no rules for routing, and once the tunnel is over.
	isOff     bool
	announced map[announcedRoute]bool
	server    netip.Addr
	// hasTable is true once the routes have taken most traffic.
	hasTable bool
	// guarded holds the tunnel's addresses that are guarded.
	guarded string
	guard   addressGuard
}

// announcedRoute is a route that OpenVPN says it adds.
type announcedRoute struct {
	prefix  netip.Prefix
	gateway netip.Addr
	device  string
}

// prepare reserves the mark of OpenVPN's packets, which is the number of the table, too.
func (r *openVPNRoutes) prepare(t *tunnel, blocks bool) error {
	r.tunnel, r.announced = t, map[announcedRoute]bool{}
	priority, err := uint32(0), error(nil)
	if r.socket, err = openNetlink(syscall.NETLINK_ROUTE); err != nil {
		return failedBy("number", "open-netlink", err)
	}
	if _, err := r.socket.rules(4); err == syscall.EOPNOTSUPP || err == syscall.EAFNOSUPPORT {
		r.number, r.isOff = firstNumber, true
		if t.apps != nil {
			return failedBy("apps", "list-rules", err)
		}
		return nil
	}
	if err := t.journal.write("number"); err != nil {
		return err
	}
	step("number")
	if r.number, priority, err = reserveNumber(r.socket, t.device, func() error { return t.noteAsked(nil) }); err != nil {
		return failedBy("number", "reserve-number", err)
	}
	step("number-reserved")
	t.apps.use(r.number, priority)
	r.full = t.fullTunnel(r.number, priority, blocks)
	r.acceptMarks()
	return nil
}

// acceptMarks lets the server's answers pass a strict reverse path filter where another user's tunnel is the newest. Without it, this
// tunnel works as long as it is alone.
func (r *openVPNRoutes) acceptMarks() {
	if !hasStrictFilter() {
		return
	}
	reportProblem("accept-marks", acceptMarks(r.tunnel.device))
	r.guard.start(r.tunnel, markRules(r.number))
	r.guard.wait()
}

func (r *openVPNRoutes) mark() uint32 { return r.number }

// onLogLine reads a line of the log. It returns after the table is complete, before anybody reads that the tunnel is up.
func (r *openVPNRoutes) onLogLine(line string) {
	r.access.Lock()
	defer r.access.Unlock()
	switch {
	case r.isOff || r.announced == nil:
	case strings.HasPrefix(line, "net_route_v"):
		if route, isAdded, err := parseRouteLine(line); err == nil && isAdded && len(r.announced) <= maxRoutes {
			r.announced[route] = true
		} else if err == nil {
			delete(r.announced, route)
			r.tunnel.apps.keepDefault(route)
		}
	case strings.Contains(line, " link remote: [AF_INET"):
		r.server = parseLinkRemote(line)
	case strings.HasPrefix(line, "Initialization Sequence Completed"):
		// What fails shows in the routes of the computer, which Causeway reads.
		reportProblem("route", r.establish())
	}
}

// parseRouteLine reads the line that OpenVPN logs before it adds or deletes a route, such as
// `net_route_v4_add: 10.0.0.0/8 via 10.8.0.1 dev [NULL] table 0 metric -1`.
func parseRouteLine(line string) (route announcedRoute, isAdded bool, err error) {
	words := strings.Fields(line)
	if len(words) < 6 || words[2] != "via" || words[4] != "dev" {
		return announcedRoute{}, false, errors.New("not a route")
	}
	if route.prefix, err = netip.ParsePrefix(words[1]); err != nil {
		return announcedRoute{}, false, err
	}
	if route.gateway, err = netip.ParseAddr(words[3]); err != nil {
		return announcedRoute{}, false, err
	}
	route.prefix, route.gateway, route.device = route.prefix.Masked(), route.gateway.WithZone(""), words[5]
	return route, strings.HasSuffix(words[0], "_add:"), nil
}

// parseLinkRemote reads the server's address in a line such as `UDPv4 link remote: [AF_INET]192.0.2.1:1194`.
func parseLinkRemote(line string) netip.Addr {
	_, text, _ := strings.Cut(line, " link remote: [AF_INET")
	_, text, _ = strings.Cut(text, "]")
	if found, err := netip.ParseAddrPort(text); err == nil {
		return found.Addr()
	}
	// IPv6 is without brackets there.
	end := strings.LastIndexByte(text, ':')
	if end < 0 {
		return netip.Addr{}
	}
	found, _ := netip.ParseAddr(text[:end])
	return found.WithZone("")
}

// establish sets the table and its rules, and guards the tunnel's addresses.
func (r *openVPNRoutes) establish() error {
	device, err := r.socket.findLink(string(r.tunnel.device), 0)
	if err != nil {
		return err
	}
	addresses, err := r.socket.addresses()
	if err != nil {
		return err
	}
	own := []deviceAddress{}
	for _, each := range addresses {
		if each.index == device.index {
			own = append(own, each)
		}
	}
	r.guardAddresses(own)
	inside, past := r.sorted(own)
	if !r.hasTable && !takesMost(inside) {
		return nil
	}
	if !r.hasTable {
		if err := r.tunnel.journal.write("table %d", r.number); err != nil {
			return err
		}
		step("table")
		r.hasTable = true
	}
	if err := r.full.keepInside(device.index, inside, past); err != nil {
		return err
	}
	for _, family := range []int{4, 6} {
		if !takesMost(ofFamily(family, inside)) {
			continue
		}
		if err := r.full.takeFamily(family); err != nil && !isWithoutIPv6(err) {
			return err
		}
	}
	step("ruled")
	return nil
}

// sorted returns what goes through the tunnel, by the gateway that is in the tunnel's networks, and what goes past it. The
// server's packets have the tunnel's mark, but what it answers has none without nft.
func (r *openVPNRoutes) sorted(own []deviceAddress) (inside, past []netip.Prefix) {
	for each := range r.announced {
		if each.device == string(r.tunnel.device) || isNear(each.gateway, own) {
			inside = append(inside, each.prefix)
		} else {
			past = append(past, each.prefix)
		}
	}
	if r.server.IsValid() {
		past = append(past, netip.PrefixFrom(r.server, r.server.BitLen()))
	}
	return inside, past
}

func ofFamily(family int, prefixes []netip.Prefix) []netip.Prefix {
	found := []netip.Prefix{}
	for _, each := range prefixes {
		if ipVersion(each.Addr()) == family {
			found = append(found, each)
		}
	}
	return found
}

func (r *openVPNRoutes) guardAddresses(own []deviceAddress) {
	addresses, text := []netip.Prefix{}, ""
	for _, each := range own {
		if !each.own.Addr().IsLinkLocalUnicast() {
			addresses = append(addresses, each.own)
			text += each.own.String() + " "
		}
	}
	if text != r.guarded {
		r.guarded = text
		r.guard.start(r.tunnel, guardRules(r.tunnel.device, addresses)+markRules(r.number))
	}
}

func (r *openVPNRoutes) useNames(servers []netip.Addr) error { return r.full.useNames(servers) }

// end keeps the last lines of a log from changing what is to be undone.
func (r *openVPNRoutes) end() {
	r.access.Lock()
	defer r.access.Unlock()
	r.isOff = true
	r.full.end()
	r.guard.wait()
	if r.socket != nil {
		r.socket.close()
	}
}

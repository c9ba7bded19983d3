//go:build darwin || macos_rehearsal

package helper

import "net/netip"

// lead routes the tunnel's prefixes through the device, once its own packets leave past it. A family that a tunnel for all
// traffic doesn't carry is refused. Routes that the computer has already stay in force.
func (r *macosRouter) lead() (withoutIPv6 bool, err error) {
	r.access.Lock()
	defer r.access.Unlock()
	plan, asked := r.core.plan, r.core.asked
	inside := []netip.Prefix{}
	for _, each := range asked.allowed {
		inside = append(inside, halvesOf(each)...)
	}
	if plan.most {
		inside = append(inside, networksOf(r.core.addresses)...)
	}
	r.planned = inside
	listed, err := listRoutes()
	if err != nil {
		return false, failedBy("routes", "read-routes", err)
	}
	if len(plan.table) > 0 {
		r.server = r.contacted()
		if err := r.follow(listed); err != nil {
			return false, failedBy("route", "add-route", err)
		}
	}
	if plan.full {
		if err := r.refuse(listed, inside); err != nil {
			return false, failedBy("route", "add-route", err)
		}
	}
	if err := r.take(listed, inside); err != nil {
		return false, failedBy("route", "add-route", err)
	}
	step("routed")
	return false, nil
}

// contacted is what this computer sends the tunnel's packets to.
func (r *macosRouter) contacted() netip.Addr {
	if r.core.asked.proxy != nil {
		return r.core.dialled.host.address
	}
	return r.core.endpoint().Addr()
}

// halvesOf returns a prefix, or the halves of everything, which leave the default route as it is.
func halvesOf(prefix netip.Prefix) []netip.Prefix {
	if prefix.Bits() > 0 {
		return []netip.Prefix{prefix.Masked()}
	}
	if prefix.Addr().Is4() {
		return []netip.Prefix{netip.MustParsePrefix("0.0.0.0/1"), netip.MustParsePrefix("128.0.0.0/1")}
	}
	return []netip.Prefix{netip.MustParsePrefix("::/1"), netip.MustParsePrefix("8000::/1")}
}

// networksOf returns the networks of addresses.
func networksOf(addresses []netip.Prefix) []netip.Prefix {
	networks := []netip.Prefix{}
	for _, each := range addresses {
		if !each.IsSingleIP() {
			networks = append(networks, each.Masked())
		}
	}
	return networks
}

// take adds routes through the device, and reads the routes again to see that they are there. It returns causeTaken if the computer
// has a route of its own to what a tunnel for most traffic is made for, as another VPN's: nothing would go through the tunnel.
func (r *macosRouter) take(listed []listedRoute, prefixes []netip.Prefix) error {
	there, added := map[netip.Prefix]bool{}, []netip.Prefix{}
	for _, each := range listed {
		if !each.isScoped() {
			there[each.prefix.Masked()] = true
		}
	}
	own := append(r.insideOf(listed), r.inside...)
	for _, each := range prefixes {
		if each == single(r.server) {
			// The tunnel's own packets go there.
			continue
		}
		if there[each] {
			if includes(own, []netip.Prefix{each}) {
				continue
			}
			if takesMost([]netip.Prefix{each}) {
				return causeTaken
			}
			sendMessage("route-kept", each)
			continue
		}
		there[each] = true
		// Whether it did is read from the routes.
		_ = changeRoute("add", route{prefix: each, via: r.device()})
		added = append(added, each)
		step("inside")
	}
	if len(added) == 0 {
		return nil
	}
	now, err := listRoutes()
	if err != nil {
		return err
	}
	if !includes(r.insideOf(now), added) {
		return causeNotInUse
	}
	r.inside = append(r.inside, added...)
	return nil
}

// insideOf returns what is routed through the device.
func (r *macosRouter) insideOf(listed []listedRoute) []netip.Prefix {
	inside := []netip.Prefix{}
	for _, each := range listed {
		if each.device == r.device() && !each.refuses() {
			inside = append(inside, each.prefix.Masked())
		}
	}
	return inside
}

// refuse adds routes that refuse a whole family if none of it goes through the tunnel.
func (r *macosRouter) refuse(listed []listedRoute, inside []netip.Prefix) error {
	for _, family := range []int{4, 6} {
		if isCarried(family, inside) {
			continue
		}
		loopback := loopbackOf(family)
		for _, each := range halvesOf(netip.PrefixFrom(unspecifiedOf(family), 0)) {
			refusing := route{prefix: each, gateway: loopback, metric: -1}
			theirs, err := r.addPast(listed, refusing, "-reject")
			if err != nil {
				return err
			}
			if theirs != nil {
				r.refusedByOthers = append(r.refusedByOthers, *theirs)
				continue
			}
			r.refused = append(r.refused, refusing)
		}
	}
	return nil
}

func unspecifiedOf(family int) netip.Addr {
	if family == 4 {
		return netip.IPv4Unspecified()
	}
	return netip.IPv6Unspecified()
}

func loopbackOf(family int) netip.Addr {
	if family == 4 {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.IPv6Unspecified().Next()
}

// addPast adds a route that doesn't end with the device. If the computer has one to the same network that does the same, it returns
// that one, which stays; one that leads elsewhere, or refuses in place of leading there, is causeTaken.
func (r *macosRouter) addPast(listed []listedRoute, added route, options ...string) (theirs *route, err error) {
	for _, each := range listed {
		if each.isScoped() || each.device == r.device() || r.isOwn(each.route) || each.prefix.Masked() != added.prefix.Masked() {
			continue
		}
		isSame := each.refuses()
		if len(options) == 0 {
			isSame = !each.refuses() && each.route.masked() == withoutZone(added).masked()
		}
		if !isSame {
			return nil, causeTaken
		}
		if !r.had[each.route] {
			// So that nobody takes it for the tunnel's.
			if err := r.run.journal.write("had %s", each.route); err != nil {
				return nil, err
			}
			r.had[each.route] = true
		}
		return &each.route, nil
	}
	if err := r.run.journal.write("added %s", withoutZone(added)); err != nil {
		return nil, err
	}
	step("past")
	// Whether it did is read from the routes.
	_ = changeRoute("add", added, options...)
	step("passed")
	now, err := listRoutes()
	if err == nil && !isListed(now, added) {
		err = causeNotInUse
	}
	return nil, err
}

func withoutZone(changed route) route {
	changed.gateway = changed.gateway.WithZone("")
	return changed
}

func isListed(listed []listedRoute, wanted route) bool {
	for _, each := range listed {
		if each.route.masked() == withoutZone(wanted).masked() {
			return true
		}
	}
	return false
}

// reach moves the route past the tunnel to another server.
func (r *macosRouter) reach(server netip.Addr) error {
	r.access.Lock()
	defer r.access.Unlock()
	if !r.server.IsValid() || r.isOver {
		return nil
	}
	listed, err := listRoutes()
	if err != nil {
		return err
	}
	r.server = server
	return r.follow(listed)
}

func (r *macosRouter) dial(_, to remote) error { return at("add-route", r.reach(to.host.address)) }

// follow has the route to the server lead where the computer's own routes lead now. Without any, its packets are dropped:
// they would go round through the tunnel. The route to an earlier server goes.
func (r *macosRouter) follow(listed []listedRoute) error {
	wanted, isNeeded := r.wayPast(listed)
	had, has := r.past[r.server]
	has = has && isListed(listed, had)
	var failure error
	if !isNeeded || !has || had != wanted {
		if has {
			failure = changeRoute("delete", had)
		}
		if isNeeded {
			failure = r.pass(listed, wanted)
		} else {
			delete(r.past, r.server)
		}
	}
	for server, each := range r.past {
		if server != r.server {
			if err := changeRoute("delete", each); err != nil {
				failure = err
			}
			delete(r.past, server)
		}
	}
	return failure
}

// pass adds the route to the server, or one that drops what is sent there if the network doesn't take it.
func (r *macosRouter) pass(listed []listedRoute, wanted route) error {
	dropping := r.droppingRoute()
	if wanted != dropping {
		err := r.passBy(listed, wanted)
		if err == nil {
			return nil
		}
		reportProblem("reach", err)
	}
	return r.passBy(listed, dropping, "-blackhole")
}

// passBy keeps in mind what it adds. A route of the computer's own is none of the tunnel's, which may not delete it.
func (r *macosRouter) passBy(listed []listedRoute, wanted route, options ...string) error {
	theirs, err := r.addPast(listed, wanted, options...)
	switch {
	case err != nil:
	case theirs != nil:
		delete(r.past, r.server)
	default:
		r.past[r.server] = wanted
	}
	return err
}

func (r *macosRouter) droppingRoute() route {
	return route{prefix: single(r.server), gateway: loopbackOf(ipVersion(r.server)), metric: -1}
}

// single returns the prefix of an address alone, or an invalid one for none.
func single(address netip.Addr) netip.Prefix { return netip.PrefixFrom(address, address.BitLen()) }

// wayPast returns the route to the server past the tunnel. It needs none if the computer's own route is more specific than the
// tunnel's.
func (r *macosRouter) wayPast(listed []listedRoute) (wanted route, isNeeded bool) {
	way, ok := r.bestOf(listed, r.server)
	if !ok {
		return r.droppingRoute(), true
	}
	longest := -1
	for _, each := range r.planned {
		if each.Contains(r.server) && each.Bits() > longest {
			longest = each.Bits()
		}
	}
	wanted = route{prefix: single(r.server), metric: -1}
	if way.gateway.IsValid() {
		wanted.gateway = way.gateway.WithZone(way.zone)
	} else {
		wanted.via = way.device
	}
	return wanted, way.prefix.Bits() <= longest
}

// useNames routes name servers of a tunnel for most traffic through it.
func (r *macosRouter) useNames(servers []netip.Addr) error {
	r.access.Lock()
	defer r.access.Unlock()
	if !r.core.plan.most || r.isOver {
		return nil
	}
	wanted := []netip.Prefix{}
	for _, each := range servers {
		if each != r.server {
			wanted = append(wanted, single(each))
		}
	}
	listed, err := listRoutes()
	if err != nil {
		return err
	}
	if err := r.take(listed, wanted); err != nil {
		return err
	}
	if !includes(r.inside, wanted) {
		return causeNotInUse
	}
	return nil
}

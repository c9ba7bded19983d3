//go:build !macos_rehearsal

package helper

import "syscall"

// watchChanges ends the tunnel if somebody else deletes a part of it.
func (w *wireGuard) watchChanges() {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		reportProblem("open-netlink", err)
		w.endBecause("device")
		return
	}
	defer socket.close()
	buffer := make([]byte, 65536)
	for {
		length, err := w.changes.Read(buffer)
		mayConcern := err != nil && isLostMessages(err)
		if err != nil && !mayConcern {
			return
		}
		messages, failure := syscall.ParseNetlinkMessage(buffer[:length])
		if failure != nil {
			mayConcern = true
		}
		for _, each := range messages {
			mayConcern = mayConcern || w.concerns(each)
		}
		if mayConcern {
			part := w.missing(socket)
			if part != "" && !w.hasDevice(socket) {
				// Everything else goes with it.
				part = "device"
			}
			if part != "" {
				w.endBecause(part)
				return
			}
		}
	}
}

// concerns reports whether a change may be one of the tunnel's parts.
func (w *wireGuard) concerns(change syscall.NetlinkMessage) bool {
	switch change.Header.Type {
	case syscall.RTM_NEWLINK, syscall.RTM_DELLINK:
		changed, ok := parseLink(change.Data)
		return ok && changed.index == w.link.index
	case syscall.RTM_DELADDR:
		return len(change.Data) >= syscall.SizeofIfAddrmsg && nativeOrder.Uint32(change.Data[4:]) == w.link.index
	case syscall.RTM_DELROUTE:
		route := parseTableRoute(change.Data)
		return route.table == w.number || route.index == w.link.index
	case rtmDelRule:
		return true
	}
	return false
}

// missing names a part of the tunnel that is no longer there, or is empty.
func (w *wireGuard) missing(socket *netlinkSocket) string {
	if !w.hasDevice(socket) {
		return "device"
	}
	addresses, err := socket.addressesOf(w.link.index)
	reportProblem("list-addresses", err)
	if err != nil || !includes(addresses, w.addresses) {
		return "address"
	}
	for _, family := range []int{4, 6} {
		routes := []tableRoute{}
		for _, table := range []uint32{w.number, mainTable} {
			wanted := 0
			for _, each := range w.owned {
				if each.table == table && ipVersion(each.prefix.Addr()) == family {
					wanted++
				}
			}
			if wanted == 0 {
				continue
			}
			found, err := socket.routesOf(family, table)
			if err != nil {
				reportProblem("list-routes", err)
				return "route"
			}
			routes = append(routes, found...)
		}
		owned := []tableRoute{}
		for _, each := range w.owned {
			if ipVersion(each.prefix.Addr()) == family {
				owned = append(owned, each)
			}
		}
		if !includes(routes, owned) {
			return "route"
		}
		rules, err := socket.rules(family)
		if err != nil {
			reportProblem("list-rules", err)
			return "rule"
		}
		wanted := []uint32{}
		for _, each := range w.currentRules() {
			if each.family == family {
				wanted = append(wanted, each.priority)
			}
		}
		there := []uint32{}
		for _, each := range rules {
			there = append(there, each.priority)
		}
		if !includes(there, wanted) {
			return "rule"
		}
	}
	return ""
}

func (w *wireGuard) hasDevice(socket *netlinkSocket) bool {
	device, err := socket.findLink("", w.link.index)
	return err == nil && device.isUp
}

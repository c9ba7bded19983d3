//go:build !windows

package helper

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// route is a route past the tunnel, which does not disappear with the tunnel's device. It has a gateway or, like that of
// a mobile network, only a device.
type route struct {
	prefix  netip.Prefix
	gateway netip.Addr
	// via is the device. Beside a gateway, it may be unknown, as in OpenVPN's log; a restored route needs it, because two devices may
	// be in the gateway's network, and a link-local address is on each.
	via string
	// metric is -1 if the system does not report it.
	metric int
}

// devicePrefix distinguishes a device from a gateway in a journal; gatewaySuffix is between a gateway and its device.
const devicePrefix, gatewaySuffix = "dev:", "@"

func (r route) String() string {
	nextHop := devicePrefix + r.via
	if r.gateway.IsValid() {
		nextHop = r.gateway.String()
		if r.via != "" {
			nextHop += gatewaySuffix + r.via
		}
	}
	return fmt.Sprintf("%s %s %d", r.prefix, nextHop, r.metric)
}

func parseRoute(prefix, nextHop, metric string) (route, error) {
	parsed := route{}
	var err error
	if parsed.prefix, err = netip.ParsePrefix(prefix); err != nil {
		return route{}, err
	}
	if strings.HasPrefix(nextHop, devicePrefix) {
		parsed.via = strings.TrimPrefix(nextHop, devicePrefix)
	} else {
		gateway, via, _ := strings.Cut(nextHop, gatewaySuffix)
		if parsed.gateway, err = netip.ParseAddr(gateway); err != nil {
			return route{}, err
		}
		parsed.via = via
	}
	parsed.gateway = parsed.gateway.WithZone("")
	parsed.metric, err = strconv.Atoi(metric)
	return parsed, err
}

// masked returns what identifies a route: one with a gateway is known by that, since OpenVPN names no device beside it.
func (r route) masked() route {
	r.prefix = r.prefix.Masked()
	if r.gateway.IsValid() {
		r.via = ""
	}
	return r
}

// undoRoutes restores default routes that OpenVPN deleted, unless another has replaced them, and deletes announced
// routes that exist now and did not exist before. The routing table has the last word on whether it succeeded.
func undoRoutes(read record) error {
	if len(read.had)+len(read.added) == 0 {
		// OpenVPN has no configuration yet, or it was WireGuard.
		return nil
	}
	now, err := currentRoutes()
	if err != nil {
		return err
	}
	if gone := lost(read, now); len(gone) > 0 {
		// The network may be down.
		_ = changeRoutes("add", gone)
		if now, err = currentRoutes(); err != nil {
			return err
		}
	}
	rest := leftover(read, now)
	if len(rest) == 0 {
		return nil
	}
	// Some may have disappeared already.
	_ = changeRoutes("del", rest)
	if now, err = currentRoutes(); err != nil {
		return err
	}
	if len(leftover(read, now)) > 0 {
		return causeLeft
	}
	return nil
}

// routeSet compares routes by the properties that identify them to the kernel.
type routeSet map[route]bool

func setOf(routes []route) routeSet {
	set := routeSet{}
	for _, each := range routes {
		set[each.masked()] = true
	}
	return set
}

// withoutDevice returns the form in which OpenVPN announces that it deletes a default route.
func (r route) withoutDevice() route {
	r.via = ""
	return r.masked()
}

func (r route) isDefault() bool { return r.prefix.Bits() == 0 }

// isOpenVPNs returns a function that recognizes OpenVPN's routes. OpenVPN restores the computer's default route with
// the same gateway and the metric of a route added without one, so such a default route counts as OpenVPN's.
func (read record) isOpenVPNs() func(route) bool {
	had, added := setOf(read.had), setOf(read.added)
	restored := routeSet{}
	for _, each := range read.had {
		if each.isDefault() {
			each.metric = defaultMetric(each.prefix)
			restored[each.masked()] = true
		}
	}
	return func(there route) bool {
		key := there.masked()
		return !had[key] && (added[key] || restored[key])
	}
}

// hasDefault tells for IPv4 (false) and IPv6 (true) whether there is a default route that is not OpenVPN's.
func (read record) hasDefault(now []route) map[bool]bool {
	isOpenVPNs, has := read.isOpenVPNs(), map[bool]bool{}
	for _, there := range now {
		if there.isDefault() && !isOpenVPNs(there) {
			has[there.prefix.Addr().Is6()] = true
		}
	}
	return has
}

// lost returns the default routes of the computer that OpenVPN deleted, for each family with no other default route
// now. OpenVPN 2.5 also deletes one by adding its own with the same metric, instead of leaving it as it is.
func lost(read record, now []route) []route {
	type place struct {
		is6    bool
		metric int
	}
	replaced, taken := routeSet{}, map[place]bool{}
	for _, each := range read.added {
		if each.isDefault() {
			taken[place{each.prefix.Addr().Is6(), each.metric}] = true
		}
	}
	for _, each := range read.deleted {
		replaced[each.withoutDevice()] = true
	}
	isOpenVPNs, hasDefault := read.isOpenVPNs(), read.hasDefault(now)
	for _, there := range now {
		if there.isDefault() && isOpenVPNs(there) {
			replaced[there.withoutDevice()] = true
		}
	}
	gone := []route{}
	for _, had := range read.had {
		form := had.withoutDevice()
		form.metric = defaultMetric(had.prefix)
		is6 := had.prefix.Addr().Is6()
		if had.isDefault() && (replaced[form] || taken[place{is6, had.metric}]) && !hasDefault[is6] {
			gone = append(gone, had)
		}
	}
	return gone
}

// leftover returns OpenVPN's routes among the current ones. It excludes the last default route, which OpenVPN may have
// put in place of the computer's own.
func leftover(read record, now []route) []route {
	isOpenVPNs, hasDefault := read.isOpenVPNs(), read.hasDefault(now)
	rest := []route{}
	for _, there := range now {
		if isOpenVPNs(there) && (!there.isDefault() || hasDefault[there.prefix.Addr().Is6()]) {
			rest = append(rest, there)
		}
	}
	return rest
}

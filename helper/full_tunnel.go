package helper

import "net/netip"

// shortestOrganization is the length from which on a prefix names networks of an organization. Shorter ones, such as a default
// route or its halves, take most of the Internet, or parts of it that nobody has.
const shortestOrganization = 8

// takesMost reports whether prefixes take traffic for the Internet, not only for an organization's networks.
func takesMost(prefixes []netip.Prefix) bool {
	for _, each := range prefixes {
		if each.Bits() < shortestOrganization {
			return true
		}
	}
	return false
}

// localRanges are those of networks that may stay outside a full tunnel, with the length of the largest one.
var localRanges = []struct {
	prefix   netip.Prefix
	shortest int
}{
	{netip.MustParsePrefix("10.0.0.0/8"), 16},
	{netip.MustParsePrefix("172.16.0.0/12"), 16},
	{netip.MustParsePrefix("192.168.0.0/16"), 16},
	{netip.MustParsePrefix("169.254.0.0/16"), 16},
	{netip.MustParsePrefix("fc00::/7"), 48},
}

// isSmallPrivate reports whether a network may be one around this computer: private and small. Whoever names a network, such as
// a hotspot, could take addresses of others to itself with any other one.
func isSmallPrivate(network netip.Prefix) bool {
	for _, each := range localRanges {
		if network.Bits() >= each.shortest && each.prefix.Contains(network.Addr()) {
			return true
		}
	}
	return false
}

// Package filter decides what the kill switch of Windows lets pass. It knows nothing of Windows, so that its tests run anywhere.
package filter

import (
	"net/netip"

	"causeway-helper"
)

// Numbers of protocols.
const (
	TCP, UDP, ICMPv6 uint8 = 6, 17, 58
)

// Plan is what is wanted.
type Plan struct {
	// Tunnel is the number of the tunnel's interface, 0 before there is one.
	Tunnel uint64
	// Servers are reached by WireGuard itself; those with TCP, by any program, from one port if that is known.
	Servers []helper.Server
	// Everything blocks everything else, else private networks alone.
	Everything bool
}

// Rule is one rule. Of those that match, the one with the greatest weight decides. Zero values match anything.
type Rule struct {
	Permit bool
	Weight uint8
	// IPv6 and IPv4 tell for which packets it is.
	IPv4, IPv6 bool
	Loopback   bool
	Interface  uint64
	// Own limits it to this program, which sends WireGuard's packets.
	Own        bool
	Protocol   uint8
	Remote     netip.Prefix
	RemotePort uint16
	LocalPort  uint16
	// Type is that of ICMPv6, with its protocol.
	Type uint8
}

// private are the networks around a computer, which the kill switch blocks with everything else: other computers of a network of
// strangers.
var private = []string{
	"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32", "fc00::/7", "fe80::/10", "ff00::/8",
}

// Types of ICMPv6 without which there is no IPv6: solicitation and advertisement of routers and neighbours, redirection.
const firstNeighborType, lastNeighborType = 133, 137

// Rules returns the rules for a plan. Each is for new connections in either direction.
func Rules(plan Plan) []Rule {
	rules := []Rule{
		{Permit: true, Weight: 15, IPv4: true, IPv6: true, Loopback: true},
		// DHCP, without which there is no network.
		{Permit: true, Weight: 11, IPv4: true, Protocol: UDP, LocalPort: 68, RemotePort: 67},
		{Permit: true, Weight: 11, IPv6: true, Protocol: UDP, LocalPort: 546, RemotePort: 547},
	}
	for kind := uint8(firstNeighborType); kind <= lastNeighborType; kind++ {
		rules = append(rules, Rule{Permit: true, Weight: 11, IPv6: true, Protocol: ICMPv6, Type: kind})
	}
	if plan.Tunnel != 0 {
		rules = append(rules, Rule{Permit: true, Weight: 13, IPv4: true, IPv6: true, Interface: plan.Tunnel})
	}
	for _, each := range plan.Servers {
		address := each.Address.Addr()
		rule := Rule{
			Permit: true, Weight: 12, IPv4: address.Is4(), IPv6: address.Is6(), Own: true, Protocol: UDP,
			Remote: netip.PrefixFrom(address, address.BitLen()), RemotePort: each.Address.Port(),
		}
		if each.TCP {
			rule.Own, rule.Protocol, rule.LocalPort = false, TCP, each.From
		}
		rules = append(rules, rule)
	}
	if plan.Everything {
		return append(rules, Rule{IPv4: true, IPv6: true})
	}
	for _, each := range private {
		prefix := netip.MustParsePrefix(each)
		rules = append(rules, Rule{IPv4: prefix.Addr().Is4(), IPv6: prefix.Addr().Is6(), Remote: prefix})
	}
	return rules
}

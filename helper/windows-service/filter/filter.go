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
	// Program is the path of OpenVPN, which reaches all servers itself; empty for WireGuard.
	Program string
	// Servers are reached by WireGuard itself; those with TCP, by any program, from one port if that is known.
	Servers []helper.Server
	helper.Blocked
}

// KillSwitch returns the part that outlives the tunnel, and OfTunnel the rest. Each is a set of rules of its own, and both have to let a
// packet pass.
func KillSwitch(of Plan) Plan {
	of.Blocked = helper.Blocked{Everything: of.Everything}
	return of
}

// OfTunnel returns the part that ends with the tunnel.
func OfTunnel(of Plan) Plan {
	of.Everything = false
	return of
}

// Rule is one rule. Of those that match, the one with the greatest weight decides. Zero values match anything.
type Rule struct {
	Permit bool
	Weight uint8
	// IPv6 and IPv4 tell for which packets it is.
	IPv4, IPv6 bool
	Loopback   bool
	Interface  uint64
	// Own limits it to this program, which sends WireGuard's packets, or to the one of this path.
	Own        bool
	Program    string
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

// Rules returns the rules for a plan, those that block first. Each is for new connections in either direction.
func Rules(plan Plan) []Rule {
	rules := append(Blocking(plan),
		Rule{Permit: true, Weight: 15, IPv4: true, IPv6: true, Loopback: true},
		// DHCP, without which there is no network.
		Rule{Permit: true, Weight: 11, IPv4: true, Protocol: UDP, LocalPort: 68, RemotePort: 67},
		Rule{Permit: true, Weight: 11, IPv6: true, Protocol: UDP, LocalPort: 546, RemotePort: 547},
	)
	for kind := uint8(firstNeighborType); kind <= lastNeighborType; kind++ {
		rules = append(rules, Rule{Permit: true, Weight: 11, IPv6: true, Protocol: ICMPv6, Type: kind})
	}
	if plan.Tunnel != 0 {
		rules = append(rules, Rule{Permit: true, Weight: 13, IPv4: true, IPv6: true, Interface: plan.Tunnel})
	}
	for _, each := range plan.Servers {
		address := each.Address.Addr()
		rule := Rule{
			Permit: true, Weight: 12, IPv4: address.Is4(), IPv6: address.Is6(), Own: true, Program: plan.Program, Protocol: UDP,
			Remote: netip.PrefixFrom(address, address.BitLen()), RemotePort: each.Address.Port(),
		}
		if each.TCP {
			rule.Own, rule.Protocol, rule.LocalPort = plan.Program != "", TCP, each.From
		}
		rules = append(rules, rule)
	}
	return rules
}

// Blocking returns the rules that block, which come first. A blocked family leaves private networks alone, which have a rule of their own.
func Blocking(plan Plan) []Rule {
	rules := []Rule{}
	if plan.Everything {
		rules = append(rules, Rule{IPv4: true, IPv6: true})
	}
	if plan.IPv4 || plan.IPv6 {
		rules = append(rules, Rule{IPv4: plan.IPv4, IPv6: plan.IPv6})
	}
	for _, each := range private {
		prefix := netip.MustParsePrefix(each)
		rule := Rule{Permit: !plan.Local, Weight: 1, IPv4: prefix.Addr().Is4(), IPv6: prefix.Addr().Is6(), Remote: prefix}
		if plan.Local || rule.IPv4 && plan.IPv4 || rule.IPv6 && plan.IPv6 {
			rules = append(rules, rule)
		}
	}
	return rules
}

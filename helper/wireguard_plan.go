package helper

import "net/netip"

// routePlan says where the prefixes of a tunnel are routed. Packets to the server itself must not enter the tunnel, so the
// prefixes that hold it are in a table of their own that its packets don't use. The computer's own routes that are more
// specific than these prefixes come first, unless the tunnel takes most traffic (full_tunnel.go): then all are in the table.
type routePlan struct {
	main, table []netip.Prefix
	// suppress is the length up to which the computer's own routes are ignored.
	suppress int
	// full is true if the table takes everything, in both families.
	full bool
	// most is true if no route of the computer comes before the table.
	most bool
}

func planRoutes(asked *wireGuardRequest, servers []remote) routePlan {
	plan := routePlan{suppress: 128, full: asked.isFull(), most: takesMost(asked.allowed)}
	if plan.most {
		plan.table = asked.allowed
		return plan
	}
	for _, prefix := range asked.allowed {
		inTable := false
		for _, server := range servers {
			inTable = inTable || prefix.Contains(server.host.address)
		}
		if !inTable {
			plan.main = append(plan.main, prefix)
			continue
		}
		plan.table = append(plan.table, prefix)
		if prefix.Bits() < plan.suppress {
			plan.suppress = prefix.Bits()
		}
	}
	return plan
}

// families returns those in which the table is used: 4 and 6.
func (p routePlan) families() []int {
	families := []int{}
	for _, family := range []int{4, 6} {
		for index, prefix := range p.table {
			if p.full && index == 0 || ipVersion(prefix.Addr()) == family {
				families = append(families, family)
				break
			}
		}
	}
	return families
}

// isCarried reports whether a tunnel for all traffic takes a family, too, or must keep it from leaving past it.
func isCarried(family int, prefixes []netip.Prefix) bool {
	for _, each := range prefixes {
		if ipVersion(each.Addr()) == family && each.Bits() <= 1 {
			return true
		}
	}
	return false
}

func ipVersion(address netip.Addr) int {
	if address.Is4() {
		return 4
	}
	return 6
}

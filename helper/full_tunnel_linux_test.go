//go:build !macos_rehearsal

package helper

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestNearNetworks(t *testing.T) {
	const tunnel = 9
	for _, each := range []struct{ addresses, inside, want string }{
		{"3 192.168.1.5/24, 9 10.88.0.2/24", "0.0.0.0/0", "[192.168.1.0/24]"},
		// What a hostile network leases, or announces.
		{"3 198.51.0.2/16, 3 10.0.0.2/8, 3 2001:db8:7::2/64", "0.0.0.0/0 ::/0", "[]"},
		// The organization's, and the tunnel's own.
		{"3 10.99.0.2/25, 4 10.98.0.2/24", "0.0.0.0/0 10.99.0.0/24", "[10.98.0.0/24]"},
		{"3 10.88.0.7/24, 9 10.88.0.2/24", "0.0.0.0/0", "[]"},
		// Only a part of it is: that part is inside by its longer prefix.
		{"3 10.99.0.2/16", "0.0.0.0/0 10.99.7.0/24", "[10.99.0.0/16]"},
		{"3 fd77:1::2/64, 3 fe80::1/64", "::/0", "[fd77:1::/64]"},
		// Halves of everything name nobody's networks.
		{"3 192.168.1.5/24", "0.0.0.0/1 128.0.0.0/1", "[192.168.1.0/24]"},
	} {
		addresses, inside, got := []deviceAddress{}, []netip.Prefix{}, []string{}
		for _, text := range strings.Split(each.addresses, ", ") {
			index, own := uint32(0), ""
			fmt.Sscan(text, &index, &own)
			prefix := netip.MustParsePrefix(own)
			addresses = append(addresses, deviceAddress{index, prefix, prefix.Masked()})
		}
		for _, text := range strings.Fields(each.inside) {
			inside = append(inside, netip.MustParsePrefix(text))
		}
		for _, near := range nearNetworks(addresses, tunnel, inside) {
			got = append(got, near.network.String())
		}
		if fmt.Sprint(got) != each.want {
			t.Errorf("%s, %s: got %s", each.addresses, each.inside, got)
		}
	}
}

// Bits that others' programs test for, whatever the other bits are.
func TestNumbersMeetNobodysMarks(t *testing.T) {
	others := map[string]uint32{
		"Kubernetes": 0xc000, "Tailscale": 0xff0000, "Calico": 0xffff0000, "Cilium": 0x0f00, "AWS VPC CNI": 0x80, "Mullvad": 0x6d6f0000,
	}
	for index := uint32(0); index < maxNumbers; index++ {
		for name, bits := range others {
			for _, mark := range []uint32{firstNumber + index, firstNetworkNumber + index, firstOutsideMark + index} {
				if mark&bits != 0 {
					t.Errorf("%s has a bit of %#x", name, mark)
				}
			}
		}
	}
}

func TestOwnPacketsComeBeforeTheTablesOfAll(t *testing.T) {
	lowest := uint32(32765 - maxNumbers - rulesPerNumber*(maxNumbers-1) - rulesPerNumber + 1)
	seen := map[uint32]bool{}
	for index := uint32(0); index < maxNumbers; index++ {
		priority := 32765 - maxNumbers - rulesPerNumber*index
		own := ownPriority(firstNumber+index, priority)
		if own >= lowest || seen[own] {
			t.Errorf("%d: %d", index, own)
		}
		seen[own] = true
		// After the tables of all tunnels, and before the main one.
		rest := networkPriority(firstNumber+index, priority)
		if rest <= 32765-maxNumbers || rest > 32765 || seen[rest] {
			t.Errorf("%d: %d", index, rest)
		}
		seen[rest] = true
	}
}

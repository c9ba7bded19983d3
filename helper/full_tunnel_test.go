//go:build !windows

package helper

import (
	"net/netip"
	"testing"
)

func TestSmallPrivateNetworks(t *testing.T) {
	for network, want := range map[string]bool{
		"192.168.1.0/24": true, "10.3.0.0/16": true, "172.31.255.0/30": true, "169.254.0.0/16": true, "fd12:3456:789a::/48": true,
		"fd12::1/128": true,
		// Too large to be around a computer, or public: whoever names a network would take others' addresses to itself.
		"10.0.0.0/8": false, "10.2.0.0/15": false, "172.32.0.0/24": false, "192.168.0.0/15": false, "192.169.0.0/24": false,
		"198.51.0.0/16": false, "203.0.113.0/30": false, "100.64.0.0/24": false, "2001:db8:7::/64": false, "fd00::/8": false,
		"fe80::/64": false, "0.0.0.0/0": false,
	} {
		if got := isSmallPrivate(netip.MustParsePrefix(network)); got != want {
			t.Errorf("%s: got %v", network, got)
		}
	}
}

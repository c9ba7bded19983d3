//go:build darwin || macos_rehearsal

package helper

import (
	"net/netip"
	"testing"
)

func TestParseListedRoute(t *testing.T) {
	for line, want := range map[string]string{
		"default            192.168.1.1        UGScg  en0":   "0.0.0.0/0 192.168.1.1 -1",
		"10/8               192.168.1.1        UGSc   en0":   "10.0.0.0/8 192.168.1.1 -1",
		"128.0/1            10.8.0.1           UGSc   utun4": "128.0.0.0/1 10.8.0.1 -1",
		"192.168.7          192.168.1.1        UGSc   en0":   "192.168.7.0/24 192.168.1.1 -1",
		"192.0.2.7/32       192.168.1.1        UGSc   en0":   "192.0.2.7/32 192.168.1.1 -1",
		"192.0.2.8          192.168.1.1        UGHS   en0":   "192.0.2.8/32 192.168.1.1 -1",
		"default            fe80::1%en0        UGcg   en0":   "::/0 fe80::1 -1",
		"2001:db8::/32      2001:db8::1        UGSc   en0":   "2001:db8::/32 2001:db8::1 -1",
		"10                 link#4             UCS    en0":   "10.0.0.0/8 dev:en0 -1",
		"198.51.100.7/32    ppp0               UScg   ppp0":  "198.51.100.7/32 dev:ppp0 -1",
		"2001:db8::/32      link#15            UCS    utun4": "2001:db8::/32 dev:utun4 -1",
	} {
		got, ok := parseListedRoute(line)
		if !ok || got.String() != want {
			t.Errorf("%q: got %s, want %s", line, got, want)
		}
	}
	for _, line := range []string{"", "Destination Gateway", "127 127.0.0.1.5 U lo0", "10 0:1:2:3:4:5 UHLWIi en0", "1.2.3.4.5 192.0.2.1 U en0", "default 192.0.2.1"} {
		if got, ok := parseListedRoute(line); ok {
			t.Errorf("%q: %s", line, got)
		}
	}
}

func TestParseAnnouncedRoute(t *testing.T) {
	for line, want := range map[string]string{
		"/sbin/route add -net 0.0.0.0 192.168.1.1 0.0.0.0":                          "added 0.0.0.0/0 192.168.1.1 -1",
		"/sbin/route add -net 192.0.2.1 192.168.1.1 255.255.255.255":                "added 192.0.2.1/32 192.168.1.1 -1",
		"/sbin/route add -inet6 2001:db8:: -prefixlen 32 2001:db8:1::1":             "added 2001:db8::/32 2001:db8:1::1 -1",
		"/sbin/route add -cloning -net 10.0.0.0 -netmask 255.0.0.0 -interface ppp0": "added 10.0.0.0/8 dev:ppp0 -1",
		"/sbin/route delete -net 0.0.0.0 192.168.1.1 0.0.0.0":                       "deleted 0.0.0.0/0 192.168.1.1 -1",
		"/sbin/route delete -net 192.0.2.1 192.168.1.1 255.255.255.255":             "",
		"/sbin/route add -net 192.0.2.8;id x y":                                     "",
		"/sbin/route add -net 192.0.2.1 192.168.1.1 255.0.255.0":                    "",
		"/sbin/route add -inet6 2001:db8:: -prefixlen 32 -iface utun3":              "",
	} {
		got, parsed := parseAnnouncedRoute(line)
		if got != "" {
			got += " " + parsed.String()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestMaskBits(t *testing.T) {
	for text, want := range map[string]int{"0.0.0.0": 0, "255.255.240.0": 20, "255.0.255.0": -1, "::": -1} {
		if got := maskBits(netip.MustParseAddr(text)); got != want {
			t.Error(text, got)
		}
	}
}

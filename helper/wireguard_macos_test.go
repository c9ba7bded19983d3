//go:build darwin || macos_rehearsal

package helper

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestParseStatistics(t *testing.T) {
	const head = "Name       Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll\n"
	const addresses = "utun1007   1420  10.88.0.2/32  10.88.0.2             9     -       99       9     -         99     -\n"
	for text, want := range map[string]statistics{
		head + "utun1007   1420  <Link#20>                          12     1       3456       7     2        890     0\n" + addresses: {12, 3456, 7, 2},
		head + "utun1007   1420  <Link#20>    0:1:2:3:4:5            1     0          2       3     4          5     0\n":             {1, 2, 3, 4},
	} {
		if got, ok := parseStatistics(text, "utun1007"); !ok || got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
	for _, text := range []string{
		"", head, head + addresses, head + "utun1 1420 <Link#20> 1 0 2 3 4 5 0\n", head + "utun1007 1420 <Link#20> 1 0 2 3 x 5 0\n",
	} {
		if got, ok := parseStatistics(text, "utun1007"); ok {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// listedOf reads lines as netstat prints them.
func listedOf(t *testing.T, lines ...string) []listedRoute {
	t.Helper()
	found := []listedRoute{}
	for _, line := range lines {
		each, ok := parseListedRoute(line)
		if !ok {
			t.Fatal(line)
		}
		found = append(found, each)
	}
	return found
}

func TestTheWayPastTheTunnelFollowsTheComputersRoutes(t *testing.T) {
	const own = "utun1007"
	everything := []string{"0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"}
	for _, each := range []struct {
		name, server, want string
		planned            []string
		lines              []string
	}{
		{"the gateway", "192.0.2.1", "192.0.2.1/32 192.168.1.1 -1", everything, []string{"default 192.168.1.1 UGScg en0"}},
		{"not that of one device alone", "192.0.2.1", "192.0.2.1/32 192.168.1.1 -1", everything, []string{
			"default 10.0.0.1 UGScIg en1", "default 192.168.1.1 UGScg en0",
		}},
		{"not the tunnel itself", "192.0.2.1", "192.0.2.1/32 192.168.1.1 -1", everything, []string{
			"0/1 utun1007 UScg utun1007", "128.0/1 utun1007 UScg utun1007", "default 192.168.1.1 UGScg en0",
		}},
		{"another tunnel", "192.0.2.1", "192.0.2.1/32 10.8.0.1 -1", everything, []string{
			"default 192.168.1.1 UGScg en0", "128.0/1 10.8.0.1 UGSc utun4",
		}},
		{"a link-local gateway", "2001:db8::1", "2001:db8::1/128 fe80::1%en0 -1", everything, []string{"default fe80::1%en0 UGcg en0"}},
		{"a device without a gateway", "192.0.2.1", "192.0.2.1/32 dev:ppp0 -1", everything, []string{"default link#15 UCSg ppp0"}},
		{"no way", "192.0.2.1", "192.0.2.1/32 127.0.0.1 -1", everything, nil},
		{"a way that is refused", "192.0.2.1", "192.0.2.1/32 127.0.0.1 -1", everything, []string{
			"default 192.168.1.1 UGScg en0", "192.0.2/24 127.0.0.1 UGSR lo0",
		}},
		{"no IPv6", "2001:db8::1", "2001:db8::1/128 ::1 -1", everything, []string{"default 192.168.1.1 UGScg en0"}},
		{"a server of the local network", "192.168.1.7", "", everything, []string{
			"default 192.168.1.1 UGScg en0", "192.168.1 link#4 UCS en0",
		}},
		{"and one that the tunnel would take", "192.168.1.7", "192.168.1.7/32 dev:en0 -1", []string{"192.168.1.0/25"}, []string{
			"192.168.1 link#4 UCS en0",
		}},
		{"a route of the computer's own to the server", "192.0.2.1", "", everything, []string{
			"default 192.168.1.1 UGScg en0", "192.0.2.1 192.168.1.9 UGHS en0",
		}},
	} {
		router := &macosRouter{run: &tunnel{device: "cw7t"}, server: netip.MustParseAddr(each.server)}
		expect(t, router.device(), own)
		for _, prefix := range each.planned {
			router.planned = append(router.planned, netip.MustParsePrefix(prefix))
		}
		got := ""
		if wanted, isNeeded := router.wayPast(listedOf(t, each.lines...)); isNeeded {
			got = wanted.String()
		}
		if got != each.want {
			t.Errorf("%s: got %q, want %q", each.name, got, each.want)
		}
	}
}

func TestRouteArguments(t *testing.T) {
	for want, each := range map[string]route{
		"[-n add -net 192.0.2.1 192.168.1.1 255.255.255.255]":            {prefix: netip.MustParsePrefix("192.0.2.1/32"), gateway: netip.MustParseAddr("192.168.1.1")},
		"[-n add -net 128.0.0.0 -netmask 128.0.0.0 -interface utun1007]": {prefix: netip.MustParsePrefix("128.0.0.0/1"), via: "utun1007"},
		"[-n add -inet6 2001:db8::1 -prefixlen 128 fe80::1%en0]":         {prefix: netip.MustParsePrefix("2001:db8::1/128"), gateway: netip.MustParseAddr("fe80::1%en0")},
		"[-n add -inet6 8000:: -prefixlen 1 -interface utun1007]":        {prefix: netip.MustParsePrefix("8000::/1"), via: "utun1007"},
	} {
		expect(t, routeArguments("add", each), want)
	}
}

func TestKillSwitchPermitsTheServerToWhoContactsIt(t *testing.T) {
	run := &tunnel{device: "cw7t", caller: caller{uid: 501}}
	program := fmt.Sprint(programID("cw7t"))
	server := remote{host: host{address: netip.MustParseAddr("192.0.2.9")}, port: 51820, protocol: "udp"}
	proxy := remote{host: host{address: netip.MustParseAddr("192.0.2.9")}, port: 443, protocol: "tcp", from: 61234}
	sent := func(each remote) []remote { return macosResolver{systemResolver{run}}.sent([]remote{each}) }
	for _, each := range []struct {
		remote remote
		sent   packet
		want   bool
	}{
		{server, packet{"proto": "udp", "to": "192.0.2.9", "port": "51820", "user": program}, true},
		{server, packet{"proto": "udp", "to": "192.0.2.9", "port": "51820", "user": "501"}, false},
		{server, packet{"proto": "udp", "to": "192.0.2.9", "port": "51821", "user": program}, false},
		{server, packet{"proto": "tcp", "to": "192.0.2.9", "port": "51820", "user": program}, false},
		{server, packet{"proto": "udp", "to": "192.0.2.8", "port": "51820", "user": program}, false},
		{server, packet{"proto": "udp", "to": "192.0.2.8", "port": "51820", "user": fmt.Sprint(programID("cw8t"))}, true},
		{proxy, packet{"proto": "tcp", "from": "61234", "to": "192.0.2.9", "port": "443", "user": "501"}, true},
		{proxy, packet{"proto": "tcp", "from": "61235", "to": "192.0.2.9", "port": "443", "user": "501"}, false},
		{proxy, packet{"proto": "udp", "from": "61234", "to": "192.0.2.9", "port": "443", "user": "501"}, false},
		{proxy, packet{"proto": "tcp", "from": "61234", "to": "192.0.2.8", "port": "443", "user": "501"}, false},
	} {
		rules := killSwitchRules(501, "utun1007", sent(each.remote))
		each.sent["on"], each.sent["family"] = "en0", "inet"
		if passes(t, rules, each.sent) != each.want {
			t.Error(each.sent)
		}
		if !areLoaded(asListed(rules), 501, len(rules)) {
			t.Error(rules)
		}
	}
	// pfctl takes no higher one.
	if highest := programID("cw29999t"); highest >= 1<<31-1 {
		t.Error(highest)
	}
}

// asListed returns rules as pfctl prints them.
func asListed(rules []string) []string {
	listed := []string{}
	for _, each := range rules {
		listed = append(listed, strings.Replace(each, " user ", " user = ", 1))
	}
	return listed
}

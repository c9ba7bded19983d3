//go:build linux && !macos_rehearsal

package helper

import (
	"encoding/binary"
	"net/netip"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

func TestParseAnnouncedRoute(t *testing.T) {
	for line, want := range map[string]string{
		"net_route_v4_add: 0.0.0.0/0 via 192.0.2.1 dev [NULL] table 0 metric -1": "added 0.0.0.0/0 192.0.2.1 0",
		"net_route_v6_add: 2001:db8::/32 via fe80::1 dev eth0 table 0 metric -1": "added 2001:db8::/32 fe80::1 1024",
		"net_route_v4_add: 10.0.0.0/8 via 192.0.2.1 dev [NULL] table 0 metric 7": "added 10.0.0.0/8 192.0.2.1 7",
		// The kernel knows the default metric only.
		"net_route_v6_add: 2001:db8::/32 via fe80::1 dev eth0 table 0 metric 0": "added 2001:db8::/32 fe80::1 1024",
		// A mobile network has no gateway.
		"net_route_v4_add: 10.0.0.0/8 via 0.0.0.0 dev ppp0 table 0 metric -1":       "added 10.0.0.0/8 dev:ppp0 0",
		"net_route_v6_add: 2001:db8::/32 via :: dev wwan0 table 0 metric -1":        "added 2001:db8::/32 dev:wwan0 1024",
		"net_route_v4_del: 0.0.0.0/0 via 0.0.0.0 dev [NULL] table 0 metric -1":      "deleted 0.0.0.0/0 dev: 0",
		"net_route_v4_del: 0.0.0.0/0 via 192.0.2.1 dev [NULL] table 0 metric -1":    "deleted 0.0.0.0/0 192.0.2.1 0",
		"net_route_v4_del: 10.0.0.0/8 via 192.0.2.1 dev [NULL] table 0 metric -1":   "",
		"net_route_v4_add: 10.0.0.0/8 via ;id dev [NULL] table 0 metric -1":         "",
		"net_route_v4_add: 10.0.0.0/99 via 192.0.2.1 dev [NULL] table 0 metric -1":  "",
		"x net_route_v4_add: 10.0.0.0/8 via 192.0.2.1 dev [NULL] table 0 metric -1": "",
		"net_route_v4_add: 10.0.0.0/8 via 192.0.2.1 dev":                            "",
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

func TestKillSwitchRulesMatchOnlyTheUser(t *testing.T) {
	remotes := []remote{
		{host: host{address: netip.MustParseAddr("192.0.2.1")}, port: 1194, protocol: "udp", mark: 0x3001},
		{host: host{address: netip.MustParseAddr("2001:db8::1")}, port: 443, protocol: "tcp6-client", mark: 0x3001},
	}
	rules := killSwitchRules(1000, "cw7t", remotes, []connection{
		{netip.MustParseAddrPort("192.0.2.7:4000"), netip.MustParseAddrPort("192.0.2.8:80")},
		{netip.MustParseAddrPort("[2001:db8::7]:4000"), netip.MustParseAddrPort("[2001:db8::8]:80")},
	}, nil)
	for _, line := range []string{
		"meta skuid 1000 goto user", `oifname "cw7t" accept`,
		"    meta mark 12289 ip daddr 192.0.2.1 udp dport 1194 accept",
		"    meta mark 12289 ip6 daddr 2001:db8::1 tcp dport 443 accept", "elements = { 192.0.2.7 . 4000 . 192.0.2.8 . 80 }",
		"elements = { 2001:db8::7 . 4000 . 2001:db8::8 . 80 }",
		// A connection that the set cannot hold.
		`    oifname "cw7t" meta l4proto tcp drop`,
	} {
		if !strings.Contains(rules, line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, rules)
		}
	}
	// The last rule of the user's chain.
	if !strings.HasSuffix(rules, "    drop\n  }\n") {
		t.Error(rules)
	}
	const dhcp = "udp sport 68 udp dport 67 accept\n"
	if strings.Contains(rules, dhcp) || !strings.Contains(killSwitchRules(0, "cw7t", remotes, nil, nil), dhcp) {
		t.Error("not root alone may ask a DHCP server")
	}
}

// Closed connections may be those of others, who must not be able to keep this user from raising the kill switch.
func TestKillSwitchRulesListFewConnections(t *testing.T) {
	before := []connection{}
	rules := ""
	for len(before) <= maxEarlier {
		rules = killSwitchRules(1000, "cw7t", nil, before, nil)
		port := uint16(len(before))
		before = append(before, connection{
			netip.AddrPortFrom(netip.MustParseAddr("192.0.2.7"), port), netip.MustParseAddrPort("192.0.2.8:80"),
		})
	}
	if strings.Count(rules, "192.0.2.8") != maxEarlier || strings.Contains(rules, "elements = { tcp") {
		t.Error(strings.Count(rules, "192.0.2.8"))
	}
	rules = killSwitchRules(1000, "cw7t", nil, before, nil)
	if strings.Contains(rules, "192.0.2.8") || !strings.Contains(rules, "flags timeout; elements = { tcp timeout 15m }\n") {
		t.Error(rules)
	}
}

func TestTableAnswers(t *testing.T) {
	for _, each := range []struct {
		isAnswered bool
		failure    error
		up, err    bool
	}{
		{true, nil, true, false},
		{false, syscall.ENOENT, false, false},
		{false, syscall.EINVAL, false, false},
		{false, syscall.EPERM, false, true},
		{false, syscall.EAGAIN, false, true},
		{false, nil, false, true},
	} {
		if up, err := isThere(each.isAnswered, each.failure); up != each.up || (err != nil) != each.err {
			t.Error(each, up, err)
		}
	}
}

func TestParseAddresses(t *testing.T) {
	got := parseAddresses("192.0.2.1 STREAM vpn\n192.0.2.1 DGRAM\n;id STREAM\n2001:db8::1 STREAM\nfe80::1%eth0 STREAM\n", streamAddress)
	want := []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	if !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
}

func TestParseConnection(t *testing.T) {
	if nativeOrder != binary.ByteOrder(binary.LittleEndian) {
		t.Skip("the lines are those of another processor")
	}
	const rest = " 00000000:00000001 01:00000000 00000000 "
	want4 := connection{netip.MustParseAddrPort("192.0.2.7:4000"), netip.MustParseAddrPort("192.0.2.8:80")}
	want6 := connection{netip.MustParseAddrPort("[2001:db8::7]:4000"), netip.MustParseAddrPort("[2001:db8::8]:80")}
	const ends4, ends6 = "0: 070200C0:0FA0 080200C0:0050 ",
		"0: B80D0120000000000000000007000000:0FA0 B80D0120000000000000000008000000:0050 "
	const mapped = "0: 0000000000000000FFFF0000070200C0:0FA0 0000000000000000FFFF0000080200C0:0050 "
	for _, each := range []struct {
		line    string
		want    connection
		isUsers bool
	}{
		{ends4 + "01" + rest + "1000 0 77 1", want4, true},
		{ends6 + "01" + rest + "1000 0 77 1", want6, true},
		{mapped + "01" + rest + "1000 0 77 1", want4, true},
		{ends4 + "04" + rest + "1000 0 0 1", want4, true},
		{ends4 + "04" + rest + "0 0 0 1", want4, true},
		{ends4 + "01" + rest + "0 0 77 1", want4, false},
		{ends4 + "01" + rest + "1001 0 77 1", want4, false},
		{ends4 + "06" + rest + "0 0 0 1", want4, false},
		{ends4 + "0A" + rest + "1000 0 77 1", want4, false},
	} {
		if got, isUsers, err := parseConnection(each.line, 1000); got != each.want || isUsers != each.isUsers || err != nil {
			t.Error(each, got, isUsers, err)
		}
	}
	for _, line := range []string{"", ends4, "0: 07:1 08:2 01" + rest + "1000 0 77", "0: 070200C0 080200C0 01" + rest + "1000 0 77"} {
		if got, _, err := parseConnection(line, 1000); err == nil {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestProcessStart(t *testing.T) {
	if processStart(os.Getpid()) == "" || processStart(1<<30) != "" {
		t.Error(processStart(os.Getpid()))
	}
}

func TestCurrentRoutes(t *testing.T) {
	if routes, err := currentRoutes(); err != nil {
		t.Error(routes, err)
	}
}

// Without `def1`, OpenVPN deletes the computer's default route.
func TestLostReturnsDeletedDefaultRoutes(t *testing.T) {
	own, replaced := mustRoute(t, "0.0.0.0/0", "192.0.2.1", "100"), mustRoute(t, "0.0.0.0/0", "192.0.2.1", "0")
	read := record{had: []route{own}, added: []route{replaced}, deleted: []route{replaced}}
	for _, each := range []struct{ now, want []route }{
		{[]route{}, []route{own}},
		// OpenVPN has restored it with another metric.
		{[]route{replaced}, []route{own}},
		{[]route{own}, []route{}},
		// The computer is on another network now.
		{[]route{mustRoute(t, "0.0.0.0/0", "198.51.100.1", "100")}, []route{}},
	} {
		if got := lost(read, each.now); !reflect.DeepEqual(got, each.want) {
			t.Error(each, got)
		}
	}
	onLink := record{had: []route{mustRoute(t, "0.0.0.0/0", "dev:ppp0", "100")}, deleted: []route{mustRoute(t, "0.0.0.0/0", "dev:", "0")}}
	if got := lost(onLink, nil); !reflect.DeepEqual(got, onLink.had) {
		t.Error(got)
	}
	// OpenVPN 2.5 has put its own in the place of the one with the same metric.
	inside := record{had: []route{replaced, own}, added: []route{mustRoute(t, "0.0.0.0/0", "10.88.0.1", "0")}}
	if got := lost(inside, nil); !reflect.DeepEqual(got, []route{replaced}) {
		t.Error(got)
	}
	if got := lost(inside, []route{own}); len(got) > 0 {
		t.Error(got)
	}
	// The helper was killed before it read that OpenVPN deleted the route.
	unread := record{had: []route{own}}
	if got := lost(unread, []route{replaced}); !reflect.DeepEqual(got, []route{own}) {
		t.Error(got)
	}
	if got := leftover(unread, []route{replaced, own}); !reflect.DeepEqual(got, []route{replaced}) {
		t.Error(got)
	}
	if got := lost(unread, nil); len(got) > 0 {
		t.Error(got)
	}
}

// A later process may have the id of a program that has ended.
func TestEndsOnlyTheProgramOfTheJournal(t *testing.T) {
	command := exec.Command("sleep", "600")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	id := command.Process.Pid
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	start := processStart(id)
	endProgram(record{program: id, startedAt: start + "0"})
	endProgram(record{program: id})
	if processStart(id) != start || len(ended) > 0 {
		t.Error("ended another process")
	}
	endProgram(record{program: id, startedAt: start})
	<-ended
}

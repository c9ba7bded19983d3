//go:build darwin || macos_rehearsal

package helper

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

var servers = []remote{
	{host: host{address: netip.MustParseAddr("192.0.2.1")}, port: 1194, protocol: "udp"},
	{host: host{address: netip.MustParseAddr("2001:db8::1")}, port: 443, protocol: "tcp6-client"},
}

// packet is what a rule can match: `on`, `family`, `proto`, `from` (a port), `to` (an address), `port`, `user`.
type packet map[string]string

// passes evaluates rules as pf does: the last one that matches decides, or the first that is quick; a rule that matches
// sets its tag in any case.
func passes(t *testing.T, rules []string, sent packet) bool {
	passed, tag := true, ""
	for _, rule := range rules {
		words := strings.Fields(rule)
		matches, isQuick, sets := true, false, ""
		for at := 0; at < len(words); at++ {
			next := func() string { at++; return words[at] }
			needs := func(name string) { matches = sent[name] == next() && matches }
			switch words[at] {
			case "pass", "block", "drop", "out", "all", "any", "=", "no", "state":
			case "quick":
				isQuick = true
			case "inet", "inet6":
				matches = matches && sent["family"] == words[at]
			case "on", "proto", "user":
				needs(words[at])
			case "from":
				if words[at+2] == "port" {
					at += 3
					needs("from")
				}
			case "to":
				if words[at+1] != "any" {
					needs("to")
				}
			case "port":
				at++
				needs("port")
			case "tag":
				sets = next()
			case "!":
				at++
				matches = tag != next() && matches
			default:
				t.Fatalf("unknown word %q in %q", words[at], rule)
			}
		}
		if !matches {
			continue
		}
		if sets != "" {
			tag = sets
		}
		if passed = words[0] == "pass"; isQuick {
			break
		}
	}
	return passed
}

func TestKillSwitchRulesBlockOnlyTheUserOutsideTheTunnel(t *testing.T) {
	rules := killSwitchRules(501, "utun1007", servers)
	leaving := func(changes packet) packet {
		sent := packet{
			"on": "en0", "family": "inet", "proto": "tcp", "from": "50000", "to": "198.51.100.1", "port": "443", "user": "501",
		}
		for name, value := range changes {
			sent[name] = value
		}
		return sent
	}
	for _, each := range []struct {
		name string
		sent packet
		want bool
	}{
		{"the network", leaving(nil), false},
		{"the network, over UDP", leaving(packet{"proto": "udp"}), false},
		{"a name server of the network", leaving(packet{"proto": "udp", "port": "53"}), false},
		{"another tunnel", leaving(packet{"on": "utun4"}), false},
		{"the tunnel", leaving(packet{"on": "utun1007"}), true},
		{"the tunnel, over UDP and IPv6", leaving(packet{"on": "utun1007", "proto": "udp", "family": "inet6"}), true},
		{"the loopback device", leaving(packet{"on": "lo0"}), true},
		{"the server", leaving(packet{"proto": "udp", "to": "192.0.2.1", "port": "1194"}), false},
		{"the server, from OpenVPN", leaving(packet{"proto": "udp", "to": "192.0.2.1", "port": "1194", "user": "0"}), true},
		{"the server with another protocol", leaving(packet{"to": "192.0.2.1", "port": "1194"}), false},
		{"another port of the server", leaving(packet{"proto": "udp", "to": "192.0.2.1"}), false},
		{"a server with IPv6", leaving(packet{"family": "inet6", "to": "2001:db8::1"}), false},
		{"a DHCP server", leaving(packet{"proto": "udp", "from": "68", "port": "67"}), false},
		{"a DHCP server for IPv6", leaving(packet{"proto": "udp", "family": "inet6", "from": "546", "port": "547"}), false},
		{"DHCP's port from another one", leaving(packet{"proto": "udp", "port": "67"}), false},
		{"the network, from another user", leaving(packet{"user": "502"}), true},
		{"the network, from no user", leaving(packet{"user": "unknown"}), true},
		{"the network, without ports", leaving(packet{"proto": "icmp", "user": ""}), true},
	} {
		if got := passes(t, rules, each.sent); got != each.want {
			t.Errorf("to %s: passes is %t", each.name, got)
		}
	}
	// OpenVPN runs as root, and so do the programs that configure interfaces.
	roots := killSwitchRules(0, "utun1007", servers)
	for _, each := range []struct {
		name string
		sent packet
		want bool
	}{
		{"the network", packet{}, false},
		{"the server", packet{"proto": "udp", "to": "192.0.2.1", "port": "1194"}, true},
		{"the server with another protocol", packet{"to": "192.0.2.1", "port": "1194"}, false},
		{"a server with IPv6", packet{"family": "inet6", "to": "2001:db8::1"}, true},
		{"a DHCP server", packet{"proto": "udp", "from": "68", "port": "67"}, true},
		{"a DHCP server for IPv6", packet{"proto": "udp", "family": "inet6", "from": "546", "port": "547"}, true},
	} {
		each.sent["user"] = "0"
		if got := passes(t, roots, leaving(each.sent)); got != each.want {
			t.Errorf("root, to %s: passes is %t", each.name, got)
		}
	}
	server := leaving(packet{"proto": "udp", "to": "192.0.2.1", "port": "1194", "user": "0"})
	if passes(t, append(roots, "block drop out quick proto udp from any to 192.0.2.1 port = 1194"), server) {
		t.Error("the rules of an administrator no longer block the server")
	}
}

func TestKillSwitchRulesNameOneOwnerAndKeepNoState(t *testing.T) {
	for _, rule := range killSwitchRules(501, "utun1007", servers) {
		isPass := strings.HasPrefix(rule, "pass ")
		if strings.Count(rule, " user 501 ") != 1 || isPass != strings.HasSuffix(rule, " no state") || strings.Contains(rule, "{") {
			t.Error(rule)
		}
	}
}

func TestAreLoaded(t *testing.T) {
	const pass = "pass out on lo0 proto tcp all user = 501 no state tag causeway"
	tcp, udp := "block drop out quick proto tcp all user = 501 ! tagged causeway",
		"block drop out quick proto udp all user = 501 ! tagged causeway"
	for _, each := range []struct {
		listed []string
		count  int
		want   bool
	}{
		{[]string{pass, tcp, udp}, 3, true},
		{[]string{pass, tcp, udp}, 4, false},
		{[]string{tcp, udp, pass}, 3, false},
		{[]string{pass, udp, tcp}, 3, false},
		{[]string{pass, tcp, strings.Replace(udp, "501", "5010", 1)}, 3, false},
		{[]string{pass, tcp, strings.Replace(udp, " quick", "", 1)}, 3, false},
		{nil, 0, false},
	} {
		if got := areLoaded(each.listed, 501, each.count); got != each.want {
			t.Errorf("%q: %t", each.listed, got)
		}
	}
}

func TestEvaluatesAnchors(t *testing.T) {
	for listed, want := range map[string]bool{
		"scrub-anchor \"com.apple/*\" all fragment reassemble\nanchor \"com.apple/*\" all\n": true,
		"scrub-anchor \"com.apple/*\" all fragment reassemble\n":                             false,
		"anchor \"com.apple/*\" on en0 all\n":                                                false,
		"anchor \"com.apple\" all\n":                                                         false,
		"":                                                                                   false,
	} {
		if got := evaluatesAnchors(listed); got != want {
			t.Errorf("%q: %t", listed, got)
		}
	}
}

func TestParseToken(t *testing.T) {
	got, err := parseToken("No ALTQ support in kernel\nALTQ related functions disabled\npf enabled\nToken : 18446744073709551615\n")
	if err != nil || got != "18446744073709551615" {
		t.Error(got, err)
	}
	for _, output := range []string{"", "pf enabled\n", "Token : \n", "Token : -1\n", "Token : 1;id\n", "Token : 1 2\n"} {
		if got, err := parseToken(output); err == nil {
			t.Errorf("%q: %s", output, got)
		}
	}
}

func TestInterfaceOf(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []int{1, 29_999, 30_000, 99_998} {
		name := interfaceOf(device(fmt.Sprintf("cw%dt", id)))
		number := 0
		if _, err := fmt.Sscanf(name, "utun%d", &number); err != nil || number < 1000 || number > 32_000 || seen[name] {
			t.Error(id, name)
		}
		seen[name] = true
	}
}

func TestListedAddresses(t *testing.T) {
	got := listedAddresses("name: vpn.example\nipv6_address: 2001:db8::1\nipv6_address: fe80::1%en0\n\n" +
		"name: vpn.example\nip_address: 192.0.2.1\nip_address: ;id\nalias: ip_address: 192.0.2.9\n")
	want := []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	if !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
}

// standInPfctl answers once somebody has written to FOLDER/gate, if that exists. FOLDER/rules has the rules of the user, while pf is
// enabled.
const standInPfctl = `#!/bin/sh
[ ! -e FOLDER/gate ] || cat FOLDER/gate
case "$*" in
  "-s rules") echo 'anchor "com.apple/*" all';;
  "-s info") [ ! -e FOLDER/rules ] || echo "Status: Enabled for 0 days";;
  *) cat FOLDER/rules;;
esac
`

// raised returns a tunnel whose kill switch is up, and the folder of the stand-in for pf.
func raised(t *testing.T) (run *tunnel, folder string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may write the records")
	}
	const uid = 4_000_000_124
	if _, err := makeFolder(uid); err != nil {
		t.Fatal(err)
	}
	before := systemFolders
	t.Cleanup(func() {
		systemFolders = before
		os.RemoveAll(folderOf(uid))
	})
	folder = t.TempDir()
	systemFolders = []string{folder}
	writeFile(t, filepath.Join(folder, "pfctl"), strings.ReplaceAll(standInPfctl, "FOLDER", folder), 0o755)
	run = &tunnel{caller: caller{uid: uid}, device: "cw7t", header: header{killSwitch: true}}
	run.running, run.end = context.WithCancel(context.Background())
	t.Cleanup(run.end)
	if err := notePermitted(uid, []device{run.device}); err != nil {
		t.Fatal(err)
	}
	said()
	return run, folder
}

func loadStandInRules(t *testing.T, run *tunnel, folder string) {
	t.Helper()
	rules := asListed(killSwitchRules(run.caller.uid, "utun1007", servers))
	writeFile(t, filepath.Join(folder, "rules"), strings.Join(rules, "\n")+"\n", 0o600)
}

func TestKillSwitchIsLiftedOnlyIfItStaysSo(t *testing.T) {
	for _, backAfter := range []int{1, 2, 0} {
		run, folder := raised(t)
		pauses := 0
		run.reportIfStaysLifted(func() bool {
			if pauses++; pauses == backAfter {
				loadStandInRules(t, run, folder)
			}
			return true
		})
		want := []string{}
		if backAfter == 0 {
			want = []string{"kill-switch lifted"}
		}
		expect(t, said(), want)
		expect(t, wasRaised(run.caller.uid), backAfter != 0)
		expect(t, run.header.killSwitch, backAfter != 0)
	}
}

func TestCommandsGoOnWhilePfIsAsked(t *testing.T) {
	run, folder := raised(t)
	loadStandInRules(t, run, folder)
	gate := filepath.Join(folder, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run.reportIfStaysLifted(func() bool { return true })
	}()
	// Waits until pfctl reads.
	opened, err := os.OpenFile(gate, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !run.commands.TryLock() {
		t.Error("a command waits for pfctl")
	} else {
		run.commands.Unlock()
	}
	if err := os.Remove(gate); err != nil {
		t.Fatal(err)
	}
	opened.Close()
	<-ended
	expect(t, said(), []string{})
}

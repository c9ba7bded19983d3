//go:build !macos_rehearsal

package helper

import (
	"fmt"
	"net/netip"
	"os"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestAppsRequest(t *testing.T) {
	for text, want := range map[string]string{
		"#END\n":                    "0 false []",
		"local-network block\n":     "0 false []",
		"apps except allow\n#END\n": "1 false []",
		"apps except block\n#END\n": "1 true []",
		"apps only block\napp /user.slice/user-7.slice/a\napp /user.slice/user-7.slice/b\n#END\n": "2 true [/user.slice/user-7.slice/a /user.slice/user-7.slice/b]",
		"apps only block\napp /causeway/apps/7\n#END\n":                                           "refused app",
		"apps only allow\n#END\n": "refused apps",
		"apps \n#END\n":           "refused apps",
		"apps except allow\napp /user.slice/user-8.slice/a\n#END\n": "refused app",
		"apps except allow\napp\n#END\n":                            "1 false []",
	} {
		read, err := readApps(newLineReader(strings.NewReader(text)), caller{uid: 7})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			paths := []string{}
			for _, each := range read.groups {
				paths = append(paths, string(each))
			}
			got = strings.Join([]string{string(rune('0' + read.mode)), map[bool]string{false: "false", true: "true"}[read.blocks],
				"[" + strings.Join(paths, " ") + "]"}, " ")
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// What is accepted is of the caller's, can be printed, and is at a level that the rules compare.
func FuzzGroupPath(f *testing.F) {
	for _, seed := range []string{
		"/user.slice/user-7.slice/app.scope", "/user.slice/user-7.slice/a/b/c/d/e/f", "/causeway/apps/7", "/user.slice/user-7.slice/../x",
		"/user.slice/user-77.slice/a", "//", "/", "", "/user.slice/user-7.slice/app-a\\x2db.scope",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		group, ok := parseGroupPath(text, caller{uid: 7})
		if !ok {
			return
		}
		if group.isOwn(caller{uid: 7}) {
			return
		}
		if string(group) != text || !strings.HasPrefix(text, "/user.slice/user-7.slice/") {
			t.Error(text)
		}
		if level := len(group.parts()); level < firstLevel || level > lastLevel || strings.Contains(text, "..") && strings.Contains("/"+text+"/", "/../") {
			t.Error(text)
		}
	})
}

// A path leads through folders of the hierarchy alone.
func TestGroupsAreThoseOfTheHierarchy(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(top+"/user.slice/user-7.slice/a", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", top+"/user.slice/user-7.slice/b"); err != nil {
		t.Fatal(err)
	}
	if _, err := groupPath("/user.slice/user-7.slice/a").id(top); err != cause("not-a-group") {
		t.Error(err)
	}
	if _, err := groupPath("/user.slice/user-7.slice/b").id(top); err != syscall.ENOTDIR && err != syscall.ELOOP {
		t.Error(err)
	}
	if _, err := groupPath("/user.slice/user-7.slice/c").id(top); err != syscall.ENOENT {
		t.Error(err)
	}
}

func testApps(mode appsMode) *apps {
	return &apps{
		appsRequest: appsRequest{mode: mode}, number: firstNumber + 1, priority: 32000,
		tunnel: &tunnel{device: "cw7t", caller: caller{uid: 1000}},
		names:  []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fd00::1")},
	}
}

func TestRulesForApps(t *testing.T) {
	for mode, lines := range map[appsMode][]string{
		exceptApps: {
			"    ip daddr 10.0.0.1 meta l4proto { tcp, udp } th dport 53 accept\n",
			"    ip6 daddr fd00::1 meta l4proto { tcp, udp } th dport 53 accept\n",
			"    meta mark set 8193\n", `oifname "cw7t" meta mark 8193 drop`, "ct original zone set 8193\n",
		},
		onlyApps: {
			"    ip daddr 10.0.0.1 meta l4proto { tcp, udp } th dport 53 goto listed\n",
			"    meta mark set 4097\n", "    meta mark 12289 accept\n",
		},
	} {
		rules := testApps(mode).tableRules()
		for _, line := range append(lines, "table inet causeway_cw7t_apps", "meta skuid != 1000 accept", "socket cgroupv2 level 8 @apps goto listed") {
			if !strings.Contains(rules, line) {
				t.Errorf("%q is missing in:\n%s", line, rules)
			}
		}
	}
	asks := testApps(exceptApps)
	asks.networkNames = []netip.Addr{netip.MustParseAddr("192.168.1.1")}
	rules := asks.tableRules()
	if !strings.Contains(rules, "dnat ip to 192.168.1.1") || strings.Contains(rules, "ip daddr 10.0.0.1") ||
		!strings.Contains(rules, "ip6 daddr fd00::1") {
		t.Error(rules)
	}
}

func TestRoutingOfApps(t *testing.T) {
	outside := testApps(exceptApps).planRules()
	inside := testApps(onlyApps).planRules()
	if len(outside) != 2 || outside[0].mark != firstOutsideMark+1 || outside[0].table != firstNetworkNumber+1 || outside[0].priority >= 32000 {
		t.Error(outside)
	}
	if len(inside) != 4 || inside[0].notMark != firstNetworkNumber+1 || inside[0].priority <= 32000 || inside[1].through != "cw7t" {
		t.Error(inside)
	}
	for _, each := range append(outside, inside...) {
		read, err := parsePolicyRule(strings.Split(each.String(), " "))
		if err != nil || read != each {
			t.Error(each, read, err)
		}
	}
	if (*apps)(nil).insideMark() != 0 || testApps(exceptApps).insideMark() != 0 || testApps(onlyApps).insideMark() != firstNetworkNumber+1 {
		t.Error("mark")
	}
}

// WireGuard of the kernel sends what an app inside says in packets that still have the app's socket.
func TestKillSwitchLetsTheTunnelsOwnPacketsPass(t *testing.T) {
	own := testApps(onlyApps)
	before := strings.SplitN(own.blockRules(), "socket cgroupv2", 2)[0]
	if accepted := fmt.Sprintf("meta mark %d accept\n    meta skuid", own.number); !strings.Contains(before, accepted) {
		t.Errorf("%q is missing before the apps in:\n%s", accepted, own.blockRules())
	}
}

// Apps outside of one tunnel take the network of that tunnel, and pass its kill switch, whoever else has some.
func TestTunnelsKeepTheirAppsApart(t *testing.T) {
	first, second := testApps(exceptApps), testApps(exceptApps)
	second.number++
	for _, each := range []struct{ own, other *apps }{{first, second}, {second, first}} {
		mark := strconv.FormatUint(uint64(each.other.outsideMark()), 10)
		if rules := each.own.tableRules() + each.own.blockRules() + killSwitchRules(7, "cw7t", nil, nil, each.own.passMarks()); strings.Contains(rules, mark) {
			t.Errorf("%s is in:\n%s", mark, rules)
		}
		for _, rule := range each.own.planRules() {
			if rule.mark != each.own.outsideMark() {
				t.Error(rule)
			}
		}
	}
	if marks := first.passMarks(); !reflect.DeepEqual(marks, []uint32{first.outsideMark(), passMark}) {
		t.Error(marks)
	}
	if marks := append(testApps(onlyApps).passMarks(), (*apps)(nil).passMarks()...); len(marks) > 0 {
		t.Error(marks)
	}
	for _, mark := range []uint32{0x2023, 0x2024, passMark} {
		if !isOthersMark(mark) {
			t.Errorf("%#x", mark)
		}
	}
}

// Another user's tunnel for listed apps alone leaves the traffic of all where it is.
func TestTunnelsForSomeApps(t *testing.T) {
	full := wireGuardRecord{rules: fullRules(4, firstNumber, 32000, 0)}
	apps := wireGuardRecord{rules: append(fullRules(4, firstNumber, 32000, firstNetworkNumber), testApps(onlyApps).planRules()...)}
	split := wireGuardRecord{rules: append([]policyRule{tableRule(4, firstNumber, 32000, 0)}, testApps(exceptApps).planRules()...)}
	if full.isForSomeApps() || !apps.isForSomeApps() || split.isForSomeApps() {
		t.Error(full.isForSomeApps(), apps.isForSomeApps(), split.isForSomeApps())
	}
}

func TestRoutesThatTheKernelLedThroughAnotherTunnel(t *testing.T) {
	near := func(index uint32, network string) deviceAddress {
		return deviceAddress{index: index, network: netip.MustParsePrefix(network)}
	}
	const network, other, own = 2, 3, 4
	addresses := []deviceAddress{
		near(network, "192.0.2.0/24"), near(other, "10.88.0.0/24"), near(own, "10.89.0.0/24"), near(network, "fe80::/64"), near(own, "fe80::/64"),
	}
	for text, isKept := range map[string]bool{"10.89.0.1 3": false, "10.89.0.1 2": false, "10.88.0.1 3": true, "192.0.2.1 2": true, "fe80::1 2": true, "198.51.100.1 2": true, " 3": true} {
		gateway, index, _ := strings.Cut(text, " ")
		route := networkRoute{index: uint32(index[0] - '0')}
		route.gateway, _ = netip.ParseAddr(gateway)
		if kept := withoutMisplaced([]networkRoute{route}, addresses, own); (len(kept) == 1) != isKept {
			t.Error(text, kept)
		}
	}
	// A network of the computer that has the same addresses as the tunnel.
	same := append(addresses, near(network, "10.89.0.0/16"))
	route := networkRoute{gateway: netip.MustParseAddr("10.89.0.1"), index: network}
	if len(withoutMisplaced([]networkRoute{route}, same, own)) != 1 {
		t.Error("the network's own gateway")
	}
}

func TestRoutesOfTheNetwork(t *testing.T) {
	head := func(kind byte) []byte {
		return []byte{syscall.AF_INET, 0, 0, 0, mainTable, 3, 0, kind, 0x10 | rtNextHopOnLink, 0, 0, 0}
	}
	through := func(index uint32) []byte { return attribute(syscall.RTA_OIF, number32(index)) }
	gateway := attribute(syscall.RTA_GATEWAY, []byte{10, 0, 0, 1})
	ours := attribute(rtaTable, number32(mainTable))
	copied, ok := copyRoute(joined(head(syscall.RTN_UNICAST), ours, through(3), gateway, attribute(syscall.RTA_CACHEINFO, make([]byte, 32))), 0x1000, 4)
	plain := head(syscall.RTN_UNICAST)
	plain[4], plain[8] = 0, rtNextHopOnLink
	want := joined(plain, attribute(rtaTable, number32(0x1000)), through(3), gateway)
	if !ok || !copied.hasGateway || copied.gateway.String() != "10.0.0.1" || copied.index != 3 || !reflect.DeepEqual([]byte(copied.body), want) {
		t.Errorf("%v %x, want %x", ok, copied.body, want)
	}
	nextHop := func(index uint32) []byte {
		return joined(number16(8), []byte{0x11, 0}, number32(index))
	}
	for name, message := range map[string][]byte{
		"through the tunnel":      joined(head(syscall.RTN_UNICAST), ours, through(4), gateway),
		"partly through it":       joined(head(syscall.RTN_UNICAST), ours, attribute(syscall.RTA_MULTIPATH, nextHop(3), nextHop(4))),
		"a local address":         joined(head(syscall.RTN_LOCAL), ours, through(3)),
		"a message that is short": head(syscall.RTN_UNICAST)[:8],
	} {
		if _, ok := copyRoute(message, 0x1000, 4); ok {
			t.Error(name)
		}
	}
	several, ok := copyRoute(joined(head(syscall.RTN_UNICAST), ours, attribute(syscall.RTA_MULTIPATH, nextHop(3), nextHop(5))), 0x1000, 4)
	// Without the state of the next hops.
	if !ok || strings.Contains(several.body, string([]byte{8, 0, 0x11})) {
		t.Errorf("%x", several.body)
	}
	// A next hop with a name of its own has device and gateway there.
	named, ok := copyRoute(joined(head(syscall.RTN_UNICAST), ours, through(3), gateway, attribute(rtaNextHop, number32(9))), 0x1000, 4)
	if !ok || strings.Contains(named.body, string(through(3))) || strings.Contains(named.body, string(gateway)) {
		t.Errorf("%x", named.body)
	}
}

func FuzzRoutesOfTheNetwork(f *testing.F) {
	f.Add([]byte{})
	f.Add(joined(make([]byte, 12), attribute(syscall.RTA_MULTIPATH, []byte{8, 0, 1, 0, 3, 0, 0, 0, 255})))
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = copyRoute(data, 0x1000, 4) })
}

func TestSetsOfGroups(t *testing.T) {
	messages := setMessages([]groupSet{{"t", "apps", map[uint64]groupPath{9: "", 7: ""}}, {"t", "former", nil}})
	if len(messages) != 3 || messages[0].kind != nftDelElements || messages[1].kind != nftNewElements || messages[2].kind != nftDelElements {
		t.Fatal(messages)
	}
	found := []uint64{}
	attributesOf(messages[1].body[4:], func(kind uint16, value []byte) {
		if kind != nftElementList {
			return
		}
		attributesOf(value, func(_ uint16, element []byte) {
			attributesOf(element, func(_ uint16, key []byte) {
				attributesOf(key, func(_ uint16, id []byte) { found = append(found, nativeOrder.Uint64(id)) })
			})
		})
	})
	if !reflect.DeepEqual(found, []uint64{7, 9}) {
		t.Error(found)
	}
}

// A group whose removal failed is on the list, and nowhere else.
func TestFailedRemovalChangesNothing(t *testing.T) {
	a := testApps(onlyApps)
	// Its table doesn't exist.
	a.isUp, a.current, a.former = true, map[uint64]groupPath{9: "/a"}, map[uint64]groupPath{}
	if answer, err := a.remove("/a"); answer != "failed" || err == nil {
		t.Error(answer, err)
	}
	if len(a.former) != 0 || a.current[9] != "/a" {
		t.Error(a.current, a.former)
	}
}

// A group that could not be listed stays among those that were before.
func TestFailedAdditionChangesNothing(t *testing.T) {
	top, err := groupsTop()
	if err != nil {
		t.Skip(err)
	}
	a := testApps(onlyApps)
	own := ownGroups{caller: a.tunnel.caller, top: top}
	a.own, a.top, a.isUp = &own, top, true
	// Any group there is; the table of the tunnel doesn't exist.
	folders, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range folders {
		if !each.IsDir() {
			continue
		}
		group := groupPath("/" + each.Name())
		id, err := group.id(top)
		if err != nil {
			t.Fatal(err)
		}
		a.current, a.former = map[uint64]groupPath{}, map[uint64]groupPath{id: group}
		if answer, err := a.add(group); answer != "failed" || err == nil {
			t.Error(answer, err)
		}
		if len(a.current) != 0 || a.former[id] != group {
			t.Error(a.current, a.former)
		}
		return
	}
	t.Skip("no group")
}

func TestRenewedRulesKeepTheLists(t *testing.T) {
	for _, mode := range []appsMode{exceptApps, onlyApps} {
		a := &apps{appsRequest: appsRequest{mode: mode}, tunnel: &tunnel{device: "cw1t"}, number: firstNumber}
		if rules := a.tableRules(); strings.Contains(rules, "delete") || !strings.Contains(rules, "flush table inet causeway_cw1t_apps\n") {
			t.Error(rules)
		}
	}
}

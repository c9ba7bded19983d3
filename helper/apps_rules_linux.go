//go:build !macos_rehearsal

package helper

import (
	"fmt"
	"net/netip"
	"strings"
)

func appsTable(name device) string { return "causeway_" + string(name) + "_apps" }

// tableRules returns the table in nftables of a tunnel. It
//
//   - marks what the listed apps send, in `output` before anything else looks at it, so that it is routed again (choose, listed)
//   - keeps the mark with the connection for its answers, and for packets without a socket (keep, answer, arrive)
//   - changes the source address, which was chosen before (source)
//   - cuts connections that began on the other side (cut)
//   - drops what would take the wrong way in spite of all that (leave)
//
// A zone keeps connections whose source address is changed apart from others with the same addresses and ports, so that an app that
// changes sides begins new ones.
//
// A socket that its program has closed still has its control group, but no user. The answer to a new connection has no group yet.
func (a *apps) tableRules() string {
	own, mark := string(a.tunnel.device), a.outsideMark()
	if a.mode == onlyApps {
		mark = a.insideMark()
	}
	table := appsTable(a.tunnel.device)
	// What comes from the side that the apps are not on gets the address of that side.
	changes := fmt.Sprintf(`oifname %q fib saddr . oif type local`, own)
	if a.mode == onlyApps {
		changes = fmt.Sprintf(`oifname != %q fib saddr . oif type local`, own)
	}
	begun := "ct state new tcp flags & (fin | syn | rst | ack) != syn goto cut"
	return fmt.Sprintf(`%[1]stable inet %[2]s {
  set apps {
    type cgroupsv2; size %[3]d;
  }
  set former {
    type cgroupsv2; size %[3]d;
  }
  chain choose {
    type route hook output priority -300; policy accept;
    oifname "lo" accept
%[4]s    meta skuid != %[5]d accept
%[6]s  }
  chain listed {
    %[7]s ct original zone set %[8]d
    meta mark set %[9]d
  }
  chain keep {
    type route hook output priority -150; policy accept;
    oifname "lo" accept
    meta mark %[9]d goto begin
    ct mark %[9]d tcp flags & (syn | ack) == syn | ack meta mark set %[9]d accept
    meta skuid != %[5]d accept
    meta skuid %[5]d goto other
    ct mark %[9]d meta mark set %[9]d
  }
  chain begin {
    %[7]s %[10]s
    ct mark set %[9]d
  }
  chain other {
    ct mark %[9]d goto cut
%[11]s  }
  chain before {
    %[10]s
  }
  chain cut {
    meta l4proto tcp reject with tcp reset
    reject
  }
  chain source {
    type nat hook postrouting priority 100; policy accept;
    meta mark %[9]d fib saddr . oif type != local masquerade
  }
%[12]s}
`, emptyTable(table), table, maxGroups, a.exceptions(), a.tunnel.caller.uid, ofGroups("apps", "listed"), changes, a.outsideMark(), mark,
		begun, ofGroups("former", "before"), a.sideRules(mark))
}

// emptyTable removes the rules of a table, and keeps what its sets hold: a moment without it would lead apps the other way.
func emptyTable(name string) string {
	return fmt.Sprintf("add table inet %[1]s\nflush table inet %[1]s\n", name)
}

// ofGroups compares the group of a socket, and the groups above it, with a set.
func ofGroups(set, chain string) string {
	rules := strings.Builder{}
	for level := firstLevel; level <= lastLevel; level++ {
		fmt.Fprintf(&rules, "    socket cgroupv2 level %d @%s goto %s\n", level, set, chain)
	}
	return rules.String()
}

// exceptions returns what comes before the apps: the tunnel's own packets, and questions to its name servers, which are asked
// through it for everybody.
func (a *apps) exceptions() string {
	verdict, rules := "accept", strings.Builder{}
	if a.mode == onlyApps {
		verdict = "goto listed"
	}
	fmt.Fprintf(&rules, "    meta mark %d accept\n", a.number)
	for _, each := range a.names {
		if networkName(a.networkNames, each) == nil {
			fmt.Fprintf(&rules, "    %s daddr %s meta l4proto { tcp, udp } th dport 53 %s\n", familyWord(each), each, verdict)
		}
	}
	return rules.String()
}

func familyWord(address netip.Addr) string {
	if address.Is4() {
		return "ip"
	}
	return "ip6"
}

// networkName returns the network's name server of the same family, or nil.
func networkName(servers []netip.Addr, other netip.Addr) *netip.Addr {
	for index := range servers {
		if servers[index].Is4() == other.Is4() {
			return &servers[index]
		}
	}
	return nil
}

// sideRules returns the chains that differ between the two modes.
func (a *apps) sideRules(mark uint32) string {
	own := string(a.tunnel.device)
	if a.mode == exceptApps {
		return fmt.Sprintf(`  chain answer {
    type filter hook prerouting priority -150; policy accept;
    iifname "lo" accept
    ct state new jump arrive
    iifname != %[1]q ct mark %[2]d meta mark set %[2]d
  }
  chain arrive {
%[3]s  }
  chain arrived {
    iifname %[1]q drop
    ct mark set %[2]d
  }
  chain leave {
    type filter hook postrouting priority -400; policy accept;
    oifname %[1]q meta mark %[2]d drop
  }
%[4]s`, own, mark, ofGroups("apps", "arrived"), a.askRules())
	}
	// Others of this computer, but for root's that have chosen the device, don't use the tunnel, nor does it reach them.
	return fmt.Sprintf(`  chain answer {
    type filter hook prerouting priority -150; policy accept;
    iifname "lo" accept
    ct state new jump arrive
    iifname %[1]q ct mark %[2]d meta mark set %[2]d
  }
  chain arrive {
%[3]s    iifname %[1]q meta l4proto { icmp, icmpv6 } goto arrived
    iifname %[1]q drop
  }
  chain arrived {
    ct mark set %[2]d
  }
  chain refuse {
    type filter hook output priority 300; policy accept;
    oifname != %[1]q accept
    meta mark %[2]d accept
    meta skuid 0 accept
    meta mark %[4]d accept
    reject with icmpx type admin-prohibited
  }
  chain leave {
    type filter hook postrouting priority -400; policy accept;
    oifname != %[1]q accept
    meta mark %[2]d accept
    meta skuid 0 accept
    drop
  }
%[5]s`, own, mark, ofGroups("apps", "arrived"), a.number, a.sizeRules())
}

// sizeRules keep the segments of TCP as small as the tunnel's, since programs know those of the network alone.
func (a *apps) sizeRules() string {
	if a.mtu == 0 {
		return ""
	}
	return fmt.Sprintf(`  chain segments {
    type filter hook postrouting priority -150; policy accept;
    oifname %[1]q tcp flags & (syn | rst) == syn tcp option maxseg size set rt mtu
  }
  chain answered {
    type filter hook prerouting priority -150; policy accept;
    iifname %[1]q meta nfproto ipv4 tcp flags & (syn | rst) == syn tcp option maxseg size set %[2]d
    iifname %[1]q meta nfproto ipv6 tcp flags & (syn | rst) == syn tcp option maxseg size set %[3]d
  }
`, a.tunnel.device, a.mtu-40, a.mtu-60)
}

// askRules send the questions of the apps outside to the network's name servers.
func (a *apps) askRules() string {
	if len(a.networkNames) == 0 {
		return ""
	}
	rules := strings.Builder{}
	rules.WriteString("  chain ask {\n    type nat hook output priority -100; policy accept;\n")
	for _, each := range a.networkNames {
		fmt.Fprintf(&rules, "    meta mark %d meta nfproto %s meta l4proto { tcp, udp } th dport 53 dnat %s to %s\n",
			a.outsideMark(), map[int]string{4: "ipv4", 6: "ipv6"}[ipVersion(each)], familyWord(each), each)
	}
	return rules.String() + "  }\n"
}

// blockTable names the table for apps of a user's kill switch, which stays up as long as that.
func blockTable(uid uint32, mode appsMode) string {
	return tableOf(uid) + map[appsMode]string{exceptApps: "_outside", onlyApps: "_inside"}[mode]
}

// blockMode returns what the rules of the kill switch depend on.
func (a *apps) blockMode() appsMode {
	if a == nil {
		return allApps
	}
	return a.mode
}

// passMarks returns the marks of the apps outside that the kill switch lets pass. Who sets them: tableRules and blockRules.
func (a *apps) passMarks() []uint32 {
	if a.blockMode() != exceptApps {
		return nil
	}
	return []uint32{a.outsideMark(), passMark}
}

// prepareBlock adds the kill switch's table for apps, with the listed ones. It is never replaced, which would empty it for a moment.
func (a *apps) prepareBlock(nft string) error {
	if a == nil || a.mode == exceptApps && a.blocks {
		return nil
	}
	if err := a.resolve(); err != nil {
		return at("find-group", err)
	}
	if err := runRules(nft, a.blockRules()); err != nil {
		return err
	}
	a.hasBlock = true
	return a.setGroups()
}

// finishBlock deletes the tables of a kill switch from before that had another mode.
func (a *apps) finishBlock(nft string, uid uint32) error {
	for _, mode := range []appsMode{exceptApps, onlyApps} {
		if a != nil && a.hasBlock && a.mode == mode {
			continue
		}
		if err := dropFirewallTable(blockTable(uid, mode)); err != nil {
			return err
		}
	}
	return nil
}

// blockRules let the apps outside pass the rules of the kill switch (killSwitchRules) while the tunnel is down, or block the apps
// inside alone. While the tunnel is up, its own table decides, and marks what may pass. The packets in which WireGuard of the kernel
// sends those of an app still have that app's socket: they are known by the tunnel's own mark, which no user can set.
func (a *apps) blockRules() string {
	uid := a.tunnel.caller.uid
	table := blockTable(uid, a.mode)
	begin := fmt.Sprintf("add table inet %[1]s\nadd set inet %[1]s apps { type cgroupsv2; size %[2]d; }\n", table, maxGroups)
	if a.mode == exceptApps {
		return begin + fmt.Sprintf(`add chain inet %[1]s pass { type filter hook output priority -299; policy accept; }
add chain inet %[1]s passed
flush chain inet %[1]s pass
flush chain inet %[1]s passed
table inet %[1]s {
  chain pass {
    oifname { "lo", %[2]q } accept
    meta mark %[6]d accept
    meta skuid != %[3]d accept
%[4]s  }
  chain passed {
    meta mark set %[5]d
  }
}
`, table, a.tunnel.device, uid, ofGroups("apps", "passed"), passMark, a.outsideMark())
	}
	return begin + fmt.Sprintf(`add chain inet %[1]s block { type filter hook output priority 300; policy accept; }
add chain inet %[1]s leave { type filter hook postrouting priority -400; policy accept; }
add chain inet %[1]s blocked
flush chain inet %[1]s block
flush chain inet %[1]s leave
flush chain inet %[1]s blocked
table inet %[1]s {
  chain block {
    oifname "lo" accept
    meta mark %[6]d accept
    meta skuid != %[2]d accept
%[3]s  }
  chain blocked {
    meta mark %[4]d accept
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    drop
  }
  chain leave {
    oifname { "lo", %[5]q } accept
    meta skuid %[2]d meta mark %[4]d drop
  }
}
`, table, uid, ofGroups("apps", "blocked"), a.insideMark(), a.tunnel.device, a.number)
}

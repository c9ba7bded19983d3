//go:build !macos_rehearsal

package helper

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
)

// addressGuard keeps the network from finding out the tunnel's own addresses, and from sending to them (CVE-2019-14899). It
// takes a program, which nobody waits for while the tunnel comes up.
type addressGuard struct {
	running sync.WaitGroup
	// last is closed once what was started last is done.
	last chan struct{}
}

// start replaces the rules by these, after those that it was called with before: the last ones stay.
func (g *addressGuard) start(t *tunnel, chains string) {
	g.running.Add(1)
	before, done := g.last, make(chan struct{})
	g.last = done
	go func() {
		defer g.running.Done()
		defer close(done)
		if before != nil {
			<-before
		}
		nft, err := systemProgram("nft")
		if err == nil {
			err = t.journal.write("firewall")
		}
		if err != nil {
			reportProblem("guard-addresses", err)
			return
		}
		step("firewall")
		reportProblem("guard-addresses", t.rules.add(nft, t.device, chains))
		step("firewall-up")
	}()
}

// wait returns once nothing is added any more, so that it can be undone.
func (g *addressGuard) wait() { g.running.Wait() }

// guardRules drop what others than the tunnel's server send to its own addresses. Programs of this computer may, and its firewall, which
// refuses a packet in the name of whom it was for.
func guardRules(name device, addresses []netip.Prefix) string {
	guards := strings.Builder{}
	for _, each := range addresses {
		family := map[int]string{4: "ip", 6: "ip6"}[ipVersion(each.Addr())]
		fmt.Fprintf(&guards, "    iifname != { \"lo\", %q } %s daddr %s fib saddr type != local drop\n", name, family, each.Addr())
	}
	return fmt.Sprintf(`  chain guard {
    type filter hook prerouting priority -300; policy accept;
%s  }
`, guards.String())
}

// markRules keep the mark with the connection to the server, so that answers have it, too. Without it, a strict reverse path filter looks
// for the server where the newest tunnel of all users leads.
func markRules(mark uint32) string {
	return fmt.Sprintf(`  chain restore {
    type filter hook prerouting priority -150; policy accept;
    meta l4proto { tcp, udp } ct mark %[1]d meta mark set %[1]d
  }
  chain save {
    type filter hook postrouting priority -150; policy accept;
    meta l4proto { tcp, udp } meta mark %[1]d ct mark set %[1]d
  }
`, mark)
}

// firewallRules replace the tunnel's table by one with these chains.
func firewallRules(name device, chains string) string {
	return newTable(firewallTable(name), chains)
}

// ownRules is the tunnel's own table of the firewall.
type ownRules struct {
	// access is held until chains says what nft has made: another program may delete it at once. chains is empty before.
	access sync.Mutex
	chains string
}

func (r *ownRules) add(nft string, name device, chains string) error {
	r.access.Lock()
	defer r.access.Unlock()
	err := runRules(nft, firewallRules(name, chains))
	if err == nil {
		r.chains = chains
	}
	return err
}

// restore puts the table back if another program has deleted it, such as one that loads all rules of the firewall anew.
func (r *ownRules) restore(name device) error {
	r.access.Lock()
	defer r.access.Unlock()
	if r.chains == "" {
		return nil
	}
	if is, err := hasFirewallTable(firewallTable(name)); err == nil && is {
		return nil
	}
	nft, err := findFirewall()
	if err != nil {
		return err
	}
	return runRules(nft, firewallRules(name, r.chains))
}

func firewallTable(name device) string { return "causeway_" + string(name) }

//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// apps decides which apps of the caller use a tunnel, by their control groups. Its table in nftables marks their packets
// (apps_rules_linux.go), and rules for routing lead those to the tunnel's table, or to that of the network (networkTable).
// Callers hold the tunnel's lock for commands.
type apps struct {
	appsRequest
	tunnel *tunnel
	// number and priority are those of the tunnel.
	number, priority uint32
	// top is the folder of the root of the hierarchy of control groups.
	top string
	own *ownGroups
	// current holds the listed groups by their ids, former those that were listed before.
	current, former map[uint64]groupPath
	// names holds the tunnel's name servers. networkNames, if there are any, are asked by the apps outside.
	names, networkNames []netip.Addr
	// mtu, if not 0, is the largest packet that the tunnel takes.
	mtu int
	// isUp is true while the table and the rules are there.
	isUp    bool
	network atomic.Pointer[networkTable]
	rules   []policyRule
	// hasBlock is true if the kill switch has a table for apps (blockTable).
	hasBlock bool
}

func newApps(t *tunnel, asked appsRequest) (*apps, error) {
	own, err := newOwnGroups(t.caller, t.journal)
	if err != nil {
		return nil, err
	}
	return &apps{
		appsRequest: asked, tunnel: t, top: own.top, own: own, current: map[uint64]groupPath{}, former: map[uint64]groupPath{},
	}, nil
}

// use takes the number and the priority of the tunnel.
func (a *apps) use(number, priority uint32) {
	if a != nil {
		a.number, a.priority = number, priority
	}
}

// insideMark returns the mark of the apps that alone use the tunnel, or 0 if the others use it.
func (a *apps) insideMark() uint32 {
	if a == nil || a.mode != onlyApps {
		return 0
	}
	return a.networkNumber()
}

// networkNumber is the number of the table with the routes of the network, and the mark of the apps inside.
func (a *apps) networkNumber() uint32 { return firstNetworkNumber + a.number - firstNumber }

// outsideMark is the mark of the apps outside: that of another tunnel leads to another network, which may be this one.
func (a *apps) outsideMark() uint32 { return firstOutsideMark + a.number - firstNumber }

// begin sets up what has to be there before the tunnel.
func (a *apps) begin() error {
	if a == nil {
		return nil
	}
	if err := a.resolve(); err != nil {
		return failedBy("apps", "find-group", err)
	}
	if err := a.apply(); err != nil {
		return failedBy("apps", "add-apps", err)
	}
	return nil
}

// resolve finds the groups that the request lists. One that is gone has no processes any more.
func (a *apps) resolve() error {
	for _, each := range a.groups {
		if err := a.own.prepare(each); err != nil {
			return err
		}
		id, err := each.id(a.top)
		if err == nil {
			a.current[id] = each
		} else if !isGone(err) {
			return err
		}
	}
	a.groups = nil
	return nil
}

// end leaves what was added to whoever undoes it.
func (a *apps) end() {
	if a == nil {
		return
	}
	a.own.end()
	if network := a.network.Load(); network != nil {
		network.end()
	}
}

// listed returns the ids of the listed groups that still exist.
func (a *apps) listed() string {
	a.forgetGone()
	ids := []uint64{}
	for id := range a.current {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(one, other int) bool { return ids[one] < ids[other] })
	texts := []string{}
	for _, id := range ids {
		texts = append(texts, strconv.FormatUint(id, 10))
	}
	return strings.Join(texts, ",")
}

// forgetGone forgets the groups that no longer exist. Their ids don't come back.
func (a *apps) forgetGone() {
	for _, groups := range []map[uint64]groupPath{a.current, a.former} {
		for id, each := range groups {
			if now, err := each.id(a.top); isGone(err) || err == nil && now != id {
				delete(groups, id)
			}
		}
	}
}

// add lists a group.
func (a *apps) add(group groupPath) (string, error) {
	if err := a.own.prepare(group); err != nil {
		return "failed", err
	}
	id, err := group.id(a.top)
	switch {
	case err == syscall.ENOENT:
		return "gone", nil
	case err != nil:
		return "refused", err
	}
	if _, isListed := a.current[id]; isListed {
		return "added", nil
	}
	if len(a.current) >= maxGroups {
		a.forgetGone()
	}
	if len(a.current) >= maxGroups {
		return "full", nil
	}
	before, wasListed := a.former[id]
	a.current[id] = group
	delete(a.former, id)
	if err := a.apply(); err != nil {
		delete(a.current, id)
		if wasListed {
			a.former[id] = before
		}
		return "failed", err
	}
	return "added", nil
}

// remove takes a group off the list.
func (a *apps) remove(group groupPath) (string, error) {
	for id, each := range a.current {
		if each != group {
			continue
		}
		delete(a.current, id)
		if len(a.former) >= maxGroups {
			a.forgetGone()
		}
		if len(a.former) < maxGroups {
			a.former[id] = each
		}
		if err := a.apply(); err != nil {
			a.current[id] = each
			delete(a.former, id)
			return "failed", err
		}
		a.own.release(group)
		return "removed", nil
	}
	return "none", nil
}

// useNames notes the name servers of the tunnel, which the system's resolver asks for all apps.
func (a *apps) useNames(servers []netip.Addr) error {
	if a == nil {
		return nil
	}
	a.names = servers
	return a.renew()
}

// fit notes the largest packet that the tunnel takes.
func (a *apps) fit(mtu int) error {
	if a == nil || a.mode != onlyApps {
		return nil
	}
	a.mtu = mtu
	return a.renew()
}

// useNetworkNames has the apps outside ask these name servers, at most one of each family; `off`: those that all ask.
func (a *apps) useNetworkNames(text string) (string, error) {
	servers := []netip.Addr{}
	if text != "off" {
		for _, each := range strings.Split(text, ",") {
			server, err := parseAddress(each)
			if err != nil || !mayBeServer(server) || server.IsLinkLocalUnicast() || len(servers) == maxNameServers {
				return "refused", nil
			}
			servers = append(servers, server)
		}
	}
	if a.mode != exceptApps {
		return "refused", nil
	}
	before := a.networkNames
	a.networkNames = servers
	if err := a.renew(); err != nil {
		a.networkNames = before
		return "failed", err
	}
	return "names", nil
}

// renew replaces the rules of the table by those for other name servers. Its lists stay.
func (a *apps) renew() error {
	if !a.isUp {
		return nil
	}
	nft, err := findFirewall()
	if err != nil {
		return err
	}
	return runRules(nft, a.tableRules())
}

// restore puts the table back with its lists if another program has deleted it, such as one that loads all rules of the firewall anew.
func (a *apps) restore() error {
	if a == nil || !a.isUp {
		return nil
	}
	if is, err := hasFirewallTable(appsTable(a.tunnel.device)); err == nil && is {
		return nil
	}
	if err := a.renew(); err != nil {
		return err
	}
	return a.setGroups()
}

// apply makes the system follow the list. Without any app outside, nothing is there.
func (a *apps) apply() error {
	isWanted := a.mode == onlyApps || len(a.current) > 0
	if a.isUp && !isWanted {
		err := a.takeDown()
		if err == nil {
			err = a.setGroups()
		}
		return err
	}
	if !a.isUp && isWanted {
		if err := a.requireFreeTable(); err != nil {
			return err
		}
		if err := a.setUp(); err != nil {
			reportProblem("take-down", a.takeDown())
			return err
		}
	}
	return a.setGroups()
}

// setGroups lists the groups in all tables at once.
func (a *apps) setGroups() error {
	sets := []groupSet{}
	if a.isUp {
		table := appsTable(a.tunnel.device)
		sets = append(sets, groupSet{table, "apps", a.current}, groupSet{table, "former", a.former})
	}
	if a.hasBlock && a.tunnel.header.killSwitch {
		sets = append(sets, groupSet{blockTable(a.tunnel.caller.uid, a.mode), "apps", a.current})
	}
	return replaceSets(sets)
}

// requireFreeTable refuses a table that somebody else uses, before the journal names it: its routes are deleted in the end.
func (a *apps) requireFreeTable() error {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	for _, family := range []int{4, 6} {
		there, err := socket.routesOf(family, a.networkNumber())
		if err != nil {
			return at("network-table", err)
		}
		if len(there) > 0 {
			return at("network-table", causeTaken)
		}
	}
	return nil
}

// setUp adds the table of the network, its rules, and the table in nftables.
func (a *apps) setUp() error {
	nft, err := findFirewall()
	if err != nil {
		return err
	}
	if err := a.tunnel.journal.write("apps %d", a.networkNumber()); err != nil {
		return err
	}
	step("apps")
	// The answers of the network have the mark of their connection.
	if err := acceptMarks(a.tunnel.device); err != nil && hasStrictFilter() {
		return at("accept-marks", err)
	}
	network, err := startNetworkTable(a.networkNumber(), a.tunnel.device, a.mode == exceptApps)
	if err != nil {
		return at("network-table", err)
	}
	a.network.Store(network)
	step("apps-routed")
	a.isUp = true
	if err := runRules(nft, a.tableRules()); err != nil {
		return err
	}
	step("apps-marked")
	for _, each := range a.planRules() {
		if err := a.tunnel.journal.write("rule %s", each); err != nil {
			return err
		}
		err := changeRule(each.message(rtmNewRule, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL))
		if err != nil && err != syscall.EEXIST && !(each.family == 6 && isWithoutIPv6(err)) {
			return at("add-rule", err)
		}
		a.rules = append(a.rules, each)
	}
	step("apps-ruled")
	return nil
}

// planRules returns the rules of both families.
func (a *apps) planRules() []policyRule {
	rules := []policyRule{}
	network := a.networkNumber()
	for _, family := range []int{4, 6} {
		if a.mode == exceptApps {
			rules = append(rules, policyRule{
				family: family, priority: ownPriority(a.number, a.priority), table: network, mark: a.outsideMark(), suppress: -1,
			})
			continue
		}
		rules = append(rules,
			policyRule{
				family: family, priority: networkPriority(a.number, a.priority), table: network, notMark: network, suppress: -1,
			},
			// Such as a resolver that asks the tunnel's name servers through its device.
			policyRule{family: family, priority: a.priority, table: a.number, through: a.tunnel.device, suppress: -1})
	}
	return rules
}

// takeDown removes what setUp has added, as far as it is there.
func (a *apps) takeDown() error {
	failure := at("delete-rules", dropFirewallTable(appsTable(a.tunnel.device)))
	for _, each := range a.rules {
		err := changeRule(each.message(rtmDelRule, 0))
		if err != nil && err != syscall.ENOENT && !isWithoutIPv6(err) {
			failure = at("delete-rule", err)
		}
	}
	if network := a.network.Swap(nil); network != nil {
		network.end()
	}
	if err := clearNetworkTable(a.networkNumber()); err != nil {
		failure = err
	}
	a.isUp, a.rules = false, nil
	return failure
}

// changeRule uses a socket of its own: that of the network's table is another goroutine's.
func changeRule(change message) error {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	return socket.change(change)[0]
}

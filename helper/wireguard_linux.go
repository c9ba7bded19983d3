//go:build !macos_rehearsal

package main

import (
	"bufio"
	"io"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// wireGuard is a WireGuard tunnel, in the kernel or, where it has no WireGuard, in a program of the user's.
type wireGuard struct {
	asked  *wireGuardRequest
	routes *netlinkSocket
	// kernel is nil without WireGuard in the kernel; then program is the path of the one for user space.
	kernel  *kernelDevice
	program string
	process *process
	device  wireGuardDevice
	// servers holds the addresses of the endpoint, or of the proxy, in the order in which they are tried. current is the index
	// of the one that is used.
	servers []remote
	current int
	// dialled is the address of the proxy to which the client may connect now.
	dialled remote
	plan    routePlan
	// full is nil for a split tunnel.
	full  *fullTunnel
	guard addressGuard
	// number is the mark of its packets and its routing table; priority, that of its last rule.
	number, priority uint32
	link             link
	// addresses, owned and rules hold what was added.
	addresses []netip.Prefix
	owned     []tableRoute
	rules     []policyRule
	// noted holds the rules that are in the journal.
	noted map[policyRule]bool
	mtu   atomic.Int32
	// changes is a subscription, which is closed before anything is undone.
	changes *os.File
	over    chan struct{}
	// ending ends the tunnel once, with its last message and exit status.
	ending sync.Once
	cause  []any
	status int
	// access is held for the rules, which a command may change.
	access sync.Mutex
	// testing is held during a test.
	testing sync.Mutex
}

func newWireGuard() (vpn, error) {
	return &wireGuard{over: make(chan struct{}), noted: map[policyRule]bool{}}, nil
}

func (w *wireGuard) read(lines *lineReader) (err error) {
	w.asked, err = readWireGuardRequest(lines)
	return err
}

// prepare decides who runs WireGuard, before a kill switch goes up.
func (w *wireGuard) prepare(t *tunnel) error {
	var err error
	if w.routes, err = openNetlink(syscall.NETLINK_ROUTE); err != nil {
		return failedBy("device", "open-netlink", err)
	}
	if w.kernel, err = findKernelWireGuard(t.device); err != nil {
		return failedBy("device", "find-wireguard", err)
	}
	if w.kernel == nil {
		if w.program, err = findUserspaceWireGuard(); err != nil {
			return err
		}
	}
	if err := w.refuseBesideOthers(t); err != nil {
		return err
	}
	if err := t.journal.write("number"); err != nil {
		return err
	}
	step("number")
	if w.number, w.priority, err = reserveNumber(w.routes, t.device); err != nil {
		return failedBy("number", "reserve-number", err)
	}
	step("number-reserved")
	return nil
}

func (w *wireGuard) names() []domainName { return []domainName{w.asked.server().host.name} }

// resolve looks up the server before routes or a kill switch change how names are looked up.
func (w *wireGuard) resolve(t *tunnel) ([]remote, error) {
	var err error
	if w.servers, err = w.lookUp(t); err != nil {
		return nil, err
	}
	if w.asked.proxy != nil {
		w.dialled = w.servers[0]
	}
	w.sayServers()
	return w.permitted(), nil
}

func (w *wireGuard) kind() string {
	if w.kernel != nil {
		return "kernel"
	}
	return "userspace"
}

func (p routePlan) needsTable() bool { return len(p.table) > 0 }

// start sets up the tunnel. Each change is in the journal before it is made.
func (w *wireGuard) start(t *tunnel) error {
	w.plan = planRoutes(w.asked, w.servers)
	w.mtu.Store(int32(w.fullMTU()))
	strict := hasStrictFilter()
	marked, unmarked := make(chan struct{}), error(nil)
	go func() {
		unmarked = w.acceptMarks(t, strict)
		close(marked)
	}()
	err := w.addDevice(t)
	// A filter of reverse paths, also one in the rules of a firewall such as firewalld, drops the answer to a handshake from
	// before, which is repeated after seconds only. Also after a failure: what nft still adds would not be undone.
	<-marked
	if err == nil {
		err = unmarked
	}
	if err == nil {
		err = w.carry(t)
	}
	return err
}

// carry lets the device carry packets.
func (w *wireGuard) carry(t *tunnel) error {
	if err := w.device.configure(w.asked, w.endpoint(), w.number); err != nil {
		return failedBy("wireguard", "configure", err)
	}
	step("configured")
	withoutIPv6, err := w.addAddresses()
	if err != nil {
		return err
	}
	if err := w.routes.setUp(w.link.index); err != nil {
		return failedBy("device", "set-up", err)
	}
	step("up")
	if w.changes, err = subscribe(partsOfTunnels...); err != nil {
		return failedBy("device", "subscribe", err)
	}
	without, err := w.addRoutes(t)
	if err != nil {
		return err
	}
	withoutIPv6 = withoutIPv6 || without
	if without, err = w.addRules(t, w.planRules(t.caller.uid)); err != nil {
		return err
	}
	if withoutIPv6 || without {
		say("ipv6 off")
	}
	return nil
}

func (w *wireGuard) attend(t *tunnel) {
	if w.needsNoMarks() {
		w.guard.start(t, w.asked.addresses)
	}
	go w.watchChanges()
	go w.awaitHandshake(t, len(w.servers))
}

// fullMTU is what was asked for, or what fits the way to the server now.
func (w *wireGuard) fullMTU() int {
	if w.asked.mtu != 0 {
		return w.asked.mtu
	}
	return w.routeMTU()
}

func (w *wireGuard) changeMTU(mtu int) {
	err := error(nil)
	if mtu >= w.asked.lowestMTU() {
		err = w.routes.setMTU(w.link.index, mtu)
	}
	if mtu < w.asked.lowestMTU() || err != nil {
		say("mtu failed")
		sayProblem("set-mtu", err)
		return
	}
	w.mtu.Store(int32(mtu))
	say("mtu", mtu)
}

// routeMTU leaves room for WireGuard's own data in a packet to the server.
func (w *wireGuard) routeMTU() int {
	mtu, err := w.routes.pathMTU(w.servers[w.current].host.address, w.number)
	if mtu -= wireGuardOverhead; err != nil || mtu > defaultMTU {
		return defaultMTU
	}
	if lowest := w.asked.lowestMTU(); mtu < lowest {
		return lowest
	}
	return mtu
}

// needsNoMarks tells whether answers of the server come back without a mark.
func (w *wireGuard) needsNoMarks() bool { return !w.plan.needsTable() || w.asked.proxy != nil }

// acceptMarks lets answers to marked packets pass a strict reverse path filter. Without such a filter, its failure changes
// nothing.
func (w *wireGuard) acceptMarks(t *tunnel, strict bool) error {
	if w.needsNoMarks() {
		return nil
	}
	if err := acceptMarks(t.device); err != nil && strict {
		return failedBy("setting", "accept-marks", err)
	}
	nft, err := systemProgram("nft")
	if err != nil && strict {
		return failed("nft-missing")
	}
	if err != nil {
		return nil
	}
	if err := t.journal.write("firewall"); err != nil {
		return err
	}
	step("firewall")
	rules := firewallRules(t.device, guardRules(t.device, w.asked.addresses)+markRules(w.number))
	if _, err := runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: rules}); err != nil && strict {
		return failedBy("nft", "add-rules", err)
	}
	step("firewall-up")
	return nil
}

// addDevice makes the device, in the kernel if that has WireGuard.
func (w *wireGuard) addDevice(t *tunnel) error {
	if w.kernel != nil {
		if err := t.journal.write("device"); err != nil {
			return err
		}
		step("device")
		err := w.routes.addLink(string(t.device), "wireguard")
		switch {
		case err == syscall.EOPNOTSUPP:
			w.kernel = nil
			if w.program, err = findUserspaceWireGuard(); err != nil {
				return err
			}
		case err != nil:
			return failedBy("device", "make-device", err)
		default:
			step("device-made")
			w.device = w.kernel
		}
	}
	var err error
	if w.kernel == nil {
		device, running, logs, err := startUserspaceWireGuard(t, w.program, int(w.mtu.Load()))
		if err != nil {
			return err
		}
		w.device, w.process = device, running
		go relayLines(logs)
		go w.awaitProcess()
		if err := t.journal.write("program %d %s", running.id, processStart(running.id)); err != nil {
			return err
		}
		step("program")
	}
	if w.link, err = w.routes.findLink(string(t.device), 0); err != nil {
		return failedBy("device", "find-device", err)
	}
	if err := w.routes.setMTU(w.link.index, int(w.mtu.Load())); err != nil {
		return failedBy("device", "set-mtu", err)
	}
	if w.kernel == nil {
		if err := w.routes.useNoOtherAddresses(w.link.index); err != nil && !isWithoutIPv6(err) {
			return failedBy("device", "forbid-addresses", err)
		}
	}
	return nil
}

// relayLines passes on a log.
func relayLines(logs io.Reader) {
	pass, wait := passLog(func(line string) string { return line })
	defer wait()
	lines := bufio.NewScanner(logs)
	for lines.Scan() {
		pass(lines.Text() + "\n")
	}
}

// addAddresses returns true if IPv6 is turned off on this computer.
func (w *wireGuard) addAddresses() (withoutIPv6 bool, err error) {
	for _, each := range w.asked.addresses {
		err := w.routes.addAddress(w.link.index, each)
		if err != nil && each.Addr().Is6() && isWithoutIPv6(err) {
			withoutIPv6 = true
		} else if err != nil {
			return false, failedBy("address", "add-address", err)
		} else {
			w.addresses = append(w.addresses, each)
		}
		step("address")
	}
	return withoutIPv6, nil
}

// addRoutes adds routes through the device, and to the table those that catch what the device no longer takes if it goes.
func (w *wireGuard) addRoutes(t *tunnel) (withoutIPv6 bool, err error) {
	if w.plan.needsTable() {
		if err := t.journal.write("table %d", w.number); err != nil {
			return false, err
		}
		step("table")
	}
	wanted, messages := []tableRoute{}, []message{}
	if w.plan.full {
		for _, family := range w.plan.families() {
			wanted = append(wanted, tableRoute{table: w.number, prefix: everything(family), kind: syscall.RTN_UNREACHABLE})
		}
	}
	for table, prefixes := range map[uint32][]netip.Prefix{w.number: w.plan.table, mainTable: w.plan.main} {
		for _, each := range prefixes {
			wanted = append(wanted, tableRoute{table: table, prefix: each, index: w.link.index, kind: syscall.RTN_UNICAST})
		}
	}
	for _, each := range wanted {
		messages = append(messages, each.add())
	}
	for index, err := range w.routes.change(messages...) {
		switch each := wanted[index]; {
		case err == nil:
			w.owned = append(w.owned, each)
		case err == syscall.EEXIST && each.table == mainTable:
			// The computer keeps its own.
			say("route-kept", each.prefix)
		case each.prefix.Addr().Is6() && isWithoutIPv6(err):
			withoutIPv6 = true
		default:
			return false, failedBy("route", "add-route", err)
		}
	}
	if w.plan.most {
		w.full = t.fullTunnel(w.number, w.priority, w.asked.blocksLocal)
		for _, each := range w.plan.table {
			w.full.set[w.full.route(each, w.link.index)] = true
		}
		if err := w.full.keepInside(w.link.index, w.asked.allowed, nil); err != nil {
			return false, failedBy("route", "keep-inside", err)
		}
	}
	step("routed")
	return withoutIPv6, nil
}

// planRules returns the rules of the tunnel, the last one first, which no traffic reaches before the others are there.
func (w *wireGuard) planRules(user uint32) []policyRule {
	rules := w.dialRules(w.dialled, user)
	for _, family := range w.plan.families() {
		if w.plan.most {
			rules = append(rules, fullRules(family, w.number, w.priority)...)
			continue
		}
		rules = append(rules,
			policyRule{family: family, priority: w.priority - 1, table: mainTable, suppress: w.plan.suppress},
			policyRule{family: family, priority: w.priority, table: w.number, notMark: w.number, suppress: -1})
	}
	return rules
}

// addRules returns true if the kernel has no IPv6. An IPv6 rule is wanted even if only the device has none: the rest of the
// computer may use IPv6 past the tunnel.
func (w *wireGuard) addRules(t *tunnel, rules []policyRule) (withoutIPv6 bool, err error) {
	for _, each := range rules {
		if !w.noted[each] {
			if err := t.journal.write("rule %s", each); err != nil {
				return false, err
			}
			w.noted[each] = true
		}
		step("rule")
		change := each.message(rtmNewRule, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL)
		err := w.routes.change(change)[0]
		if err != nil && each.family == 6 && isWithoutIPv6(err) {
			withoutIPv6 = true
			continue
		}
		if err != nil && err != syscall.EEXIST {
			return false, failedBy("rule", "add-rule", err)
		}
		w.access.Lock()
		w.rules = append(w.rules, each)
		w.access.Unlock()
		step("ruled")
	}
	return withoutIPv6, nil
}

// --- While it runs -----------------------------------------------------------------------------------------------

const (
	// A handshake takes one round trip, so the first second is looked at more closely.
	firstPoll, laterPoll = 20 * time.Millisecond, 100 * time.Millisecond
	firstPolls           = 50
	// awaitedFor is longer than WireGuard itself tries, after which only new traffic makes it try again.
	awaitedFor = 2 * time.Minute
)

// awaitHandshake says the first handshake, which makes no event. It provokes one if nothing else does, and tries the addresses
// in turn.
func (w *wireGuard) awaitHandshake(t *tunnel, addresses int) {
	w.provoke(t)
	begun := time.Now()
	turn := newTurn(begun)
	for polls := 0; time.Since(begun) < awaitedFor; polls++ {
		now, err := w.device.counters()
		if err == nil && !now.handshake.IsZero() {
			w.sayCounters(now, true)
			return
		}
		if turn.isOver(time.Now(), addresses) {
			w.takeTurn(t)
		}
		pause := laterPoll
		if polls < firstPolls {
			pause = firstPoll
		}
		select {
		case <-w.over:
			return
		case <-time.After(pause):
		}
	}
}

// watchChanges ends the tunnel if somebody else deletes a part of it.
func (w *wireGuard) watchChanges() {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		sayProblem("open-netlink", err)
		w.endBecause("device")
		return
	}
	defer socket.close()
	buffer := make([]byte, 65536)
	for {
		length, err := w.changes.Read(buffer)
		mayConcern := err != nil && isLostMessages(err)
		if err != nil && !mayConcern {
			return
		}
		messages, failure := syscall.ParseNetlinkMessage(buffer[:length])
		if failure != nil {
			mayConcern = true
		}
		for _, each := range messages {
			mayConcern = mayConcern || w.concerns(each)
		}
		if mayConcern {
			part := w.missing(socket)
			if part != "" && !w.hasDevice(socket) {
				// Everything else goes with it.
				part = "device"
			}
			if part != "" {
				w.endBecause(part)
				return
			}
		}
	}
}

// concerns tells whether a change may be one of the tunnel's parts.
func (w *wireGuard) concerns(change syscall.NetlinkMessage) bool {
	switch change.Header.Type {
	case syscall.RTM_NEWLINK, syscall.RTM_DELLINK:
		changed, ok := parseLink(change.Data)
		return ok && changed.index == w.link.index
	case syscall.RTM_DELADDR:
		return len(change.Data) >= syscall.SizeofIfAddrmsg && nativeOrder.Uint32(change.Data[4:]) == w.link.index
	case syscall.RTM_DELROUTE:
		route := parseTableRoute(change.Data)
		return route.table == w.number || route.index == w.link.index
	case rtmDelRule:
		return true
	}
	return false
}

// missing names a part of the tunnel that is no longer there, or is empty.
func (w *wireGuard) missing(socket *netlinkSocket) string {
	if !w.hasDevice(socket) {
		return "device"
	}
	addresses, err := socket.addressesOf(w.link.index)
	sayProblem("list-addresses", err)
	if err != nil || !includes(addresses, w.addresses) {
		return "address"
	}
	for _, family := range []int{4, 6} {
		routes := []tableRoute{}
		for _, table := range []uint32{w.number, mainTable} {
			wanted := 0
			for _, each := range w.owned {
				if each.table == table && ipVersion(each.prefix.Addr()) == family {
					wanted++
				}
			}
			if wanted == 0 {
				continue
			}
			found, err := socket.routesOf(family, table)
			if err != nil {
				sayProblem("list-routes", err)
				return "route"
			}
			routes = append(routes, found...)
		}
		owned := []tableRoute{}
		for _, each := range w.owned {
			if ipVersion(each.prefix.Addr()) == family {
				owned = append(owned, each)
			}
		}
		if !includes(routes, owned) {
			return "route"
		}
		rules, err := socket.rules(family)
		if err != nil {
			sayProblem("list-rules", err)
			return "rule"
		}
		wanted := []uint32{}
		for _, each := range w.currentRules() {
			if each.family == family {
				wanted = append(wanted, each.priority)
			}
		}
		there := []uint32{}
		for _, each := range rules {
			there = append(there, each.priority)
		}
		if !includes(there, wanted) {
			return "rule"
		}
	}
	return ""
}

func (w *wireGuard) hasDevice(socket *netlinkSocket) bool {
	device, err := socket.findLink("", w.link.index)
	return err == nil && device.isUp
}

// includes tells whether all of the wanted are among those that are there.
func includes[T comparable](there, wanted []T) bool {
	set := map[T]bool{}
	for _, each := range there {
		set[each] = true
	}
	for _, each := range wanted {
		if !set[each] {
			return false
		}
	}
	return true
}

// --- Commands ----------------------------------------------------------------------------------------------------

func (w *wireGuard) searchesDomains() bool { return true }

func (w *wireGuard) useNames(servers []netip.Addr) error { return w.full.useNames(servers) }

func (w *wireGuard) command(t *tunnel, line string) bool {
	switch {
	case line == "state":
		if now, err := w.device.counters(); err == nil {
			w.sayCounters(now, !isWithoutWay(w.routes.hasWay(w.endpoint().Addr(), w.number)))
		} else {
			say("handshake failed")
			sayProblem("read-counters", err)
		}
	case line == "resolve":
		say("resolve", w.resolveAgain(t))
	case line == "next":
		say("next", w.useNext(t))
	case line == "test":
		// A second one while it runs gets the same answer.
		if w.testing.TryLock() {
			go func() {
				defer w.testing.Unlock()
				if answer := w.test(t.device); answer != "" {
					say("test", answer)
				}
			}()
		}
	case line == "mtu full":
		w.changeMTU(w.fullMTU())
	case strings.HasPrefix(line, "dial "):
		say("dial", w.permitDial(t, strings.TrimPrefix(line, "dial ")))
	case strings.HasPrefix(line, "mtu "):
		mtu, err := parseMTU(strings.TrimPrefix(line, "mtu "))
		if err != nil {
			mtu = 0
		}
		w.changeMTU(mtu)
	default:
		return false
	}
	return true
}

func (w *wireGuard) currentRules() []policyRule {
	w.access.Lock()
	defer w.access.Unlock()
	return append([]policyRule{}, w.rules...)
}

func (w *wireGuard) deleteRules(gone []policyRule) {
	w.access.Lock()
	defer w.access.Unlock()
	kept := []policyRule{}
	for _, each := range w.rules {
		if !includes(gone, []policyRule{each}) {
			kept = append(kept, each)
		}
	}
	w.rules = kept
	for _, each := range gone {
		sayProblem("delete-rule", w.routes.change(each.message(rtmDelRule, 0))[0])
	}
}

// --- The end -----------------------------------------------------------------------------------------------------

func (w *wireGuard) ended() <-chan struct{} { return w.over }

func (w *wireGuard) stop(int) { w.finish(0) }

// finish ends the tunnel. Only the first cause counts.
func (w *wireGuard) finish(status int, cause ...any) {
	w.ending.Do(func() {
		w.cause, w.status = cause, status
		close(w.over)
	})
}

// exitGone is the exit status if somebody else deleted a part of the tunnel.
const exitGone = 71

// exitDeviceGone is the exit status of the program in user space if somebody deleted its device.
const exitDeviceGone = 3

func (w *wireGuard) awaitProcess() {
	<-w.process.ended
	switch status := w.process.status; {
	case status.Signaled():
		w.finish(exitKilled, "killed", int(status.Signal()))
	case status.ExitStatus() == exitDeviceGone:
		w.finish(exitGone, "gone", "device")
	default:
		w.finish(exitKilled, "exited", status.ExitStatus())
	}
}

// endBecause ends a tunnel of which a part is missing. A device in user space also goes with its program, which then is the
// cause.
func (w *wireGuard) endBecause(part string) {
	if part != "device" || w.process == nil || !w.process.endsWithin(askAgain) {
		w.finish(exitGone, "gone", part)
	}
}

// kill ends the program in user space, and its device with it.
func (w *wireGuard) kill() {
	w.finish(0)
	if w.changes != nil {
		w.changes.Close()
	}
	w.full.end()
	w.guard.wait()
	if w.asked != nil {
		w.asked.forgetKeys()
	}
	if w.process != nil {
		w.process.signal(syscall.SIGKILL)
		w.process.endsWithin(time.Second)
	}
}

func (w *wireGuard) result() int {
	if len(w.cause) > 0 {
		say(w.cause...)
	}
	return w.status
}

// removeDevice deletes the kernel's device, and its key and routes with it.
func (r wireGuardRecord) removeDevice(name device) error {
	if !r.device {
		return nil
	}
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	return socket.deleteLink(string(name))
}

// undo reverts all but the device. A failed part does not stop the others.
func (r wireGuardRecord) undo(name device) error {
	if !r.number {
		return nil
	}
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	for _, each := range r.rules {
		// There may be none, if the helper died before it was added.
		deletion := socket.change(each.message(rtmDelRule, 0))[0]
		if deletion != nil && deletion != syscall.ENOENT && !isWithoutIPv6(deletion) {
			err = at("delete-rule", deletion)
		}
	}
	step("undo-rules")
	if r.table != 0 {
		if failure := clearTable(socket, r.table); failure != nil {
			err = at("clear-table", failure)
		}
	}
	step("undo-table")
	if r.firewall {
		if failure := dropFirewallTable(firewallTable(name)); failure != nil {
			err = at("delete-rules", failure)
		}
	}
	step("undo-firewall")
	if err != nil {
		// The number stays taken as long as something has it.
		return err
	}
	return at("release-number", releaseNumber(name))
}

// clearTable deletes what is left in the table without the device.
func clearTable(socket *netlinkSocket, table uint32) error {
	for _, family := range []int{4, 6} {
		for _, round := range []bool{true, false} {
			routes, err := socket.routesOf(family, table)
			if err != nil {
				return err
			}
			for _, each := range routes {
				if !round {
					return at("clear-table", causeLeft)
				}
				_ = socket.change(each.delete())
			}
		}
	}
	return nil
}

// dropFirewallTable succeeds if there is no such table. The kernel has the last word.
func dropFirewallTable(name string) error {
	if is, err := hasFirewallTable(name); err == nil && !is {
		return nil
	}
	nft, err := systemProgram("nft")
	if err != nil {
		return err
	}
	_, err = runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: dropTable(name)})
	return err
}

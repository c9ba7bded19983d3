//go:build !macos_rehearsal

package main

import (
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
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
	t.apps.use(w.number, w.priority)
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
	w.sendServers()
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
	if err := t.apps.fit(int(w.mtu.Load())); err != nil {
		return failedBy("apps", "add-rules", err)
	}
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
	if without, err = w.addRules(t, w.planRules(t.caller.uid, t.apps.insideMark())); err != nil {
		return err
	}
	if withoutIPv6 || without {
		sendMessage("ipv6 off")
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

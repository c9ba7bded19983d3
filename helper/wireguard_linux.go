//go:build !macos_rehearsal

package helper

import (
	"os"
	"sync"
	"syscall"
)

// wireGuard is a WireGuard tunnel, in the kernel or, where it has no WireGuard, in a program of the user's.
type wireGuard struct {
	wireGuardCore
	name   device
	routes *netlinkSocket
	// kernel is nil without WireGuard in the kernel; then program is the path of the one for user space.
	kernel  *kernelDevice
	program string
	process *process
	// full is nil for a split tunnel.
	full  *fullTunnel
	guard addressGuard
	// number is the mark of its packets and its routing table; priority, that of its last rule.
	number, priority uint32
	link             link
	// owned and rules hold what was added.
	owned []tableRoute
	rules []policyRule
	// noted holds the rules that are in the journal.
	noted map[policyRule]bool
	// changes is a subscription, which is closed before anything is undone.
	changes *os.File
	// access is held for the rules, which a command may change.
	access sync.Mutex
}

func newWireGuard() (vpn, error) {
	w := &wireGuard{noted: map[policyRule]bool{}}
	w.over, w.router = make(chan struct{}), linuxRouter{w}
	return w, nil
}

// prepare decides who runs WireGuard, before a kill switch goes up.
func (w *wireGuard) prepare(t *tunnel) error {
	w.name, w.resolver = t.device, systemResolver{t}
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
	w.mark = w.number
	t.apps.use(w.number, w.priority)
	return nil
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
	w.countsOwn = w.kernel != nil
	go w.awaitHandshake(t, len(w.servers))
}

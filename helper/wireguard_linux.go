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
	run    *tunnel
	name   device
	routes *netlinkSocket
	// kernel is nil without WireGuard in the kernel; then programPath is that of the one for user space.
	kernel      *kernelDevice
	programPath string
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
	w.run, w.name, w.resolver = t, t.device, systemResolver{t}
	var err error
	if w.routes, err = openNetlink(syscall.NETLINK_ROUTE); err != nil {
		return failedBy("device", "open-netlink", err)
	}
	if w.kernel, err = findKernelWireGuard(t.device); err != nil {
		return failedBy("device", "find-wireguard", err)
	}
	if w.kernel == nil {
		if w.programPath, err = findUserspaceWireGuard(); err != nil {
			return err
		}
	}
	if err := w.reserve(t); err != nil {
		return err
	}
	return w.passOthers(t)
}

// passOthers leads a full tunnel's packets past those of other users from the start: its server is looked for, and its MTU measured, on
// the way that they will take.
func (w *wireGuard) passOthers(t *tunnel) error {
	if !takesMost(w.asked.allowed) {
		return nil
	}
	for _, family := range []int{4, 6} {
		rule := ownRule(family, w.number, w.priority)
		if err := t.journal.write("rule %s", rule); err != nil {
			return err
		}
		w.noted[rule] = true
		step("own-rule")
		err := w.routes.change(rule.message(rtmNewRule, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL))[0]
		if err != nil && err != syscall.EEXIST && !(family == 6 && isWithoutIPv6(err)) {
			return failedBy("rule", "add-rule", err)
		}
	}
	return nil
}

// reserve reserves the tunnel's number, unless it can't be up beside others. Of two that begin at once, the second one sees the first.
func (w *wireGuard) reserve(t *tunnel) error {
	if err := t.journal.write("number"); err != nil {
		return err
	}
	step("number")
	var refused, err error
	w.number, w.priority, err = reserveNumber(w.routes, t.device, func() error {
		if refused = w.refuseBesideOthers(t); refused == nil {
			refused = t.noteAsked(w.asked.addresses)
		}
		return refused
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return failedBy("number", "reserve-number", err)
	}
	step("number-reserved")
	w.mark = w.number
	t.apps.use(w.number, w.priority)
	return nil
}

func (w *wireGuard) resolve(*tunnel) ([]remote, error) { return w.findServers() }

func (w *wireGuard) kind() string {
	if w.kernel != nil {
		return "kernel"
	}
	return "userspace"
}

func (p routePlan) needsTable() bool { return len(p.table) > 0 }

func (w *wireGuard) attend(t *tunnel) {
	if w.needsNoMarks() {
		w.guard.start(t, guardRules(t.device, w.asked.addresses))
	}
	go w.watchChanges()
	w.countsOwn = w.kernel != nil
	go w.awaitHandshake(t, len(w.servers))
}

//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"syscall"
)

// linuxRouter is the kernel's network (wireGuardRouter).
type linuxRouter struct{ tunnel *wireGuard }

// makeDevice adds the rules for answers to marked packets meanwhile.
func (r linuxRouter) makeDevice() (wireGuardDevice, error) {
	w, t := r.tunnel, r.tunnel.run
	if err := t.apps.fit(int(w.mtu.Load())); err != nil {
		return nil, failedBy("apps", "add-rules", err)
	}
	strict := hasStrictFilter()
	marked, unmarked := make(chan struct{}), error(nil)
	go func() {
		unmarked = w.acceptMarks(t, strict)
		close(marked)
	}()
	made, err := w.addDevice(t)
	// A filter of reverse paths, also one in the rules of a firewall such as firewalld, drops the answer to a handshake from
	// before, which is repeated after seconds only. Also after a failure: what nft still adds would not be undone.
	<-marked
	if err == nil {
		err = unmarked
	}
	return made, err
}

func (r linuxRouter) addAddress(address netip.Prefix) error {
	err := r.tunnel.routes.addAddress(r.tunnel.link.index, address)
	if err != nil && address.Addr().Is6() && isWithoutIPv6(err) {
		return errNoIPv6
	}
	return err
}

func (r linuxRouter) setUp() (err error) {
	if err := r.tunnel.routes.setUp(r.tunnel.link.index); err != nil {
		return err
	}
	step("up")
	// From here on, changes of others are those of the tunnel's parts.
	r.tunnel.changes, err = subscribe(partsOfTunnels...)
	return at("subscribe", err)
}

func (r linuxRouter) lead() (withoutIPv6 bool, err error) {
	w, t := r.tunnel, r.tunnel.run
	if withoutIPv6, err = w.addRoutes(t); err != nil {
		return false, err
	}
	without, err := w.addRules(t, w.planRules(t.caller.uid, t.apps.insideMark()))
	return withoutIPv6 || without, err
}

// reach has nothing to do: the tunnel's own packets are known by their mark.
func (r linuxRouter) reach(netip.Addr) error { return nil }

func (r linuxRouter) dial(before, to remote) error { return r.tunnel.dial(r.tunnel.run, before, to) }

func (r linuxRouter) stop() {
	if r.tunnel.changes != nil {
		r.tunnel.changes.Close()
	}
	r.tunnel.full.end()
	r.tunnel.guard.wait()
}

func (r linuxRouter) way(to netip.Addr) error {
	err := r.tunnel.routes.hasWay(to, r.tunnel.number)
	if isWithoutWay(err) {
		return errNoWay
	}
	return err
}

// isWithoutWay reports whether the kernel refuses packets to an address, such as IPv4 on a network that has only IPv6. Anything
// else that goes wrong says nothing of the address.
func isWithoutWay(err error) bool {
	return err == syscall.ENETUNREACH || err == syscall.EHOSTUNREACH || err == syscall.EACCES || err == syscall.EINVAL
}

func (r linuxRouter) pathMTU(to netip.Addr) (int, error) {
	return r.tunnel.routes.pathMTU(to, r.tunnel.number)
}

func (r linuxRouter) setMTU(mtu int) error { return r.tunnel.routes.setMTU(r.tunnel.link.index, mtu) }

func (r linuxRouter) statistics() (statistics, bool) { return r.tunnel.statistics() }

func (r linuxRouter) openPing(to netip.Addr) (pinger, error) {
	return openPing(string(r.tunnel.name), to)
}

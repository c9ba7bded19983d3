//go:build !macos_rehearsal

package helper

import "net/netip"

// dialRules let one socket past the tunnel: that of the client, from its port to the address that it dials. The kernel looks
// up where an answer comes from as user 0, without a socket. A local proxy that connects for the client may be anybody's, in
// a container, too.
func (w *wireGuard) dialRules(to remote, user uint32) []policyRule {
	family := 0
	for _, each := range w.plan.families() {
		if w.asked.proxy != nil && ipVersion(to.host.address) == each {
			family = each
		}
	}
	if family == 0 {
		return []policyRule{}
	}
	rule := policyRule{
		family: family, priority: w.priority - 2, table: mainTable, suppress: -1,
		to: netip.AddrPortFrom(to.host.address, to.port), fromPort: to.from,
	}
	if to.from == 0 || user == 0 {
		return []policyRule{rule}
	}
	own := rule
	own.user = user
	return []policyRule{own, rule}
}

// dial permits the connection to another address of the proxy, or from another port, before it takes back the one before.
func (w *wireGuard) dial(t *tunnel, before, to remote) error {
	more := w.dialRules(to, t.caller.uid)
	if _, err := w.addRules(t, more); err != nil {
		w.deleteRules(more)
		return err
	}
	w.deleteRules(w.dialRules(before, t.caller.uid))
	return nil
}

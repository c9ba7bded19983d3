//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"strings"
)

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

// permitDial lets the client connect to another address of the proxy, or from another port, and to the one before no longer.
func (w *wireGuard) permitDial(t *tunnel, words string) string {
	to, ok := w.parseDial(words)
	if !ok {
		return "refused"
	}
	before := w.dialled
	if to == before {
		return "permitted"
	}
	if !t.permit([]remote{to}) {
		return "failed"
	}
	more := w.dialRules(to, t.caller.uid)
	if _, err := w.addRules(t, more); err != nil {
		w.deleteRules(more)
		reportProblem("add-rule", err)
		return "failed"
	}
	w.deleteRules(w.dialRules(before, t.caller.uid))
	w.dialled = to
	return "permitted"
}

// parseDial reads an address that the name of the proxy has, and the port of the client.
func (w *wireGuard) parseDial(words string) (remote, bool) {
	address, port, _ := strings.Cut(words, " ")
	from, err := parseDialPort(port)
	if err != nil || w.asked.proxy == nil || (from == 0) != (w.asked.proxy.from == 0) {
		return remote{}, false
	}
	for _, each := range w.servers {
		if each.host.address.String() == address {
			each.from = from
			return each, true
		}
	}
	return remote{}, false
}

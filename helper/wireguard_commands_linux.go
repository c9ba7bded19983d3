//go:build !macos_rehearsal

package helper

import "net/netip"

func (w *wireGuard) useNames(servers []netip.Addr) error { return w.full.useNames(servers) }

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
		reportProblem("delete-rule", w.routes.change(each.message(rtmDelRule, 0))[0])
	}
}

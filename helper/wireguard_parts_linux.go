//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"syscall"
)

// needsNoMarks reports whether answers of the server come back without a mark.
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
	if err := t.rules.add(nft, t.device, guardRules(t.device, w.asked.addresses)+markRules(w.number)); err != nil && strict {
		return failedBy("nft", "add-rules", err)
	}
	step("firewall-up")
	return nil
}

// addDevice makes the device, in the kernel if that has WireGuard.
func (w *wireGuard) addDevice(t *tunnel) (made wireGuardDevice, err error) {
	if w.kernel != nil {
		if err := t.journal.write("device"); err != nil {
			return nil, err
		}
		step("device")
		err := w.routes.addLink(string(t.device), "wireguard")
		switch {
		case err == syscall.EOPNOTSUPP:
			w.kernel = nil
			if w.programPath, err = findUserspaceWireGuard(); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, failedBy("device", "make-device", err)
		default:
			step("device-made")
			made = w.kernel
		}
	}
	if w.kernel == nil {
		if made, err = w.startProgram(t, w.programPath); err != nil {
			return nil, err
		}
	}
	if w.link, err = w.routes.findLink(string(t.device), 0); err != nil {
		return nil, failedBy("device", "find-device", err)
	}
	if err := w.routes.setMTU(w.link.index, int(w.mtu.Load())); err != nil {
		return nil, failedBy("device", "set-mtu", err)
	}
	if w.kernel == nil {
		if err := w.routes.useNoOtherAddresses(w.link.index); err != nil && !isWithoutIPv6(err) {
			return nil, failedBy("device", "forbid-addresses", err)
		}
	}
	return made, nil
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
			// The computer keeps its own, unless the kernel has added this one with the device's address.
			if !w.routes.isFirst(each) {
				sendMessage("route-kept", each.prefix)
			}
		case each.prefix.Addr().Is6() && (isWithoutIPv6(err) || err == syscall.ENODEV && w.mtu.Load() < minIPv6MTU):
			// The kernel turns it off on a device with a smaller MTU, such as that of a service without IPv6.
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
func (w *wireGuard) planRules(user, appsMark uint32) []policyRule {
	rules := w.dialRules(w.dialled, user)
	for _, family := range w.plan.families() {
		if w.plan.most {
			rules = append(rules, fullRules(family, w.number, w.priority, appsMark)...)
			continue
		}
		rules = append(rules,
			policyRule{family: family, priority: w.priority - 1, table: mainTable, mark: appsMark, suppress: w.plan.suppress},
			tableRule(family, w.number, w.priority, appsMark))
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

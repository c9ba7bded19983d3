//go:build windows && causeway_model

package main

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// clean leaves nothing for the next test.
func clean(t *testing.T) {
	t.Cleanup(func() {
		_ = forget(stateBypass)
		must(t, undoAll())
	})
}

func isUp(t *testing.T, which ruleSet) bool {
	t.Helper()
	rules, err := modelRules(which)
	must(t, err)
	return len(rules) > 0
}

var (
	ann = client{sid: "S-1-5-21-1"}
	bob = client{sid: "S-1-5-21-2"}
	eve = client{sid: "S-1-5-21-3", isAdministrator: true}
)

// block raises a kill switch, as a tunnel that ends at once.
func block(t *testing.T, by client) error {
	t.Helper()
	tunnel := newSystem(by)
	err := tunnel.Block(nil, helper.Blocked{Everything: true})
	must(t, tunnel.Close())
	return err
}

func TestRecordsStayUntilEverythingIsUndone(t *testing.T) {
	clean(t)
	must(t, note(stateBypass, "not a route"))
	if err := undoAll(); err == nil {
		t.Error("said nothing of what it could not undo")
	}
	folder, err := lockFolder()
	must(t, err)
	if _, err := os.Lstat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Error("an installer that goes on anyway would leave a folder", err)
	}
	if text, err := noted(stateBypass); text == "" || err != nil {
		t.Error("the record is gone", err)
	}
	must(t, forget(stateBypass), undoAll())
	if key, err := registry.OpenKey(registry.LOCAL_MACHINE, stateKey, registry.QUERY_VALUE|registry.WOW64_64KEY); err == nil {
		key.Close()
		t.Error("the records are left")
	}
}

func TestAFirewallThatIsOffKeepsWhatWasRaisedAlone(t *testing.T) {
	clean(t)
	modelIsOff = true
	t.Cleanup(func() { modelIsOff = false })
	must(t, undoAll())
	must(t, note(stateOwner, ann.sid), newFirewall().set(killSwitchRules, filter.Rules(filter.Plan{Blocked: everything})))
	if err := undoAll(); !errors.Is(err, windows.ERROR_SERVICE_NOT_ACTIVE) {
		t.Error(err)
	}
	modelIsOff = false
	must(t, undoAll())
}

func TestRemovingWithoutAServiceUndoesWhatOneHasLeft(t *testing.T) {
	clean(t)
	must(t, block(t, ann), note(stateBypass, "not a route"))
	if err := remove(); err == nil {
		t.Error("said nothing of what it could not undo")
	}
	must(t, forget(stateBypass), remove())
	if isUp(t, killSwitchRules) {
		t.Error("the kill switch is still up")
	}
}

func TestRecordsEndWithARestart(t *testing.T) {
	clean(t)
	must(t, note(stateOwner, ann.sid))
	// Windows refuses a lasting key in a volatile one.
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, stateKey+`\Lasting`, registry.SET_VALUE|registry.WOW64_64KEY)
	if err == nil {
		key.Close()
		_ = registry.DeleteKey(registry.LOCAL_MACHINE, stateKey+`\Lasting`)
		t.Error("they would outlive the rules")
	}
}

func TestARecordWithoutRulesIsNobodys(t *testing.T) {
	clean(t)
	must(t, note(stateOwner, ann.sid))
	if owner := killSwitchOwner(); owner != "" {
		t.Error(owner, "owns nothing")
	}
	must(t, undo())
	if text, err := noted(stateOwner); text != "" || err != nil {
		t.Error(text, err)
	}
	must(t, block(t, ann))
	if owner := killSwitchOwner(); owner != ann.sid {
		t.Error(owner)
	}
	must(t, undo())
	if owner := killSwitchOwner(); owner != ann.sid || !isUp(t, killSwitchRules) {
		t.Error("it does not outlive the tunnel")
	}
}

func TestNobodyElseChangesAKillSwitch(t *testing.T) {
	clean(t)
	must(t, block(t, ann))
	// The service asked before it was up.
	if _, err := newSystem(bob).Unblock(); !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		t.Error(err)
	}
	if err := block(t, bob); !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		t.Error(err)
	}
	if killSwitchOwner() != ann.sid || !isUp(t, killSwitchRules) {
		t.Error("it is not up any more")
	}
	must(t, block(t, eve))
	if _, err := newSystem(ann).Unblock(); !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		t.Error(err)
	}
	if was, err := newSystem(eve).Unblock(); !was || err != nil {
		t.Error(was, err)
	}
	if was, err := newSystem(bob).Unblock(); was || err != nil {
		t.Error(was, err)
	}
}

func TestReleaseKeepsWhatEndsWithTheTunnel(t *testing.T) {
	clean(t)
	tunnel := newSystem(ann)
	must(t, tunnel.Block(nil, helper.Blocked{Everything: true, Local: true, IPv6: true}))
	if was, err := newSystem(ann).Unblock(); !was || err != nil {
		t.Error(was, err)
	}
	if isUp(t, killSwitchRules) || !isUp(t, tunnelRules) {
		t.Error("local networks are open")
	}
	must(t, tunnel.Close())
	if isUp(t, tunnelRules) {
		t.Error("local networks are blocked after the tunnel")
	}
}

func TestAKillSwitchThatWasLiftedIsNotRaisedAgain(t *testing.T) {
	clean(t)
	tunnel, wanted := newSystem(ann), helper.Blocked{Everything: true, IPv6: true}
	must(t, tunnel.Block(nil, wanted))
	if was, err := newSystem(ann).Unblock(); !was || err != nil {
		t.Error(was, err)
	}
	// For another address of the server, before the tunnel has noticed.
	must(t, tunnel.Block([]helper.Server{{Address: netip.MustParseAddrPort("192.0.2.1:51820")}}, wanted))
	if isUp(t, killSwitchRules) || !isUp(t, tunnelRules) {
		t.Error("the kill switch is up again, or the rest is not")
	}
	if text, err := noted(stateOwner); text != "" || err != nil {
		t.Error(text, err)
	}
	must(t, tunnel.Close(), block(t, ann))
	if !isUp(t, killSwitchRules) {
		t.Error("the next tunnel has none")
	}
}

func TestNobodyElseGetsAtALock(t *testing.T) {
	clean(t)
	held, err := lock("test.lock")
	must(t, err)
	folder, err := lockFolder()
	must(t, err)
	// Beside the program, everybody may list them.
	if _, err := os.Lstat(filepath.Join(folder, "test.lock")); err != nil {
		t.Error(err)
	}
	must(t, windows.CloseHandle(held), undoAll())
	if _, err := os.Lstat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Error("the folder is left", err)
	}
	descriptor, err := windows.SecurityDescriptorFromString(lockAccess)
	must(t, err)
	control, _, err := descriptor.Control()
	must(t, err)
	list, _, err := descriptor.DACL()
	must(t, err)
	if control&windows.SE_DACL_PROTECTED == 0 || list.AceCount != 2 {
		t.Error("others may", control, list.AceCount)
	}
	for index, want := range []windows.WELL_KNOWN_SID_TYPE{windows.WinLocalSystemSid, windows.WinBuiltinAdministratorsSid} {
		entry := (*windows.ACCESS_ALLOWED_ACE)(nil)
		must(t, windows.GetAce(list, uint32(index), &entry))
		sid, err := windows.CreateWellKnownSid(want)
		must(t, err)
		if !sidOf(entry).Equals(sid) {
			t.Error(sidOf(entry))
		}
	}
}

func TestIsBlockedAsksTheFirewall(t *testing.T) {
	clean(t)
	tunnel, wanted := newSystem(ann), helper.Blocked{Everything: true, Local: true, IPv6: true}
	local := helper.Blocked{Local: true, IPv6: true}
	is := func(what helper.Blocked, want bool) {
		t.Helper()
		if blocked, err := tunnel.IsBlocked(what); blocked != want || err != nil {
			t.Error(what, blocked, err)
		}
	}
	is(local, false)
	must(t, tunnel.Block(nil, wanted))
	is(wanted, true)
	is(local, true)
	if _, err := tunnel.Unblock(); err != nil {
		t.Error(err)
	}
	is(wanted, false)
	is(local, true)
	// Somebody else has deleted some of the rules, whatever the record says.
	rules, err := modelRules(tunnelRules)
	must(t, err, newFirewall().set(tunnelRules, rules[2:]))
	is(local, false)
	must(t, tunnel.Block(nil, helper.Blocked{IPv6: true}))
	is(local, false)
	must(t, tunnel.Block(nil, local), newFirewall().clear(tunnelRules))
	is(local, false)
	modelIsOff = true
	_, err = tunnel.IsBlocked(local)
	modelIsOff = false
	if err == nil {
		t.Error("took an error for an answer")
	}
	must(t, tunnel.Close())
}

func TestNamesAreRenewedUntilItSucceeds(t *testing.T) {
	clean(t)
	server := []netip.Addr{netip.MustParseAddr("10.9.0.1")}
	must(t, setNameRules(server, nil, true))
	defer func(before func() error) { renewNames = before }(renewNames)
	renewed := 0
	renewNames = func() error {
		if renewed++; renewed == 1 {
			return windows.ERROR_SERVICE_NOT_ACTIVE
		}
		return nil
	}
	if err := undo(); !errors.Is(err, windows.ERROR_SERVICE_NOT_ACTIVE) {
		t.Error(err)
	}
	must(t, undo(), undo())
	if renewed != 2 {
		t.Error("renewed", renewed)
	}
}

func TestNamesFollowAGroupPolicyAlone(t *testing.T) {
	clean(t)
	server := []netip.Addr{netip.MustParseAddr("10.9.0.1")}
	// A domain may leave it empty.
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, policyRules, registry.QUERY_VALUE|registry.WOW64_64KEY)
	must(t, err, key.Close())
	err = setNameRules(server, nil, true)
	must(t, registry.DeleteKey(registry.LOCAL_MACHINE, policyRules))
	if !errors.Is(err, helper.ErrNamePolicy) {
		t.Error("said that the servers are asked:", err)
	}
	for _, each := range ownNameRules {
		if has, err := hasNameRule(each); has || err != nil {
			t.Error(each, has, err)
		}
	}
	must(t, setNameRules(server, nil, true))
}

func TestNameServersChangeWithoutAGap(t *testing.T) {
	clean(t)
	present := func() (found string) {
		for _, each := range ownNameRules {
			has, err := hasNameRule(each)
			must(t, err)
			if has {
				found += each
			}
		}
		return found
	}
	first, second := []netip.Addr{netip.MustParseAddr("10.9.0.1")}, []netip.Addr{netip.MustParseAddr("10.9.0.2")}
	must(t, setNameRules(first, nil, true))
	before := present()
	must(t, setNameRules(second, nil, true))
	after := present()
	if len(before) != len(ownNameRules[0]) || len(after) != len(before) || before == after {
		t.Error("the rule was not written beside the one before:", before, after)
	}
	// A part of a rule, as a killed worker leaves it, is none.
	rest := ownNameRules[0]
	if after == rest {
		rest = ownNameRules[1]
	}
	key, err := createVolatile(nameRules + `\` + rest)
	must(t, err)
	must(t, key.SetDWordValue("Version", ruleVersion), key.Close())
	if present() != after {
		t.Error("a part of a rule counts")
	}
	must(t, setNameRules(first, nil, true))
	if now := present(); now != rest {
		t.Error(now)
	}
}

func TestARoutePastTheTunnelFollowsTheNetwork(t *testing.T) {
	clean(t)
	defer func(before netip.Addr) { modelHop = before }(modelHop)
	proxy := netip.MustParseAddr("192.0.2.7")
	gateway := func() string {
		key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelRoutes, registry.QUERY_VALUE)
		must(t, err)
		defer key.Close()
		text, _, err := key.GetStringValue(proxy.String())
		if err != nil {
			return ""
		}
		return text
	}
	tunnel := newSystem(ann)
	must(t, tunnel.Bypass(proxy))
	_, _, err := tunnel.Open(1420)
	must(t, err)
	modelHop = netip.MustParseAddr("10.0.0.1")
	tunnel.device.(*modelDevice).changed()
	if got := gateway(); got != "10.0.0.1" {
		t.Error(got)
	}
	must(t, tunnel.Close())
	if got := gateway(); got != "" {
		t.Error("left:", got)
	}
	// A call from before that comes late.
	tunnel.device.(*modelDevice).changed()
	if got := gateway(); got != "" {
		t.Error("again:", got)
	}
}

//go:build !macos_rehearsal

package main

import (
	"net/netip"
	"strings"
)

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
		sendMessage("mtu failed")
		reportProblem("set-mtu", err)
		return
	}
	w.mtu.Store(int32(mtu))
	sendMessage("mtu", mtu)
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

func (w *wireGuard) searchesDomains() bool { return true }

func (w *wireGuard) useNames(servers []netip.Addr) error { return w.full.useNames(servers) }

func (w *wireGuard) command(t *tunnel, line string) bool {
	switch {
	case line == "state":
		if now, err := w.device.counters(); err == nil {
			w.sendCounters(now, !isWithoutWay(w.routes.hasWay(w.endpoint().Addr(), w.number)))
		} else {
			sendMessage("handshake failed")
			reportProblem("read-counters", err)
		}
	case line == "resolve":
		sendMessage("resolve", w.resolveAgain(t))
	case line == "next":
		sendMessage("next", w.useNext(t))
	case line == "test":
		// A second one while it runs gets the same answer.
		if w.testing.TryLock() {
			go func() {
				defer w.testing.Unlock()
				if answer := w.test(t.device); answer != "" {
					sendMessage("test", answer)
				}
			}()
		}
	case line == "mtu full":
		w.changeMTU(w.fullMTU())
	case strings.HasPrefix(line, "dial "):
		sendMessage("dial", w.permitDial(t, strings.TrimPrefix(line, "dial ")))
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
		reportProblem("delete-rule", w.routes.change(each.message(rtmDelRule, 0))[0])
	}
}

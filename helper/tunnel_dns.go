//go:build !windows

package helper

import "errors"

func sendApplied(way string, wanted nameServers, separates bool) {
	if wanted.every || separates {
		sendMessage("dns applied", way)
	} else {
		sendMessage("dns applied", way, "all")
	}
}

func sendChanged(way string, wanted nameServers, separates, applied bool) {
	if applied {
		sendApplied(way, wanted, separates)
	} else {
		sendMessage("dns lost")
	}
}

// setDNS tries the system's ways in order, the last one that succeeded first, and logs the result of each. It returns the one that
// succeeds now, and whether names outside the domains stay with other servers, or the error of the last way.
func (t *tunnel) setDNS(wanted nameServers) (by string, separates bool, err error) {
	ways := dnsWays()
	if t.setBy != "" {
		ways = append([]string{t.setBy}, ways...)
	}
	t.setBy = ""
	err = causeMissing
	tried := []any{"dns-way"}
	defer func() { sendMessage(tried...) }()
	for _, each := range ways {
		if t.running.Err() != nil {
			return "", false, t.running.Err()
		}
		if why := whyNot(each); why != nil {
			tried = append(tried, each+"="+wordFor(why))
			continue
		}
		// Record it first, because a partial change has to be undone too.
		if failure := t.noteDNS(each); failure != nil {
			return "", false, failure
		}
		step("dns")
		if separates, err = t.applyDNS(each, wanted); err == nil {
			step("dns-set")
			t.setBy = each
			tried = append(tried, each+"=used")
			if t.unsureDNS != "" && t.unsureDNS != each {
				t.setAgain(wanted)
			}
			return each, separates, nil
		}
		tried = append(tried, each+"="+wordFor(err))
		if errors.Is(err, errNobodyAsks) || errors.Is(err, errNotAlone) {
			// It keeps them until the end, because a resolver or programs that show nowhere may ask it.
			t.unsureDNS = each
			continue
		}
		// If this fails, it is repeated with everything else.
		_ = revertDNS(t.device, each)
	}
	return "", false, err
}

// setAgain repeats the servers to a program that took them, although nothing shows that it is asked.
func (t *tunnel) setAgain(wanted nameServers) {
	_, err := applyDNS(t.running, t.device, t.unsureDNS, wanted)
	if !errors.Is(err, errNobodyAsks) && !errors.Is(err, errNotAlone) {
		reportProblem(t.unsureDNS, err)
	}
}

// applyDNS sets DNS servers in one way, and watches over them.
func (t *tunnel) applyDNS(by string, wanted nameServers) (separates bool, err error) {
	t.endGuard()
	// Before the change, so that none of others' is missed.
	if t.stopGuard, err = guardDNS(by, func(applied bool) { sendChanged(by, wanted, false, applied) }); err != nil {
		return false, err
	}
	if separates, err = applyDNS(t.running, t.device, by, wanted); err == nil {
		splits := separates
		stopGuard, stopWatch := t.stopGuard, watchDNS(by, wanted, func(applied bool) { sendChanged(by, wanted, splits, applied) })
		t.stopGuard = func() {
			stopGuard()
			stopWatch()
		}
	}
	return separates, err
}

func (t *tunnel) endGuard() {
	if t.stopGuard != nil {
		t.stopGuard()
		t.stopGuard = nil
	}
}

// noteDNS records a way to set DNS servers; repeated requests add no further line.
func (t *tunnel) noteDNS(program string) error {
	if t.notedDNS[program] {
		return nil
	}
	err := t.journal.write("dns %s", program)
	t.notedDNS[program] = err == nil
	return err
}

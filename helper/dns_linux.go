//go:build !macos_rehearsal

package helper

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// The ways to set DNS servers, in the order in which they are tried. /etc/resolv.conf itself is the last, because others
// may write it: what they wrote is put back later, but programs that wrote it don't know.
const (
	byResolved       = "resolvectl"
	byResolvconf     = "resolvconf"
	byNetworkManager = "NetworkManager"
	byResolvConf     = "resolv.conf"
)

func dnsWays() []string { return []string{byResolved, byResolvconf, byNetworkManager, byResolvConf} }

// whyNot returns why a way is not in use on this computer, as far as shows without changing anything; nil if it may be. A program
// alone may be there without anybody asking it.
func whyNot(by string) error {
	used, _ := systemResolvConf.managedByResolved()
	switch {
	case by == byResolved && !used:
		return causeNotInUse
	case by != byResolved && used && systemResolvConf.isBypassed():
		return cause("bypassed")
	case by == byResolvconf && isResolvectl(by):
		return cause("is-resolvectl")
	case by == byResolved || by == byResolvconf:
		_, err := systemProgram(by)
		return err
	case by == byNetworkManager:
		// It passes a global configuration on to others than systemd-resolved.
		switch systemNetworkManager.manages() {
		case "":
			return causeNotInUse
		case "systemd-resolved":
			return cause("by-resolved")
		}
	}
	return nil
}

// isResolvectl reports whether a program is resolvectl under another name: it sets the servers of a device, not of a record
// (https://github.com/systemd/systemd/pull/8296).
func isResolvectl(name string) bool {
	path, err := systemProgram(name)
	if err != nil {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	return err == nil && filepath.Base(target) == "resolvectl"
}

// expectedWay returns the way that a tunnel would probably use, and whether it separates domains.
func expectedWay() (by string, separates bool) {
	for _, each := range dnsWays() {
		if whyNot(each) == nil && (each != byResolvconf || systemResolvConf.managedByResolvconf()) {
			_, alone := systemResolvConf.managedByResolved()
			return each, each == byResolved && alone
		}
	}
	return "", false
}

// applyDNS sets DNS servers, and makes sure that programs ask them. It returns whether only names in the domains go there,
// if the tunnel has domains of its own.
func applyDNS(until context.Context, name device, by string, wanted nameServers) (separates bool, err error) {
	switch by {
	case byNetworkManager:
		return false, systemNetworkManager.set(name, wanted)
	case byResolvConf:
		return false, systemResolvConf.claim(name, wanted)
	}
	program, err := systemProgram(by)
	if err != nil {
		return false, err
	}
	if by == byResolvconf {
		if err := applyByResolvconf(until, program, name, wanted); err != nil {
			return false, err
		}
		if isAsked(by, wanted) {
			return false, nil
		}
		return false, errNobodyAsks
	}
	others := make(chan bool, 1)
	go func() { others <- wanted.exclusive && othersAnswerAll(until, program, name) }()
	err = applyByResolved(until, program, name, wanted)
	if shared := <-others; err == nil && shared {
		// It asks them at the same time, and takes the first answer.
		return false, errNotAlone
	}
	if err != nil {
		return false, err
	}
	if !isAsked(by, wanted) {
		return false, causeNotInUse
	}
	_, alone := systemResolvConf.managedByResolved()
	return alone && !wanted.exclusive, nil
}

// isAsked reports whether /etc/resolv.conf has programs ask for names where this way has set them.
func isAsked(by string, wanted nameServers) bool {
	switch by {
	case byResolved:
		_, alone := systemResolvConf.managedByResolved()
		return alone || systemResolvConf.lists(wanted.servers, wanted.exclusive)
	case byResolvconf:
		// One of the two programs lists the network's after them, whatever it is told.
		return systemResolvConf.lists(wanted.servers, false) || systemResolvConf.isLocal() && systemResolvConf.managedByResolvconf()
	}
	return systemResolvConf.lists(wanted.servers, wanted.exclusive) || systemResolvConf.isLocal()
}

// othersAnswerAll reports whether systemd-resolved has other links, or servers of its own, for every name, which nothing makes it leave
// out (https://github.com/systemd/systemd/issues/17529).
func othersAnswerAll(until context.Context, program string, name device) bool {
	listed, err := runTool(tool{program: program, arguments: []string{"domain"}, until: until})
	if err != nil {
		return false
	}
	for _, line := range strings.Split(listed, "\n") {
		of, domains, _ := strings.Cut(line, ":")
		if strings.HasSuffix(of, "("+string(name)+")") {
			continue
		}
		for _, each := range strings.Fields(domains) {
			if each == "~." {
				return true
			}
		}
	}
	return false
}

func applyByResolved(until context.Context, program string, name device, wanted nameServers) error {
	servers := []string{"dns", string(name)}
	for _, each := range wanted.servers {
		servers = append(servers, each.String())
	}
	// A domain with a tilde only selects the servers; one without is also a search domain for short names.
	domains, mark := []string{"domain", string(name)}, "~"
	all := wanted.every || wanted.exclusive
	if all {
		domains = append(domains, "~.")
	}
	if wanted.search {
		mark = ""
	}
	for _, each := range wanted.domains {
		domains = append(domains, mark+string(each))
	}
	for _, arguments := range [][]string{
		// First, because servers in tunnels usually support neither, and an administrator may demand both of all links. The
		// tunnel encrypts (https://github.com/systemd/systemd/issues/36736, https://github.com/systemd/systemd/issues/23227).
		{"dnsovertls", string(name), "no"}, {"dnssec", string(name), "no"},
		servers, domains, {"default-route", string(name), strconv.FormatBool(all)},
	} {
		if _, err := runTool(tool{program: program, arguments: arguments, until: until}); err != nil {
			return err
		}
	}
	return nil
}

// recordOf returns a name that starts with tun0, because both programs called resolvconf rank such records first. Debian's does so by a
// list of names (https://github.com/StreisandEffect/streisand/pull/702).
func recordOf(name device) string { return "tun0." + string(name) }

func applyByResolvconf(until context.Context, program string, name device, wanted nameServers) error {
	input := strings.Builder{}
	for _, each := range wanted.servers {
		fmt.Fprintf(&input, "nameserver %s\n", each)
	}
	if len(wanted.domains) > 0 {
		fmt.Fprintf(&input, "search %s\n", joinedNames(wanted.domains, " "))
	}
	arguments := []string{"-a", recordOf(name)}
	if wanted.exclusive {
		// Use no other servers. Debian's program does not know this option, and ignores it
		// (https://github.com/StreisandEffect/streisand/pull/702).
		arguments = append(arguments, "-x")
	}
	_, err := runTool(tool{program: program, arguments: arguments, input: input.String(), shellScript: true, until: until})
	return err
}

// revertDNS undoes what applyDNS may have done, also a part of it.
func revertDNS(name device, by string) error {
	switch by {
	case byNetworkManager:
		return systemNetworkManager.undo(name)
	case byResolvConf:
		return systemResolvConf.withdraw(name)
	}
	program, err := systemProgram(by)
	if err != nil {
		return nil
	}
	// The device may be gone, and its settings with it.
	switch by {
	case byResolved:
		_, _ = runTool(tool{program: program, arguments: []string{"revert", string(name)}})
	case byResolvconf:
		_, _ = runTool(tool{program: program, arguments: []string{"-d", recordOf(name)}, shellScript: true})
	}
	return nil
}

// guardDNS keeps what applyDNS has set, where others may replace it. It reports that they insist, and that they have stopped.
func guardDNS(by string, onChange func(applied bool)) (stop func(), err error) {
	if by != byResolvConf {
		return func() {}, nil
	}
	return systemResolvConf.guard(realClock{}, onChange)
}

// watchDNS reports that programs no longer ask for names where applyDNS has set them, because /etc/resolv.conf has changed, and
// that they do so again.
func watchDNS(by string, wanted nameServers, onChange func(applied bool)) (stop func()) {
	if by == byResolvConf {
		// It has a guard.
		return func() {}
	}
	access, applied := sync.Mutex{}, true
	check := func() {
		access.Lock()
		defer access.Unlock()
		if now := isAsked(by, wanted); now != applied {
			applied = now
			onChange(now)
		}
	}
	stop, err := systemResolvConf.watch(check)
	if err != nil {
		// Programs ask there all the same.
		reportProblem("watch-resolv-conf", err)
		return func() {}
	}
	// It may have changed before it was watched.
	check()
	return stop
}

// repairDNS removes DNS settings left by helpers that died, for all users; until then names can't be resolved.
func repairDNS() error {
	changed, err := systemNetworkManager.repair(hasHelper)
	failure := at(byNetworkManager, err)
	if changed {
		sendMessage("repaired", byNetworkManager)
	}
	if !systemResolvConf.isLeft() {
		return failure
	}
	before, after, err := systemResolvConf.settle(func(foundFile) bool { return true })
	if before != after {
		sendMessage("repaired", byResolvConf)
	}
	if failure == nil {
		failure = at(byResolvConf, err)
	}
	return failure
}

// hasHelper reports whether a helper of any user still runs for this device.
func hasHelper(name device) bool {
	<-hasLeft
	journals, _ := filepath.Glob(filepath.Join(stateFolder, "*", string(name)))
	for _, each := range journals {
		if _, err := parseUID(filepath.Base(filepath.Dir(each))); err != nil {
			continue
		}
		journal, err := openJournal(filepath.Dir(each), name, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			return true
		}
		if journal != nil {
			journal.file.Close()
		}
	}
	return false
}

// sinceStart returns the nanoseconds since the start of the computer, with those that it slept.
func sinceStart() int64 {
	now := syscall.Timespec{}
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

// clockBoottime is from linux/time.h.
const clockBoottime = 7

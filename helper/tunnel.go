package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// askAgain is the time after which a signal is repeated, because OpenVPN loses signals while it starts.
	askAgain = 300 * time.Millisecond
	// asksBeforeKill corresponds to about 5 s.
	asksBeforeKill = 16
	// maxRoutes limits the routes that a server may push, because they are kept in memory and in the journal.
	maxRoutes = 10_000
)

// tunnel is one run of OpenVPN.
type tunnel struct {
	caller  caller
	lines   *lineReader
	asked   request
	device  device
	journal *journal
	filter  *logFilter
	// program is the path of OpenVPN, group the caller's group.
	program string
	group   uint32
	openVPN *process
	watcher *process
	// killSwitch, if not nil, is a lock that keeps the kill switch up until OpenVPN has started.
	killSwitch *os.File
	// notedDNS holds the programs that the journal lists for setting DNS servers.
	notedDNS map[string]bool
	// commands is held while a command is carried out. running is cancelled when the tunnel ends, and stops the setting
	// of DNS servers.
	commands sync.Mutex
	running  context.Context
	end      context.CancelFunc
}

// run reads a request, starts OpenVPN, and waits until it has ended and everything is undone. It returns OpenVPN's exit
// status.
func run(by caller) (int, error) {
	folder, err := makeFolder(by.uid)
	if err != nil {
		return 0, err
	}
	if err := repair(by.uid); err != nil {
		return 0, err
	}
	t := &tunnel{caller: by, device: ownDevice(), lines: newLineReader(os.Stdin), notedDNS: map[string]bool{}}
	t.running, t.end = context.WithCancel(context.Background())
	if t.journal, err = createJournal(folder, t.device); err != nil {
		return 0, err
	}
	step("journal")
	// Writing to a pipe without a reader then returns an error instead of ending this process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	logs, err := t.start()
	if err != nil {
		_ = t.cleanUp()
		return 0, err
	}
	// Until here, a signal ends this process at once, and the watcher undoes its changes.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	say("started", t.device)
	if !t.asked.killSwitch {
		go func() {
			if up, err := killSwitchIsUp(by.uid); up || err != nil {
				say("kill-switch left")
			}
		}()
	}
	state := t.stay(signals, logs)
	step("ended")
	if err := t.cleanUp(); err != nil {
		return 0, err
	}
	if state.Signaled() {
		say("killed", int(state.Signal()))
		return exitKilled, nil
	}
	return state.ExitStatus(), nil
}

// start reads the request, and starts OpenVPN once the watcher runs and the kill switch is up. It returns OpenVPN's
// log.
func (t *tunnel) start() (io.Reader, error) {
	defer func() { _ = t.killSwitch.Close() }()
	watched := make(chan error, 1)
	go func() { watched <- t.startWatcher() }()
	err := t.prepare()
	if failure := <-watched; failure != nil {
		return nil, failed("watcher")
	}
	if err != nil {
		return nil, err
	}
	step("watcher")
	return t.startOpenVPN()
}

// startWatcher starts the process that undoes the changes of this one if it is killed.
func (t *tunnel) startWatcher() error {
	command := exec.Command(ownProgram(), "watch", string(t.device))
	command.Args[0] = "causeway-helper"
	command.Env = environmentOf(t.caller)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var err error
	t.watcher, err = launch(command, nil)
	return err
}

// prepare reads the request, records the existing routes, and raises the kill switch.
func (t *tunnel) prepare() error {
	var err error
	if t.asked, err = readRequest(t.lines); err != nil {
		return err
	}
	if t.filter, err = newLogFilter(); err != nil {
		return failed("list")
	}
	if t.program, err = findOpenVPN(); err != nil {
		return err
	}
	if t.group, err = groupOf(t.caller.uid); err != nil {
		return err
	}
	if err = requireOwnDevice(t.caller.uid, t.device); err != nil {
		return err
	}
	routes, err := currentRoutes()
	if err != nil {
		return failed("routes")
	}
	for _, each := range routes {
		if err := t.journal.write("had %s", each); err != nil {
			return err
		}
	}
	step("routes")
	if !t.asked.killSwitch {
		return nil
	}
	if t.killSwitch, err = raiseKillSwitch(t.caller.uid, t.group, t.device, &t.asked.configuration); err != nil {
		return err
	}
	say("kill-switch on")
	return nil
}

func (t *tunnel) startOpenVPN() (io.Reader, error) {
	configuration, configurationIn, err := os.Pipe()
	if err != nil {
		return nil, failed("pipe")
	}
	defer configuration.Close()
	logs, logsIn, err := os.Pipe()
	if err != nil {
		configurationIn.Close()
		return nil, failed("pipe")
	}
	defer logsIn.Close()
	options, err := openVPNOptions(t.device)
	if err != nil {
		configurationIn.Close()
		return nil, failed("list")
	}
	if t.asked.killSwitch {
		options = append(options, killSwitchOptions...)
	}
	command := exec.Command(t.program, options...)
	command.Args[0], command.Env = "openvpn", openVPNEnvironment
	command.Stdin, command.Stdout, command.Stderr = configuration, logsIn, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{}
	if t.openVPN, err = launch(command, asUser(command.SysProcAttr, t.caller.uid, t.group)); err != nil {
		configurationIn.Close()
		if errors.Is(err, syscall.EPERM) {
			// Such as root in a container without CAP_NET_ADMIN.
			return nil, failed("no-rights")
		}
		return nil, failed("openvpn")
	}
	if err := t.journal.write("openvpn %d %s", t.openVPN.id, processStart(t.openVPN.id)); err != nil {
		configurationIn.Close()
		return nil, err
	}
	step("openvpn")
	text := t.asked.configuration.write(deviceDirective(t.device))
	go func() {
		// An OpenVPN that has ended reads nothing, and its exit status reports the failure.
		_, _ = io.WriteString(configurationIn, text)
		configurationIn.Close()
	}()
	return logs, nil
}

// openVPNOptions returns the options after the configuration, which override it.
func openVPNOptions(name device) ([]string, error) {
	own, err := ownOptions()
	options := append([]string{"--config", "stdin"}, strings.Fields("--"+deviceDirective(name))...)
	return append(append(options, own...), platformOptions(name)...), err
}

// stay relays the log and carries out commands until OpenVPN has ended.
func (t *tunnel) stay(signals <-chan os.Signal, logs io.Reader) syscall.WaitStatus {
	relayed := make(chan struct{})
	go func() {
		t.relay(logs)
		close(relayed)
	}()
	stop := make(chan struct{})
	go func() {
		t.obey()
		close(stop)
	}()
	stopping, asked := (<-chan time.Time)(nil), 0
	ask := func() {
		asked++
		if asked > asksBeforeKill || asked > 1 && !hasDevice(t.device) {
			// Without a device, OpenVPN has nothing to clean up.
			t.openVPN.signal(syscall.SIGKILL)
		} else {
			t.openVPN.signal(syscall.SIGTERM)
		}
		stopping = time.After(askAgain)
	}
	for {
		select {
		case <-stop:
			stop = nil
		case <-signals:
		case <-t.watcher.ended:
			// Without the watcher, nobody would undo the changes if the helper were killed.
			t.watcher.ended = nil
		case <-stopping:
		case <-relayed:
			// A tunnel whose log is not read would stall. This is also the usual end.
			if t.openVPN.endsWithin(askAgain) {
				return t.openVPN.status
			}
		case <-t.openVPN.ended:
			select {
			case <-relayed:
			case <-time.After(toolTimeout):
				// Another process has OpenVPN's end of the pipe, too.
			}
			return t.openVPN.status
		}
		if asked == 0 || stopping != nil {
			ask()
		}
	}
}

// relay passes on OpenVPN's log without key material, and records the routes that it announces. It reads up to the end,
// even if nobody reads its own output: OpenVPN stalls while its log is not read, and a missed line is a route that is not
// undone. It kills an OpenVPN whose routes are too many or can't be written down, because asked to end, it would first add
// the rest of them. The journal keeps in memory what it announced until then.
func (t *tunnel) relay(logs io.Reader) {
	lines, passed := make(chan string, 4096), make(chan struct{})
	go func() {
		defer close(passed)
		for line := range lines {
			if _, err := io.WriteString(logOutput, t.filter.clean(line)); err != nil {
				return
			}
		}
	}()
	in := bufio.NewReaderSize(logs, 65536)
	known, last := map[string]bool{}, route{}
	record := func(change string, changed route) {
		if t.journal.write("%s %s", change, changed) != nil || len(known) > maxRoutes {
			t.openVPN.signal(syscall.SIGKILL)
		}
	}
	for {
		read, err := in.ReadSlice('\n')
		line := string(read)
		change, announced := parseAnnouncedRoute(strings.TrimSuffix(line, "\n"))
		switch {
		// OpenVPN announces them again each time it reconnects.
		case change != "" && !known[change+announced.masked().String()]:
			known[change+announced.masked().String()], last = true, announced
			record(change, announced)
			step("route")
		case routeExisted(line) && last.prefix.IsValid():
			record("existed", last)
		case change != "" || strings.HasPrefix(line, "net_route_"):
			last = route{}
		}
		select {
		case lines <- line:
		default:
			// The reader has stopped listening, and misses this line.
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	close(lines)
	select {
	case <-passed:
	case <-time.After(500 * time.Millisecond):
	}
}

// obey carries out the commands on standard input until it ends.
func (t *tunnel) obey() {
	// The limits of a configuration do not apply to a long session.
	for {
		t.lines.bytes, t.lines.lines = 0, 0
		line, err := t.lines.next()
		if err != nil {
			return
		}
		t.carryOut(line)
	}
}

func (t *tunnel) carryOut(line string) {
	t.commands.Lock()
	defer t.commands.Unlock()
	switch {
	case line == "release":
		t.lowerKillSwitch()
	case strings.HasPrefix(line, "dns "):
		wanted, err := parseNameServers(strings.TrimPrefix(line, "dns "))
		if err != nil || !t.asked.dns {
			say("dns refused")
		} else if program := t.setDNS(wanted); program != "" {
			say("dns applied", program)
		} else {
			say("dns cannot")
		}
	default:
		say("unknown-command")
	}
}

func (t *tunnel) lowerKillSwitch() {
	was, err := lowerKillSwitch(t.caller.uid)
	switch {
	case err != nil:
		say("kill-switch failed")
	case was:
		say("kill-switch released")
	default:
		say("kill-switch none")
	}
}

// setDNS tries the system's programs in order, and returns the one that succeeded.
func (t *tunnel) setDNS(wanted nameServers) string {
	for _, each := range dnsPrograms() {
		if t.running.Err() != nil {
			return ""
		}
		// Record it first, because a partial change has to be undone too.
		if t.noteDNS(each) != nil {
			return ""
		}
		step("dns")
		if applyDNS(t.running, t.device, each, wanted) == nil {
			step("dns-set")
			return each
		}
		revertDNS(t.device, each)
	}
	return ""
}

// noteDNS records a program that sets DNS servers; repeated requests add no further line.
func (t *tunnel) noteDNS(program string) error {
	if t.notedDNS[program] {
		return nil
	}
	err := t.journal.write("dns %s", program)
	t.notedDNS[program] = err == nil
	return err
}

// cleanUp undoes everything in the journal, and ends the watcher. OpenVPN still runs if recording it failed.
func (t *tunnel) cleanUp() error {
	if t.openVPN != nil && !t.openVPN.endsWithin(0) {
		t.openVPN.signal(syscall.SIGKILL)
		t.openVPN.endsWithin(time.Second)
	}
	// Never unlocked, because nobody would undo a later command.
	t.end()
	t.commands.Lock()
	err := t.journal.undo()
	if t.watcher != nil && t.watcher.ended != nil && !t.watcher.endsWithin(time.Second) {
		t.watcher.signal(syscall.SIGKILL)
	}
	if err != nil {
		return failed("undo")
	}
	return nil
}

// release lowers the caller's kill switch, and undoes the leftovers of a crash.
func release(by caller) error {
	// Even without records: a kill switch may come from an earlier version.
	if _, err := makeFolder(by.uid); err != nil {
		return err
	}
	if err := repair(by.uid); err != nil {
		return err
	}
	was, err := lowerKillSwitch(by.uid)
	if err != nil {
		return err
	}
	if was {
		say("kill-switch released")
	} else {
		say("kill-switch none")
	}
	return nil
}

// releaseAll does the same for every user. Only root, or a user authorized by sudo, may call it.
func releaseAll(by caller) error {
	if by.isSeated && by.uid != 0 {
		return failed("not-administrator")
	}
	folders, err := os.ReadDir(stateFolder)
	if err != nil && !os.IsNotExist(err) {
		return failed("records")
	}
	any := false
	var first error
	for _, each := range folders {
		uid, err := parseUID(each.Name())
		if err != nil {
			continue
		}
		failure := repair(uid)
		was, err := lowerKillSwitch(uid)
		any = any || was
		// A failure does not stop the release of other users.
		for _, each := range []error{failure, err} {
			if each != nil && first == nil {
				first = each
			}
		}
	}
	if first != nil {
		return first
	}
	if any {
		say("kill-switch released")
	} else {
		say("kill-switch none")
	}
	return nil
}

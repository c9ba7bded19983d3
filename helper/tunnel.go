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
	// OpenVPN loses a signal that comes while it starts, so that it is asked again.
	askAgain = 300 * time.Millisecond
	// asksBeforeKill are about 5 s.
	asksBeforeKill = 16
	// maxRoutes is how many a server may have announced past the tunnel: they are written down, in memory.
	maxRoutes = 10_000
)

// tunnel is one run of OpenVPN.
type tunnel struct {
	caller  caller
	lines   *lineReader
	asked   request
	device  device
	journal *journal
	// program is the path of OpenVPN, group the caller's.
	program string
	group   uint32
	openVPN *process
	watcher *process
	// killSwitch, where not nil, keeps others from lifting the kill switch until OpenVPN has been started.
	killSwitch *os.File
	// notedDNS are the programs in the journal that set DNS servers.
	notedDNS map[string]bool
	// commands is held while one is carried out. running ends the setting of DNS servers when the tunnel ends.
	commands sync.Mutex
	running  context.Context
	end      context.CancelFunc
}

// run reads a request, starts OpenVPN, and stays until it has ended and everything is undone. It returns OpenVPN's exit
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
	// A write to a pipe that nobody reads returns an error instead of ending this process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	logs, err := t.start()
	if err != nil {
		_ = t.cleanUp()
		return 0, err
	}
	// Before this, a signal ends this process at once, and the watcher undoes the rest.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	say("started", t.device)
	if !t.asked.killSwitch {
		go func() {
			if wasRaised(by.uid) && killSwitchIsUp(by.uid) {
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

// start reads the request, and starts OpenVPN once the watcher is there and the kill switch is up. It returns OpenVPN's
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

// startWatcher starts the process that undoes what this one leaves when it is killed.
func (t *tunnel) startWatcher() error {
	command := exec.Command(ownProgram(), "watch", string(t.device))
	command.Args[0] = "causeway-helper"
	command.Env = environmentOf(t.caller)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var err error
	t.watcher, err = launch(command, nil)
	return err
}

// prepare reads the request, writes down what was there before, and puts up the kill switch.
func (t *tunnel) prepare() error {
	var err error
	if t.asked, err = readRequest(t.lines); err != nil {
		return err
	}
	if t.program, err = findOpenVPN(); err != nil {
		return err
	}
	if t.group, err = groupOf(t.caller.uid); err != nil {
		return err
	}
	routes, err := gatewayRoutes()
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
	command := exec.Command(t.program, openVPNOptions(t.device)...)
	command.Args[0], command.Env = "openvpn", []string{}
	command.Stdin, command.Stdout, command.Stderr = configuration, logsIn, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{}
	if t.openVPN, err = launch(command, asUser(command.SysProcAttr, t.caller.uid, t.group)); err != nil {
		configurationIn.Close()
		return nil, failed("openvpn")
	}
	if err := t.journal.write("openvpn %d %s", t.openVPN.id, processStart(t.openVPN.id)); err != nil {
		configurationIn.Close()
		return nil, err
	}
	step("openvpn")
	text := t.asked.configuration.write(deviceDirective(t.device))
	go func() {
		// An OpenVPN that has ended takes nothing; its exit status says so.
		_, _ = io.WriteString(configurationIn, text)
		configurationIn.Close()
	}()
	return logs, nil
}

// The options after the configuration overrule it. Pushed `verb` and `mute` would silence the log.
func openVPNOptions(name device) []string {
	own := strings.Fields("--dev-type tun --script-security 1 --verb 3 --suppress-timestamps --persist-tun " +
		"--pull-filter ignore verb --pull-filter ignore mute")
	options := append([]string{"--config", "stdin"}, strings.Fields("--"+deviceDirective(name))...)
	return append(append(options, own...), markOptions(name)...)
}

// stay passes the log on and obeys commands until OpenVPN has ended.
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
			// Without a device there is nothing that OpenVPN would clean up.
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
			// Without it nobody would undo what a killed helper leaves.
			t.watcher.ended = nil
		case <-stopping:
		case <-relayed:
			// A tunnel whose log is not read would stand still. This is also the usual way to its end.
			if t.openVPN.endsWithin(askAgain) {
				return t.openVPN.status
			}
		case <-t.openVPN.ended:
			select {
			case <-relayed:
			case <-time.After(time.Second):
				// Nobody reads the log any more, and the rest of it is lost.
			}
			return t.openVPN.status
		}
		if asked == 0 || stopping != nil {
			ask()
		}
	}
}

// relay passes OpenVPN's log on, and writes down the routes that the log announces. It reads on when nobody listens, or
// somebody has stopped listening: a line that is not read is a route that is not undone.
func (t *tunnel) relay(logs io.Reader) {
	lines, passed := make(chan string, 4096), make(chan struct{})
	go func() {
		defer close(passed)
		for line := range lines {
			if _, err := os.Stdout.WriteString(line); err != nil {
				return
			}
		}
	}()
	in := bufio.NewReaderSize(logs, 65536)
	known, last := map[string]bool{}, route{}
	for {
		read, err := in.ReadSlice('\n')
		line := string(read)
		change, announced := parseAnnouncedRoute(strings.TrimSuffix(line, "\n"))
		switch {
		// OpenVPN announces them again each time it reconnects.
		case change != "" && !known[change+announced.String()]:
			if len(known) == maxRoutes || t.journal.write("%s %s", change, announced) != nil {
				return
			}
			known[change+announced.String()], last = true, announced
			step("route")
		case routeExisted(line) && last.prefix.IsValid():
			if t.journal.write("existed %s", last) != nil {
				return
			}
		case change != "" || strings.HasPrefix(line, "net_route_"):
			last = route{}
		}
		select {
		case lines <- line:
		default:
			// This line is lost to somebody who has stopped listening.
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
	// The limits of a configuration are not those of a long life.
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

// setDNS tries the programs of this system in their order, and returns the one that did it.
func (t *tunnel) setDNS(wanted nameServers) string {
	for _, each := range dnsPrograms() {
		if t.running.Err() != nil {
			return ""
		}
		// Written down first: what is half set has to be undone, too.
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

// noteDNS writes down a program that sets DNS servers, once however often the caller asks for it.
func (t *tunnel) noteDNS(program string) error {
	if t.notedDNS[program] {
		return nil
	}
	err := t.journal.write("dns %s", program)
	t.notedDNS[program] = err == nil
	return err
}

// cleanUp undoes everything that the journal says, and ends the watcher. OpenVPN still runs where it could not be noted.
func (t *tunnel) cleanUp() error {
	if t.openVPN != nil && !t.openVPN.endsWithin(0) {
		t.openVPN.signal(syscall.SIGKILL)
		t.openVPN.endsWithin(time.Second)
	}
	// Never unlocked: what a command changed from now on nobody would undo.
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

// release lifts the caller's kill switch, and undoes what a crash left.
func release(by caller) error {
	// Also where there are no records: they may be those of an earlier version.
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

// releaseAll does it for every user. An administrator is root, or somebody whom sudo let in.
func releaseAll(by caller) error {
	if by.viaPolkit && by.uid != 0 {
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
		// The others' are lifted all the same.
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

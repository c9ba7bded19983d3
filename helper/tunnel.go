//go:build !windows

package helper

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// vpn is what a tunnel runs: OpenVPN, or a WireGuard device. Its methods are called in this order.
type vpn interface {
	// read reads the rest of the request up to `#END`.
	read(lines *lineReader) error
	// prepare finds the programs, and records what has to be known before anything changes.
	prepare(t *tunnel) error
	// names returns the servers' names, and resolve their addresses. With a kill switch, nothing else is contacted later.
	names() []domainName
	resolve(t *tunnel) ([]remote, error)
	// start notes each change in the journal before it makes it.
	start(t *tunnel) error
	// kind completes the message `started`, after which attend begins to say what happens.
	kind() string
	attend(t *tunnel)
	// searchesDomains reports whether the domains of name servers also complete short names.
	searchesDomains() bool
	// useNames keeps these name servers inside the tunnel if it takes most traffic.
	useNames(servers []netip.Addr) error
	// command carries out a command of its own, and returns false if it knows none of that name.
	command(t *tunnel, line string) bool
	// ended is closed when the tunnel is over. stop asks for that; round counts from 1.
	ended() <-chan struct{}
	stop(round int)
	// kill ends its process, if it still runs. result says how it ended, and returns the exit status.
	kill()
	result() int
}

// tunnel is one run of OpenVPN or WireGuard.
type tunnel struct {
	caller  caller
	lines   *lineReader
	header  header
	device  device
	journal *journal
	vpn     vpn
	watcher *process
	// group is the caller's group.
	group uint32
	// apps, if not nil, decides which apps use the tunnel.
	apps *apps
	// killSwitch, if not nil, is a lock that keeps the kill switch up until the tunnel has started.
	killSwitch *os.File
	rules      ownRules
	// notedDNS holds the ways to set DNS servers that the journal lists; setBy is the one that they are set by, and unsureDNS one
	// that took them although no program seems to ask it.
	notedDNS  map[string]bool
	setBy     string
	unsureDNS string
	// stopGuard, if not nil, ends the watch over them.
	stopGuard func()
	// commands is held while a command is carried out. running is cancelled when the tunnel ends, and stops the setting
	// of DNS servers.
	commands sync.Mutex
	running  context.Context
	end      context.CancelFunc
	// unfit, of one element, takes a note that the tunnel must end.
	unfit chan struct{}
	// wanted is cancelled when the tunnel or the input ends; heard is closed once the first command, or the end of the input, has
	// arrived.
	wanted context.Context
	giveUp context.CancelFunc
	heard  chan struct{}
}

// begin undoes what others left, and returns the journal of this process, by which others find it.
func begin(by caller) (*journal, error) {
	folder, err := makeFolder(by.uid)
	if err != nil {
		return nil, err
	}
	// What others left, and may keep, doesn't matter here: a tunnel says by itself if it can't set DNS.
	own, others := repair(by)
	if own != nil {
		return nil, own
	}
	reportProblem("repair-others", others)
	reportProblem("repair-dns", repairDNS())
	if err := undoNamesakes(by.uid, ownDevice()); err != nil {
		return nil, err
	}
	notes, err := createJournal(folder, ownDevice())
	if err != nil {
		return nil, err
	}
	step("journal")
	// Counted with this one, so that two don't take the last place.
	if by.uid != 0 && countTunnels(folder) > maxTunnels {
		reportProblem("undo", notes.undo())
		return nil, failed("too-many")
	}
	// After the journal exists, by which stopAll finds it.
	if isStopped() {
		reportProblem("undo", notes.undo())
		return nil, failed("stopped")
	}
	return notes, nil
}

// run reads a request, starts the tunnel, and waits until it has ended and everything is undone. It returns the exit
// status.
func run(by caller, kind vpn) (int, error) {
	notes, err := begin(by)
	if err != nil {
		return 0, err
	}
	t := &tunnel{
		caller: by, device: notes.device, journal: notes, vpn: kind, lines: newLineReader(os.Stdin), notedDNS: map[string]bool{},
		unfit: make(chan struct{}, 1),
	}
	t.running, t.end = context.WithCancel(context.Background())
	t.wanted, t.giveUp = context.WithCancel(t.running)
	t.heard = make(chan struct{})
	if err := t.start(); err != nil {
		reportProblem("undo", t.cleanUp())
		return 0, err
	}
	// Until here, a signal ends this process at once, and the watcher undoes its changes. Without SIGPIPE, writing to a pipe
	// without a reader returns an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	sendMessage(append([]any{"started", interfaceOf(t.device)}, optional(t.vpn.kind())...)...)
	t.vpn.attend(t)
	if t.header.killSwitch || tellsOfDeletions {
		stop := watchFirewall(t.onRulesDeleted)
		defer stop()
	}
	if !t.header.killSwitch {
		go func() {
			up, err := killSwitchIsUp(by.uid)
			if up || err != nil {
				sendMessage("kill-switch left")
			}
			reportProblem("find-rules", err)
		}()
	}
	t.stay(signals)
	step("ended")
	if err := t.cleanUp(); err != nil {
		return 0, err
	}
	return t.vpn.result(), nil
}

func optional(word string) []any {
	if word == "" {
		return nil
	}
	return []any{word}
}

// start reads the request, and starts the tunnel once the watcher runs and the kill switch is up.
func (t *tunnel) start() error {
	defer func() { _ = t.killSwitch.Close() }()
	watched := make(chan error, 1)
	go func() {
		err := t.startWatcher()
		<-hasLeft
		if err == nil {
			// It may have started where this process was. If it can't leave, the next call of any user does its work.
			reportProblem("leave-groups", leaveGroups(t.caller, t.watcher.id))
		}
		watched <- err
	}()
	err := t.read()
	// Nothing changes without it.
	if err := <-watched; err != nil {
		return failedBy("watcher", "start-watcher", err)
	}
	step("watcher")
	if err == nil {
		err = t.prepare()
	}
	if err == nil {
		err = t.apps.begin()
	}
	if err != nil {
		return err
	}
	return t.vpn.start(t)
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

// read reads the request.
func (t *tunnel) read() error {
	var err error
	if t.header, err = readHeader(t.lines); err != nil {
		return err
	}
	wanted, err := readApps(t.lines, t.caller)
	if err != nil {
		return err
	}
	if wanted.mode != allApps {
		if t.apps, err = newApps(t, wanted); err != nil {
			return err
		}
	}
	if err = t.vpn.read(t.lines); err != nil {
		return err
	}
	t.hearEnd()
	if t.group, err = groupOf(t.caller.uid); err != nil {
		return err
	}
	return requireOwnDevice(t.caller.uid, t.device)
}

// hearEnd notices the end of the input while names are looked up, which may take longer than anybody waits who has given up.
func (t *tunnel) hearEnd() {
	go func() {
		defer close(t.heard)
		if _, err := t.lines.in.Peek(1); err != nil {
			t.giveUp()
		}
	}()
}

// prepare raises the kill switch.
func (t *tunnel) prepare() error {
	err := t.vpn.prepare(t)
	if err != nil {
		return err
	}
	resolve := func() ([]remote, error) { return t.vpn.resolve(t) }
	if !t.header.killSwitch {
		_, err = resolve()
		return err
	}
	if t.killSwitch, err = raiseKillSwitch(t, resolve); err != nil {
		return err
	}
	sendMessage("kill-switch on")
	return nil
}

// stay carries out commands until the tunnel has ended.
func (t *tunnel) stay(signals <-chan os.Signal) {
	stop := make(chan struct{})
	go func() {
		t.obey()
		close(stop)
	}()
	unfit, stopping, asked := t.unfit, (<-chan time.Time)(nil), 0
	for {
		select {
		case <-stop:
			stop = nil
		case <-signals:
		case <-t.watcher.ended:
			// Without the watcher, nobody would undo the changes if the helper were killed.
			t.watcher.ended = nil
		case <-unfit:
			unfit = nil
		case <-stopping:
		case <-t.vpn.ended():
			return
		}
		asked++
		t.vpn.stop(asked)
		stopping = time.After(askAgain)
	}
}

// obey carries out the commands on standard input until it ends. It reads on meanwhile: one that looks names up ends with the input.
func (t *tunnel) obey() {
	<-t.heard
	commands := make(chan string, maxQueued)
	go func() {
		defer close(commands)
		defer t.giveUp()
		for {
			// The limits of a configuration do not apply to a long session.
			t.lines.bytes, t.lines.lines = 0, 0
			line, err := t.lines.next()
			if err != nil {
				return
			}
			commands <- line
		}
	}()
	for line := range commands {
		t.carryOut(line)
	}
}

func (t *tunnel) carryOut(line string) {
	t.commands.Lock()
	defer t.commands.Unlock()
	switch {
	case line == "release":
		t.lowerKillSwitch()
	case strings.HasPrefix(line, "app "):
		t.appCommand(strings.TrimPrefix(line, "app "))
	case strings.HasPrefix(line, "dns "):
		wanted, err := parseNameServers(strings.TrimPrefix(line, "dns "))
		if err != nil || !t.header.dns {
			sendMessage("dns refused")
			return
		}
		wanted.search = wanted.every || t.vpn.searchesDomains()
		wanted.exclusive = wanted.every || t.header.killSwitch
		err = t.vpn.useNames(wanted.servers)
		if err == nil {
			err = t.apps.useNames(wanted.servers)
		}
		if err != nil {
			sendMessage("dns cannot")
			reportProblem("route-name-servers", err)
			return
		}
		way, separates, err := t.setDNS(wanted)
		switch {
		case errors.Is(err, errImmutable):
			sendMessage("dns cannot immutable")
		case err != nil:
			sendMessage("dns cannot")
		default:
			sendApplied(way, wanted, separates)
		}
	case !t.vpn.command(t, line):
		sendMessage("unknown-command")
	}
}

func (t *tunnel) ifRunning(do func()) {
	t.commands.Lock()
	defer t.commands.Unlock()
	if t.running.Err() == nil {
		do()
	}
}

// onRulesDeleted is called when something may have deleted rules of the firewall.
func (t *tunnel) onRulesDeleted() {
	t.reportIfLifted()
	t.ifRunning(func() {
		reportProblem("restore-rules", t.rules.restore(t.device))
		if err := t.apps.restore(); err != nil {
			reportProblem("restore-apps", err)
			// Apps would go on using the wrong side.
			select {
			case t.unfit <- struct{}{}:
			default:
			}
		}
	})
}

func (t *tunnel) lowerKillSwitch() {
	t.header.killSwitch = false
	was, err := lowerKillSwitch(t.caller.uid)
	switch {
	case err != nil:
		sendMessage("kill-switch failed")
		reportProblem("release", err)
	case was:
		sendMessage("kill-switch released")
	default:
		sendMessage("kill-switch none")
	}
}

// cleanUp undoes everything in the journal, and ends the watcher.
func (t *tunnel) cleanUp() error {
	t.vpn.kill()
	// Never unlocked, because nobody would undo a later command.
	t.end()
	t.commands.Lock()
	t.endGuard()
	t.apps.end()
	err := t.journal.undo()
	if t.watcher != nil && t.watcher.ended != nil && !t.watcher.endsWithin(time.Second) {
		t.watcher.signal(syscall.SIGKILL)
	}
	return undone(err)
}

//go:build !windows

package helper

import (
	"bufio"
	"errors"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	// asksBeforeKill corresponds to about 5 s.
	asksBeforeKill = 16
	// maxRoutes limits the routes that a server may push, because they are kept in memory and in the journal.
	maxRoutes = 10_000
)

// openVPN runs OpenVPN.
type openVPN struct {
	configuration configuration
	journal       *journal
	filter        *logFilter
	// program is the path of OpenVPN.
	program string
	process *process
	// input takes the configuration.
	input io.WriteCloser
	logs  io.Reader
	// routes keep traffic inside a full tunnel.
	routes openVPNRoutes
	over   chan struct{}
}

func newOpenVPN() vpn { return &openVPN{over: make(chan struct{})} }

func (o *openVPN) read(lines *lineReader) (err error) {
	if o.configuration, err = readConfiguration(lines); err == nil {
		o.program, err = findOpenVPN()
	}
	return err
}

func (o *openVPN) prepare(t *tunnel) error {
	o.journal = t.journal
	return o.routes.prepare(t, o.configuration.blocksLocal)
}

func (o *openVPN) names() []domainName {
	names := []domainName{}
	if o.configuration.proxy != nil {
		names = append(names, o.configuration.proxy.host.name)
	}
	for _, each := range o.configuration.directives {
		if each.remote != nil {
			names = append(names, each.remote.host.name)
		}
	}
	return names
}

// resolve replaces the servers' names in the configuration by addresses, so that OpenVPN contacts only what the kill switch
// permits. Without one, OpenVPN resolves them.
func (o *openVPN) resolve(t *tunnel) ([]remote, error) {
	if !t.header.killSwitch {
		return nil, nil
	}
	remotes, err := resolveRemotes(t, o.configuration, o.routes.mark())
	if err != nil {
		return nil, err
	}
	if o.configuration.proxy != nil {
		// The rules permit this address, whatever the name leads to next.
		o.configuration.proxy.host = remotes[0].host
		return remotes, nil
	}
	resolved := []directive{}
	for _, each := range o.configuration.directives {
		if each.remote == nil {
			resolved = append(resolved, each)
		}
	}
	// Last, because what precedes a block `<connection>` holds for it too.
	for index := range remotes {
		resolved = append(resolved, directive{remote: &remotes[index]})
	}
	o.configuration.directives = resolved
	return remotes, nil
}

func (o *openVPN) kind() string { return "" }

func (o *openVPN) searchesDomains() bool { return false }

func (o *openVPN) useNames(servers []netip.Addr) error { return o.routes.useNames(servers) }

// command carries out the one command of its own: OpenVPN is to find its server again, with device and routes as they are.
func (o *openVPN) command(_ *tunnel, line string) bool {
	if line != "restart" {
		return false
	}
	if o.process != nil {
		o.process.signal(syscall.SIGUSR1)
	}
	return true
}

func (o *openVPN) ended() <-chan struct{} { return o.over }

func (o *openVPN) stop(round int) {
	if round > asksBeforeKill || round > 1 && !hasDevice(o.journal.device) {
		// Without a device, OpenVPN has nothing to clean up.
		o.process.signal(syscall.SIGKILL)
	} else {
		o.process.signal(syscall.SIGTERM)
	}
}

// kill ends an OpenVPN that still runs because recording it failed.
func (o *openVPN) kill() {
	if o.process != nil && !o.process.endsWithin(0) {
		o.process.signal(syscall.SIGKILL)
		o.process.endsWithin(time.Second)
	}
	o.routes.end()
}

func (o *openVPN) result() int {
	if o.process.status.Signaled() {
		sendMessage("killed", int(o.process.status.Signal()))
		return exitKilled
	}
	return o.process.status.ExitStatus()
}

// launch starts OpenVPN, which takes milliseconds until it reads its configuration, and changes nothing before that. If the
// helper is killed meanwhile, OpenVPN ends without a configuration (ownOptions).
func (o *openVPN) launch(t *tunnel) error {
	configuration, configurationIn, err := os.Pipe()
	if err != nil {
		return failedBy("pipe", "make-pipe", err)
	}
	defer configuration.Close()
	o.input = configurationIn
	logs, logsIn, err := os.Pipe()
	if err != nil {
		return failedBy("pipe", "make-pipe", err)
	}
	defer logsIn.Close()
	o.logs = logs
	options := openVPNOptions(t.device, o.routes.mark())
	if t.header.killSwitch {
		options = append(options, killSwitchOptions...)
	}
	command := exec.Command(o.program, options...)
	command.Args[0], command.Env = "openvpn", openVPNEnvironment
	command.Stdin, command.Stdout, command.Stderr = configuration, logsIn, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{}
	if o.process, err = launch(command, t.asProgramUser(command.SysProcAttr, true)); err != nil {
		if errors.Is(err, syscall.EPERM) {
			// Such as root in a container without CAP_NET_ADMIN.
			return failedBy("no-rights", "start-openvpn", err)
		}
		return failedBy("openvpn", "start-openvpn", err)
	}
	if err := t.journal.write("program %d %s", o.process.id, processStart(o.process.id)); err != nil {
		return err
	}
	step("begun")
	return nil
}

// start launches OpenVPN, records the existing routes meanwhile, and gives it its configuration.
func (o *openVPN) start(t *tunnel) error {
	err := o.launch(t)
	if err != nil {
		return err
	}
	if o.filter, err = newLogFilter(); err != nil {
		return failedBy("list", "read-list", err)
	}
	routes, err := currentRoutes()
	if err != nil {
		return failedBy("routes", "read-routes", err)
	}
	for _, each := range routes {
		if err := t.journal.write("had %s", each); err != nil {
			return err
		}
	}
	step("routes")
	text := o.configuration.write(deviceDirective(t.device))
	go func() {
		// An OpenVPN that has ended reads nothing, and its exit status reports the failure.
		_, _ = io.WriteString(o.input, text)
		o.input.Close()
	}()
	return nil
}

// openVPNOptions returns the options after the configuration, which override it.
func openVPNOptions(name device, mark uint32) []string {
	options := append([]string{"--config", "stdin"}, strings.Fields("--"+deviceDirective(name))...)
	return append(append(options, ownOptions()...), platformOptions(name, mark)...)
}

func (o *openVPN) attend(*tunnel) { go o.wait() }

// wait relays the log until OpenVPN has ended.
func (o *openVPN) wait() {
	defer close(o.over)
	relayed := make(chan struct{})
	go func() {
		o.relay(o.logs)
		close(relayed)
	}()
	select {
	case <-relayed:
		// This is the usual end. A tunnel whose log is not read would stall.
		for round := 1; !o.process.endsWithin(askAgain); round++ {
			o.stop(round)
		}
	case <-o.process.ended:
		select {
		case <-relayed:
		case <-time.After(toolTimeout):
			// Another process has OpenVPN's end of the pipe, too.
		}
	}
}

// relay passes on OpenVPN's log without key material, and records the routes that it announces. It reads up to the end,
// even if nobody reads its own output: OpenVPN stalls while its log is not read, and a missed line is a route that is not
// undone. It kills an OpenVPN whose routes are too many or can't be written down, because asked to end, it would first add
// the rest of them. The journal keeps in memory what it announced until then.
func (o *openVPN) relay(logs io.Reader) {
	pass, wait := passLog(o.filter.clean)
	in := bufio.NewReaderSize(logs, 65536)
	known, last := map[string]bool{}, route{}
	record := func(change string, changed route) {
		if o.journal.write("%s %s", change, changed) != nil || len(known) > maxRoutes {
			o.process.signal(syscall.SIGKILL)
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
		o.routes.onLogLine(strings.TrimSuffix(line, "\n"))
		pass(line)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	wait()
}

// passLog writes the lines that it is given to the helper's log. A reader who has stopped listening misses them. wait gives
// the last ones half a second.
func passLog(clean func(string) string) (pass func(string), wait func()) {
	lines, passed, output := make(chan string, 4096), make(chan struct{}), logOutput
	go func() {
		defer close(passed)
		for line := range lines {
			if _, err := io.WriteString(output, clean(line)); err != nil {
				return
			}
		}
	}()
	pass = func(line string) {
		select {
		case lines <- line:
		default:
		}
	}
	wait = func() {
		close(lines)
		select {
		case <-passed:
		case <-time.After(500 * time.Millisecond):
		}
	}
	return pass, wait
}

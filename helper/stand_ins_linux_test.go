//go:build !macos_rehearsal

package helper

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"
)

// standIn has a program of the system write its words and its input to a file, whose lines the returned function reads. It fails if
// the file FOLDER/fail has a part of its words.
func standIn(t *testing.T, name string) (folder string, asked func() []string) {
	t.Helper()
	folder, before := t.TempDir(), systemFolders
	t.Cleanup(func() { systemFolders = before })
	systemFolders = []string{folder}
	script := "#!/bin/sh\necho \"$*\" >>FOLDER/asked\n[ -t 0 ] || /bin/cat >>FOLDER/asked\n" +
		"if [ -e FOLDER/fail ] && echo \"$*\" | /bin/grep -q \"$(/bin/cat FOLDER/fail)\"; then exit 1; fi\n"
	do(t, os.WriteFile(filepath.Join(folder, name), []byte(strings.ReplaceAll(script, "FOLDER", folder)), 0o755))
	return folder, func() []string {
		text, err := os.ReadFile(filepath.Join(folder, "asked"))
		if os.IsNotExist(err) {
			return nil
		}
		do(t, err)
		do(t, os.Remove(filepath.Join(folder, "asked")))
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

func TestResolvedIsToldEverythingOrItFails(t *testing.T) {
	folder, asked := standIn(t, "resolvectl")
	wanted := nameServers{servers: []netip.Addr{netip.MustParseAddr("10.9.0.1")}, domains: []domainName{"example.org"}}
	apply := func() error {
		return applyByResolved(context.Background(), filepath.Join(folder, "resolvectl"), "cw7t", wanted)
	}
	do(t, apply())
	all := []string{
		"dnsovertls cw7t no", "dnssec cw7t no", "dns cw7t 10.9.0.1", "domain cw7t ~example.org", "default-route cw7t false",
	}
	expect(t, asked(), all)
	for count, each := range all {
		do(t, os.WriteFile(filepath.Join(folder, "fail"), []byte(each), 0o600))
		if apply() == nil {
			t.Error("said nothing of", each)
		}
		expect(t, asked(), all[:count+1])
	}
}

func TestNameServersAreNotAppliedByAProgramThatFails(t *testing.T) {
	folder, asked := standIn(t, "resolvectl")
	wanted := nameServers{servers: []netip.Addr{netip.MustParseAddr("10.9.0.1")}, every: true}
	do(t, os.WriteFile(filepath.Join(folder, "fail"), []byte("default-route"), 0o600))
	if _, err := applyDNS(context.Background(), "cw7t", byResolved, wanted); err == nil {
		t.Error("said nothing of its failure")
	}
	expect(t, len(asked()), 5)
	do(t, os.Remove(filepath.Join(folder, "resolvectl")))
	_, err := applyDNS(context.Background(), "cw7t", byResolved, wanted)
	expect(t, causeWords(err), []string{"resolvectl", "missing"})
}

func TestResolvectlUnderAnotherName(t *testing.T) {
	folder, _ := standIn(t, "resolvectl")
	expect(t, isResolvectl("resolvconf"), false)
	do(t, os.Symlink("resolvectl", filepath.Join(folder, "resolvconf")))
	expect(t, isResolvectl("resolvconf"), true)
	do(t, os.WriteFile(filepath.Join(folder, "other"), nil, 0o755))
	expect(t, isResolvectl("other"), false)
}

func TestARuleForOneDeviceNamesIt(t *testing.T) {
	name := attribute(fraThrough, zeroEnded("eth0"))
	one := policyRule{family: 4, priority: 7, table: 8, suppress: -1, through: "eth0"}.message(rtmNewRule, 0)
	all := policyRule{family: 4, priority: 7, table: 8, suppress: -1}.message(rtmNewRule, 0)
	if !bytes.Contains(one.body, name) || bytes.Contains(all.body, attribute(fraThrough, zeroEnded(""))) {
		t.Errorf("%q %q", one.body, all.body)
	}
}

func TestATableThatIsThereIsDropped(t *testing.T) {
	nft, err := systemProgram("nft")
	if err != nil {
		t.Skip("no nft")
	}
	// Not unlocked, so that the thread ends with this test.
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		t.Skip("no network namespace here")
	}
	do(t, exec.Command(nft, "add", "table", "inet", "causeway_cw7t").Run())
	_, asked := standIn(t, "nft")
	do(t, dropFirewallTable("causeway_cw8t"))
	expect(t, asked(), []string{})
	do(t, dropFirewallTable("causeway_cw7t"))
	expect(t, asked(), []string{"-f -", "table inet causeway_cw7t", "delete table inet causeway_cw7t"})
}

// As when somebody has deleted the other table of a kill switch, by which it is known to be up.
func TestWhatAKillSwitchHasForAppsGoesWithIt(t *testing.T) {
	const uid = 4_000_000_130
	nft, err := systemProgram("nft")
	if err != nil {
		t.Skip("no nft")
	}
	recordsOf(t, uid)
	emptyNetwork(t)
	table := blockTable(uid, onlyApps)
	do(t, exec.Command(nft, "add", "table", "inet", table).Run())
	_, asked := standIn(t, "nft")
	deleted := []string{"-f -", "table inet " + table, "delete table inet " + table}
	_, err = lowerKillSwitch(uid)
	do(t, err)
	expect(t, asked(), deleted)
	do(t, notePermitted(uid, []device{"cw7t"}))
	isLifted, err := forgetIfLifted(uid)
	do(t, err)
	expect(t, isLifted, true)
	expect(t, asked(), deleted)
	expect(t, wasRaised(uid), false)
}

// recordsOf makes the folder of a user that no computer has.
func recordsOf(t *testing.T, uid uint32) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may write the records")
	}
	folder, err := makeFolder(uid)
	do(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

func TestServersArePermittedWhileTheKillSwitchIsThisTunnels(t *testing.T) {
	const uid = 4_000_000_125
	recordsOf(t, uid)
	_, asked := standIn(t, "nft")
	permit := func() string {
		do(t, permitRemotes(uid, "cw7t", []remote{{host: host{address: netip.MustParseAddr("192.0.2.9")}, port: 1194, protocol: "udp"}}, nil))
		return strings.Join(asked(), "\n")
	}
	for _, each := range []struct {
		permitted []device
		want      bool
	}{
		{nil, false}, {[]device{"cw8t"}, false}, {[]device{"cw7t", "cw8t"}, false}, {[]device{"cw7t"}, true},
	} {
		do(t, notePermitted(uid, each.permitted))
		expect(t, strings.Contains(permit(), "ip daddr 192.0.2.9 udp dport 1194 accept"), each.want)
	}
}

func TestAKillSwitchThatTheFirewallRefusesIsNotRecorded(t *testing.T) {
	const uid = 4_000_000_129
	recordsOf(t, uid)
	folder, _ := standIn(t, "nft")
	run := &tunnel{caller: caller{uid: uid}, device: "cw7t", vpn: newOpenVPN()}
	raise := func() (bool, []device) {
		held, err := raiseKillSwitch(run, func() ([]remote, error) { return nil, nil })
		do(t, held.Close())
		permitted, failure := permittedDevices(uid)
		do(t, failure)
		return err == nil, permitted
	}
	refused := filepath.Join(folder, "fail")
	do(t, os.WriteFile(refused, []byte("f -"), 0o600))
	isUp, permitted := raise()
	expect(t, isUp, false)
	expect(t, wasRaised(uid), false)
	expect(t, len(permitted), 0)
	// The rules of an earlier one are still there.
	do(t, notePermitted(uid, []device{"cw8t"}))
	isUp, permitted = raise()
	expect(t, isUp, false)
	expect(t, permitted, []device{"cw8t", "cw7t"})
	do(t, os.Remove(refused))
	isUp, permitted = raise()
	expect(t, isUp, true)
	expect(t, permitted, []device{"cw7t"})
}

func TestTunnelsOfOthersAreFoundWhileTheirHelperRuns(t *testing.T) {
	const uid = 4_000_000_126
	folder := recordsOf(t, uid)
	has := func() bool {
		found, err := otherTunnels(uid + 1)
		do(t, err)
		for _, each := range found {
			if each.name == "cw7000007t" {
				return true
			}
		}
		return false
	}
	notes, err := createJournal(folder, "cw7000007t")
	do(t, err)
	expect(t, has(), true)
	own, err := otherTunnels(uid)
	do(t, err)
	for _, each := range own {
		if each.name == "cw7000007t" {
			t.Error("it is the user's own")
		}
	}
	// Without its lock, as a killed helper leaves it.
	do(t, notes.file.Close())
	expect(t, has(), false)
}

// emptyNetwork gives this test a network of its own, which ends with it, and a socket for it.
func emptyNetwork(t *testing.T) *netlinkSocket {
	t.Helper()
	// Not unlocked, so that the thread ends with this test.
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		t.Skip("no network namespace here")
	}
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	do(t, err)
	t.Cleanup(socket.close)
	return socket
}

func TestTheNewestTunnelHasTheHighestNumber(t *testing.T) {
	const uid = 4_000_000_131
	recordsOf(t, uid)
	socket := emptyNetwork(t)
	reserve := func(name device) uint32 {
		number, _, err := reserveNumber(socket, name, func() error { return nil })
		do(t, err)
		t.Cleanup(func() { do(t, releaseNumber(name)) })
		return number
	}
	first, second := reserve("cw7000001t"), reserve("cw7000002t")
	do(t, releaseNumber("cw7000001t"))
	if third := reserve("cw7000003t"); third <= second || second <= first {
		t.Error("the traffic of the third one would go to the second", first, second, third)
	}
}

// A helper was killed while it replaced the file.
func TestTheLastNumberLeavesNoFile(t *testing.T) {
	recordsOf(t, 4_000_000_134)
	path := filepath.Join(stateFolder, numbersFile)
	do(t, os.WriteFile(path+".new", []byte("cw70"), 0o600))
	do(t, releaseNumber("cw7000001t"))
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Error(left)
	}
}

// testWireGuard returns a full tunnel of a user that begins, and its journal.
func testWireGuard(t *testing.T, socket *netlinkSocket, uid uint32, name device, killSwitch bool, address string) (*wireGuard, *tunnel) {
	t.Helper()
	notes, err := createJournal(recordsOf(t, uid), name)
	do(t, err)
	asked := &wireGuardRequest{addresses: []netip.Prefix{netip.MustParsePrefix(address)}, allowed: []netip.Prefix{everything(4)}}
	run := &tunnel{caller: caller{uid: uid}, device: name, journal: notes, header: header{killSwitch: killSwitch}}
	return &wireGuard{wireGuardCore: wireGuardCore{asked: asked}, routes: socket}, run
}

// The first one still looks up its server, before it has a kill switch or a device.
func TestOfTwoUsersTunnelsThatBeginAtOnceTheSecondIsRefused(t *testing.T) {
	const uid = 4_000_000_132
	socket := emptyNetwork(t)
	for _, each := range []struct {
		killSwitch bool
		address    string
		want       string
	}{
		{false, "10.9.0.3/24", ""}, {true, "10.9.0.3/24", "failed other-tunnel"}, {false, "10.9.0.2/16", "failed other-tunnel"},
	} {
		first, run := testWireGuard(t, socket, uid, "cw7000001t", each.killSwitch, "10.9.0.2/24")
		do(t, first.reserve(run))
		second, other := testWireGuard(t, socket, uid+1, "cw7000002t", false, each.address)
		begun := func() string {
			if err := second.reserve(other); err != nil {
				return err.Error()
			}
			return ""
		}
		expect(t, begun(), each.want)
		if each.killSwitch {
			// Once it is up, only what its kill switch permits counts, which may have been lifted.
			do(t, run.journal.write("device"))
			expect(t, begun(), "")
		}
		do(t, run.journal.undo())
		do(t, other.journal.undo())
	}
}

// As in many files for `wg-quick`: one address, and all of both families, so that IPv6 doesn't leave past the tunnel.
func TestASmallMTUWithoutAnAddressOfIPv6TurnsThatOff(t *testing.T) {
	socket := emptyNetwork(t)
	do(t, socket.addLink("cw7000001t", "veth"))
	device, err := socket.findLink("cw7000001t", 0)
	do(t, err)
	do(t, socket.setMTU(device.index, 1200))
	do(t, socket.setUp(device.index))
	w, run := testWireGuard(t, socket, 4_000_000_133, "cw7000001t", false, "10.9.0.2/24")
	w.asked.allowed = append(w.asked.allowed, everything(6))
	w.plan, w.link, w.number = planRoutes(w.asked, nil), device, firstNumber
	w.mtu.Store(1200)
	withoutIPv6, err := w.addRoutes(run)
	w.full.end()
	do(t, err)
	expect(t, withoutIPv6, true)
	left, err := socket.routesOf(6, firstNumber)
	do(t, err)
	expect(t, len(left) > 0 && left[len(left)-1].index == 0, true)
	// One that is gone is something else.
	w.mtu.Store(1300)
	w.number, w.link.index = firstNumber+1, 4711
	_, err = w.addRoutes(run)
	expect(t, causeWords(err), []string{"add-route", "ENODEV"})
	do(t, run.journal.undo())
}

func TestTheFirstRouteToANetworkDecides(t *testing.T) {
	socket := emptyNetwork(t)
	loopback, err := socket.findLink("lo", 0)
	do(t, err)
	do(t, socket.setUp(loopback.index))
	to := func(prefix string, index uint32) tableRoute {
		return tableRoute{table: mainTable, prefix: netip.MustParsePrefix(prefix), index: index, kind: syscall.RTN_UNICAST}
	}
	do(t, socket.change(to("10.1.0.0/16", loopback.index).add())[0])
	for _, each := range []struct {
		wanted tableRoute
		want   bool
	}{
		{to("10.1.0.0/16", loopback.index), true}, {to("10.1.0.0/16", loopback.index+1), false}, {to("10.2.0.0/16", loopback.index), false},
	} {
		expect(t, socket.isFirst(each.wanted), each.want)
	}
}

// ipHere has `ip` work in the network of this test, also if the helper calls it, and returns it.
func ipHere(t *testing.T) (ip func(words ...string)) {
	t.Helper()
	program, err := systemProgram("ip")
	enter, failure := systemProgram("nsenter")
	if err != nil || failure != nil {
		t.Skip("no ip, or no nsenter")
	}
	folder, before := t.TempDir(), systemFolders
	t.Cleanup(func() { systemFolders = before })
	systemFolders = []string{folder}
	script := fmt.Sprintf("#!/bin/sh\nexec %s --net=/proc/%d/task/%d/ns/net %s \"$@\"\n", enter, os.Getpid(), syscall.Gettid(), program)
	do(t, os.WriteFile(filepath.Join(folder, "ip"), []byte(script), 0o755))
	return func(words ...string) {
		t.Helper()
		if output, err := exec.Command(program, words...).CombinedOutput(); err != nil {
			t.Fatal(words, err, string(output))
		}
	}
}

// As at a desk with a cable, and a wireless card in the same network. What IPv6 has for a gateway is on every link.
func TestADefaultRouteComesBackOnItsDevice(t *testing.T) {
	emptyNetwork(t)
	ip := ipHere(t)
	for _, name := range []string{"eth0", "wlan0"} {
		ip("link", "add", "name", name, "type", "veth", "peer", "name", "of-"+name)
		ip("link", "set", name, "up")
	}
	ip("address", "add", "192.168.1.10/24", "dev", "eth0")
	ip("address", "add", "192.168.1.11/24", "dev", "wlan0")
	ip("route", "add", "default", "via", "192.168.1.1", "dev", "wlan0", "metric", "600")
	ip("-6", "route", "add", "default", "via", "fe80::1", "dev", "wlan0", "metric", "1024")
	own, err := currentRoutes()
	do(t, err)
	defaults := func() string {
		now, err := currentRoutes()
		do(t, err)
		found := []string{}
		for _, each := range now {
			if each.isDefault() {
				found = append(found, each.String())
			}
		}
		sort.Strings(found)
		return strings.Join(found, "\n")
	}
	before := defaults()
	expect(t, before, "0.0.0.0/0 192.168.1.1@wlan0 600\n::/0 fe80::1@wlan0 1024")

	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	do(t, err)
	defer file.Close()
	notes := &journal{file: file, path: file.Name()}
	for _, each := range own {
		do(t, notes.write("had %s", each))
	}
	// OpenVPN deletes the one, and puts its own in the place of the other. Both have gone with its device.
	do(t, notes.write("deleted 0.0.0.0/0 192.168.1.1 0"))
	do(t, notes.write("added ::/0 2001:db8::1 1024"))
	ip("route", "delete", "default")
	ip("-6", "route", "delete", "default")
	expect(t, defaults(), "")
	read, err := notes.read()
	do(t, err)
	do(t, undoRoutes(read))
	expect(t, defaults(), before)
}

func TestATableOfTheNetworkIsCleared(t *testing.T) {
	socket := emptyNetwork(t)
	loopback, err := socket.findLink("lo", 0)
	do(t, err)
	do(t, socket.setUp(loopback.index))
	const number = firstNetworkNumber
	in := func(table uint32) tableRoute {
		return tableRoute{table: table, prefix: netip.MustParsePrefix("10.1.0.0/16"), index: loopback.index, kind: syscall.RTN_UNICAST}
	}
	for _, table := range []uint32{number, number + 1} {
		do(t, socket.change(in(table).add())[0])
	}
	do(t, clearNetworkTable(number))
	for table, want := range map[uint32]int{number: 0, number + 1: 1} {
		left, err := socket.routesOf(4, table)
		do(t, err)
		expect(t, len(left), want)
	}
}

func TestRoutesAreRecordedOnceAndNothingElse(t *testing.T) {
	filter, err := newLogFilter()
	do(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	do(t, err)
	defer file.Close()
	before := logOutput
	t.Cleanup(func() { logOutput = before })
	logOutput = io.Discard
	const added = "net_route_v4_add: 10.1.0.0/16 via 192.168.1.1 dev [NULL] table 0 metric -1\n"
	const existed = "sitnl_send: rtnl: generic error (-17): File exists\n"
	o := &openVPN{journal: &journal{file: file, path: file.Name()}, filter: filter}
	o.relay(strings.NewReader("OpenVPN 2.6\n" + existed + added + "TLS: soft reset\n" + added +
		"net_route_v4_add: 10.2.0.0/16 via 192.168.1.1 dev [NULL] table 0 metric -1\n" + existed + "end"))
	noted, err := os.ReadFile(file.Name())
	do(t, err)
	expect(t, string(noted), "added 10.1.0.0/16 192.168.1.1 0\nadded 10.2.0.0/16 192.168.1.1 0\nexisted 10.2.0.0/16 192.168.1.1 0\n")
}

// A user of a directory service is in no local file.
func TestTheGroupOfAUserThatOnlyTheSystemKnows(t *testing.T) {
	folder, before := t.TempDir(), systemFolders
	t.Cleanup(func() { systemFolders = before })
	systemFolders = []string{folder}
	do(t, os.WriteFile(filepath.Join(folder, "id"), []byte("#!/bin/sh\n[ \"$*\" = '-g 4000000127' ] && echo 1234\n"), 0o755))
	group, err := groupOf(4_000_000_127)
	do(t, err)
	expect(t, group, 1234)
	// One of the local files needs no program.
	group, err = groupOf(65_534)
	do(t, err)
	if group == 1234 {
		t.Error(group)
	}
	if group, err := groupOf(4_000_000_128); err == nil {
		t.Error(group)
	}
}

func TestDescriptorsOfTheCallerStayWithThisProcess(t *testing.T) {
	const inChild = "CAUSEWAY_TEST_DESCRIPTORS"
	if os.Geteuid() != 0 {
		t.Skip("only root may start it")
	}
	if os.Getenv(inChild) != "" {
		do(t, resetProcess())
		flags, _, number := syscall.Syscall(syscall.SYS_FCNTL, 3, syscall.F_GETFD, 0)
		if number != 0 || flags&syscall.FD_CLOEXEC == 0 {
			t.Error("a program that it starts would have it", number)
		}
		expect(t, len(os.Environ()), 0)
		return
	}
	theirs, err := os.Open(os.DevNull)
	do(t, err)
	defer theirs.Close()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env, child.ExtraFiles = []string{inChild + "=yes"}, []*os.File{theirs}
	if output, err := child.CombinedOutput(); err != nil {
		t.Error(err, string(output))
	}
}

// deafVPN ends when it is asked to for the second time.
type deafVPN struct {
	vpn
	over chan struct{}
}

func (d deafVPN) ended() <-chan struct{} { return d.over }

func (d deafVPN) stop(round int) {
	if round == 2 {
		close(d.over)
	}
}

func TestATunnelWhoseAppsCantBePutBackEnds(t *testing.T) {
	emptyNetwork(t)
	// It adds no table, so that the lists can't be set.
	_, asked := standIn(t, "nft")
	program, apps := deafVPN{over: make(chan struct{})}, testApps(onlyApps)
	run := &tunnel{device: "cw7t", vpn: program, apps: apps, watcher: &process{}, unfit: make(chan struct{}, 1)}
	run.running, run.end = context.WithCancel(context.Background())
	apps.tunnel, apps.isUp = run, true
	run.onRulesDeleted()
	expect(t, strings.Contains(strings.Join(asked(), "\n"), "add table inet causeway_cw7t_apps"), true)
	// Nothing waits for a tunnel that is ending already.
	run.onRulesDeleted()
	go run.stay(nil)
	select {
	case <-program.over:
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
}

// As when OpenVPN connects again, and gets another address, before nft is done with the first one.
func TestTheLastAddressesOfATunnelAreGuarded(t *testing.T) {
	standIn(t, "nft")
	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	do(t, err)
	defer file.Close()
	run, guard := &tunnel{device: "cw7t", journal: &journal{file: file, path: file.Name()}}, addressGuard{}
	// The goroutine that was started last comes first.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, each := range []string{"192.0.2.1/32", "192.0.2.2/32", "192.0.2.3/32"} {
		guard.start(run, guardRules(run.device, []netip.Prefix{netip.MustParsePrefix(each)}))
	}
	guard.wait()
	expect(t, strings.Contains(run.rules.chains, "daddr 192.0.2.3 "), true)
}

// As when a firewall is reloaded after nft has made the rules, and before its program ends.
func TestRulesThatAreDeletedAsSoonAsTheyAreMadeComeBack(t *testing.T) {
	// It adds no table.
	folder, asked := standIn(t, "nft")
	nft, gate := filepath.Join(folder, "nft"), filepath.Join(folder, "gate")
	script, err := os.ReadFile(nft)
	do(t, err)
	do(t, os.WriteFile(nft, append(script, "[ ! -p "+gate+" ] || read -r line <"+gate+" || true\n"...), 0o755))
	do(t, syscall.Mkfifo(gate, 0o600))
	rules, added, restored := ownRules{}, make(chan error), make(chan error)
	go func() { added <- rules.add(nft, "cw7t", "  chain guard { }\n") }()
	// This waits until the program reads.
	end, err := os.OpenFile(gate, os.O_WRONLY, 0)
	do(t, err)
	do(t, os.Remove(gate))
	begun := make(chan struct{})
	go func() {
		close(begun)
		restored <- rules.restore("cw7t")
	}()
	<-begun
	do(t, end.Close())
	do(t, <-added)
	do(t, <-restored)
	expect(t, strings.Count(strings.Join(asked(), "\n"), "chain guard"), 2)
}

//go:build !macos_rehearsal

package helper

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestParseCounters(t *testing.T) {
	got, err := parseCounters([]byte("private_key=00\npublic_key=01\nlast_handshake_time_sec=12\nlast_handshake_time_nsec=5\n" +
		"tx_bytes=260\nrx_bytes=92\nerrno=0\n\n"))
	if want := (counters{time.Unix(12, 5), 92, 260}); err != nil || got != want {
		t.Error(got, err)
	}
	got, err = parseCounters([]byte("last_handshake_time_sec=0\nlast_handshake_time_nsec=0\ntx_bytes=0\nrx_bytes=0\nerrno=0\n\n"))
	if err != nil || !got.handshake.IsZero() {
		t.Error(got, err)
	}
	if _, err = parseCounters([]byte("rx_bytes=x\n\n")); err == nil {
		t.Error("accepted a text for a number")
	}
}

// As the kernel answers for a peer with many prefixes: it repeats the peer without counters.
func TestCountersOfThePeer(t *testing.T) {
	time64 := append(number32(7), make([]byte, 12)...)
	bytes64 := append(number32(92), make([]byte, 4)...)
	found := counters{}
	found.addPeer(joined(attribute(wgPeerPublicKey, make([]byte, 32)), attribute(wgPeerHandshake, time64),
		attribute(wgPeerReceived, bytes64), attribute(wgPeerSent, bytes64)))
	found.addPeer(attribute(wgPeerPublicKey, make([]byte, 32)))
	if nativeOrder.Uint32([]byte{1, 0, 0, 0}) == 1 && found != (counters{time.Unix(7, 0), 92, 92}) {
		t.Error(found)
	}
}

func TestAttributes(t *testing.T) {
	text := attribute(3, []byte("abc\x00"), []byte("d"))
	if want := append([]byte{9, 0, 3, 0}, "abc\x00d\x00\x00\x00"...); nativeOrder.Uint16(want) == 9 && !bytes.Equal(text, want) {
		t.Errorf("%q", text)
	}
	found := 0
	attributesOf(append(text, nested(5, number32(1))...), func(kind uint16, value []byte) { found += int(kind) * len(value) })
	if found != 3*5+5*4 {
		t.Error(found)
	}
	// Lengths that leave the message, or don't advance.
	for _, each := range [][]byte{{0, 0, 1, 0}, {3, 0, 1, 0}, {200, 0, 1, 0, 1}, {1}} {
		attributesOf(each, func(uint16, []byte) { t.Errorf("%q", each) })
	}
}

func TestSocketAddress(t *testing.T) {
	if got := socketAddress(netip.MustParseAddrPort("192.0.2.1:258")); len(got) != 16 || !bytes.Equal(got[2:8], []byte{1, 2, 192, 0, 2, 1}) {
		t.Error(got)
	}
	if got := socketAddress(netip.MustParseAddrPort("[2001:db8::1]:258")); len(got) != 28 || got[0] != syscall.AF_INET6 || got[8] != 0x20 || got[23] != 1 {
		t.Error(got)
	}
}

func TestKillSwitchPermitsTheServer(t *testing.T) {
	rules := killSwitchRules(1000, "cw7t", []remote{
		{host: host{address: netip.MustParseAddr("192.0.2.1")}, port: 51820, protocol: "udp", mark: 51820},
		{host: host{address: netip.MustParseAddr("2001:db8::1")}, port: 443, protocol: "tcp"},
		{host: host{address: netip.MustParseAddr("192.0.2.7")}, port: 443, protocol: "tcp", from: 61234},
	}, nil, nil)
	for _, line := range []string{
		"    meta mark 51820 ip daddr 192.0.2.1 udp dport 51820 accept\n",
		// A program without rights connects to the proxy, from one port.
		"    ip daddr 192.0.2.7 tcp sport 61234 tcp dport 443 accept\n",
		// A proxy of this computer connects for it.
		"    ip6 daddr 2001:db8::1 tcp dport 443 accept\n",
	} {
		if !strings.Contains(rules, line) {
			t.Errorf("%q is missing in:\n%s", line, rules)
		}
	}
}

// A broken family costs one turn, and a slow way gets more time in the next round.
func TestTurns(t *testing.T) {
	begun := time.Now()
	turn := newTurn(begun)
	taken := []int{}
	for seconds := 0; seconds <= 20; seconds++ {
		if turn.isOver(begun.Add(time.Duration(seconds)*time.Second), 2) {
			taken = append(taken, seconds)
		}
	}
	if got := fmt.Sprint(taken); got != "[2 4 8 12 20]" {
		t.Error(got)
	}
	if turn.isOver(begun.Add(time.Hour), 1) {
		t.Error("moved to the only address")
	}
}

func TestGatewayOf(t *testing.T) {
	for addresses, want := range map[string]string{
		"10.88.0.2/24 fd88::2/64": "10.88.0.1", "10.88.0.1/24 fd88::2/64": "fd88::1", "10.88.0.2/32 fd88::2/128": "invalid IP",
	} {
		prefixes := []netip.Prefix{}
		for _, each := range strings.Fields(addresses) {
			prefixes = append(prefixes, netip.MustParsePrefix(each))
		}
		if got, _ := gatewayOf(prefixes); got.String() != want {
			t.Errorf("%s: got %s, want %s", addresses, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	got := parseNumbers("cw1t 51820 0\ncw2t 51821 -\nx 51822 0\ncw3t 51823\ncw4t y 0\ncw5t 51824 /etc\n")
	if len(got) != 2 || got[0] != (reservedNumber{"cw1t", 51820, "0"}) || got[1] != (reservedNumber{"cw2t", 51821, "-"}) {
		t.Error(got)
	}
}

func TestChecksum(t *testing.T) {
	if got := checksum([]byte{8, 0, 0, 0, 0x12, 0x34, 0, 1, 0xff}); got != 0xe6c9 {
		t.Errorf("%x", got)
	}
}

func TestParseStatistics(t *testing.T) {
	counts := []byte{}
	for index := 0; index <= sendDrops; index++ {
		counts = append(counts, byte(index+1), 0, 0, 0, 0, 0, 0, 0)
	}
	head := make([]byte, syscall.SizeofIfInfomsg)
	got, ok := parseStatistics(append(head, attribute(iflaStats64, counts)...))
	if want := (statistics{1, 3, 2, 6 + 8}); nativeOrder.Uint16([]byte{1, 0}) == 1 && (!ok || got != want) {
		t.Error(got, ok)
	}
	for _, each := range [][]byte{nil, head, append(head, attribute(iflaStats64, counts[8:])...)} {
		if got, ok := parseStatistics(each); ok {
			t.Error(got)
		}
	}
}

func TestNumberStaysTakenUntilAllIsReverted(t *testing.T) {
	// Not unlocked, so that the thread ends with this test.
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNET | syscall.CLONE_NEWNS); err != nil {
		t.Skip("no network namespace here")
	}
	do(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
	do(t, syscall.Mount("tmpfs", "/run", "tmpfs", 0, ""))
	do(t, os.Mkdir(stateFolder, 0o711))
	reserved := reservedNumber{"cw1t", firstNumber, noSetting}
	do(t, withNumbers(func([]reservedNumber) ([]reservedNumber, error) { return []reservedNumber{reserved}, nil }))
	require := func(want int) {
		t.Helper()
		do(t, withNumbers(func(numbers []reservedNumber) ([]reservedNumber, error) {
			if len(numbers) != want {
				t.Errorf("%v, want %d", numbers, want)
			}
			return numbers, nil
		}))
	}
	// The kernel refuses addresses of another family.
	inside := netip.MustParseAddr("fd00::1")
	refused := policyRule{family: 4, table: firstNumber, suppress: -1, from: inside, gateway: inside}
	if err := (wireGuardRecord{number: true, rules: []policyRule{refused}}).undo("cw1t"); err == nil {
		t.Error("no failure")
	}
	require(1)
	absent := policyRule{family: 4, table: firstNumber, notMark: firstNumber, suppress: -1}
	do(t, wireGuardRecord{number: true, table: firstNumber, rules: []policyRule{absent}}.undo("cw1t"))
	require(0)
}

func TestSetUpNamesTheStepThatFailed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may make a network")
	}
	runtime.LockOSThread()
	// The thread ends with this test, and its network with it.
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		t.Skip(err)
	}
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.close()
	loopback, err := socket.findLink("lo", 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &wireGuard{routes: socket, link: loopback}
	before := syscall.Rlimit{}
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	// No file may be opened any more.
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	failure := linuxRouter{w}.setUp()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	expect(t, causeWords(at("set-up", failure)), []string{"subscribe", "EMFILE"})
	if now, err := socket.findLink("lo", 0); err != nil || !now.isUp {
		t.Error("it was not set up before", err)
	}
	w.link.index = 12345
	expect(t, causeWords(at("set-up", linuxRouter{w}.setUp())), []string{"set-up", "ENODEV"})
}

// Whoever deletes something waits for the kernel at the end of nft.
func TestNewTableDeletesOnlyWhatIsThere(t *testing.T) {
	// Not unlocked, so that the thread ends with this test.
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		t.Skip("no network namespace here")
	}
	nft, err := systemProgram("nft")
	if err != nil {
		t.Skip("no nft")
	}
	run := func(rules string, arguments ...string) (string, error) {
		// From this thread, unlike runTool.
		command := exec.Command(nft, arguments...)
		command.Stdin = strings.NewReader(rules)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	add := func(rules string) error {
		_, err := run(rules, "-f", "-")
		return err
	}
	first := firewallRules("cw1t", markRules(firstNumber))
	if strings.Contains(first, "delete") {
		t.Error(first)
	}
	do(t, add(first))
	// Its rules don't stay beside the new ones.
	do(t, add(firewallRules("cw1t", "  chain other { }\n")))
	listed, err := run("", "list", "ruleset")
	if do(t, err); !strings.Contains(listed, "other") || strings.Contains(listed, "restore") {
		t.Error(listed)
	}
	if add(first) == nil {
		t.Error("added to the table of somebody else")
	}
}

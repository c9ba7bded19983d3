//go:build !windows

package helper

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// modelSystem stands in for a device, the network and the names of any system, and notes what is asked of it.
type modelSystem struct {
	did []string
	// ways holds the errors for addresses, names what a name has, failing what fails.
	ways    map[string]error
	names   []string
	failing map[string]bool
	mtu     int
	count   counters
	device  statistics
	answers []int
}

func (m *modelSystem) do(what string, words ...any) error {
	m.did = append(m.did, strings.TrimSpace(fmt.Sprintln(append([]any{what}, words...)...)))
	if m.failing[what] {
		return errors.New(what)
	}
	return nil
}

func (m *modelSystem) configure(_ *wireGuardRequest, to netip.AddrPort, mark uint32) error {
	return m.do("configure", to, mark)
}
func (m *modelSystem) setPeer(_ *wireGuardRequest, to netip.AddrPort) error { return m.do("peer", to) }
func (m *modelSystem) setEndpoint(_ wireGuardKey, to netip.AddrPort) error {
	return m.do("endpoint", to)
}
func (m *modelSystem) counters() (counters, error)          { return m.count, nil }
func (m *modelSystem) makeDevice() (wireGuardDevice, error) { return m, m.do("device") }
func (m *modelSystem) setUp() error                         { return m.do("up") }
func (m *modelSystem) reach(server netip.Addr) error        { return m.do("reach", server) }
func (m *modelSystem) stop()                                { _ = m.do("stop") }
func (m *modelSystem) lead() (bool, error)                  { return m.failing["IPv6"], m.do("lead") }
func (m *modelSystem) dial(before, to remote) error {
	return m.do("dial", before.host.address, to.host.address, to.from)
}

func (m *modelSystem) addAddress(address netip.Prefix) error {
	if m.failing["IPv6"] && address.Addr().Is6() {
		return errNoIPv6
	}
	return m.do("address", address)
}
func (m *modelSystem) way(to netip.Addr) error                { return m.ways[to.String()] }
func (m *modelSystem) pathMTU(netip.Addr) (int, error)        { return m.mtu, m.do("path") }
func (m *modelSystem) setMTU(mtu int) error                   { return m.do("mtu", mtu) }
func (m *modelSystem) statistics() (statistics, bool)         { return m.device, !m.failing["statistics"] }
func (m *modelSystem) openPing(to netip.Addr) (pinger, error) { return m, m.do("ping", to) }
func (m *modelSystem) send(payload int) error                 { return m.do("send", payload) }
func (m *modelSystem) close()                                 { _ = m.do("close") }

func (m *modelSystem) receive(time.Time) (int, bool) {
	if len(m.answers) == 0 {
		return 0, false
	}
	first := m.answers[0]
	m.answers = m.answers[1:]
	return first, first > 0
}

func (m *modelSystem) addresses(host) ([]netip.Addr, error) {
	found := []netip.Addr{}
	for _, each := range m.names {
		found = append(found, netip.MustParseAddr(each))
	}
	return found, m.do("look-up")
}

func (m *modelSystem) permit(remotes []remote) bool {
	hosts := []any{}
	for _, each := range remotes {
		hosts = append(hosts, each.host.address)
	}
	return m.do("permit", hosts...) == nil
}

// testCore returns a tunnel in a model, whose server's name has these addresses.
func testCore(t *testing.T, names ...string) (*wireGuardCore, *modelSystem) {
	t.Helper()
	// Those of other tests.
	said()
	model := &modelSystem{names: names, ways: map[string]error{}, failing: map[string]bool{}, mtu: 1500}
	core := &wireGuardCore{
		asked: &wireGuardRequest{
			endpoint: remote{host: host{name: "vpn.example.org"}, port: 51820, protocol: "udp"},
			allowed:  []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, addresses: []netip.Prefix{netip.MustParsePrefix("10.0.0.2/24")},
			keepalive: 25,
		},
		device: model, router: model, resolver: model, mark: 7, over: make(chan struct{}),
	}
	return core, model
}

// said returns the messages since the last call.
func said() []string {
	lines := []string{}
	for {
		select {
		case line := <-messages:
			lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "causeway-helper: "))
		default:
			return lines
		}
	}
}

func expect(t *testing.T, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCoreTriesAddressesThatCanBeReached(t *testing.T) {
	core, model := testCore(t, "192.0.2.1", "2001:db8::1", "192.0.2.2", "127.0.0.1")
	model.ways["192.0.2.1"] = errNoWay
	model.ways["192.0.2.2"] = errors.New("says nothing of the address")
	found, err := core.findServers()
	hosts := []string{}
	for _, each := range found {
		hosts = append(hosts, each.host.address.String())
		if each.mark != 7 || each.port != 51820 {
			t.Error(each)
		}
	}
	expect(t, err, nil)
	expect(t, hosts, []string{"2001:db8::1", "192.0.2.2"})
	expect(t, said(), []string{"remote 2001:db8::1 51820"})
}

func TestCoreSaysWhyNoAddressIsLeft(t *testing.T) {
	for want, begin := range map[string]func(*modelSystem){
		"failed unresolved look-up": func(m *modelSystem) { m.failing["look-up"] = true },
		"failed endpoint":           func(m *modelSystem) { m.names = []string{"127.0.0.1"} },
		"failed no-ipv4":            func(m *modelSystem) { m.ways["192.0.2.1"] = errNoWay },
		"failed unreachable": func(m *modelSystem) {
			m.ways["192.0.2.1"], m.ways["2000::1"] = errNoWay, errNoWay
		},
	} {
		core, model := testCore(t, "192.0.2.1")
		begin(model)
		_, err := core.findServers()
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestCoreStartsInThisOrder(t *testing.T) {
	all := []string{"look-up", "path", "device", "configure 192.0.2.1:51820 7", "address 10.0.0.2/24", "address fd00::2/64", "up", "lead"}
	for failing, want := range map[string]struct {
		did  []string
		said string
	}{
		"":          {all, "<nil>"},
		"device":    {all[:3], "device"},
		"configure": {all[:4], "failed wireguard configure"},
		"address":   {all[:5], "failed address add-address"},
		"up":        {all[:7], "failed device set-up"},
		"lead":      {all, "lead"},
	} {
		core, model := testCore(t, "192.0.2.1")
		core.asked.addresses = append(core.asked.addresses, netip.MustParsePrefix("fd00::2/64"))
		if _, err := core.findServers(); err != nil {
			t.Fatal(err)
		}
		model.failing[failing] = true
		if err := core.setUp(); !strings.HasPrefix(fmt.Sprint(err), want.said) {
			t.Errorf("%s: %v", failing, err)
		}
		expect(t, model.did, want.did)
	}
	core, model := testCore(t, "192.0.2.1")
	core.asked.addresses = append(core.asked.addresses, netip.MustParsePrefix("fd00::2/64"))
	model.failing["IPv6"] = true
	if _, err := core.findServers(); err != nil {
		t.Fatal(err)
	}
	said()
	expect(t, core.setUp(), nil)
	expect(t, core.addresses, []string{"10.0.0.2/24"})
	expect(t, said(), []string{"ipv6 off"})
}

func TestCoreLetsTheClientOfAProxyDial(t *testing.T) {
	core, model := testCore(t, "192.0.2.1", "192.0.2.2")
	core.asked.proxy = &remote{host: host{name: "proxy.example.org"}, port: 443, protocol: "tcp", from: 61234}
	if _, err := core.findServers(); err != nil {
		t.Fatal(err)
	}
	said()
	for _, each := range []struct{ line, failing, want string }{
		{"dial 192.0.2.1 61234", "", "dial permitted"},
		{"dial 192.0.2.2 61240", "permit", "dial failed"},
		{"dial 192.0.2.2 61240", "dial", "dial failed"},
		{"dial 192.0.2.2 61240", "", "dial permitted"},
		{"dial 192.0.2.9 61240", "", "dial refused"},
		{"dial 192.0.2.1 any", "", "dial refused"},
	} {
		model.failing = map[string]bool{each.failing: true}
		core.carryOut(each.line)
		lines := said()
		expect(t, lines[len(lines)-1], each.want)
	}
	expect(t, core.dialled.host, "192.0.2.2")
	expect(t, model.did[1:], []string{
		"permit 192.0.2.2", "permit 192.0.2.2", "dial 192.0.2.1 192.0.2.2 61240", "permit 192.0.2.2", "dial 192.0.2.1 192.0.2.2 61240",
	})
}

func TestCoreMovesToTheNextAddress(t *testing.T) {
	core, model := testCore(t, "192.0.2.1", "192.0.2.2")
	if _, err := core.findServers(); err != nil {
		t.Fatal(err)
	}
	// Before the first handshake, the peer begins anew; after it, its keys are good.
	expect(t, core.useNext(), "changed")
	model.count.handshake = time.Unix(1, 0)
	expect(t, core.useNext(), "changed")
	model.failing["endpoint"] = true
	expect(t, core.useNext(), "failed")
	expect(t, core.endpoint(), "192.0.2.1:51820")
	expect(t, model.did, []string{
		"look-up", "reach 192.0.2.2", "peer 192.0.2.2:51820", "reach 192.0.2.1", "endpoint 192.0.2.1:51820",
		// And back.
		"reach 192.0.2.2", "endpoint 192.0.2.2:51820", "reach 192.0.2.1",
	})
	said()
}

func TestCoreFollowsTheNameOfTheServer(t *testing.T) {
	for _, each := range []struct {
		names         []string
		failing, want string
		did           []string
		endpoint      string
	}{
		{[]string{"192.0.2.1"}, "", "same", []string{"look-up"}, "192.0.2.1"},
		// Both pass until the device has moved.
		{
			[]string{"192.0.2.9"}, "", "changed",
			[]string{"look-up", "permit 192.0.2.1 192.0.2.9", "reach 192.0.2.9", "peer 192.0.2.9:51820", "permit 192.0.2.9"}, "192.0.2.9",
		},
		// The one in use stays while the name has it.
		{
			[]string{"192.0.2.9", "192.0.2.1"}, "", "same",
			[]string{"look-up", "permit 192.0.2.1 192.0.2.9 192.0.2.1", "permit 192.0.2.9 192.0.2.1"}, "192.0.2.1",
		},
		{[]string{"192.0.2.9"}, "look-up", "failed", []string{"look-up"}, "192.0.2.1"},
		{[]string{"192.0.2.9"}, "permit", "failed", []string{"look-up", "permit 192.0.2.1 192.0.2.9"}, "192.0.2.1"},
		{
			[]string{"192.0.2.9"}, "peer", "failed",
			[]string{"look-up", "permit 192.0.2.1 192.0.2.9", "reach 192.0.2.9", "peer 192.0.2.9:51820", "reach 192.0.2.1"}, "192.0.2.1",
		},
		// Within the tunnel's networks: other routes are needed.
		{[]string{"10.0.0.9"}, "", "failed", []string{"look-up"}, "192.0.2.1"},
	} {
		core, model := testCore(t, "192.0.2.1")
		servers, err := core.findServers()
		if err != nil {
			t.Fatal(err)
		}
		core.plan = planRoutes(core.asked, servers)
		model.names, model.did = each.names, nil
		model.failing[each.failing] = true
		expect(t, core.resolveAgain(), each.want)
		expect(t, model.did, each.did)
		expect(t, core.endpoint().Addr(), each.endpoint)
		said()
	}
}

func TestCoreFitsPacketsToTheWay(t *testing.T) {
	for _, each := range []struct {
		path, want int
		failing    string
		address    string
	}{
		{1500, 1420, "", "10.0.0.2/24"}, {9000, 1420, "", "10.0.0.2/24"}, {1400, 1320, "", "10.0.0.2/24"},
		{1300, 1220, "", "10.0.0.2/24"}, {1300, 1280, "", "fd00::2/64"}, {500, 576, "", "10.0.0.2/24"}, {1400, 1420, "path", "10.0.0.2/24"},
	} {
		core, model := testCore(t, "192.0.2.1")
		core.asked.addresses = []netip.Prefix{netip.MustParsePrefix(each.address)}
		model.mtu, model.failing[each.failing] = each.path, true
		if _, err := core.findServers(); err != nil {
			t.Fatal(err)
		}
		expect(t, core.fullMTU(), each.want)
	}
	said()
}

func TestCoreCarriesOutCommands(t *testing.T) {
	core, model := testCore(t, "192.0.2.1")
	if _, err := core.findServers(); err != nil {
		t.Fatal(err)
	}
	said()
	for _, each := range []struct {
		line  string
		begin func()
		want  string
	}{
		{"state", func() {}, "handshake - 0 0 1 2 3 4"},
		{"state", func() { core.countsOwn = true }, "handshake - 0 0 1 2 - 4"},
		{"state", func() { model.failing["statistics"] = true }, "handshake - 0 0"},
		{"state", func() { model.ways["192.0.2.1"] = errNoWay }, "handshake - 0 0 no-way"},
		{"mtu 1300", func() {}, "mtu 1300"},
		{"mtu 100", func() {}, "mtu failed"},
		{"mtu full", func() {}, "mtu 1420"},
		{"next", func() {}, "next same"},
		{"mtu 1400", func() { model.failing["mtu"] = true }, "mtu failed"},
	} {
		model.device = statistics{1, 2, 3, 4}
		each.begin()
		if !core.carryOut(each.line) {
			t.Error(each.line)
		}
		if got := said(); len(got) == 0 || got[0] != each.want {
			t.Errorf("%s: got %q, want %s", each.line, got, each.want)
		}
	}
	if core.carryOut("stat") || core.carryOut("") {
		t.Error("unknown commands")
	}
}

func TestCoreTestsThePassage(t *testing.T) {
	for want, answers := range map[string][]int{
		"full":  {smallPing, 1392},
		"small": {smallPing, 0, smallPing, 0, smallPing, 0},
		"none":  {},
	} {
		core, model := testCore(t, "192.0.2.1")
		core.mtu.Store(1420)
		core.addresses, model.answers = core.asked.addresses, answers
		expect(t, core.test(), want)
		if !reflect.DeepEqual(model.did[:3], []string{"ping 10.0.0.1", "send 1392", "send 56"}) {
			t.Error(model.did)
		}
	}
	core, model := testCore(t, "192.0.2.1")
	core.addresses, model.failing["ping"] = core.asked.addresses, true
	expect(t, core.test(), "none")
}

func TestCoreEndsOnce(t *testing.T) {
	core, _ := testCore(t, "192.0.2.1")
	core.finish(exitKilled, "exited", 1)
	core.stop(1)
	<-core.ended()
	expect(t, core.result(), exitKilled)
	expect(t, said(), []string{"exited 1"})
}

package helper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"reflect"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// modelService stands in for the system of a service, notes what is asked of it, and fails where it is told to.
type modelService struct {
	access  sync.Mutex
	did     []string
	failing string
	blocked bool
	// rules are those of one tunnel that the firewall has.
	rules Blocked
	names []netip.Addr
	// withoutIPv6 is true if the device has none.
	withoutIPv6 bool
	// resolve, if not nil, looks names up in place of these.
	resolve func(during context.Context, name string) ([]netip.Addr, error)
	gone    chan string
	// changed is what is to be called when OpenVPN's device comes or goes.
	changed func() bool
	// hears, if not nil, receives what is asked of it.
	hears chan string
	// configured receives what WireGuard was told.
	configured strings.Builder
}

func (m *modelService) do(what string, words ...any) error {
	m.access.Lock()
	defer m.access.Unlock()
	m.did = append(m.did, strings.TrimSpace(fmt.Sprintln(append([]any{what}, words...)...)))
	if m.hears != nil {
		m.hears <- what
	}
	if m.failing == what {
		return cause("refused")
	}
	return nil
}

func (m *modelService) LookUp(during context.Context, name string) ([]netip.Addr, error) {
	if m.resolve != nil {
		return m.resolve(during, name)
	}
	return m.names, m.do("look-up", name)
}
func (m *modelService) HasWay(netip.Addr) (bool, error)   { return true, nil }
func (m *modelService) PathMTU(netip.Addr) (int, error)   { return 1500, nil }
func (m *modelService) Bypass(to netip.Addr) error        { return m.do("bypass", to) }
func (m *modelService) SetMTU(mtu int) error              { return m.do("mtu", mtu) }
func (m *modelService) Counters() (Counters, bool)        { return Counters{1, 2, 3, 4}, true }
func (m *modelService) OpenPing(netip.Addr) (Ping, error) { return nil, errors.New("none") }
func (m *modelService) Gone() <-chan string               { return m.gone }
func (m *modelService) Close() error                      { return m.do("close") }

func (m *modelService) IsBlocked(what Blocked) (bool, error) {
	m.access.Lock()
	defer m.access.Unlock()
	if what.Everything {
		return m.blocked, nil
	}
	if m.failing == "is-blocked" {
		return false, cause("refused")
	}
	return m.rules == what, nil
}

func (m *modelService) LeadInside(addresses []netip.Addr) error { return m.do("inside", addresses) }

func (m *modelService) Block(servers []Server, what Blocked) error {
	m.access.Lock()
	m.blocked = m.blocked || what.Everything
	m.rules = what
	m.rules.Everything = false
	m.access.Unlock()
	return m.do("block", servers, named(what))
}

// named lists what is blocked.
func named(what Blocked) []string {
	names := []string{}
	for name, is := range map[string]bool{"everything": what.Everything, "local": what.Local, "IPv4": what.IPv4, "IPv6": what.IPv6} {
		if is {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func (m *modelService) LetOpenVPN(changed func() bool) error {
	m.changed = changed
	if m.failing == "of-others" {
		return ErrOpenVPNOfOthers
	}
	return m.do("let-openvpn")
}

func (m *modelService) Unblock() (bool, error) {
	was := m.blocked
	m.blocked = false
	return was, m.do("unblock")
}

func (m *modelService) SetUp(addresses, routes []netip.Prefix) ([]netip.Prefix, bool, error) {
	taken := []netip.Prefix{}
	for _, each := range addresses {
		if each.Addr().Is4() || !m.withoutIPv6 {
			taken = append(taken, each)
		}
	}
	return taken, m.withoutIPv6, m.do("set-up", addresses, routes)
}

func (m *modelService) SetDNS(servers []netip.Addr, domains []string, every bool) error {
	return m.do("dns", servers, domains, every)
}

// Open answers as WireGuard does, with a handshake from just now.
func (m *modelService) Open(mtu int) (string, Connection, error) {
	own, its := net.Pipe()
	go func() {
		buffer := make([]byte, 4096)
		for {
			length, err := its.Read(buffer)
			if err != nil {
				return
			}
			m.access.Lock()
			m.configured.Write(buffer[:length])
			m.access.Unlock()
			fmt.Fprintf(its, "last_handshake_time_sec=%d\nrx_bytes=92\ntx_bytes=148\nerrno=0\n\n", time.Now().Unix())
		}
	}()
	return "cw1t", own, m.do("open", mtu)
}

const serviceRequest = "kill-switch on\ndns on\n" +
	"private-key AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\naddress 10.9.0.2/24\n" +
	"peer AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\nendpoint 192.0.2.1 51820\nallowed 0.0.0.0/0\n#END\n"

// serveModel serves a request in a model, and returns the messages and the exit status once the input has ended.
func serveModel(t *testing.T, model *modelService, command string, in io.Reader) (said []string, status int) {
	t.Helper()
	// Those of other tests.
	for len(messages) > 0 {
		<-messages
	}
	out := &bytes.Buffer{}
	status = Serve(command, in, out, model)
	rest := out.Bytes()
	for len(rest) > 0 {
		length := int(rest[1])<<8 | int(rest[2])
		switch text := rest[3 : 3+length]; rest[0] {
		case streamMessages:
			said = append(said, strings.TrimSuffix(strings.TrimPrefix(string(text), "causeway-helper: "), "\n"))
		case streamStatus:
			if int(text[0]) != status || len(rest) != 4 {
				t.Error("not the last frame", rest)
			}
		}
		rest = rest[3+length:]
	}
	return said, status
}

func TestServiceBlocksBeforeItMakesADevice(t *testing.T) {
	model := &modelService{gone: make(chan string)}
	said, status := serveModel(t, model, "wireguard", strings.NewReader(serviceRequest))
	if status != 0 || !reflect.DeepEqual(said[:3], []string{"remote 192.0.2.1 51820", "kill-switch on", "started cw1t userspace"}) {
		t.Error(said, status)
	}
	want := []string{
		"block [{192.0.2.1:51820 false 0}] [IPv6 everything]", "open 1420", "block [{192.0.2.1:51820 false 0}] [IPv6 everything]",
		"set-up [10.9.0.2/24] [0.0.0.0/0]", "close",
	}
	if !reflect.DeepEqual(model.did, want) || !model.blocked {
		t.Errorf("%q", model.did)
	}
	if !strings.Contains(model.configured.String(), "private_key=0101") || !strings.Contains(model.configured.String(), "allowed_ip=0.0.0.0/0") {
		t.Error(model.configured.String())
	}
}

func TestServiceUndoesEverythingWhateverFails(t *testing.T) {
	byName := strings.Replace(serviceRequest, "192.0.2.1", "vpn.example.org", 1)
	for _, each := range []string{"look-up", "block", "open", "set-up"} {
		model := &modelService{failing: each, gone: make(chan string), names: []netip.Addr{netip.MustParseAddr("192.0.2.1")}}
		said, status := serveModel(t, model, "wireguard", strings.NewReader(byName))
		if status != exitRefused || !strings.HasPrefix(said[len(said)-1], "failed ") {
			t.Error(each, said, status)
		}
		if last := model.did[len(model.did)-2:]; !strings.HasPrefix(last[0], each) || last[1] != "close" {
			t.Errorf("%s: %q", each, model.did)
		}
		for _, text := range said {
			if strings.Contains(text, "started") || strings.Contains(text, "AQEB") {
				t.Error(each, text)
			}
		}
	}
}

func TestServiceCarriesOutCommands(t *testing.T) {
	model := &modelService{gone: make(chan string)}
	commands := "dns 10.9.0.1 example.org\ndns 127.0.0.1\nmtu 1300\nmtu 9000\nstate\ndial 192.0.2.1 any\nexec calc\nrelease\nrelease\n"
	said, _ := serveModel(t, model, "wireguard", strings.NewReader(serviceRequest+commands))
	heard := strings.Join(said, "\n")
	for _, each := range []string{
		"dns applied NRPT", "dns refused", "mtu 1300", "mtu failed", " 92 148 1 2 3 4", "dial refused", "unknown-command",
		"kill-switch released", "kill-switch none",
	} {
		if !strings.Contains(heard, each) {
			t.Errorf("%s is missing in %s", each, heard)
		}
	}
	if !strings.Contains(strings.Join(model.did, "\n"), "dns [10.9.0.1] [example.org] false") || model.blocked {
		t.Errorf("%q", model.did)
	}
}

func TestServiceLeadsOnlyAProxyPastTheTunnel(t *testing.T) {
	model := &modelService{gone: make(chan string), names: []netip.Addr{netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("192.0.2.8")}}
	request := strings.Replace(serviceRequest, "endpoint 192.0.2.1 51820\n",
		"endpoint 127.0.0.1 51821\nlisten-port 51822\nproxy proxy.example.org 443 40000\n", 1)
	said, _ := serveModel(t, model, "wireguard", strings.NewReader(request+"dial 192.0.2.8 40001\ndial 192.0.2.9 40001\n"))
	want := []string{
		"look-up proxy.example.org", "block [{192.0.2.7:443 true 40000}] [IPv6 everything]", "bypass 192.0.2.7", "open 1420",
		"block [{192.0.2.7:443 true 40000}] [IPv6 everything]", "set-up [10.9.0.2/24] [0.0.0.0/0]", "block [{192.0.2.8:443 true 40001}] [IPv6 everything]", "bypass 192.0.2.8", "close",
	}
	if !reflect.DeepEqual(model.did, want) {
		t.Errorf("%q", model.did)
	}
	if heard := strings.Join(said, "\n"); !strings.Contains(heard, "dial permitted") || !strings.Contains(heard, "dial refused") {
		t.Error(heard)
	}
}

func TestServiceSaysThatARoutePastTheTunnelFailed(t *testing.T) {
	model := &modelService{failing: "bypass", gone: make(chan string), names: []netip.Addr{netip.MustParseAddr("192.0.2.7")}}
	request := strings.Replace(serviceRequest, "endpoint 192.0.2.1 51820\n",
		"endpoint 127.0.0.1 51821\nlisten-port 51822\nproxy proxy.example.org 443 40000\n", 1)
	said, status := serveModel(t, model, "wireguard", strings.NewReader(request))
	if last := said[len(said)-1]; status != exitRefused || last != "failed route add-route refused" {
		t.Error(said, status)
	}
	tunnel := &serviceTunnel{serviceSession: serviceSession{system: model}}
	if words := causeWords(at("dial", serviceRouter{tunnel}.dial(remote{}, remote{}))); !reflect.DeepEqual(words, []string{"add-route", "refused"}) {
		t.Error(words)
	}
}

func TestServiceBlocksLocalNetworksAlone(t *testing.T) {
	both := strings.Replace(serviceRequest, "allowed 0.0.0.0/0", "allowed 0.0.0.0/0\nallowed ::/0", 1)
	for lines, want := range map[string]int{"": 0, "local-network block\n": 2} {
		model := &modelService{gone: make(chan string)}
		request := strings.NewReplacer("kill-switch on", "kill-switch off", "#END", lines+"#END").Replace(both)
		serveModel(t, model, "wireguard", strings.NewReader(request))
		if count := strings.Count(strings.Join(model.did, "\n"), "block [{192.0.2.1:51820 false 0}] [local]"); count != want || model.blocked {
			t.Errorf("%q", model.did)
		}
	}
}

const localRequest = "kill-switch off\ndns on\n" +
	"private-key AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\naddress 10.9.0.2/24\n" +
	"peer AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\nendpoint 192.0.2.1 51820\nallowed 0.0.0.0/0\nlocal-network block\n#END\n"

func TestServiceSaysWhetherTheFirewallBlocksLocalNetworks(t *testing.T) {
	for request, want := range map[string]string{
		localRequest: "local-network blocked", strings.Replace(localRequest, "off", "on", 1): "local-network blocked",
		// A split tunnel blocks none, and nobody asked for it.
		strings.Replace(localRequest, "0.0.0.0/0", "10.0.0.0/8", 1): "", strings.Replace(localRequest, "local-network block\n", "", 1): "",
	} {
		said, status := serveModel(t, &modelService{gone: make(chan string)}, "wireguard", strings.NewReader(request))
		heard := strings.Join(said, "\n")
		if status != 0 || strings.Contains(heard, "local-network") != (want != "") || want != "" && !strings.Contains(heard, want+"\nstarted ") {
			t.Errorf("%q: %q %d", request, said, status)
		}
	}
	model := &modelService{failing: "is-blocked", gone: make(chan string)}
	said, _ := serveModel(t, model, "wireguard", strings.NewReader(localRequest))
	if heard := strings.Join(said, "\n"); !strings.Contains(heard, "problem find-rules refused\nlocal-network unknown\nstarted ") {
		t.Errorf("%q", said)
	}
}

func TestServiceSaysThatLocalNetworksAreOpenAgain(t *testing.T) {
	for len(messages) > 0 {
		<-messages
	}
	model := &modelService{}
	tunnel := &serviceTunnel{serviceSession: serviceSession{system: model}}
	tunnel.asked = &wireGuardRequest{blocksLocal: true, allowed: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}
	for _, each := range []struct {
		change func()
		want   []string
	}{
		{func() { model.rules = tunnel.blocked() }, []string{"local-network blocked"}},
		{func() {}, nil},
		{func() { model.rules = Blocked{} }, []string{"local-network open"}},
		{func() {}, nil},
		{func() { model.failing = "is-blocked" }, []string{"problem find-rules refused", "local-network unknown"}},
		{func() {}, nil},
		{func() { model.failing, model.rules = "", tunnel.blocked() }, []string{"local-network blocked"}},
	} {
		each.change()
		tunnel.look()
		said := []string(nil)
		for len(messages) > 0 {
			said = append(said, strings.TrimSpace(strings.TrimPrefix(<-messages, "causeway-helper: ")))
		}
		if !reflect.DeepEqual(said, each.want) {
			t.Errorf("%q, not %q", said, each.want)
		}
	}
}

func TestServiceBlocksAFamilyThatATunnelForEverythingDoesNotCarry(t *testing.T) {
	for allowed, want := range map[string]string{
		"0.0.0.0/0": "[IPv6]", "0.0.0.0/1\nallowed 128.0.0.0/1\nallowed fd00::/8": "[IPv6]", "::/0\nallowed 10.0.0.0/8": "[IPv4]",
		"0.0.0.0/0\nallowed ::/0": "", "10.0.0.0/8": "", "0.0.0.0/2": "",
	} {
		model := &modelService{gone: make(chan string)}
		request := strings.NewReplacer("kill-switch on", "kill-switch off", "0.0.0.0/0", allowed).Replace(serviceRequest)
		serveModel(t, model, "wireguard", strings.NewReader(request))
		did := strings.Join(model.did, "\n")
		if want == "" && strings.Contains(did, "block ") || !strings.Contains(did, want) {
			t.Errorf("%s: %q", allowed, model.did)
		}
	}
}

func TestServiceBlocksIPv6ThatItsDeviceCannotCarry(t *testing.T) {
	for _, address := range []string{"", "address fd00::2/64\n"} {
		for allowed, want := range map[string]bool{"0.0.0.0/0\nallowed ::/0": true, "10.0.0.0/8\nallowed fd00::/8": false} {
			model := &modelService{withoutIPv6: true, gone: make(chan string)}
			request := strings.NewReplacer("kill-switch on", "kill-switch off", "peer ", address+"peer ", "0.0.0.0/0", allowed).Replace(serviceRequest)
			said, status := serveModel(t, model, "wireguard", strings.NewReader(request))
			last := model.did[len(model.did)-2]
			if status != 0 || strings.HasSuffix(last, "[IPv6]") != want || strings.Contains(strings.Join(said, "\n"), "ipv6 off") != (address != "") {
				t.Errorf("%q %q: %q %q", address, allowed, model.did, said)
			}
		}
	}
	// Then nothing may stay of it.
	model := &modelService{withoutIPv6: true, failing: "block", gone: make(chan string)}
	request := strings.NewReplacer("kill-switch on", "kill-switch off", "0.0.0.0/0", "0.0.0.0/0\nallowed ::/0").Replace(serviceRequest)
	said, status := serveModel(t, model, "wireguard", strings.NewReader(request))
	if status != exitRefused || said[len(said)-1] != "failed kill-switch add-rules refused" || model.did[len(model.did)-1] != "close" {
		t.Errorf("%q %q", said, model.did)
	}
}

func TestServiceKeepsNameServersInsideATunnelForMostTraffic(t *testing.T) {
	for allowed, want := range map[string]bool{"0.0.0.0/0": true, "10.0.0.0/8": false} {
		model := &modelService{gone: make(chan string)}
		request := strings.Replace(serviceRequest, "0.0.0.0/0", allowed, 1)
		serveModel(t, model, "wireguard", strings.NewReader(request+"dns 10.9.0.1,fd00::1 example.org\n"))
		did := strings.Join(model.did, "\n")
		// WireGuard takes no packets of the other family.
		if strings.Contains(did, "inside [10.9.0.1]\ndns [10.9.0.1 fd00::1]") != want {
			t.Errorf("%s: %s", allowed, did)
		}
	}
	model := &modelService{failing: "inside", gone: make(chan string)}
	said, _ := serveModel(t, model, "wireguard", strings.NewReader(serviceRequest+"dns 10.9.0.1\n"))
	heard := strings.Join(said, "\n")
	if !strings.Contains(heard, "dns cannot") || !strings.Contains(heard, "problem route-name-servers refused") || strings.Contains(strings.Join(model.did, "\n"), "dns [") {
		t.Error(heard, model.did)
	}
}

func TestServiceTriesEightAddressesOfAName(t *testing.T) {
	model := &modelService{gone: make(chan string)}
	for index := byte(1); index <= 200; index++ {
		model.names = append(model.names, netip.AddrFrom4([4]byte{192, 0, 2, index}))
	}
	serveModel(t, model, "wireguard", strings.NewReader(strings.Replace(serviceRequest, "192.0.2.1", "vpn.example.org", 1)))
	if count := strings.Count(model.did[1], ":51820"); count != 8 {
		t.Error(count, model.did[1])
	}
}

func TestServiceSaysThatAnEarlierKillSwitchIsUp(t *testing.T) {
	for _, blocked := range []bool{false, true} {
		model := &modelService{gone: make(chan string), blocked: blocked}
		said, _ := serveModel(t, model, "wireguard", strings.NewReader(strings.Replace(serviceRequest, "kill-switch on", "kill-switch off", 1)))
		if strings.Contains(strings.Join(said, "\n"), "kill-switch left") != blocked {
			t.Error(said)
		}
	}
}

func TestServiceTellsWhetherAKillSwitchIsUp(t *testing.T) {
	for blocked, want := range map[bool]string{true: "kill-switch on", false: "kill-switch none"} {
		said, status := serveModel(t, &modelService{blocked: blocked}, "blocked", strings.NewReader(""))
		if status != 0 || !reflect.DeepEqual(said, []string{want}) {
			t.Error(said, status)
		}
	}
}

func TestServiceEndsOnCommand(t *testing.T) {
	model := &modelService{gone: make(chan string)}
	in, keepsOpen := io.Pipe()
	go func() { _, _ = io.WriteString(keepsOpen, serviceRequest+"end\n") }()
	if said, status := serveModel(t, model, "wireguard", in); status != 0 || model.did[len(model.did)-1] != "close" {
		t.Error(said, status, model.did)
	}
}

func TestServiceEndsWithItsDevice(t *testing.T) {
	model := &modelService{gone: make(chan string, 1)}
	model.gone <- "device"
	in, keepsOpen := io.Pipe()
	go func() { _, _ = io.WriteString(keepsOpen, serviceRequest) }()
	said, status := serveModel(t, model, "wireguard", in)
	if status != exitGone || said[len(said)-1] != "gone device" || model.did[len(model.did)-1] != "close" || !model.blocked {
		t.Error(said, status, model.did)
	}
}

func TestServiceRefusesHostileRequests(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "failed incomplete",
		"kill-switch maybe\n":            "failed header",
		"kill-switch on\ndns on\n#END\n": "refused private-key",
		strings.Replace(serviceRequest, "allowed 0.0.0.0/0", "PostUp calc.exe", 1):                              "refused unknown",
		strings.Replace(serviceRequest, "endpoint 192.0.2.1", "endpoint 127.0.0.1", 1):                          "refused endpoint",
		strings.Replace(serviceRequest, "10.9.0.2/24", "127.0.0.1/24", 1):                                       "refused address",
		strings.Replace(serviceRequest, "#END", "apps only block\n#END", 1):                                     "refused unknown",
		strings.Replace(serviceRequest, "dns on\n", "dns on\n"+strings.Repeat("allowed 10.0.0.0/8\n", 5001), 1): "refused allowed",
		strings.Replace(serviceRequest, "endpoint", "end\x00point", 1):                                          "refused unprintable",
	} {
		model := &modelService{gone: make(chan string)}
		said, status := serveModel(t, model, "wireguard", strings.NewReader(text))
		if status != exitRefused || len(said) != 1 || said[0] != want || !reflect.DeepEqual(model.did, []string{"close"}) {
			t.Errorf("%.60q: %q %d %q", text, said, status, model.did)
		}
	}
	if said, status := serveModel(t, &modelService{}, "calc", strings.NewReader("")); status != exitRefused || said[0] != "failed usage" {
		t.Error(said, status)
	}
}

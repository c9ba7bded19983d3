package helper

import (
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"
)

const blockRequest = "kill-switch on\ndns on\nlocal-network block\n" +
	"remote vpn.example.org 1194 udp\nremote vpn.example.org 443 tcp4\nremote 2001:db8::7 1194 udp6\n#END\n"

var blockNames = []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}

const everythingBut = "block [{192.0.2.1:1194 false 0} {[2001:db8::1]:1194 false 0} {192.0.2.1:443 true 0} {[2001:db8::7]:1194 false 0}] [everything]"

func TestOpenVPNsKillSwitchIsUpBeforeItStartsAndStays(t *testing.T) {
	model := &modelService{gone: make(chan string), names: blockNames}
	said, status := serveModel(t, model, "openvpn", strings.NewReader(blockRequest+"end\n"))
	if status != 0 || !reflect.DeepEqual(said, []string{"permitted 0=192.0.2.1 0=2001:db8::1 1=192.0.2.1 2=2001:db8::7", "kill-switch on"}) {
		t.Error(said, status)
	}
	// A name is looked up once, and before anything is blocked.
	if want := []string{"look-up vpn.example.org", "let-openvpn", everythingBut, "close"}; !reflect.DeepEqual(model.did, want) {
		t.Errorf("%q", model.did)
	}
	if !model.blocked {
		t.Error("lifted at the end of the tunnel")
	}
}

// blockModel serves a request until its input is closed, which `end` does and returns the messages.
func blockModel(t *testing.T) (model *modelService, input io.Writer, end func() []string) {
	t.Helper()
	model = &modelService{gone: make(chan string), names: blockNames, hears: make(chan string, 64)}
	in, out := io.Pipe()
	ended := make(chan []string)
	go func() {
		said, _ := serveModel(t, model, "openvpn", in)
		ended <- said
	}()
	_, err := io.WriteString(out, blockRequest)
	if err != nil {
		t.Fatal(err)
	}
	model.await("block")
	return model, out, func() []string {
		out.Close()
		return <-ended
	}
}

// await waits until something was asked of the model.
func (m *modelService) await(what string) {
	for <-m.hears != what {
	}
}

func TestOpenVPNsDeviceIsLetPassWhenItComes(t *testing.T) {
	model, _, end := blockModel(t)
	model.changed()
	model.changed()
	if said := end(); !reflect.DeepEqual(said[1:], []string{"kill-switch on"}) {
		t.Error(said)
	}
	if count := strings.Count(strings.Join(model.did, "\n"), everythingBut); count != 3 {
		t.Errorf("%q", model.did)
	}
	// It is late.
	model.changed()
	if model.did[len(model.did)-1] != "close" {
		t.Errorf("%q", model.did)
	}
}

func TestALiftedKillSwitchIsNotRaisedByOpenVPNsDevice(t *testing.T) {
	for by, want := range map[string]string{"its client": "kill-switch released", "somebody else": "kill-switch lifted"} {
		model, input, end := blockModel(t)
		if by == "its client" {
			if _, err := io.WriteString(input, "dns 10.9.0.1\nrelease\n"); err != nil {
				t.Fatal(err)
			}
			model.await("unblock")
		} else if _, err := model.Unblock(); err != nil {
			t.Fatal(err)
		}
		model.changed()
		said := end()
		if !strings.Contains(strings.Join(said, "\n"), want) || model.blocked || strings.Count(strings.Join(model.did, "\n"), everythingBut) != 1 {
			t.Errorf("%q %q", said, model.did)
		}
		if by == "its client" && said[2] != "unknown-command" {
			t.Error(said)
		}
	}
}

func TestOpenVPNsKillSwitchFailsClosed(t *testing.T) {
	for failing, want := range map[string]string{
		"look-up": "permitted 2=2001:db8::7", "let-openvpn": "failed openvpn find-openvpn refused", "of-others": "failed openvpn-of-others",
		"block": "failed kill-switch add-rules refused",
	} {
		model := &modelService{failing: failing, gone: make(chan string), names: blockNames}
		said, status := serveModel(t, model, "openvpn", strings.NewReader(blockRequest))
		if said[0] != want || (status != exitRefused) != (failing == "look-up") || model.did[len(model.did)-1] != "close" {
			t.Errorf("%s: %q %d %q", failing, said, status, model.did)
		}
	}
	for failing, names := range map[string][]netip.Addr{"look-up refused": blockNames, "look-up no-address": nil} {
		model := &modelService{failing: strings.TrimSuffix(failing, " refused"), gone: make(chan string), names: names}
		said, _ := serveModel(t, model, "openvpn", strings.NewReader(strings.Replace(blockRequest, "remote 2001:db8::7 1194 udp6\n", "", 1)))
		if said[0] != "failed unresolved "+failing || model.blocked {
			t.Errorf("%q %q", said, model.did)
		}
	}
}

func TestOpenVPNsKillSwitchTakesOnlySomeAddresses(t *testing.T) {
	model := &modelService{gone: make(chan string)}
	for index := byte(1); index <= 200; index++ {
		model.names = append(model.names, netip.AddrFrom4([4]byte{192, 0, 2, index}))
	}
	for count, want := range map[int]int{1: 8, 3: 24, 64: 64} {
		lines := ""
		for index := 0; index < count; index++ {
			lines += "remote vpn.example.org " + string(rune('1'+index%9)) + "0 udp\n"
		}
		said, _ := serveModel(t, model, "openvpn", strings.NewReader("kill-switch on\ndns on\n"+lines+"#END\n"))
		if found := strings.Count(said[0], "="); found != want {
			t.Error(count, found, said)
		}
	}
}

func TestOpenVPNsKillSwitchRefusesHostileRequests(t *testing.T) {
	for text, want := range map[string]string{
		"": "failed incomplete",
		strings.Replace(blockRequest, "kill-switch on", "kill-switch off", 1):                               "failed header",
		"kill-switch on\ndns on\n#END\n":                                                                    "refused remote",
		strings.Replace(blockRequest, "1194 udp\n", "1194 icmp\n", 1):                                       "refused remote",
		strings.Replace(blockRequest, "1194 udp\n", "1194\n", 1):                                            "refused remote",
		strings.Replace(blockRequest, "1194 udp\n", "1194 udp any\n", 1):                                    "refused remote",
		strings.Replace(blockRequest, "1194 udp\n", "0 udp\n", 1):                                           "refused remote",
		strings.Replace(blockRequest, "vpn.example.org 443", "0.0.0.0/0 443", 1):                            "refused remote",
		strings.Replace(blockRequest, "local-network block", "program C:\\calc.exe", 1):                     "refused unknown",
		strings.Replace(blockRequest, "local-network block", "device 7", 1):                                 "refused unknown",
		strings.Replace(blockRequest, "#END\n", strings.Repeat("remote 192.0.2.1 1 udp\n", 62)+"#END\n", 1): "refused remote",
	} {
		model := &modelService{gone: make(chan string), names: blockNames}
		said, status := serveModel(t, model, "openvpn", strings.NewReader(text))
		if status != exitRefused || len(said) != 1 || said[0] != want || !reflect.DeepEqual(model.did, []string{"close"}) {
			t.Errorf("%.90q: %q %d %q", text, said, status, model.did)
		}
	}
}

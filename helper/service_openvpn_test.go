package helper

import (
	"context"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const blockRequest = "kill-switch on\ndns on\nlocal-network block\n" +
	"remote vpn.example.org 1194 udp\nremote vpn.example.org 443 tcp4\nremote 2001:db8::7 1194 udp6\n#END\n"

var blockNames = []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}

const everythingBut = "block [{192.0.2.1:1194 false 0} {[2001:db8::1]:1194 false 0} {192.0.2.1:443 true 0} {[2001:db8::7]:1194 false 0}] [everything]"

// serveBlock serves a request that its client ends once the kill switch is up.
func serveBlock(t *testing.T, model *modelService, request string) (said []string, status int) {
	t.Helper()
	model.hears = make(chan string, 64)
	in, out := io.Pipe()
	over := make(chan struct{})
	defer in.Close()
	defer close(over)
	go func() {
		// A request that is refused isn't read to its end.
		_, _ = io.WriteString(out, request)
		for {
			select {
			case what := <-model.hears:
				if what == "block" {
					_, _ = io.WriteString(out, "end\n")
					return
				}
			case <-over:
				return
			}
		}
	}()
	return serveModel(t, model, "openvpn", in)
}

func TestOpenVPNsKillSwitchIsUpBeforeItStartsAndStays(t *testing.T) {
	model := &modelService{gone: make(chan string), names: blockNames}
	said, status := serveBlock(t, model, blockRequest)
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
	for i := 0; i < 2; i++ {
		if !model.changed() {
			t.Error("wants to hear of no more devices")
		}
	}
	if said := end(); !reflect.DeepEqual(said[1:], []string{"kill-switch on"}) {
		t.Error(said)
	}
	if count := strings.Count(strings.Join(model.did, "\n"), everythingBut); count != 3 {
		t.Errorf("%q", model.did)
	}
	// It is late.
	if model.changed() || model.did[len(model.did)-1] != "close" {
		t.Errorf("%q", model.did)
	}
}

func TestAFailureToLetTheDevicePassIsReportedOnce(t *testing.T) {
	model, _, end := blockModel(t)
	for _, failing := range []string{"block", "block", "", "block"} {
		model.access.Lock()
		model.failing = failing
		model.access.Unlock()
		model.changed()
	}
	if said := strings.Join(end(), "\n"); strings.Count(said, "problem add-rules") != 2 {
		t.Error(said)
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
		if model.changed() {
			t.Error("looks for a device that nothing keeps from passing")
		}
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
		said, status := serveBlock(t, model, blockRequest)
		if said[0] != want || (status != exitRefused) != (failing == "look-up") || model.did[len(model.did)-1] != "close" {
			t.Errorf("%s: %q %d %q", failing, said, status, model.did)
		}
	}
	for failing, names := range map[string][]netip.Addr{"look-up refused": blockNames, "look-up no-address": nil} {
		model := &modelService{failing: strings.TrimSuffix(failing, " refused"), gone: make(chan string), names: names}
		said, _ := serveBlock(t, model, strings.Replace(blockRequest, "remote 2001:db8::7 1194 udp6\n", "", 1))
		if said[0] != "failed unresolved "+failing || model.blocked {
			t.Errorf("%q %q", said, model.did)
		}
	}
}

const manyNames = "kill-switch on\ndns on\n" +
	"remote a.example 1 udp\nremote 192.0.2.9 1 udp\nremote b.example 2 udp\nremote a.example 3 tcp\nremote c.example 4 udp\n#END\n"

func TestOpenVPNsServersAreLookedUpAtOnce(t *testing.T) {
	model := &modelService{gone: make(chan string)}
	limits, all, asked := make(chan time.Time, 3), make(chan struct{}), int32(0)
	model.resolve = func(during context.Context, name string) ([]netip.Addr, error) {
		limit, _ := during.Deadline()
		limits <- limit
		if atomic.AddInt32(&asked, 1) == 3 {
			close(all)
		}
		select {
		case <-all:
		case <-during.Done():
			return nil, during.Err()
		}
		if name == "b.example" {
			return blockNames, context.DeadlineExceeded
		}
		return []netip.Addr{netip.MustParseAddr(map[string]string{"a.example": "192.0.2.1", "c.example": "192.0.2.3"}[name])}, nil
	}
	said, status := serveBlock(t, model, manyNames)
	if status != 0 || said[0] != "permitted 0=192.0.2.1 1=192.0.2.9 3=192.0.2.1 4=192.0.2.3" {
		t.Error(said, status)
	}
	first, second, third := <-limits, <-limits, <-limits
	if left := time.Until(first); !first.Equal(second) || !first.Equal(third) || left > lookUpTimeout || left < 0 {
		t.Error(first, second, third)
	}
}

func TestOpenVPNsKillSwitchIsNotRaisedForAClientThatHasGone(t *testing.T) {
	for how, leave := range map[string]func(*io.PipeWriter) error{
		"asks for the end": func(out *io.PipeWriter) error { _, err := io.WriteString(out, "end\n"); return err },
		"closes its input": func(out *io.PipeWriter) error { return out.Close() },
	} {
		model := &modelService{gone: make(chan string)}
		asked := make(chan struct{}, 3)
		// Of these names, one is found, and the others hang.
		model.resolve = func(during context.Context, name string) ([]netip.Addr, error) {
			asked <- struct{}{}
			if name == "a.example" {
				return blockNames, nil
			}
			<-during.Done()
			return nil, during.Err()
		}
		in, out := io.Pipe()
		left := make(chan error, 1)
		go func() {
			_, err := io.WriteString(out, manyNames)
			for count := 0; count < 3; count++ {
				<-asked
			}
			if err == nil {
				err = leave(out)
			}
			left <- err
		}()
		said, status := serveModel(t, model, "openvpn", in)
		if err := <-left; err != nil {
			t.Fatal(err)
		}
		if status != exitRefused || len(said) != 1 || said[0] != "failed incomplete" || !reflect.DeepEqual(model.did, []string{"close"}) {
			t.Error(how, said, status, model.did)
		}
		in.Close()
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
		said, _ := serveBlock(t, model, "kill-switch on\ndns on\n"+lines+"#END\n")
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

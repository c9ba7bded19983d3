//go:build service_rehearsal && !windows

// A stand-in for causeway-helper.exe and the service of Windows, for tests on other systems: the service's own code, its frames, and
// the helper's end of them, with a model of Windows whose state is in a folder beside the program.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"causeway-helper"
)

func main() {
	words := os.Args[1:]
	switch {
	case len(words) == 2 && words[0] == "call" && isServiceCommand(words[1]):
		status, err := callModel(words[1])
		if err != nil {
			fail(err)
		}
		os.Exit(status)
	case len(words) == 1 && words[0] == "own-service":
		_, _ = io.WriteString(os.Stdout, strings.TrimSpace(read("own-service"))+"\n")
	case len(words) == 1 && words[0] == "kill-switch":
		followModel()
	case len(words) == 1 && words[0] == "routes":
		answerModelRoutes()
	default:
		fail(failure{reason: "usage"})
	}
}

// callModel runs a command as call.go and windows-service/server.go do: frames between them, and the helper's ends.
func callModel(command string) (int, error) {
	installed := struct{ Installed bool }{}
	if json.Unmarshal([]byte(read("own-service")), &installed) != nil || !installed.Installed {
		return 0, failure{reason: "service-missing"}
	}
	input, toService := io.Pipe()
	answers, fromService := io.Pipe()
	go func() {
		helper.Serve(command, input, fromService, &model{gone: make(chan string)})
		fromService.Close()
	}()
	go helper.SendInput(toService, os.Stdin)
	return relayFrames(answers, os.Stdout, os.Stderr)
}

// followModel writes the state of the kill switch, and again after each change, until the input ends.
func followModel() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	for last := "unknown"; ; {
		if now := read("kill-switch"); now != last {
			last = now
			_ = answer(map[string]any{"recorded": now != "", "own": true})
		}
		select {
		case <-ended:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// answerModelRoutes answers from a network with one way out, and from the routes of the model's device.
func answerModelRoutes() {
	type route struct {
		Prefix    string `json:"prefix"`
		Device    string `json:"device"`
		Connected bool   `json:"connected"`
	}
	routes := []route{{"0.0.0.0/0", "Ethernet", false}, {"192.168.1.0/24", "Ethernet", true}}
	device, prefixes, _ := strings.Cut(read("device"), " ")
	for _, each := range strings.Fields(prefixes) {
		routes = append(routes, route{each, device, false})
	}
	_ = answer(map[string]any{"routes": routes})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		address, way, length := netip.MustParseAddr(lines.Text()), map[string]any{"address": lines.Text()}, -1
		for _, each := range routes {
			if prefix := netip.MustParsePrefix(each.Prefix); prefix.Contains(address) && prefix.Bits() >= length {
				way["device"], length = each.Device, prefix.Bits()
			}
		}
		_ = answer(way)
	}
}

// model is a Windows with one network and no other user, for one tunnel.
type model struct {
	gone   chan string
	device string
	// isOpenVPN is true once OpenVPN's program passes the kill switch.
	isOpenVPN bool
}

func place(name string) string {
	program, err := os.Executable()
	if err != nil {
		fail(err)
	}
	return filepath.Join(filepath.Dir(program), name)
}

// read returns an empty text without the file.
func read(name string) string {
	text, err := os.ReadFile(place(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		fail(err)
	}
	return string(text)
}

func write(name, text string) error { return os.WriteFile(place(name), []byte(text), 0o600) }

func (m *model) LookUp(_ context.Context, name string) ([]netip.Addr, error) {
	if name == "gone.example.org" {
		return nil, errors.New("no such name")
	}
	if name == "here.example.org" {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
}
func (m *model) HasWay(netip.Addr) (bool, error)          { return true, nil }
func (m *model) PathMTU(netip.Addr) (int, error)          { return 1500, nil }
func (m *model) Bypass(netip.Addr) error                  { return nil }
func (m *model) SetMTU(int) error                         { return nil }
func (m *model) LeadInside([]netip.Addr) error            { return nil }
func (m *model) Counters() (helper.Counters, bool)        { return helper.Counters{}, false }
func (m *model) OpenPing(netip.Addr) (helper.Ping, error) { return nil, errors.New("none") }
func (m *model) Gone() <-chan string                      { return m.gone }

func (m *model) IsBlocked(what helper.Blocked) (bool, error) {
	return (!what.Everything || read("firewall") != "") && (!what.Local || read("local-network") != ""), nil
}

func (m *model) LetOpenVPN(func() bool) error {
	m.isOpenVPN = true
	return nil
}

func (m *model) Block(servers []helper.Server, what helper.Blocked) error {
	if what.Local {
		if err := write("local-network", "rules"); err != nil {
			return err
		}
	}
	if !what.Everything {
		return nil
	}
	if err := write("kill-switch", "S-1-5-21-1"); err != nil {
		return err
	}
	if m.isOpenVPN {
		return write("firewall", fmt.Sprint("openvpn ", servers))
	}
	return write("firewall", "rules")
}

func (m *model) Unblock() (bool, error) {
	was := read("firewall") != ""
	if err := write("firewall", ""); err != nil {
		return was, err
	}
	return was, write("kill-switch", "")
}

// Open answers as WireGuard does, with a handshake from just now.
func (m *model) Open(int) (string, helper.Connection, error) {
	own, its := net.Pipe()
	go func() {
		buffer := make([]byte, 4096)
		for {
			if _, err := its.Read(buffer); err != nil {
				return
			}
			fmt.Fprintf(its, "last_handshake_time_sec=%d\nrx_bytes=92\ntx_bytes=148\nerrno=0\n\n", time.Now().Unix())
		}
	}()
	m.device = fmt.Sprintf("cw%dt", os.Getpid())
	return m.device, own, write("device", m.device)
}

func (m *model) SetUp(addresses, routes []netip.Prefix) ([]netip.Prefix, bool, error) {
	text := m.device
	for _, each := range routes {
		text += " " + each.String()
	}
	return addresses, false, write("device", text)
}

func (m *model) SetDNS(servers []netip.Addr, domains []string, every bool) error {
	return write("names", fmt.Sprint(servers, domains, every))
}

func (m *model) Close() error {
	if m.isOpenVPN && read("firewall") != "" {
		if err := write("firewall", "rules"); err != nil {
			return err
		}
	}
	for _, file := range []string{"device", "local-network", "names"} {
		if err := write(file, ""); err != nil {
			return err
		}
	}
	return nil
}

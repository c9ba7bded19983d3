package filter

import (
	"net/netip"
	"testing"

	"causeway-helper"
)

// packet is one that a program sends or receives.
type packet struct {
	device   uint64
	loopback bool
	own      bool
	program  string
	protocol uint8
	remote   string
	port     uint16
	local    uint16
	kind     uint8
}

// passes decides as Windows does within one layer.
func passes(rules []Rule, of packet) bool {
	best, permit := -1, true
	address := netip.MustParseAddr(of.remote)
	for _, each := range rules {
		matches := (address.Is4() && each.IPv4 || address.Is6() && each.IPv6) &&
			(!each.Loopback || of.loopback) &&
			(each.Interface == 0 || each.Interface == of.device) &&
			(!each.Own || each.Program == "" && of.own || each.Program != "" && each.Program == of.program) &&
			(each.Protocol == 0 || each.Protocol == of.protocol) &&
			(!each.Remote.IsValid() || each.Remote.Contains(address)) &&
			(each.RemotePort == 0 || each.RemotePort == of.port) &&
			(each.LocalPort == 0 || each.LocalPort == of.local) &&
			(each.Type == 0 || each.Type == of.kind)
		if matches && int(each.Weight) > best {
			best, permit = int(each.Weight), each.Permit
		}
	}
	return permit
}

const tunnel, ethernet = 7, 3

var everything = helper.Blocked{Everything: true}

var server = helper.Server{Address: netip.MustParseAddrPort("192.0.2.1:51820")}

func TestKillSwitchLetsOnlyTheTunnelPass(t *testing.T) {
	proxy := helper.Server{Address: netip.MustParseAddrPort("[2001:db8::1]:443"), TCP: true, From: 40000}
	rules := Rules(Plan{Tunnel: tunnel, Servers: []helper.Server{server, proxy}, Blocked: everything})
	for name, each := range map[string]struct {
		packet
		want bool
	}{
		"a browser through the tunnel":  {packet{device: tunnel, protocol: TCP, remote: "198.51.100.1", port: 443}, true},
		"a browser past it":             {packet{device: ethernet, protocol: TCP, remote: "198.51.100.1", port: 443}, false},
		"a browser past it over IPv6":   {packet{device: ethernet, protocol: TCP, remote: "2001:db8::2", port: 443}, false},
		"DNS of the network":            {packet{device: ethernet, protocol: UDP, remote: "192.168.1.1", port: 53}, false},
		"a printer":                     {packet{device: ethernet, protocol: TCP, remote: "192.168.1.9", port: 631}, false},
		"multicast":                     {packet{device: ethernet, protocol: UDP, remote: "224.0.0.251", port: 5353}, false},
		"WireGuard to the server":       {packet{device: ethernet, own: true, protocol: UDP, remote: "192.0.2.1", port: 51820}, true},
		"another program to the server": {packet{device: ethernet, protocol: UDP, remote: "192.0.2.1", port: 51820}, false},
		"WireGuard to another port":     {packet{device: ethernet, own: true, protocol: UDP, remote: "192.0.2.1", port: 53}, false},
		"WireGuard by TCP":              {packet{device: ethernet, own: true, protocol: TCP, remote: "192.0.2.1", port: 51820}, false},
		"the client to the proxy":       {packet{device: ethernet, protocol: TCP, remote: "2001:db8::1", port: 443, local: 40000}, true},
		"a browser to the proxy":        {packet{device: ethernet, protocol: TCP, remote: "2001:db8::1", port: 443}, false},
		"DHCP":                          {packet{device: ethernet, protocol: UDP, remote: "255.255.255.255", port: 67, local: 68}, true},
		"DHCP from another port":        {packet{device: ethernet, protocol: UDP, remote: "255.255.255.255", port: 67, local: 4000}, false},
		"DHCP for IPv6":                 {packet{device: ethernet, protocol: UDP, remote: "ff02::1:2", port: 547, local: 546}, true},
		"a neighbour":                   {packet{device: ethernet, protocol: ICMPv6, remote: "fe80::1", kind: 135}, true},
		"an echo request":               {packet{device: ethernet, protocol: ICMPv6, remote: "fe80::1", kind: 128}, false},
		"a program of this computer":    {packet{device: 1, loopback: true, protocol: TCP, remote: "127.0.0.1", port: 8080}, true},
		"what only pretends to be it":   {packet{device: ethernet, protocol: TCP, remote: "127.0.0.1", port: 8080}, false},
	} {
		if got := passes(rules, each.packet); got != each.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestKillSwitchWithoutATunnelLetsOnlyTheServerPass(t *testing.T) {
	rules := Rules(Plan{Servers: []helper.Server{server}, Blocked: everything})
	for _, device := range []uint64{tunnel, ethernet, 0} {
		if passes(rules, packet{device: device, protocol: TCP, remote: "198.51.100.1", port: 443}) {
			t.Error("passes through", device)
		}
	}
	if !passes(rules, packet{device: ethernet, own: true, protocol: UDP, remote: "192.0.2.1", port: 51820}) {
		t.Error("WireGuard can't reach its server")
	}
}

func TestBlockOfLocalNetworksBlocksThemAlone(t *testing.T) {
	rules := Rules(Plan{
		Tunnel: tunnel, Servers: []helper.Server{{Address: netip.MustParseAddrPort("192.168.1.5:51820")}}, Blocked: helper.Blocked{Local: true},
	})
	for remote, want := range map[string]bool{"198.51.100.1": true, "192.168.1.9": false, "10.1.1.1": false, "fe80::2": false, "2001:db8::2": true} {
		if got := passes(rules, packet{device: ethernet, protocol: TCP, remote: remote, port: 445}); got != want {
			t.Error(remote, got)
		}
	}
	if !passes(rules, packet{device: tunnel, protocol: TCP, remote: "10.1.1.1", port: 445}) ||
		!passes(rules, packet{device: ethernet, own: true, protocol: UDP, remote: "192.168.1.5", port: 51820}) {
		t.Error("the tunnel itself is blocked")
	}
}

func TestATunnelOfOneFamilyBlocksTheOther(t *testing.T) {
	plan := Plan{Tunnel: tunnel, Servers: []helper.Server{server}, Blocked: helper.Blocked{IPv6: true}}
	for remote, want := range map[string]bool{"198.51.100.1": true, "192.168.1.9": true, "2001:db8::2": false, "fd00::2": true, "fe80::2": true} {
		if got := passes(Rules(plan), packet{device: ethernet, protocol: TCP, remote: remote, port: 443}); got != want {
			t.Error(remote, got)
		}
	}
	if !passes(Rules(plan), packet{device: ethernet, protocol: ICMPv6, remote: "fe80::1", kind: 135}) {
		t.Error("a neighbour is blocked")
	}
	plan.Local = true
	for remote, want := range map[string]bool{"198.51.100.1": true, "192.168.1.9": false, "2001:db8::2": false, "fd00::2": false} {
		if got := passes(Rules(plan), packet{device: ethernet, protocol: TCP, remote: remote, port: 443}); got != want {
			t.Error("local too:", remote, got)
		}
	}
	plan.Blocked = helper.Blocked{IPv4: true}
	for remote, want := range map[string]bool{"198.51.100.1": false, "192.168.1.9": true, "2001:db8::2": true} {
		if got := passes(Rules(plan), packet{device: ethernet, protocol: TCP, remote: remote, port: 443}); got != want {
			t.Error("IPv4:", remote, got)
		}
	}
	if !passes(Rules(plan), packet{device: ethernet, own: true, protocol: UDP, remote: "192.0.2.1", port: 51820}) {
		t.Error("WireGuard can't reach its server")
	}
}

func TestTheKillSwitchAndTheTunnelHaveRulesOfTheirOwn(t *testing.T) {
	plan := Plan{Tunnel: tunnel, Servers: []helper.Server{server}, Blocked: helper.Blocked{Everything: true, Local: true, IPv6: true}}
	first, second := Rules(KillSwitch(plan)), Rules(OfTunnel(plan))
	// What looks whether the kill switch is up asks for the first one.
	if first[0] != (Rule{IPv4: true, IPv6: true}) {
		t.Errorf("%+v", first[0])
	}
	for name, each := range map[string]struct {
		packet
		killSwitch, tunnel bool
	}{
		"the Internet":   {packet{device: ethernet, protocol: TCP, remote: "198.51.100.1"}, false, true},
		"over IPv6":      {packet{device: ethernet, protocol: TCP, remote: "2001:db8::2"}, false, false},
		"a printer":      {packet{device: ethernet, protocol: TCP, remote: "192.168.1.9"}, false, false},
		"the tunnel":     {packet{device: tunnel, protocol: TCP, remote: "192.168.1.9"}, true, true},
		"the server":     {packet{device: ethernet, own: true, protocol: UDP, remote: "192.0.2.1", port: 51820}, true, true},
		"its neighbours": {packet{device: ethernet, protocol: ICMPv6, remote: "fe80::1", kind: 135}, true, true},
	} {
		if got := passes(first, each.packet); got != each.killSwitch {
			t.Error("kill switch:", name, got)
		}
		if got := passes(second, each.packet); got != each.tunnel {
			t.Error("tunnel:", name, got)
		}
	}
}

func TestKillSwitchAroundOpenVPNLetsItAloneReachItsServers(t *testing.T) {
	const openVPN = `C:\Program Files\OpenVPN\bin\openvpn.exe`
	servers := []helper.Server{server, {Address: netip.MustParseAddrPort("[2001:db8::1]:443"), TCP: true}}
	rules := Rules(KillSwitch(Plan{Tunnel: tunnel, Program: openVPN, Servers: servers, Blocked: everything}))
	for name, each := range map[string]struct {
		packet
		want bool
	}{
		"OpenVPN to the server":         {packet{device: ethernet, program: openVPN, protocol: UDP, remote: "192.0.2.1", port: 51820}, true},
		"OpenVPN by TCP":                {packet{device: ethernet, program: openVPN, protocol: TCP, remote: "2001:db8::1", port: 443}, true},
		"OpenVPN to another server":     {packet{device: ethernet, program: openVPN, protocol: UDP, remote: "192.0.2.9", port: 51820}, false},
		"OpenVPN to another port":       {packet{device: ethernet, program: openVPN, protocol: UDP, remote: "192.0.2.1", port: 53}, false},
		"OpenVPN to the server by TCP":  {packet{device: ethernet, program: openVPN, protocol: TCP, remote: "192.0.2.1", port: 51820}, false},
		"the service to the server":     {packet{device: ethernet, own: true, protocol: UDP, remote: "192.0.2.1", port: 51820}, false},
		"a browser to the server":       {packet{device: ethernet, program: "browser", protocol: TCP, remote: "2001:db8::1", port: 443}, false},
		"another program of that name":  {packet{device: ethernet, program: `C:\openvpn.exe`, protocol: UDP, remote: "192.0.2.1", port: 51820}, false},
		"a browser through the tunnel":  {packet{device: tunnel, program: "browser", protocol: TCP, remote: "198.51.100.1", port: 443}, true},
		"a browser through another one": {packet{device: 8, program: "browser", protocol: TCP, remote: "198.51.100.1", port: 443}, false},
		"a browser past it":             {packet{device: ethernet, program: "browser", protocol: TCP, remote: "198.51.100.1", port: 443}, false},
		"a printer":                     {packet{device: ethernet, program: "browser", protocol: TCP, remote: "192.168.1.9", port: 631}, false},
		"DHCP":                          {packet{device: ethernet, protocol: UDP, remote: "255.255.255.255", port: 67, local: 68}, true},
	} {
		if got := passes(rules, each.packet); got != each.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

//go:build windows && causeway_real

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
	"unsafe"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun/tuntest"
	"golang.zx2c4.com/wireguard/windows/tunnel/winipcfg"
)

// These tests make tunnels with Wintun's driver on a Windows that may lose its network for seconds: the workflow's. The folder
// holds the installed service, Wintun's library and Causeway's helper.
var installed = os.Getenv("CAUSEWAY_SERVICE_FOLDER")

const (
	realWait    = 30 * time.Second
	realRequest = "dns on\nprivate-key AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\naddress 10.99.0.2/24\n" +
		"peer zo060cy2M+x7cMF4FKXHbs0CloUFDTRHRboFhw5YfVk=\nendpoint %s 51899\nallowed 10.99.0.0/16\n#END\ndns 10.99.0.1 example.org\n"
	realServer = "private_key=0202020202020202020202020202020202020202020202020202020202020202\nlisten_port=51899\n" +
		"public_key=a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209\nallowed_ip=0.0.0.0/0\n"
	somewhere = "1.1.1.1:443"
)

// startServer starts a WireGuard server at an address of this computer, which it returns.
func startServer(t *testing.T) netip.Addr {
	t.Helper()
	quiet := &device.Logger{Verbosef: device.DiscardLogf, Errorf: t.Logf}
	server := device.NewDevice(tuntest.NewChannelTUN().TUN(), conn.NewDefaultBind(), quiet)
	if err := server.IpcSet(realServer); err != nil {
		t.Fatal(err)
	}
	if err := server.Up(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	probe, err := net.Dial("udp", somewhere)
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	return netip.MustParseAddrPort(probe.LocalAddr().String()).Addr()
}

// network describes what a tunnel changes: routes, name servers of each interface, and the rule for names.
func network(t *testing.T) string {
	t.Helper()
	lines := []string{}
	table, err := winipcfg.GetIPForwardTable2(windows.AF_UNSPEC)
	if err != nil {
		t.Fatal(err)
	}
	for index := range table {
		row := &table[index]
		lines = append(lines, fmt.Sprint("route ", row.DestinationPrefix.Prefix(), " ", row.InterfaceIndex, " ", row.NextHop.Addr()))
		if servers, err := row.InterfaceLUID.DNS(); err == nil {
			lines = append(lines, fmt.Sprint("servers ", row.InterfaceIndex, " ", servers))
		}
	}
	for _, each := range ownNameRules {
		if key, err := registry.OpenKey(registry.LOCAL_MACHINE, nameRules+`\`+each, registry.QUERY_VALUE); err == nil {
			key.Close()
			lines = append(lines, "rule")
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// eventually waits for something that Windows does beside.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(realWait); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s\n%s", what, network(t))
		}
	}
}

// startTunnel returns the client's process once there was a handshake and name servers are set.
func startTunnel(t *testing.T, killSwitch string, server netip.Addr) (client *exec.Cmd, input io.Closer) {
	t.Helper()
	client = exec.Command(filepath.Join(installed, "causeway-helper.exe"), "call", "wireguard")
	stdin, err := client.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := client.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(stdin, "kill-switch %s\n"+realRequest, killSwitch, server); err != nil {
		t.Fatal(err)
	}
	wanted := []string{"started ", "handshake 0", "dns applied"}
	for lines := bufio.NewScanner(stderr); len(wanted) > 0; {
		if !lines.Scan() {
			t.Fatal("ended without", wanted)
		}
		t.Log(lines.Text())
		left := []string{}
		for _, each := range wanted {
			if !strings.Contains(lines.Text(), each) {
				left = append(left, each)
			}
		}
		wanted = left
	}
	return client, stdin
}

// processes returns those of the service: its own, or the one that holds the tunnel.
func processes(t *testing.T, isWorker bool) []uint32 {
	t.Helper()
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(list)
	entry := windows.ProcessEntry32{}
	entry.Size = uint32(unsafe.Sizeof(entry))
	all := map[uint32]uint32{}
	for err = windows.Process32First(list, &entry); err == nil; err = windows.Process32Next(list, &entry) {
		if windows.UTF16ToString(entry.ExeFile[:]) == "causeway-service.exe" {
			all[entry.ProcessID] = entry.ParentProcessID
		}
	}
	found := []uint32{}
	for id, parent := range all {
		if _, hasParent := all[parent]; hasParent == isWorker {
			found = append(found, id)
		}
	}
	return found
}

func kill(t *testing.T, ids []uint32) {
	t.Helper()
	if len(ids) == 0 {
		t.Fatal("no such process")
	}
	for _, id := range ids {
		process, err := os.FindProcess(int(id))
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTunnelLeavesNothingHoweverItEnds(t *testing.T) {
	server := startServer(t)
	before := network(t)
	for name, end := range map[string]func(client *exec.Cmd, input io.Closer){
		"in order":       func(_ *exec.Cmd, input io.Closer) { input.Close() },
		"client killed":  func(client *exec.Cmd, _ io.Closer) { _ = client.Process.Kill() },
		"worker killed":  func(*exec.Cmd, io.Closer) { kill(t, processes(t, true)) },
		"service killed": func(*exec.Cmd, io.Closer) { kill(t, processes(t, false)) },
		"all killed":     func(*exec.Cmd, io.Closer) { kill(t, append(processes(t, false), processes(t, true)...)) },
	} {
		client, input := startTunnel(t, "off", server)
		during := network(t)
		for _, each := range []string{"route 10.99.0.0/16", "[10.99.0.1]", "rule"} {
			if !strings.Contains(during, each) {
				t.Errorf("%s: %s is missing in\n%s", name, each, during)
			}
		}
		end(client, input)
		_ = client.Wait()
		eventually(t, name+": something is left", func() bool { return network(t) == before })
	}
}

// passes reports whether this program reaches the Internet.
func passes() bool {
	connection, err := net.DialTimeout("tcp", somewhere, 3*time.Second)
	if err == nil {
		connection.Close()
	}
	return err == nil
}

func release(t *testing.T) {
	t.Helper()
	if output, err := exec.Command(filepath.Join(installed, "causeway-helper.exe"), "call", "release").CombinedOutput(); err != nil {
		t.Error(string(output), err)
	}
}

func TestKillSwitchHolds(t *testing.T) {
	server := startServer(t)
	if !passes() {
		t.Skip("this computer reaches nothing")
	}
	defer release(t)
	client, _ := startTunnel(t, "on", server)
	if passes() {
		t.Error("passes beside the tunnel")
	}
	kill(t, append(processes(t, false), processes(t, true)...))
	_ = client.Wait()
	if passes() {
		t.Error("passes after everything was killed")
	}
	release(t)
	if !passes() {
		t.Error("blocked after its release")
	}
}

// installCurl has the registry name a copy of Windows' curl.exe as OpenVPN, which it starts to tell whether that reaches the Internet.
func installCurl(t *testing.T) (passes func() bool) {
	t.Helper()
	system, err := windows.GetSystemDirectory()
	if err != nil {
		t.Fatal(err)
	}
	curl, err := os.ReadFile(filepath.Join(system, "curl.exe"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(installed, "openvpn.exe")
	if err := os.WriteFile(program, curl, 0o755); err != nil {
		t.Fatal(err)
	}
	key, exists, err := registry.CreateKey(registry.LOCAL_MACHINE, openVPNKey, registry.SET_VALUE|registry.WOW64_64KEY)
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close()
	if exists {
		t.Skip("this computer has OpenVPN")
	}
	t.Cleanup(func() { _ = registry.DeleteKey(registry.LOCAL_MACHINE, openVPNKey) })
	if err := key.SetStringValue("exe_path", program); err != nil {
		t.Fatal(err)
	}
	return func() bool {
		return exec.Command(program, "--silent", "--insecure", "--output", "NUL", "--connect-timeout", "3", "https://"+somewhere).Run() == nil
	}
}

func TestKillSwitchAroundOpenVPNLetsItsProgramAlonePass(t *testing.T) {
	curlPasses := installCurl(t)
	if !passes() || !curlPasses() {
		t.Skip("this computer reaches nothing")
	}
	defer release(t)
	client := exec.Command(filepath.Join(installed, "causeway-helper.exe"), "call", "openvpn")
	input, err := client.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := client.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	to := netip.MustParseAddrPort(somewhere)
	if _, err := fmt.Fprintf(input, "kill-switch on\ndns off\nremote %s %d tcp\n#END\n", to.Addr(), to.Port()); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(said); ; {
		if !lines.Scan() {
			t.Fatal("ended without a kill switch")
		}
		t.Log(lines.Text())
		if strings.Contains(lines.Text(), "kill-switch on") {
			break
		}
	}
	if passes() || !curlPasses() {
		t.Error("this program passes:", passes(), "that of OpenVPN:", curlPasses())
	}
	input.Close()
	_ = client.Wait()
	if passes() || curlPasses() {
		t.Error("after the tunnel, this program passes:", passes(), "that of OpenVPN:", curlPasses())
	}
	release(t)
	if !passes() {
		t.Error("blocked after its release")
	}
}

func TestTheFirewallSaysWhatItBlocks(t *testing.T) {
	windowsRules, local := newFirewall(), helper.Blocked{Local: true, IPv6: true}
	t.Cleanup(func() { _ = windowsRules.clear(tunnelRules) })
	for _, each := range []struct {
		set  helper.Blocked
		want bool
	}{{local, true}, {helper.Blocked{IPv6: true}, false}, {local, true}} {
		if err := windowsRules.set(tunnelRules, filter.Rules(filter.Plan{Blocked: each.set})); err != nil {
			t.Fatal(err)
		}
		if blocked, err := isBlocked(windowsRules, local); blocked != each.want || err != nil {
			t.Error(each.set, blocked, err)
		}
	}
	if err := windowsRules.clear(tunnelRules); err != nil {
		t.Fatal(err)
	}
	if blocked, err := isBlocked(windowsRules, local); blocked || err != nil {
		t.Error(blocked, err)
	}
}

//go:build windows && causeway_model

package main

import (
	"encoding/json"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// installOpenVPN has the registry name an OpenVPN of the test's own, with these values, until the test ends. Its program is there.
func installOpenVPN(t *testing.T, values map[string]string) (program string) {
	t.Helper()
	folder, err := windows.KnownFolderPath(windows.FOLDERID_ProgramFilesX64, 0)
	must(t, err)
	folder = filepath.Join(folder, "Causeway OpenVPN test")
	program = filepath.Join(folder, "bin", "openvpn.exe")
	must(t, os.MkdirAll(filepath.Dir(program), 0o755), os.WriteFile(program, nil, 0o644))
	before := openVPNKey
	openVPNKey = `SOFTWARE\CausewayOpenVPNTest`
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, openVPNKey, registry.SET_VALUE|registry.WOW64_64KEY)
	must(t, err)
	defer key.Close()
	for name, value := range values {
		must(t, key.SetStringValue(name, os.Expand(value, func(string) string { return folder })))
	}
	t.Cleanup(func() {
		must(t, registry.DeleteKey(registry.LOCAL_MACHINE, openVPNKey))
		openVPNKey = before
		// Wine 8 can't delete a folder with what is in it.
		must(t, os.Remove(program), os.Remove(filepath.Dir(program)), os.Remove(folder))
	})
	return program
}

func TestOnlyAnOpenVPNOfAdministratorsPasses(t *testing.T) {
	for name, each := range map[string]struct {
		values map[string]string
		err    error
	}{
		"its folder":            {map[string]string{"": "$f"}, nil},
		"its program":           {map[string]string{"": "elsewhere", "exe_path": `$f\bin\openvpn.exe`}, nil},
		"a longer way there":    {map[string]string{"exe_path": `$f\bin\..\bin\openvpn.exe`}, nil},
		"one that is gone":      {map[string]string{"exe_path": `$f\bin\gone.exe`}, helper.ErrNoOpenVPN},
		"a folder":              {map[string]string{"exe_path": `$f\bin`}, helper.ErrOpenVPNOfOthers},
		"one of a user":         {map[string]string{"exe_path": `C:\users\ann\openvpn.exe`}, helper.ErrOpenVPNOfOthers},
		"a way out":             {map[string]string{"exe_path": `$f\..\..\users\openvpn.exe`}, helper.ErrOpenVPNOfOthers},
		"a name":                {map[string]string{"exe_path": "openvpn.exe"}, helper.ErrOpenVPNOfOthers},
		"one of another device": {map[string]string{"exe_path": `\\server\share\openvpn.exe`}, helper.ErrOpenVPNOfOthers},
		"nothing":               {nil, helper.ErrNoOpenVPN},
	} {
		t.Run(name, func(t *testing.T) {
			want := installOpenVPN(t, each.values)
			program, err := openVPNProgram()
			if !errors.Is(err, each.err) || err == nil && program != want {
				t.Error(program, err)
			}
		})
	}
	defer func(before string) { openVPNKey = before }(openVPNKey)
	openVPNKey = `SOFTWARE\CausewayNothing`
	if _, err := openVPNProgram(); !errors.Is(err, helper.ErrNoOpenVPN) {
		t.Error(err)
	}
}

// setDevices has these devices of OpenVPN up in the model.
func setDevices(t *testing.T, names ...string) {
	t.Helper()
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, modelDevices, registry.SET_VALUE|registry.QUERY_VALUE)
	must(t, err)
	defer key.Close()
	there, err := key.ReadValueNames(-1)
	must(t, err)
	for _, each := range there {
		must(t, key.DeleteValue(each))
	}
	for _, each := range names {
		must(t, key.SetStringValue(each, ""))
	}
}

// passing returns the program, the servers and the device that the kill switch lets pass.
func passing(t *testing.T) (program string, servers []netip.Prefix, device uint64) {
	t.Helper()
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, modelKey, registry.QUERY_VALUE)
	must(t, err)
	defer key.Close()
	text, _, err := key.GetStringValue(modelValues[killSwitchRules])
	must(t, err)
	rules := []filter.Rule{}
	must(t, json.Unmarshal([]byte(text), &rules))
	for _, each := range rules {
		if each.Own {
			program, servers = each.Program, append(servers, each.Remote)
		}
		if each.Interface != 0 {
			device = each.Interface
		}
	}
	return program, servers, device
}

func TestNothingPassesTheKillSwitchAfterOpenVPN(t *testing.T) {
	for name, end := range map[string]func(*system){
		"in order":      func(tunnel *system) { must(t, tunnel.Close()) },
		"worker killed": func(tunnel *system) { tunnel.openVPN.close(); windows.CloseHandle(tunnel.lock); must(t, undo()) },
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			setDevices(t, "4")
			t.Cleanup(func() { setDevices(t) })
			want := installOpenVPN(t, map[string]string{"": "$f"})
			tunnel, changes := newSystem(ann), make(chan struct{}, 8)
			must(t, tunnel.LetOpenVPN(func() bool { changes <- struct{}{}; return true }))
			server := helper.Server{Address: netip.MustParseAddrPort("192.0.2.1:1194")}
			block := func() {
				t.Helper()
				must(t, tunnel.Block([]helper.Server{server}, everything))
			}
			block()
			if program, servers, device := passing(t); program != want || len(servers) != 1 || servers[0].Addr() != server.Address.Addr() || device != 0 {
				t.Error(program, servers, device)
			}
			setDevices(t, "4", "7")
			<-changes
			block()
			if _, _, device := passing(t); device != 7 {
				t.Error(device, "passes")
			}
			end(tunnel)
			if program, servers, device := passing(t); program != "" || servers != nil || device != 0 {
				t.Error("left:", program, servers, device)
			}
			if !isUp(t, killSwitchRules) || killSwitchOwner() != ann.sid {
				t.Error("lifted")
			}
			if text, err := noted(stateOpenVPN); text != "" || err != nil {
				t.Error(text, err)
			}
		})
	}
}

// lastPause is the one before the next look at the devices.
var lastPause atomic.Int64

// letPass has the kill switch let OpenVPN pass, and looks at the devices again at these times. What it tells comes through `changes`.
func letPass(t *testing.T, times <-chan time.Time) (tunnel *system, changes <-chan struct{}) {
	t.Helper()
	installOpenVPN(t, map[string]string{"": "$f"})
	before := after
	after = func(pause time.Duration) (<-chan time.Time, func()) {
		lastPause.Store(int64(pause))
		return times, func() {}
	}
	t.Cleanup(func() { after = before })
	tunnel = newSystem(ann)
	told := make(chan struct{}, 8)
	must(t, tunnel.LetOpenVPN(func() bool { told <- struct{}{}; return true }), tunnel.Block(nil, everything))
	t.Cleanup(func() { must(t, tunnel.Close()) })
	return tunnel, told
}

func TestADeviceThatIsUpLateIsLetPass(t *testing.T) {
	clean(t)
	setDevices(t)
	t.Cleanup(func() { setDevices(t) })
	asked, isUp := make(chan struct{}, 16), atomic.Bool{}
	// Windows tells of the change, and shows the device as up only later, without another change.
	modelShows = func(up []uint64) []uint64 {
		asked <- struct{}{}
		if !isUp.Load() {
			return nil
		}
		return up
	}
	t.Cleanup(func() { modelShows = func(up []uint64) []uint64 { return up } })
	times := make(chan time.Time)
	tunnel, changes := letPass(t, times)
	// Before the tunnel, and for the first rules.
	<-asked
	<-asked
	setDevices(t, "7")
	<-asked
	// What follows the change waits here, behind the table.
	times <- time.Time{}
	<-asked
	isUp.Store(true)
	times <- time.Time{}
	<-changes
	must(t, tunnel.Block(nil, everything))
	if _, _, device := passing(t); device != 7 {
		t.Error(device, "passes")
	}
	for len(changes) > 0 {
		<-changes
	}
	times <- time.Time{}
	times <- time.Time{}
	if len(changes) > 0 {
		t.Error("told of a device that passes")
	}
}

func TestADeviceIsToldOfUntilItPasses(t *testing.T) {
	clean(t)
	setDevices(t)
	t.Cleanup(func() { setDevices(t) })
	times := make(chan time.Time)
	tunnel, changes := letPass(t, times)
	setDevices(t, "7")
	for count := 0; count < 2; count++ {
		<-changes
		// As if the rules couldn't be changed.
		times <- time.Time{}
	}
	<-changes
	must(t, tunnel.Block(nil, everything))
	setDevices(t)
	<-changes
	must(t, tunnel.Block(nil, everything))
	if _, _, device := passing(t); device != 0 {
		t.Error(device, "passes, and is gone")
	}
}

func TestAComputerAtRestIsNotWokenEachSecond(t *testing.T) {
	clean(t)
	setDevices(t)
	t.Cleanup(func() { setDevices(t) })
	times := make(chan time.Time)
	tunnel, changes := letPass(t, times)
	// The second one is taken once the pause after the first has begun.
	look := func() time.Duration {
		times <- time.Time{}
		times <- time.Time{}
		return time.Duration(lastPause.Load())
	}
	if pause := look(); pause < 30*time.Second {
		t.Error("at rest:", pause)
	}
	setDevices(t, "7")
	<-changes
	for count := 0; count < 15; count++ {
		// As if the rules couldn't be changed.
		if pause := look(); pause > time.Second {
			t.Error("a device waits", pause)
		}
		for len(changes) > 0 {
			<-changes
		}
	}
	must(t, tunnel.Block(nil, everything))
	for look() < 30*time.Second {
	}
}

func TestALiftedKillSwitchStaysSoAfterOpenVPN(t *testing.T) {
	clean(t)
	installOpenVPN(t, map[string]string{"": "$f"})
	tunnel := newSystem(ann)
	must(t, tunnel.LetOpenVPN(func() bool { return true }), tunnel.Block(nil, everything))
	if was, err := newSystem(ann).Unblock(); !was || err != nil {
		t.Error(was, err)
	}
	must(t, tunnel.Close())
	if isUp(t, killSwitchRules) {
		t.Error("it is up again")
	}
}

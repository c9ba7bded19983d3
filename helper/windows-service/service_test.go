//go:build windows && causeway_model

package main

import (
	"io"
	"net/netip"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"causeway-helper"
	"causeway-service/filter"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// testAccess is for a service that runs as an administrator.
const testAccess = "D:P(D;;GA;;;NU)(A;;GA;;;BA)(A;;GA;;;SY)(A;;0x12019b;;;IU)"

const testPipe = `\\.\pipe\causeway-service-test`

// connect opens a pipe as a client does.
func connect(t *testing.T, name string) *os.File {
	t.Helper()
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		t.Fatal(err)
	}
	// Without the right to add an end to the pipe, which nobody but SYSTEM has.
	const readAndWrite = 0x12019b
	client, err := windows.CreateFile(path, readAndWrite, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(client), name)
}

func TestListenTakesNoNameThatExists(t *testing.T) {
	if windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil {
		t.Skip("Wine 8 has no FILE_FLAG_FIRST_PIPE_INSTANCE")
	}
	first, err := listen(testPipe, testAccess)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	if _, err := listen(testPipe, testAccess); err == nil {
		t.Error("took the name of an existing pipe")
	}
}

func TestListenerEndsWhileItWaits(t *testing.T) {
	waiting, err := listen(testPipe, testAccess)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := waiting.accept()
		ended <- err
	}()
	waiting.close()
	if err := <-ended; err == nil {
		t.Error("accepted after its end")
	}
}

// sidOf returns the SID of an entry, which begins in its last field.
func sidOf(entry *windows.ACCESS_ALLOWED_ACE) *windows.SID {
	return (*windows.SID)(unsafe.Pointer(&entry.SidStart))
}

func TestPipeLetsInNobodyOverTheNetwork(t *testing.T) {
	descriptor, err := windows.SecurityDescriptorFromString(pipeAccess)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := descriptor.DACL()
	if err != nil {
		t.Fatal(err)
	}
	for index, want := range []struct {
		kind uint8
		sid  windows.WELL_KNOWN_SID_TYPE
	}{
		{windows.ACCESS_DENIED_ACE_TYPE, windows.WinNetworkSid}, {windows.ACCESS_DENIED_ACE_TYPE, windows.WinAnonymousSid},
		{windows.ACCESS_ALLOWED_ACE_TYPE, windows.WinLocalSystemSid},
		{windows.ACCESS_ALLOWED_ACE_TYPE, windows.WinBuiltinAdministratorsSid},
		{windows.ACCESS_ALLOWED_ACE_TYPE, windows.WinInteractiveSid},
	} {
		entry := (*windows.ACCESS_ALLOWED_ACE)(nil)
		if err := windows.GetAce(list, uint32(index), &entry); err != nil {
			t.Fatal(err)
		}
		sid, err := windows.CreateWellKnownSid(want.sid)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Header.AceType != want.kind || !sidOf(entry).Equals(sid) {
			t.Error(index, entry.Header.AceType, sidOf(entry))
		}
		// FILE_CREATE_PIPE_INSTANCE, which would let others take a client's connection.
		if want.sid != windows.WinLocalSystemSid && entry.Header.AceType == windows.ACCESS_ALLOWED_ACE_TYPE && entry.Mask&0x4 != 0 {
			t.Error(index, "may add an end to the pipe")
		}
	}
	if _, err := windows.SecurityDescriptorFromString(serviceAccess); err != nil {
		t.Error(err)
	}
	// Elsewhere, any user may take the name while the service doesn't run.
	if !strings.HasPrefix(pipeName, `\\.\pipe\ProtectedPrefix\Administrators\`) {
		t.Error(pipeName)
	}
}

func TestIdentifyKnowsTheUserOfAClient(t *testing.T) {
	clients, err := listen(testPipe, testAccess)
	if err != nil {
		t.Fatal(err)
	}
	defer clients.close()
	client := connect(t, testPipe)
	defer client.Close()
	connection, err := clients.accept()
	if err != nil {
		t.Fatal(err)
	}
	defer connection.close()
	if _, err := io.WriteString(client, "release\n"); err != nil {
		t.Fatal(err)
	}
	if command, err := helper.ReadCommand(connection, maxCommand); command != "release" || err != nil {
		t.Error(command, err)
	}
	by, err := identify(connection)
	if err != nil {
		t.Fatal(err)
	}
	own, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		t.Fatal(err)
	}
	if by.sid != own.User.Sid.String() || !by.isAtComputer {
		t.Errorf("%+v", by)
	}
}

func TestMayChangeIsForTheOwner(t *testing.T) {
	other, administrator := client{sid: "S-1-5-21-2"}, client{sid: "S-1-5-21-3", isAdministrator: true}
	for _, each := range []struct {
		by    client
		owner string
		want  bool
	}{
		{other, "", true}, {other, "S-1-5-21-2", true}, {other, "S-1-5-21-1", false}, {other, "unknown", false},
		{administrator, "S-1-5-21-1", true},
	} {
		if got := mayChange(each.by, each.owner); got != each.want {
			t.Error(each, got)
		}
	}
}

func TestServerDropsAClientThatSaysNothing(t *testing.T) {
	clients, err := listen(testPipe, testAccess)
	if err != nil {
		t.Fatal(err)
	}
	served := newServer(nothing)
	go served.accept(clients)
	defer clients.close()
	silent := connect(t, testPipe)
	defer silent.Close()
	begun := time.Now()
	// Whether the end is an error depends on the system.
	_, _ = io.ReadAll(silent)
	for !served.isIdle(0) {
		if time.Since(begun) > 3*commandTimeout {
			t.Fatal("never idle")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestNameRulesAreUndone(t *testing.T) {
	server := []netip.Addr{netip.MustParseAddr("10.9.0.1"), netip.MustParseAddr("fd00::1")}
	read := func() (names []string, servers string) {
		for _, each := range ownNameRules {
			key, err := registry.OpenKey(registry.LOCAL_MACHINE, nameRules+`\`+each, registry.QUERY_VALUE)
			if err != nil {
				continue
			}
			defer key.Close()
			more, _, _ := key.GetStringsValue("Name")
			names = append(names, more...)
			servers, _, _ = key.GetStringValue("GenericDNSServers")
		}
		return names, servers
	}
	for _, each := range []struct {
		domains []string
		every   bool
		want    []string
	}{
		{[]string{"example.org", "example.net."}, false, []string{".example.org", ".example.net"}},
		{[]string{"example.org"}, true, []string{"."}},
	} {
		if err := setNameRules(server, each.domains, each.every); err != nil {
			t.Fatal(err)
		}
		if names, servers := read(); !reflect.DeepEqual(names, each.want) || servers != "10.9.0.1; fd00::1" {
			t.Error(names, servers)
		}
	}
	if err := setNameRules(server, nil, false); err == nil {
		t.Error("took a rule without names")
	}
	if err := undo(); err != nil {
		t.Error(err)
	}
	if names, _ := read(); names != nil {
		t.Error(names)
	}
}

func TestRecallKnowsTheAddressesOfEachName(t *testing.T) {
	defer func() { _ = forgetState() }()
	first, second, changed := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2"), netip.MustParseAddr("192.0.2.3")
	must(t, remember("vpn.example.org", []netip.Addr{first}), remember("vpn.example.net", []netip.Addr{second}))
	must(t, remember("vpn.example.org", []netip.Addr{changed, second}))
	for name, want := range map[string][]netip.Addr{"vpn.example.org": {changed, second}, "vpn.example.net": {second}} {
		if found, err := recall(name); err != nil || !reflect.DeepEqual(found, want) {
			t.Error(name, found, err)
		}
	}
	if found, err := recall("other.example.org"); err == nil {
		t.Error(found)
	}
	for index := 0; index < 2*maxNames; index++ {
		must(t, remember("n"+strconv.Itoa(index)+".example.org", []netip.Addr{first}))
	}
	if found, err := recall("vpn.example.net"); err == nil {
		t.Error(found, "of more names than a profile has")
	}
}

func TestUndoGoesOnAfterAPartThatFails(t *testing.T) {
	defer func() { _ = forgetState() }()
	if err := note(stateBypass, "not a route"); err != nil {
		t.Fatal(err)
	}
	if err := note(stateLocal, "yes"); err != nil {
		t.Fatal(err)
	}
	if err := newFirewall().set(tunnelRules, filter.Rules(filter.Plan{})); err != nil {
		t.Fatal(err)
	}
	if err := undo(); err == nil {
		t.Error("said nothing of the part that failed")
	}
	if isUp(t, tunnelRules) {
		t.Error("its rules are left")
	}
}

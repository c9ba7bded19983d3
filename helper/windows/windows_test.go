//go:build windows

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// The figures are those of the Windows SDK's headers for 64-bit programs.
func TestLayoutsAreTheSystems(t *testing.T) {
	for name, sizes := range map[string][2]uintptr{
		"MIB_IF_ROW2":                {unsafe.Sizeof(interfaceRow{}), 1352},
		"MIB_IF_ROW2.Alias":          {unsafe.Offsetof(interfaceRow{}.alias), 28},
		"MIB_IF_ROW2.Description":    {unsafe.Offsetof(interfaceRow{}.description), 542},
		"MIB_IF_ROW2.InOctets":       {unsafe.Offsetof(interfaceRow{}.inOctets), 1208},
		"MIB_IF_ROW2.OutOctets":      {unsafe.Offsetof(interfaceRow{}.outOctets), 1280},
		"MIB_IPFORWARD_ROW2":         {unsafe.Sizeof(forwardRow{}), 104},
		"MIB_IPFORWARD_ROW2.Prefix":  {unsafe.Offsetof(forwardRow{}.prefix), 12},
		"IP_ADDRESS_PREFIX.Length":   {unsafe.Offsetof(forwardRow{}.prefixLength), 12 + 28},
		"MIB_IPFORWARD_ROW2.NextHop": {unsafe.Offsetof(forwardRow{}.nextHop), 44},
		"MIB_IPFORWARD_ROW2.Metric":  {unsafe.Offsetof(forwardRow{}.metric), 84},
		"MIB_IPFORWARD_TABLE2.Table": {unsafe.Offsetof(forwardTable{}.rows), 8},
		"MIB_IPINTERFACE_ROW":        {unsafe.Sizeof(interfaceEntry{}), 168},
		"MIB_IPINTERFACE_ROW.Index":  {unsafe.Offsetof(interfaceEntry{}.index), 16},
		"MIB_IPINTERFACE_ROW.Metric": {unsafe.Offsetof(interfaceEntry{}.metric), 148},
		"WINTRUST_FILE_INFO":         {unsafe.Sizeof(trustFile{}), 32},
		"WINTRUST_DATA":              {unsafe.Sizeof(trustData{}), 88},
		"WINTRUST_DATA.File":         {unsafe.Offsetof(trustData{}.file), 40},
		"WINTRUST_DATA.State":        {unsafe.Offsetof(trustData{}.state), 56},
	} {
		if sizes[0] != sizes[1] {
			t.Errorf("%s: %d, not %d", name, sizes[0], sizes[1])
		}
	}
}

func TestFindsAPipeWithoutConnecting(t *testing.T) {
	path := `\\.\pipe\causeway-test-` + strings.ReplaceAll(t.Name(), "/", "-")
	if isPipe(path) {
		t.Fatal("found before it was made")
	}
	text, _ := syscall.UTF16PtrFromString(path)
	const duplex, byteMode, instances = 3, 0, 1
	pipe, _, err := kernel32.NewProc("CreateNamedPipeW").Call(
		uintptr(unsafe.Pointer(text)), duplex, byteMode, instances, 512, 512, 0, 0)
	if syscall.Handle(pipe) == syscall.InvalidHandle {
		t.Fatal(err)
	}
	if !isPipe(path) {
		t.Error("not found")
	}
	// Its only instance is still free: asking did not connect.
	client, err := syscall.Open(path, syscall.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !isPipe(path) {
		t.Error("not found while in use")
	}
	_ = syscall.CloseHandle(client)
	_ = syscall.CloseHandle(syscall.Handle(pipe))
	if isPipe(path) {
		t.Error("found after it was closed")
	}
}

func TestReadsTheAccount(t *testing.T) {
	found, err := readAccount()
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range found.Groups {
		// Everyone
		if each.SID == "S-1-1-0" {
			return
		}
	}
	t.Errorf("no group of everyone: %v", found)
}

func TestReadsDefaultRoutesAndCounters(t *testing.T) {
	routes, err := defaultRoutes()
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range routes {
		if each.Device == "" || each.Gateway == "" {
			t.Errorf("incomplete: %+v", each)
		}
		if _, err := readCounters(each.Device); err != nil {
			t.Errorf("no counters of %s: %v", each.Device, err)
		}
	}
	if _, err := readCounters("no such device"); err == nil {
		t.Error("counters of nothing")
	}
}

// A growing stack moves what is on it, also between a call's preparation and the system's answer.
func TestSystemAnswersWhileTheStackGrows(t *testing.T) {
	interfaces, err := net.Interfaces()
	if err != nil || len(interfaces) == 0 {
		t.Fatal("no device", err)
	}
	index := uint32(interfaces[0].Index)
	for depth := 0; depth < 100; depth++ {
		lost := make(chan bool)
		go func() { lost <- isAnswerLost(index, depth) }()
		if <-lost {
			t.Fatalf("no answer at depth %d", depth)
		}
	}
}

//go:noinline
func isAnswerLost(index uint32, depth int) bool {
	if depth > 0 {
		return isAnswerLost(index, depth-1)
	}
	return !isAnswered(index)
}

//go:noinline
func isAnswered(index uint32) bool {
	row, err := readInterface(index)
	return err == nil && row.alias[0] != 0
}

func TestRefusesAnEventOfSomebodyElse(t *testing.T) {
	const name = "causeway-00112233445566778899aabbccddeeff"
	event, err := createNamedEvent(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := createNamedEvent(name); err == nil {
		t.Error("taken over")
	}
	_ = syscall.CloseHandle(event)
	if _, err := openNamedEvent(name); err == nil {
		t.Error("still there")
	}
}

func TestEndsNoOtherProgram(t *testing.T) {
	if _, err := openOpenVPN(uint32(os.Getpid())); err == nil {
		t.Error("this test is taken for OpenVPN")
	}
	if process, isOver := followOwner(strings.NewReader("12x\n4294967295\n")); process != 0 || isOver {
		t.Error("a process that does not exist")
	}
	if _, isOver := followOwner(strings.NewReader("7\r\ngone\r\n")); !isOver {
		t.Error("not over")
	}
}

func TestRefusesAnInstallerThatIsUnsignedOrAnother(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	own, other := hex.EncodeToString(sum[:]), strings.Repeat("0", 64)
	for _, each := range []struct {
		path, sum string
		says      string
	}{{program, own, "signature"}, {program, other, "checksum"}, {program + ".absent", own, "file system error-2"}} {
		err := command([]string{"check-installer", each.path, "OpenVPN Inc.", each.sum})
		if err == nil || err.Error() != each.says && !strings.HasPrefix(err.Error(), each.says+" system error-") {
			t.Errorf("%s: %v", each.says, err)
		}
	}
}

func TestRefusesOtherWords(t *testing.T) {
	for _, words := range [][]string{
		{}, {"run"}, {"exit-event"}, {"exit-event", "other"}, {"version", "x"},
		{"exit-event", "causeway-00112233445566778899aabbccddeeff", "other"}, {"counters"}, {"network", "x"},
		{"check-installer", "file.msi", "OpenVPN Inc.", "12"}, {"check-installer", "file.msi", "", strings.Repeat("0", 64)},
	} {
		if err := command(words); err != (failure{reason: "usage"}) {
			t.Errorf("%v: %v", words, err)
		}
	}
}

func TestReadsTextsOfTheRegistry(t *testing.T) {
	for _, each := range []struct{ path, name, kind string }{
		{`SOFTWARE\Microsoft\Windows NT\CurrentVersion`, "CurrentVersion", "text"},
		{`SOFTWARE\Microsoft\Windows NT\CurrentVersion`, "InstallDate", "other"},
		{`SOFTWARE\Microsoft\Windows NT\CurrentVersion`, "Causeway", "none"},
		{`SOFTWARE\Policies\Nobody of this name`, "Policy", "none"},
		{`SYSTEM\CurrentControlSet\Services\Nobody of this name`, "ImagePath", "none"},
	} {
		found, err := readValue(each.path, each.name)
		if err != nil || found.Kind != each.kind || (found.Text != "") != (each.kind == "text") {
			t.Errorf("%v: %v %v", each, found, err)
		}
	}
}

func TestFramesOfTheServiceBecomeStreams(t *testing.T) {
	log, messages := strings.Builder{}, strings.Builder{}
	status, err := relayFrames(strings.NewReader("l\x00\x02a\nm\x00\x02b\nx\x00\x01A"), &log, &messages)
	if status != 65 || err != nil || log.String() != "a\n" || messages.String() != "b\n" {
		t.Error(status, err, log.String(), messages.String())
	}
	for text, want := range map[string]int{"": exitLost, "m\x00": exitLost, "m\x00\x05ab": exitLost} {
		if status, err := relayFrames(strings.NewReader(text), &log, &messages); status != want || err != nil {
			t.Errorf("%q: %d %v", text, status, err)
		}
	}
	for _, text := range []string{"y\x00\x01A", "m\x00\x00", "l\xff\xffa", "x\x00\x02AB", "hello, world"} {
		if status, err := relayFrames(strings.NewReader(text), &log, &messages); err == nil {
			t.Errorf("%q: %d", text, status)
		}
	}
}

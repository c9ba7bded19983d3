//go:build !macos_rehearsal

package helper

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

const networksFile = "# by DHCP\nsearch home.example\nnameserver 192.0.2.1\n"

func newResolvConf(t *testing.T, text string) resolvConf {
	folder := t.TempDir()
	file := resolvConf{filepath.Join(folder, "etc"), filepath.Join(folder, "claims"), filepath.Join(folder, "run")}
	if err := os.Mkdir(file.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if text != "" {
		replaceFile(t, file, text)
	}
	return file
}

// replaceFile is what a DHCP client does.
func replaceFile(t *testing.T, file resolvConf, text string) {
	t.Helper()
	draft := file.path() + ".dhcp"
	if err := os.WriteFile(draft, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(draft, file.path()); err != nil {
		t.Fatal(err)
	}
}

func wantedServers(text string, exclusive bool) nameServers {
	wanted, _ := parseNameServers(text)
	wanted.exclusive = exclusive
	return wanted
}

func always(foundFile) bool { return true }

func requireText(t *testing.T, file resolvConf, want string) {
	t.Helper()
	if got, err := os.ReadFile(file.path()); err != nil || string(got) != want {
		t.Fatalf("%v, got:\n%s\nwant:\n%s", err, got, want)
	}
}

// requireAlone makes sure that nothing of the helper's is left in the folder.
func requireAlone(t *testing.T, file resolvConf, names ...string) {
	t.Helper()
	got := []string{}
	for _, folder := range []string{file.folder, file.claims} {
		entries, err := os.ReadDir(folder)
		if err != nil && folder != file.claims {
			t.Fatal(err)
		}
		for _, each := range entries {
			got = append(got, each.Name())
		}
	}
	if _, err := os.Lstat(file.claims); err == nil || strings.Join(got, " ") != strings.Join(names, " ") {
		t.Fatalf("left: %v, %v", got, err)
	}
}

func TestResolvConfIsTheSameFileAfterwards(t *testing.T) {
	for name, prepare := range map[string]func(file resolvConf) error{
		"file": func(file resolvConf) error { return os.Chmod(file.path(), 0o640) },
		"link": func(file resolvConf) error {
			return joinedErrors(os.Rename(file.path(), file.folder+"/real"), os.Symlink("real", file.path()))
		},
		"link to nothing": func(file resolvConf) error {
			return joinedErrors(os.Remove(file.path()), os.Symlink("../run/nothing", file.path()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := newResolvConf(t, networksFile)
			do(t, prepare(file))
			before, err := os.Lstat(file.path())
			do(t, err)
			do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
			requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
			if now, err := os.Lstat(file.path()); err != nil || now.Mode() != 0o644 {
				t.Error(now.Mode(), err)
			}
			for range []int{1, 2} {
				do(t, file.withdraw("cw1t"))
				now, err := os.Lstat(file.path())
				if err != nil || !os.SameFile(before, now) || now.Mode() != before.Mode() {
					t.Fatal("another file", err)
				}
			}
			if name == "file" {
				requireAlone(t, file, "resolv.conf")
				requireText(t, file, networksFile)
			}
		})
	}
}

func joinedErrors(all ...error) error {
	for _, each := range all {
		if each != nil {
			return each
		}
	}
	return nil
}

func TestNoResolvConf(t *testing.T) {
	file := newResolvConf(t, "")
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", false)))
	requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
	do(t, file.withdraw("cw1t"))
	requireAlone(t, file)
}

func TestResolvConfText(t *testing.T) {
	const network = "domain unused\nsearch home.example bad_!name. lan.\n nameserver 192.0.2.9\nnameserver 192.0.2.1\n" +
		"nameserver fe80::1%eth0\nnameserver x\nnameserver 192.0.2.2\nnameserver 192.0.2.3\noptions rotate\n"
	for wanted, want := range map[string]string{
		"10.0.0.1":                          "nameserver 10.0.0.1\n",
		"10.0.0.1 corp.example,b.example":   "search corp.example b.example\nnameserver 10.0.0.1\n",
		"10.0.0.1,fd00::1,10.0.0.2,1.1.1.1": "nameserver 10.0.0.1\nnameserver fd00::1\nnameserver 10.0.0.2\n",
	} {
		file := newResolvConf(t, network)
		do(t, file.claim("cw1t", wantedServers(wanted, true)))
		requireText(t, file, resolvConfHead+want)
	}
	file := newResolvConf(t, network)
	do(t, file.claim("cw1t", wantedServers("10.0.0.1 corp.example", false)))
	requireText(t, file, resolvConfHead+
		"search corp.example home.example lan\nnameserver 10.0.0.1\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\n")
}

// keepClaim lets a test claim as several helpers, of which this process is one.
func keepClaim(t *testing.T) {
	held := claimed
	claimed = nil
	t.Cleanup(func() { held.Close() })
}

func TestNewestClaimWins(t *testing.T) {
	file := newResolvConf(t, networksFile)
	do(t, file.claim("cw9t", wantedServers("10.0.0.9", true)))
	keepClaim(t)
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
	requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
	do(t, file.claim("cw1t", wantedServers("10.0.0.2", true)))
	requireText(t, file, resolvConfHead+"nameserver 10.0.0.2\n")
	do(t, file.withdraw("cw1t"))
	requireText(t, file, resolvConfHead+"nameserver 10.0.0.9\n")
	do(t, file.withdraw("cw9t"))
	requireText(t, file, networksFile)
	requireAlone(t, file, "resolv.conf")
}

func TestClaimsOfHelpersThatEnded(t *testing.T) {
	file := newResolvConf(t, networksFile)
	do(t, file.claim("cw9t", wantedServers("10.0.0.9", true)))
	claimed.Close()
	claimed = nil
	before, after, err := file.settle(always)
	if err != nil || before == after {
		t.Error(after, err)
	}
	requireText(t, file, networksFile)
	requireAlone(t, file, "resolv.conf")
}

func TestAfterALossOfPower(t *testing.T) {
	file := newResolvConf(t, networksFile)
	do(t, file.claim("cw9t", wantedServers("10.0.0.9", true)))
	do(t, os.RemoveAll(file.claims))
	if !file.isLeft() {
		t.Error("nothing to repair")
	}
	before, after, err := file.settle(always)
	if err != nil || before == after {
		t.Error(after, err)
	}
	requireText(t, file, networksFile)

	// What DHCP has written at the start of the computer stays.
	do(t, file.claim("cw9t", wantedServers("10.0.0.9", true)))
	do(t, os.RemoveAll(file.claims))
	replaceFile(t, file, "nameserver 192.0.2.7\n")
	_, _, err = file.settle(always)
	do(t, err)
	requireText(t, file, "nameserver 192.0.2.7\n")
	requireAlone(t, file, "resolv.conf")
}

// Each state in which a kill or a loss of power may leave the files is undone, and goes on.
func TestInterruptedBetweenAnyTwoSteps(t *testing.T) {
	link := func(file resolvConf) error { return os.Link(file.path(), file.kept()) }
	draft := func(file resolvConf) error { return os.WriteFile(file.draft(), []byte(resolvConfHead[:10]), 0o600) }
	mark := func(file resolvConf) error { return os.WriteFile(file.mark(), []byte(resolvConfHead), 0o644) }
	mine := func(file resolvConf) error { return os.Rename(file.draft(), file.path()) }
	write := func(text string) func(resolvConf) error {
		return func(file resolvConf) error { return os.WriteFile(file.path(), []byte(text), 0o644) }
	}
	copied := func(file resolvConf) error { return os.WriteFile(file.kept(), []byte(networksFile), 0o644) }
	for name, steps := range map[string][]func(resolvConf) error{
		"nothing":           {},
		"kept":              {link},
		"draft":             {link, draft},
		"mark":              {copied, mark},
		"written in place":  {copied, mark, write(resolvConfHead + "nameserver 10.0.0.1\nver 192.0.2.1\n")},
		"half in place":     {copied, mark, write("# by DHCP\nsearch home.examp\nnameserver 10.0.0.1\n")},
		"replaced":          {link, func(file resolvConf) error { return os.WriteFile(file.draft(), []byte(resolvConfHead), 0o644) }, mine},
		"put back":          {link},
		"half of a copy":    {func(file resolvConf) error { return os.WriteFile(file.kept(), []byte("# by"), 0o600) }},
		"deleted by others": {link, func(file resolvConf) error { return os.Remove(file.path()) }},
	} {
		t.Run(name, func(t *testing.T) {
			for _, goOn := range []bool{false, true} {
				file := newResolvConf(t, networksFile)
				for _, each := range steps {
					do(t, each(file))
				}
				if goOn {
					do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
					requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
				}
				do(t, file.withdraw("cw1t"))
				requireText(t, file, networksFile)
				requireAlone(t, file, "resolv.conf")
			}
		})
	}
}

// A draft alone says nothing of the file: what DHCP wrote after the kill is newer than what was kept.
func TestNewerFileBesideADraft(t *testing.T) {
	file := newResolvConf(t, networksFile)
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
	do(t, os.WriteFile(file.draft(), []byte(resolvConfHead), 0o644))
	replaceFile(t, file, "nameserver 192.0.2.7\n")
	do(t, file.withdraw("cw1t"))
	requireText(t, file, "nameserver 192.0.2.7\n")
	requireAlone(t, file, "resolv.conf")
}

func TestListsTheServersAlone(t *testing.T) {
	wanted := []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fd00::1")}
	for text, want := range map[string]bool{
		"nameserver 10.0.0.1\n":                         true,
		"nameserver fd00::1\nnameserver 10.0.0.1\n":     true,
		"nameserver 10.0.0.1\nnameserver 192.168.1.1\n": false,
		"nameserver 192.168.1.1\nnameserver 10.0.0.1\n": false,
		"": false,
	} {
		if got := newResolvConf(t, text).lists(wanted, true); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOthersReplaceResolvConf(t *testing.T) {
	const next = "nameserver 198.51.100.1\n"
	for name, replace := range map[string]func(t *testing.T, file resolvConf){
		"by a new file": func(t *testing.T, file resolvConf) { replaceFile(t, file, next) },
		// As busybox's udhcpc does.
		"in steps": func(t *testing.T, file resolvConf) {
			do(t, os.WriteFile(file.path(), nil, 0o644))
			out, err := os.OpenFile(file.path(), os.O_WRONLY|os.O_APPEND, 0)
			do(t, err)
			_, err = out.WriteString(next)
			do(t, joinedErrors(err, out.Close()))
		},
		"by a link": func(t *testing.T, file resolvConf) {
			do(t, joinedErrors(os.WriteFile(file.folder+"/other", []byte(next), 0o644), os.Remove(file.path()),
				os.Symlink("other", file.path())))
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := newResolvConf(t, networksFile)
			stop, err := file.guard(realClock{}, func(bool) { t.Error("lost") })
			do(t, err)
			defer stop()
			do(t, file.claim("cw1t", wantedServers("10.0.0.1 corp.example", false)))
			replace(t, file)
			awaitText(t, file, resolvConfHead+"search corp.example\nnameserver 10.0.0.1\nnameserver 198.51.100.1\n")
			do(t, file.withdraw("cw1t"))
			requireText(t, file, next)
		})
	}
}

// Programs that manage the file write where it leads to, and leave the link alone.
func TestOriginalBehindALinkChanges(t *testing.T) {
	for _, isThere := range []bool{true, false} {
		file := newResolvConf(t, "")
		run := filepath.Join(t.TempDir(), "run")
		do(t, joinedErrors(os.Mkdir(run, 0o755), os.Symlink(filepath.Join(run, "resolv.conf"), file.path())))
		target := resolvConf{run, file.claims, ""}
		want := "search corp.example\nnameserver 10.0.0.1\n"
		if isThere {
			replaceFile(t, target, networksFile)
			want = "search corp.example home.example\nnameserver 10.0.0.1\nnameserver 192.0.2.1\n"
		}
		do(t, file.claim("cw1t", wantedServers("10.0.0.1 corp.example", false)))
		requireText(t, file, resolvConfHead+want)
		// Afterwards, so that its own change isn't what it notices.
		stop, err := file.guard(realClock{}, func(bool) { t.Error("lost") })
		do(t, err)
		// More often than others may replace the file itself.
		for number := 0; number <= maxReplaced; number++ {
			next := fmt.Sprintf("nameserver 198.51.100.%d\n", number)
			replaceFile(t, target, next)
			awaitText(t, file, resolvConfHead+"search corp.example\nnameserver 10.0.0.1\n"+next)
		}
		stop()
		do(t, file.withdraw("cw1t"))
		if path, err := os.Readlink(file.path()); err != nil || path != target.path() {
			t.Error(path, err)
		}
	}
}

func awaitText(t *testing.T, file resolvConf, want string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if got, _ := os.ReadFile(file.path()); string(got) == want {
			return
		}
	}
	requireText(t, file, want)
}

func TestDeletedResolvConfIsNotPutBackAsNone(t *testing.T) {
	file := newResolvConf(t, networksFile)
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
	do(t, os.Remove(file.path()))
	_, _, err := file.settle(always)
	do(t, err)
	requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
	do(t, file.withdraw("cw1t"))
	requireText(t, file, networksFile)
}

func TestHostileResolvConf(t *testing.T) {
	file := newResolvConf(t, "")
	do(t, syscall.Mkfifo(file.path(), 0o644))
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", false)))
	requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
	do(t, file.withdraw("cw1t"))
	if info, err := os.Lstat(file.path()); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Error(info, err)
	}

	// A link of another user's is replaced and put back, but neither followed nor written through.
	secret := filepath.Join(file.folder, "secret")
	do(t, joinedErrors(os.Remove(file.path()), os.WriteFile(secret, []byte("nameserver 192.0.2.66\n"), 0o600),
		os.Symlink(secret, file.path())))
	if os.Geteuid() == 0 {
		do(t, os.Lchown(file.path(), 65534, 65534))
		if servers, _ := file.ofNetwork(); len(servers) > 0 {
			t.Error(servers)
		}
	}
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
	do(t, file.withdraw("cw1t"))
	if text, err := os.ReadFile(secret); err != nil || string(text) != "nameserver 192.0.2.66\n" {
		t.Error(string(text), err)
	}

	huge := strings.Repeat("search a.example\n", 1<<16) + "nameserver 192.0.2.1\n"
	file = newResolvConf(t, huge)
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", false)))
	do(t, file.withdraw("cw1t"))
	requireText(t, file, huge)

	// A folder in its place, and claims that others may write.
	file = newResolvConf(t, "")
	do(t, os.Mkdir(file.path(), 0o755))
	if file.claim("cw1t", wantedServers("10.0.0.1", true)) == nil {
		t.Error("replaced a folder")
	}
	file = newResolvConf(t, networksFile)
	do(t, joinedErrors(os.Mkdir(file.claims, 0o755), os.Chmod(file.claims, 0o777)))
	if file.claim("cw1t", wantedServers("10.0.0.1", true)) == nil {
		t.Error("trusts claims of others")
	}
	requireText(t, file, networksFile)
}

// As in a container, where nothing can be renamed to a file that is mounted on its place.
func TestMountedResolvConf(t *testing.T) {
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
		runtime.UnlockOSThread()
		t.Skip("no mount namespace here")
	}
	// Not unlocked, so that the thread ends with this test.
	do(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
	for _, change := range []string{"", "nameserver 198.51.100.1\n"} {
		file := newResolvConf(t, "x")
		outside := filepath.Join(t.TempDir(), "outside")
		do(t, os.WriteFile(outside, []byte(networksFile), 0o600))
		do(t, syscall.Mount(outside, file.path(), "", syscall.MS_BIND, ""))
		before, err := os.Stat(file.path())
		do(t, err)
		want := networksFile
		do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
		requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
		if change != "" {
			want = change
			do(t, os.WriteFile(file.path(), []byte(change), 0o644))
			_, _, err := file.settle(always)
			do(t, err)
			requireText(t, file, resolvConfHead+"nameserver 10.0.0.1\n")
		}
		do(t, file.withdraw("cw1t"))
		requireText(t, file, want)
		requireAlone(t, file, "resolv.conf")
		if now, err := os.Stat(file.path()); err != nil || !os.SameFile(before, now) || now.Mode() != before.Mode() {
			t.Error("another file", err)
		}
		do(t, syscall.Unmount(file.path(), 0))
	}
}

func TestMountedResolvConfIsWatched(t *testing.T) {
	file := newResolvConf(t, networksFile)
	events := make(chan struct{}, 8)
	stop, err := file.watch(func() { events <- struct{}{} })
	do(t, err)
	// The other name stands for the other place.
	do(t, os.Link(file.path(), filepath.Join(filepath.Dir(file.folder), "outside")))
	do(t, os.WriteFile(filepath.Join(filepath.Dir(file.folder), "outside"), []byte("x"), 0o644))
	select {
	case <-events:
	case <-time.After(10 * time.Second):
		t.Error("no event")
	}
	stop()
}

func TestWhoseResolvConf(t *testing.T) {
	local := netip.MustParseAddr("10.0.0.1")
	for text, want := range map[string]string{
		"nameserver 127.0.0.53\noptions edns0\n":           "resolved alone local",
		"nameserver 127.0.0.53\nnameserver 10.0.0.1\n":     "",
		"nameserver 10.0.0.1\nnameserver 192.0.2.1\n":      "lists",
		"# Generated by resolvconf\nnameserver 10.0.0.1\n": "resolvconf lists",
		"nameserver ::1\nnameserver 127.0.0.1\n":           "local",
		"":                                                 "",
		resolvConfHead + "nameserver 10.0.0.1\n":           "",
	} {
		file := newResolvConf(t, text)
		used, alone := file.managedByResolved()
		got := []string{}
		for _, each := range []struct {
			is   bool
			word string
		}{
			{used, "resolved"}, {alone, "alone"}, {file.managedByResolvconf(), "resolvconf"}, {file.lists([]netip.Addr{local}, false), "lists"},
			{file.isLocal(), "local"},
		} {
			if each.is {
				got = append(got, each.word)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzResolvConf(f *testing.F) {
	f.Add(networksFile, "1 shared 10.0.0.1 corp.example")
	f.Add("nameserver fe80::1%eth0\nsearch .\ndomain a..b -x\n", "0 exclusive 10.0.0.1,::1 .")
	f.Fuzz(func(t *testing.T, text, stored string) {
		wanted := wantedServers("10.0.0.1 corp.example", false)
		servers, domains := wanted.mergedWithNetwork(serversIn(text), domainsIn(text))
		for _, each := range []string{servers.String(), joinedNames(domains, " ")} {
			if !regexp.MustCompile(`\A[0-9A-Za-z.:,%_ -]*\z`).MatchString(each) {
				t.Fatalf("%q", each)
			}
		}
		if len(servers) > maxListed || len(domains) > maxSearched || servers[0] != wanted.servers[0] {
			t.Fatal(servers, domains)
		}
		read, ok := parseClaim("cw1t", stored)
		if !ok {
			return
		}
		if again, ok := parseClaim("cw1t", read.String()); !ok || !reflect.DeepEqual(again.servers, read.servers) ||
			!reflect.DeepEqual(again.domains, read.domains) || again.order != read.order || again.exclusive != read.exclusive {
			t.Fatalf("%q, %q", stored, read)
		}
	})
}

func TestWatchDNSSaysThatNobodyAsks(t *testing.T) {
	before := systemResolvConf
	t.Cleanup(func() { systemResolvConf = before })
	systemResolvConf = newResolvConf(t, "nameserver 192.168.1.1\n")
	for by, want := range map[string][]bool{
		byResolved: {false}, byResolvconf: {false},
		// It has a guard, which says so.
		byResolvConf: {},
	} {
		said := []bool{}
		// Before it is watched already.
		watchDNS(by, wantedServers("10.9.0.1", true), func(applied bool) { said = append(said, applied) })()
		expect(t, said, want)
	}
}

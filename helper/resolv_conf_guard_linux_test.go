//go:build !macos_rehearsal

package helper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// fakeClock goes on only when a test says so.
type fakeClock struct {
	at     time.Time
	timers []*fakeTimer
}

type fakeTimer struct {
	at  time.Time
	act func()
}

func (c *fakeClock) now() time.Time { return c.at }

func (c *fakeClock) after(wait time.Duration, act func()) (cancel func()) {
	timer := &fakeTimer{c.at.Add(wait), act}
	c.timers = append(c.timers, timer)
	return func() { timer.act = nil }
}

// advance carries out what is due on the way, in order.
func (c *fakeClock) advance(by time.Duration) {
	for end := c.at.Add(by); ; {
		next := (*fakeTimer)(nil)
		for _, each := range c.timers {
			if each.act != nil && !each.at.After(end) && (next == nil || each.at.Before(next.at)) {
				next = each
			}
		}
		if next == nil {
			c.at = end
			return
		}
		act := next.act
		c.at, next.act = next.at, nil
		act()
	}
}

const own = resolvConfHead + "nameserver 10.0.0.1\n"

func newGuard(t *testing.T) (g *guard, fake *fakeClock, changes *[]bool) {
	fake, changes = &fakeClock{at: time.Unix(1e9, 0)}, &[]bool{}
	g = &guard{file: newResolvConf(t, networksFile), clock: fake, onChange: func(applied bool) { *changes = append(*changes, applied) }}
	do(t, g.file.claim("cw1t", wantedServers("10.0.0.1", true)))
	t.Cleanup(g.stop)
	return g, fake, changes
}

func (g *guard) replace(t *testing.T, text string) {
	t.Helper()
	replaceFile(t, g.file, text)
	g.check(false)
}

func requireChanges(t *testing.T, got *[]bool, want ...bool) {
	t.Helper()
	if len(*got) != len(want) || len(want) > 0 && !reflect.DeepEqual(*got, want) {
		t.Fatalf("%v, want %v", *got, want)
	}
}

// A DHCP client asks again after half of its lease, and may write the same file with another comment.
func TestRenewedLeasesAreNoInsisting(t *testing.T) {
	g, fake, changes := newGuard(t)
	for number := 0; number < 200; number++ {
		g.replace(t, fmt.Sprintf("# lease %d\nnameserver  192.0.2.1\n", number))
		requireText(t, g.file, own)
		fake.advance(3 * watchLimit)
	}
	requireChanges(t, changes)
}

func TestSlowsDownForAProgramThatInsists(t *testing.T) {
	g, fake, changes := newGuard(t)
	number := 0
	next := func() string {
		number++
		return fmt.Sprintf("nameserver 192.0.2.%d\n", number)
	}
	for len(*changes) == 0 {
		g.replace(t, next())
		requireText(t, g.file, own)
		fake.advance(watchQuiet)
	}
	if requireChanges(t, changes, false); number != maxReplaced+1 {
		t.Error(number)
	}
	for _, wait := range []int{1, 2, 4, 8, 16, 30, 30} {
		theirs := next()
		g.replace(t, theirs)
		fake.advance(firstWait*time.Duration(wait) - 1)
		requireText(t, g.file, theirs)
		fake.advance(1)
		requireText(t, g.file, own)
	}
	requireChanges(t, changes, false)
	// It has given up, and what comes later is taken back at once.
	fake.advance(replacedWithin)
	requireChanges(t, changes, false, true)
	g.replace(t, next())
	requireText(t, g.file, own)
	requireChanges(t, changes, false, true)
	// What it wrote last is put back.
	do(t, g.file.withdraw("cw1t"))
	requireText(t, g.file, fmt.Sprintf("nameserver 192.0.2.%d\n", number))
	requireAlone(t, g.file, "resolv.conf")
}

// Such as a file that somebody makes immutable while the tunnel is up.
func TestTriesAgainWhileTheFileCannotBeWritten(t *testing.T) {
	g, fake, changes := newGuard(t)
	do(t, os.Remove(g.file.path()))
	do(t, os.Mkdir(g.file.path(), 0o755))
	g.check(false)
	requireChanges(t, changes, false)
	fake.advance(10 * firstWait)
	do(t, os.Remove(g.file.path()))
	fake.advance(longestWait)
	requireText(t, g.file, own)
	fake.advance(replacedWithin)
	requireChanges(t, changes, false, true)
	g.stop()
	replaceFile(t, g.file, networksFile)
	fake.advance(longestWait)
	g.check(false)
	requireText(t, g.file, networksFile)
}

func setFlags(t *testing.T, path string, flags uint32) error {
	file, err := os.Open(path)
	do(t, err)
	defer file.Close()
	const fsSetFlags = 1<<30 | unsafe.Sizeof(uintptr(0))<<16 | 'f'<<8 | 2
	if _, _, failure := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), fsSetFlags, uintptr(unsafe.Pointer(&flags))); failure != 0 {
		return failure
	}
	return nil
}

func TestImmutableResolvConf(t *testing.T) {
	file := newResolvConf(t, networksFile)
	// Some file systems have no such flag, and only root may set it.
	isSet := setFlags(t, file.path(), fsImmutable) == nil
	err := file.claim("cw1t", wantedServers("10.0.0.1", true))
	if errors.Is(err, errImmutable) != isSet {
		t.Error(err)
	}
	if isSet {
		do(t, setFlags(t, file.path(), 0))
	}
	do(t, file.withdraw("cw1t"))
	requireText(t, file, networksFile)
	requireAlone(t, file, "resolv.conf")
}

func TestOwnFileWithoutTheOriginal(t *testing.T) {
	file := newResolvConf(t, networksFile)
	leave := func() {
		do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
		do(t, joinedErrors(os.Remove(file.kept()), os.RemoveAll(file.claims)))
		if !file.isLeft() {
			t.Error("nothing to repair")
		}
		_, _, err := file.settle(always)
		do(t, err)
	}
	leave()
	requireAlone(t, file)
	if file.isLeft() {
		t.Error("still to repair")
	}
	// A program that manages the file gets its link.
	stub := filepath.Join(file.run, "systemd/resolve/stub-resolv.conf")
	do(t, joinedErrors(os.MkdirAll(filepath.Dir(stub), 0o755), os.WriteFile(stub, []byte("nameserver 127.0.0.53\n"), 0o644)))
	leave()
	if target, err := os.Readlink(file.path()); err != nil || target != stub {
		t.Error(target, err)
	}
	requireAlone(t, file, "resolv.conf")
	// Also if the original is deleted while the tunnel is up.
	do(t, file.claim("cw1t", wantedServers("10.0.0.1", true)))
	do(t, joinedErrors(os.Remove(file.kept()), file.withdraw("cw1t")))
	requireText(t, file, "nameserver 127.0.0.53\n")
	requireAlone(t, file, "resolv.conf")
}

// As while another user's helper is stopped with the lock.
func TestALockThatIsTakenEndsNoClaim(t *testing.T) {
	g, fake, changes := newGuard(t)
	folder, err := os.Open(filepath.Dir(g.file.claims))
	do(t, err)
	defer folder.Close()
	do(t, lockWithin(folder, time.Second))
	usual := lockTimeout
	lockTimeout = 10 * time.Millisecond
	t.Cleanup(func() { lockTimeout = usual })
	g.replace(t, "nameserver 192.0.2.9\n")
	requireChanges(t, changes)
	requireText(t, g.file, "nameserver 192.0.2.9\n")
	do(t, folder.Close())
	fake.advance(firstWait)
	requireText(t, g.file, own)
	requireChanges(t, changes)
}

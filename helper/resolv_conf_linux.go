//go:build !macos_rehearsal

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// resolvConfHead begins every file of the helper's, by which it knows it again.
	resolvConfHead = "# Written by Causeway while a VPN is connected. Afterwards, resolv.conf.before-causeway is put back.\n"
	// noResolvConf is what is kept where there was no file.
	noResolvConf = "# Causeway found no /etc/resolv.conf.\n"
	// maxResolvConf is the most that is read of one.
	maxResolvConf = 64 << 10
	// maxListed and maxSearched are how many the C library uses.
	maxListed, maxSearched = 3, 6
)

// resolvConf is /etc/resolv.conf, which names the DNS servers of all programs. Tunnels that want it to name theirs leave
// a claim, which says what for, in a folder of the helper's; the newest one wins. What was there before is kept beside it,
// as the file that it was, because /etc outlives a loss of power and the journal doesn't. Every change brings the file to
// what the claims say, whatever it was interrupted in.
type resolvConf struct{ folder, claims string }

var systemResolvConf = resolvConf{"/etc", stateFolder + "/resolv.conf"}

func (r resolvConf) path() string { return filepath.Join(r.folder, "resolv.conf") }
func (r resolvConf) kept() string { return r.path() + ".before-causeway" }

// draft is a new file that is being written.
func (r resolvConf) draft() string { return r.path() + ".causeway-draft" }

// mark is there while the file is being written in its place, and may be incomplete.
func (r resolvConf) mark() string { return r.path() + ".causeway-in-place" }

// claim is what a tunnel wants.
type claim struct {
	name  device
	order int
	nameServers
}

// claimed holds the lock on the claim of this process, which shows the others that it lives.
var claimed *os.File

// claim makes the file name these servers until the claim is withdrawn, or until this process has ended and another one
// settles what it left.
func (r resolvConf) claim(name device, wanted nameServers) error {
	return r.locked(func() error {
		claims, err := r.living()
		if err != nil {
			return err
		}
		order := 0
		for _, each := range claims {
			if each.order >= order {
				order = each.order + 1
			}
		}
		path := filepath.Join(r.claims, string(name))
		_ = os.Remove(path + ".new")
		file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if _, err = lock(file, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			_, err = file.WriteString((claim{name, order, wanted}).String())
		}
		if err == nil {
			err = os.Rename(path+".new", path)
		}
		if err != nil {
			file.Close()
			return err
		}
		if claimed != nil {
			claimed.Close()
		}
		claimed = file
		step("resolv-conf-claimed")
		return r.bringAbout()
	})
}

// withdraw ends the claim of a tunnel. Without other claims, it puts back what was there before.
func (r resolvConf) withdraw(name device) error {
	return r.locked(func() error {
		for _, each := range []string{string(name), string(name) + ".new"} {
			if err := os.Remove(filepath.Join(r.claims, each)); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		step("resolv-conf-withdrawn")
		return r.bringAbout()
	})
}

// settle brings the file to what the claims of living helpers say. It returns what it found, and what is there now.
func (r resolvConf) settle() (before, after foundFile, err error) {
	err = r.locked(func() error {
		// Behind the lock, so that what another helper has just written doesn't count.
		before, _ = r.current()
		err := r.bringAbout()
		after, _ = r.current()
		return err
	})
	return before, after, err
}

// isLeft tells whether there is anything to be put back, or to be kept as it is.
func (r resolvConf) isLeft() bool {
	for _, each := range []string{r.claims, r.kept(), r.draft(), r.mark()} {
		if _, err := os.Lstat(each); !errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	return false
}

func (r resolvConf) locked(act func() error) error {
	// Not the folder of claims, which goes with the last one.
	folder, err := os.Open(filepath.Dir(r.claims))
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := lockWithin(folder, lockTimeout); err != nil {
		return err
	}
	if err := os.Mkdir(r.claims, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	if info, err := os.Lstat(r.claims); err != nil || !info.IsDir() || !isOwn(info) || info.Mode().Perm() != 0o700 {
		return errors.New("others may write the claims")
	}
	err = act()
	// Fails while there are claims.
	_ = syscall.Rmdir(r.claims)
	return err
}

// isOwn tells whether a file is root's, or of this process's user, who is root but in tests and for the doctor.
func isOwn(info os.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && (status.Uid == 0 || status.Uid == uint32(os.Geteuid()))
}

// living returns the claims, the newest last, without those of helpers that have ended, which it deletes.
func (r resolvConf) living() ([]claim, error) {
	files, err := os.ReadDir(r.claims)
	if err != nil {
		return nil, err
	}
	claims := []claim{}
	for _, each := range files {
		name, err := parseDevice(each.Name())
		if err != nil {
			continue
		}
		path := filepath.Join(r.claims, each.Name())
		file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(file, maxResolvConf))
		_, free := lock(file, syscall.LOCK_EX|syscall.LOCK_NB)
		file.Close()
		read, ok := parseClaim(name, string(text))
		if err != nil || !ok || free == nil {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
			continue
		}
		claims = append(claims, read)
	}
	sort.Slice(claims, func(a, b int) bool { return claims[a].order < claims[b].order })
	return claims, nil
}

func (c claim) String() string {
	kind := "shared"
	if c.exclusive {
		kind = "exclusive"
	}
	text := fmt.Sprintf("%d %s %s", c.order, kind, netAddresses(c.servers))
	if len(c.domains) > 0 {
		text += " " + joinedNames(c.domains, ",")
	}
	return text
}

func parseClaim(name device, text string) (claim, bool) {
	words := strings.SplitN(text, " ", 3)
	if len(words) != 3 || !isNumber(words[0]) {
		return claim{}, false
	}
	order, err := strconv.Atoi(words[0])
	wanted, failure := parseNameServers(words[2])
	wanted.exclusive = words[1] != "shared"
	return claim{name, order, wanted}, err == nil && failure == nil
}

// --- The file ----------------------------------------------------------------------------------------------------

// foundFile is the file as it is now.
type foundFile struct {
	isThere, isMine bool
	// text is empty of a link, or of anything else that isn't a regular file.
	text string
}

func (r resolvConf) current() (foundFile, error) {
	info, err := os.Lstat(r.path())
	if errors.Is(err, os.ErrNotExist) {
		return foundFile{}, nil
	} else if err != nil || !info.Mode().IsRegular() {
		return foundFile{isThere: true}, err
	}
	text, err := readRegular(r.path(), syscall.O_NOFOLLOW)
	return foundFile{true, strings.HasPrefix(text, resolvConfHead), text}, err
}

// readRegular returns the first part of a file, and never waits, whatever it is.
func readRegular(path string, flags int) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|flags, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxResolvConf))
	return string(text), err
}

// bringAbout makes the file what the claims say.
func (r resolvConf) bringAbout() error {
	claims, err := r.living()
	if err != nil {
		return err
	}
	_, err = os.Lstat(r.mark())
	wasInterrupted := err == nil
	now, err := r.current()
	if err != nil {
		return err
	}
	if len(claims) == 0 {
		return r.putBack(now.isMine || !now.isThere || wasInterrupted)
	}
	// Another program has replaced it since, or this is the first claim. A deleted file isn't one to put back.
	_, err = os.Lstat(r.kept())
	if !wasInterrupted && !now.isMine && (now.isThere || err != nil) {
		if err := r.keep(now); err != nil {
			return err
		}
		step("resolv-conf-kept")
	}
	newest := claims[len(claims)-1]
	servers, domains := newest.withNetworks(serversIn(r.keptText()), domainsIn(r.keptText()))
	text := resolvConfHead
	if len(domains) > 0 {
		text += "search " + joinedNames(domains, " ") + "\n"
	}
	for _, each := range servers {
		text += "nameserver " + each.String() + "\n"
	}
	if now.text == text && !wasInterrupted {
		return nil
	}
	return r.write(text)
}

// keep keeps the file as it is: the same file under another name, so that its rights and its kind stay.
func (r resolvConf) keep(now foundFile) error {
	if err := os.Remove(r.kept()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err, text := error(nil), noResolvConf
	if now.isThere {
		err, text = os.Link(r.path(), r.kept()), now.text
	}
	// A file that is mounted on its place, as in a container, has no second name.
	if !now.isThere || errors.Is(err, syscall.EXDEV) {
		err = writeNew(r.kept(), text)
	}
	if err != nil {
		return err
	}
	return syncFolder(r.folder)
}

// putBack puts back what was kept, if the file is the helper's, and otherwise forgets it.
func (r resolvConf) putBack(isMine bool) error {
	info, err := os.Lstat(r.kept())
	if errors.Is(err, os.ErrNotExist) {
		return r.removeDrafts()
	} else if err != nil {
		return err
	}
	switch {
	case !isMine:
	case info.Mode().IsRegular() && r.keptText() == noResolvConf:
		if err := remove(r.path()); err != nil {
			return err
		}
	default:
		// Does nothing if both are the same file.
		err := os.Rename(r.kept(), r.path())
		if errors.Is(err, syscall.EBUSY) {
			err = r.write(r.keptText())
		}
		if err != nil {
			return err
		}
	}
	step("resolv-conf-put-back")
	// In this order: a mark without what was kept would look like a change that was cut off.
	if err := r.removeDrafts(); err != nil {
		return err
	}
	if err := remove(r.kept()); err != nil {
		return err
	}
	return syncFolder(r.folder)
}

// write replaces the file in one step, or, where it is mounted on its place, writes into it.
func (r resolvConf) write(text string) error {
	if err := remove(r.draft()); err != nil {
		return err
	}
	if err := writeNew(r.draft(), text); err != nil {
		return err
	}
	step("resolv-conf-draft")
	err := os.Rename(r.draft(), r.path())
	if !errors.Is(err, syscall.EBUSY) {
		if err != nil {
			_ = remove(r.draft())
			return err
		}
		return syncFolder(r.folder)
	}
	file, err := os.OpenFile(r.path(), os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		_ = remove(r.draft())
		return err
	}
	defer file.Close()
	if err = os.Rename(r.draft(), r.mark()); err == nil {
		err = syncFolder(r.folder)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte(text), 0)
	step("resolv-conf-in-place")
	if err == nil {
		err = file.Truncate(int64(len(text)))
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return err
	}
	return remove(r.mark())
}

func (r resolvConf) removeDrafts() error {
	if err := remove(r.draft()); err != nil {
		return err
	}
	return remove(r.mark())
}

func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err = file.WriteString(text); err != nil {
		return err
	}
	// Whatever the process's mask.
	if err = file.Chmod(0o644); err != nil {
		return err
	}
	return file.Sync()
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	// Some file systems have nothing to do for a folder, and say so.
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// --- What it says ------------------------------------------------------------------------------------------------

// keptText returns what was kept. It follows a link only if it is root's.
func (r resolvConf) keptText() string { return readOfRoot(r.kept()) }

func readOfRoot(path string) string {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink != 0 && !isOwn(info) {
		return ""
	}
	text, err := readRegular(path, 0)
	if err != nil {
		return ""
	}
	return text
}

// others returns the file if it is another program's.
func (r resolvConf) others() string {
	text := readOfRoot(r.path())
	if strings.HasPrefix(text, resolvConfHead) {
		return ""
	}
	return text
}

// ofNetwork returns the servers and the domains of the network.
func (r resolvConf) ofNetwork() (netAddresses, []domainName) {
	return serversIn(r.others()), domainsIn(r.others())
}

// lists tells whether another program's file asks one of these servers first or, if alone, no others at all.
func (r resolvConf) lists(servers []netip.Addr, alone bool) bool {
	listed := serversIn(r.others())
	if len(listed) > 1 && !alone {
		// The others are asked if it doesn't answer.
		listed = listed[:1]
	}
	for _, each := range listed {
		isWanted := false
		for _, wanted := range servers {
			isWanted = isWanted || each == wanted
		}
		if !isWanted {
			return false
		}
	}
	return len(listed) > 0
}

// isLocal tells whether it names resolvers on this computer alone.
func (r resolvConf) isLocal() bool {
	servers := serversIn(r.others())
	for _, each := range servers {
		if !each.IsLoopback() {
			return false
		}
	}
	return len(servers) > 0
}

// resolvedFolder is where systemd-resolved keeps the files that others may link to.
const resolvedFolder = "/run/systemd/resolve/"

// isResolveds tells whether programs ask systemd-resolved, and whether they ask nobody else.
func (r resolvConf) isResolveds() (used, alone bool) {
	servers := serversIn(r.others())
	alone = len(servers) > 0
	for _, each := range servers {
		if text := each.String(); text != "127.0.0.53" && text != "127.0.0.54" {
			alone = false
		}
	}
	target, err := filepath.EvalSymlinks(r.path())
	return alone || err == nil && strings.HasPrefix(target, resolvedFolder), alone
}

// isBypassed tells whether programs that use the C library ask systemd-resolved whatever the file says.
func (r resolvConf) isBypassed() bool {
	is := false
	eachLine(readOfRoot(filepath.Join(r.folder, "nsswitch.conf")), func(words []string) {
		if words[0] == "hosts:" {
			for _, each := range words[1:] {
				is = is || each == "resolve"
			}
		}
	})
	return is
}

// isResolvconfs tells whether a program called resolvconf writes it.
func (r resolvConf) isResolvconfs() bool {
	target, err := os.Readlink(r.path())
	return err == nil && strings.Contains(target, "resolvconf/") || strings.Contains(r.others(), "resolvconf")
}

// serversIn returns the servers of a resolv.conf, as many as the C library uses.
func serversIn(text string) netAddresses {
	servers := netAddresses{}
	eachLine(text, func(words []string) {
		if words[0] != "nameserver" || len(words) < 2 || len(servers) == maxListed {
			return
		}
		if address, err := netip.ParseAddr(words[1]); err == nil && isZone(address.Zone()) {
			servers = append(servers, address)
		}
	})
	return servers
}

// isZone tells whether a text can be the name of a device, or is empty.
func isZone(text string) bool { return text == "" || len(text) < 16 && consistsOf(text, ".-_") }

// domainsIn returns the domains that complete short names. The last line of this kind counts.
func domainsIn(text string) []domainName {
	domains := []domainName{}
	eachLine(text, func(words []string) {
		if words[0] != "search" && words[0] != "domain" {
			return
		}
		domains = domains[:0]
		for _, each := range words[1:] {
			if domain, err := parseDomainName(strings.TrimSuffix(each, ".")); err == nil && len(domains) < maxSearched {
				domains = append(domains, domain)
			}
		}
	})
	return domains
}

func eachLine(text string, use func(words []string)) {
	for _, line := range strings.Split(text, "\n") {
		if words := strings.Fields(line); len(words) > 0 && !strings.ContainsAny(line[:1], " \t") {
			use(words)
		}
	}
}

// netAddresses are printed with commas.
type netAddresses []netip.Addr

func (n netAddresses) String() string {
	words := []string{}
	for _, each := range n {
		words = append(words, each.String())
	}
	return strings.Join(words, ",")
}

func parseNetAddresses(text string) netAddresses {
	addresses := netAddresses{}
	for _, each := range strings.Split(text, ",") {
		if address, err := netip.ParseAddr(each); err == nil {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

func joinedNames(names []domainName, by string) string {
	words := []string{}
	for _, each := range names {
		words = append(words, string(each))
	}
	return strings.Join(words, by)
}

// withNetworks returns the tunnel's servers and domains. A tunnel that is to answer only for some domains is asked first for every
// name, because such a file can't tell them apart; the network's servers come after it, for a server that refuses others.
func (w nameServers) withNetworks(network netAddresses, searched []domainName) (netAddresses, []domainName) {
	servers, domains := append(netAddresses{}, w.servers...), append([]domainName{}, w.domains...)
	if !w.exclusive {
		servers = append(servers, network...)
		domains = append(domains, searched...)
	}
	if len(servers) > maxListed {
		servers = servers[:maxListed]
	}
	if len(domains) > maxSearched {
		domains = domains[:maxSearched]
	}
	return servers, domains
}

// --- The watch ---------------------------------------------------------------------------------------------------

const (
	// watchQuiet is how long a file has to stay as it is, because programs write it in steps; watchLimit, the most that is
	// waited for that.
	watchQuiet, watchLimit = 100 * time.Millisecond, time.Second
	// maxReplaced is how often others may replace the file in replacedWithin; then another program insists on its own.
	maxReplaced    = 10
	replacedWithin = time.Minute
)

// watch calls `changed` soon after another program may have changed the file, or the one that a kept link leads to, until stop is
// called.
func (r resolvConf) watch(changed func()) (stop func(), err error) {
	descriptor, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, err
	}
	events := os.NewFile(uintptr(descriptor), "inotify")
	names := watchedNames{}
	watchFolder := func(path string) error {
		id, err := syscall.InotifyAddWatch(descriptor, filepath.Dir(path),
			syscall.IN_CREATE|syscall.IN_MOVE|syscall.IN_DELETE|syscall.IN_CLOSE_WRITE|syscall.IN_ONLYDIR)
		if err == nil {
			names.Store(watchedName{int32(id), filepath.Base(path)}, true)
		}
		return err
	}
	if err = watchFolder(r.path()); err != nil {
		events.Close()
		return nil, err
	}
	watchFile := func() {
		// A file that is mounted on its place is in no folder that is watched.
		_, _ = syscall.InotifyAddWatch(descriptor, r.path(), syscall.IN_CLOSE_WRITE|syscall.IN_DONT_FOLLOW)
		if original := r.original(); original != "" {
			// Without its folder, nobody writes it either.
			_ = watchFolder(original)
		}
		if target, err := filepath.EvalSymlinks(r.path()); err == nil && target != r.path() {
			_ = watchFolder(target)
		}
	}
	watchFile()
	heard, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(heard)
		buffer := make([]byte, 16<<10)
		for {
			size, err := events.Read(buffer)
			if err != nil {
				return
			}
			if names.concern(buffer[:size]) {
				select {
				case heard <- struct{}{}:
				default:
				}
			}
		}
	}()
	go func() {
		defer close(ended)
		for range heard {
			for end := time.After(watchLimit); ; {
				select {
				case _, more := <-heard:
					if !more {
						return
					}
					continue
				case <-time.After(watchQuiet):
				case <-end:
				}
				break
			}
			watchFile()
			changed()
		}
	}()
	return func() {
		events.Close()
		<-ended
	}, nil
}

// watchedNames are the names of files that are watched in their folders, by the folder's watch.
type watchedNames struct{ sync.Map }

type watchedName struct {
	folder int32
	name   string
}

// concern tells whether one of these events of the kernel's is of a watched file.
func (n *watchedNames) concern(events []byte) bool {
	for len(events) >= syscall.SizeofInotifyEvent {
		size := syscall.SizeofInotifyEvent + int(nativeOrder.Uint32(events[12:]))
		if size > len(events) {
			return true
		}
		of := string(bytes.TrimRight(events[syscall.SizeofInotifyEvent:size], "\x00"))
		_, isWatched := n.Load(watchedName{int32(nativeOrder.Uint32(events)), of})
		if of == "" || isWatched {
			return true
		}
		events = events[size:]
	}
	return false
}

// original returns where a link that was kept leads, if it is root's: another program writes the network's servers there, and not
// to the link. It is empty without one.
func (r resolvConf) original() string {
	info, err := os.Lstat(r.kept())
	if err != nil || info.Mode()&os.ModeSymlink == 0 || !isOwn(info) {
		return ""
	}
	if path, err := filepath.EvalSymlinks(r.kept()); err == nil {
		return path
	}
	// It may not be there yet.
	path, err := os.Readlink(r.kept())
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(r.folder, path)
	}
	return path
}

// guard keeps the file as the claims want it, until stop is called. It calls `lost` if another program insists on its own.
func (r resolvConf) guard(lost func()) (stop func(), err error) {
	replaced, isOver := []time.Time{}, false
	return r.watch(func() {
		if isOver {
			return
		}
		before, after, err := r.settle()
		// Another user's helper may be stopped while it holds the lock. That must not end this tunnel's claim.
		if err == syscall.EWOULDBLOCK {
			return
		}
		if !before.isMine && before != after {
			replaced = append(replaced, time.Now())
		}
		for len(replaced) > 0 && time.Since(replaced[0]) > replacedWithin {
			replaced = replaced[1:]
		}
		if isOver = err != nil || len(replaced) > maxReplaced; isOver {
			lost()
		}
	})
}

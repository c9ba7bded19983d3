package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// device is the name of a tunnel: `cw`, the helper's process id, `t`.
type device string

func parseDevice(text string) (device, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(text, "cw"), "t")
	if text != "cw"+id+"t" || !isNumber(id) || len(id) > 8 {
		return "", errors.New("not a device")
	}
	return device(text), nil
}

func ownDevice() device { return device("cw" + strconv.Itoa(os.Getpid()) + "t") }

// route is a route through a gateway, which does not go with the tunnel's device.
type route struct {
	prefix  netip.Prefix
	gateway netip.Addr
	// metric is -1 where the system does not tell.
	metric int
}

func (r route) String() string { return fmt.Sprintf("%s %s %d", r.prefix, r.gateway, r.metric) }

func parseRoute(prefix, gateway, metric string) (route, error) {
	parsed := route{}
	var err error
	if parsed.prefix, err = netip.ParsePrefix(prefix); err != nil {
		return route{}, err
	}
	if parsed.gateway, err = netip.ParseAddr(gateway); err != nil {
		return route{}, err
	}
	parsed.gateway = parsed.gateway.WithZone("")
	parsed.metric, err = strconv.Atoi(metric)
	return parsed, err
}

func (r route) masked() route { return route{r.prefix.Masked(), r.gateway, r.metric} }

// record is what a journal says: everything that has to be undone.
type record struct {
	openVPN     int
	startedAt   string
	dnsPrograms []string
	// had are the routes from before the tunnel, which stay. added are those that OpenVPN announced.
	had, added []route
	// deleted are default routes that OpenVPN announced to delete.
	deleted []route
}

// journal is a file that says what a tunnel changes, each line written before the change. The helper holds a lock on it
// for as long as it runs, so that its end is seen however it came. Only root may read the folder.
type journal struct {
	file   *os.File
	path   string
	device device
}

// folderOf is where the records of a user are: journals, addresses of servers, and whether a kill switch may be up.
func folderOf(uid uint32) string {
	return filepath.Join(stateFolder, strconv.FormatUint(uint64(uid), 10))
}

// makeFolder makes the user's folder, and refuses one that others than root could have made.
func makeFolder(uid uint32) (string, error) {
	for _, folder := range []string{stateFolder, folderOf(uid)} {
		if err := os.Mkdir(folder, 0o700); err != nil && !os.IsExist(err) {
			return "", failed("records")
		}
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || !belongsToRoot(info) {
			return "", failed("records")
		}
	}
	return folderOf(uid), nil
}

// belongsToRoot tells whether only root may change a file.
func belongsToRoot(info os.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && status.Uid == 0 && info.Mode().Perm()&0o022 == 0
}

func createJournal(folder string, name device) (*journal, error) {
	path := filepath.Join(folder, string(name))
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, failed("records")
		}
		there, err := lock(file, syscall.LOCK_EX)
		if err != nil {
			return nil, failed("records")
		}
		if there {
			return &journal{file, path, name}, nil
		}
		// Another helper of this user found the new file before it was locked, and took it for one that was left.
		file.Close()
	}
}

// openJournal waits for the lock, or with LOCK_NB fails. It returns nil where the journal is gone.
func openJournal(folder string, name device, how int) (*journal, error) {
	path := filepath.Join(folder, string(name))
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	there, err := lock(file, how)
	if err != nil || !there {
		file.Close()
		return nil, err
	}
	return &journal{file, path, name}, nil
}

// lock returns whether the locked file still has its name.
func lock(file *os.File, how int) (bool, error) {
	for {
		err := syscall.Flock(int(file.Fd()), how)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return false, err
		}
		info, err := file.Stat()
		if err != nil {
			return false, err
		}
		status, ok := info.Sys().(*syscall.Stat_t)
		return ok && status.Nlink > 0, nil
	}
}

// lockWithin waits for the lock, but not for ever: a user may freeze a helper that holds it.
func lockWithin(file *os.File, limit time.Duration) error {
	for giveUpAt := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		_, err := lock(file, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK || time.Now().After(giveUpAt) {
			return err
		}
		step("waiting")
	}
}

func (j *journal) write(format string, values ...any) error {
	if _, err := fmt.Fprintf(j.file, format+"\n", values...); err != nil {
		return failed("records")
	}
	return nil
}

func (j *journal) remove() error {
	defer j.file.Close()
	return os.Remove(j.path)
}

// read leaves out what it does not understand: a line that was not written to its end announced nothing yet.
func (j *journal) read() (record, error) {
	read := record{}
	// Its own place in the file: what is written meanwhile moves that of the file.
	scanner := bufio.NewScanner(io.NewSectionReader(j.file, 0, 1<<62))
	noted := map[string]bool{}
	for scanner.Scan() {
		words := strings.Split(scanner.Text(), " ")
		switch {
		case words[0] == "openvpn" && len(words) == 3 && words[2] != "":
			read.openVPN, _ = strconv.Atoi(words[1])
			read.startedAt = words[2]
		case words[0] == "dns" && len(words) == 2 && !noted[words[1]]:
			noted[words[1]] = true
			read.dnsPrograms = append(read.dnsPrograms, words[1])
		case len(words) == 4:
			parsed, err := parseRoute(words[1], words[2], words[3])
			if err != nil {
				continue
			}
			switch words[0] {
			case "had", "existed":
				read.had = append(read.had, parsed)
			case "added":
				read.added = append(read.added, parsed)
			case "deleted":
				read.deleted = append(read.deleted, parsed)
			}
		}
	}
	return read, scanner.Err()
}

// undo takes back what a journal says, and removes it. Each part is tried, also where one before it failed.
func (j *journal) undo() error {
	read, err := j.read()
	if err != nil {
		return err
	}
	for _, program := range read.dnsPrograms {
		revertDNS(j.device, program)
	}
	step("undo-openvpn")
	endOpenVPN(read)
	step("undo-routes")
	undoRoutes(read)
	// Again, because a program that was setting them when the helper died may have come later.
	for _, program := range read.dnsPrograms {
		revertDNS(j.device, program)
	}
	step("undo-journal")
	return j.remove()
}

// endOpenVPN asks an OpenVPN that outlived its helper to end, several times since it loses early signals, and then
// makes it. Its start time tells it from a later process with the same id.
func endOpenVPN(read record) {
	if read.openVPN <= 1 || read.startedAt == "" {
		return
	}
	for round := 0; processStart(read.openVPN) == read.startedAt && round < 40; round++ {
		signal := syscall.SIGTERM
		if round >= 8 {
			signal = syscall.SIGKILL
		}
		_ = syscall.Kill(read.openVPN, signal)
		time.Sleep(50 * time.Millisecond)
	}
}

// undoRoutes restores the default routes that OpenVPN deleted, where no other has taken their place, and deletes the
// announced routes that are there now and were not there before.
func undoRoutes(read record) {
	now, err := gatewayRoutes()
	if err != nil {
		return
	}
	for _, gone := range lost(read, now) {
		if changeRoute("add", gone) == nil {
			now = append(now, gone)
		}
	}
	for _, there := range leftover(read, now) {
		// One that is gone already is no matter.
		_ = changeRoute("del", there)
	}
}

// routeSet tells routes apart by what makes them the same to the kernel.
type routeSet map[route]bool

func setOf(routes []route) routeSet {
	set := routeSet{}
	for _, each := range routes {
		set[each.masked()] = true
	}
	return set
}

func (r route) isDefault() bool { return r.prefix.Bits() == 0 }

// isOpenVPNs returns a function that tells OpenVPN's routes. A default route that leads where the computer's own led,
// with the metric of a route that was added without one, is how OpenVPN restores it.
func (read record) isOpenVPNs() func(route) bool {
	had, added := setOf(read.had), setOf(read.added)
	restored := routeSet{}
	for _, each := range read.had {
		if each.isDefault() {
			each.metric = defaultMetric(each.prefix)
			restored[each.masked()] = true
		}
	}
	return func(there route) bool {
		key := there.masked()
		return !had[key] && (added[key] || restored[key])
	}
}

// hasDefault tells for IPv4 (false) and IPv6 (true) whether there is a default route that is not OpenVPN's.
func (read record) hasDefault(now []route) map[bool]bool {
	isOpenVPNs, has := read.isOpenVPNs(), map[bool]bool{}
	for _, there := range now {
		if there.isDefault() && !isOpenVPNs(there) {
			has[there.prefix.Addr().Is6()] = true
		}
	}
	return has
}

// lost returns the computer's default routes that OpenVPN deleted, of a family that has none but OpenVPN's own now.
func lost(read record, now []route) []route {
	replaced := setOf(read.deleted)
	isOpenVPNs, hasDefault := read.isOpenVPNs(), read.hasDefault(now)
	for _, there := range now {
		if there.isDefault() && isOpenVPNs(there) {
			replaced[there.masked()] = true
		}
	}
	gone := []route{}
	for _, had := range read.had {
		form := had.masked()
		form.metric = defaultMetric(had.prefix)
		if had.isDefault() && replaced[form] && !hasDefault[had.prefix.Addr().Is6()] {
			gone = append(gone, had)
		}
	}
	return gone
}

// leftover returns the routes of OpenVPN's among those that are there now. The last default route is never one of them:
// OpenVPN may have replaced the computer's own by it.
func leftover(read record, now []route) []route {
	isOpenVPNs, hasDefault := read.isOpenVPNs(), read.hasDefault(now)
	left := []route{}
	for _, there := range now {
		if isOpenVPNs(there) && (!there.isDefault() || hasDefault[there.prefix.Addr().Is6()]) {
			left = append(left, there)
		}
	}
	return left
}

// repair undoes what helpers of this user left that ended without doing so.
func repair(uid uint32) error {
	folder := folderOf(uid)
	files, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return failed("records")
	}
	for _, each := range files {
		name, err := parseDevice(each.Name())
		if err != nil {
			continue
		}
		left, err := openJournal(folder, name, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil || left == nil {
			// Its helper runs, or has just cleaned up.
			continue
		}
		info, err := left.file.Stat()
		if err == nil {
			err = left.undo()
		}
		if err != nil {
			return failed("records")
		}
		// An empty one is that of a helper that has just been started, and makes another.
		if info.Size() > 0 {
			say("repaired", left.device)
		}
	}
	return nil
}

// watch waits until the helper of a device is gone, and undoes what it left. `run` starts it beside the tunnel.
func watch(by caller, text string) error {
	// The end of a session sends these to every process of it.
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	name, err := parseDevice(text)
	if err != nil {
		return failed("usage")
	}
	left, err := openJournal(folderOf(by.uid), name, syscall.LOCK_EX)
	if err != nil {
		return failed("records")
	}
	if left == nil {
		return nil
	}
	if err := left.undo(); err != nil {
		return failed("records")
	}
	return nil
}

//go:build !windows

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
	"sync"
	"syscall"
	"time"
)

// device is the name of a tunnel device: `cw`, the helper's process id, `t`.
type device string

func parseDevice(text string) (device, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(text, "cw"), "t")
	if text != "cw"+id+"t" || !isNumber(id) || len(id) > 8 {
		return "", errors.New("not a device")
	}
	return device(text), nil
}

func ownDevice() device { return device("cw" + strconv.Itoa(os.Getpid()) + "t") }

// route is a route past the tunnel, which does not disappear with the tunnel's device. It has a gateway or, like that of
// a mobile network, only a device.
type route struct {
	prefix  netip.Prefix
	gateway netip.Addr
	via     string
	// metric is -1 if the system does not report it.
	metric int
}

// devicePrefix distinguishes a device from a gateway in a journal.
const devicePrefix = "dev:"

func (r route) String() string {
	nextHop := devicePrefix + r.via
	if r.gateway.IsValid() {
		nextHop = r.gateway.String()
	}
	return fmt.Sprintf("%s %s %d", r.prefix, nextHop, r.metric)
}

func parseRoute(prefix, nextHop, metric string) (route, error) {
	parsed := route{}
	var err error
	if parsed.prefix, err = netip.ParsePrefix(prefix); err != nil {
		return route{}, err
	}
	if strings.HasPrefix(nextHop, devicePrefix) {
		parsed.via = strings.TrimPrefix(nextHop, devicePrefix)
	} else if parsed.gateway, err = netip.ParseAddr(nextHop); err != nil {
		return route{}, err
	}
	parsed.gateway = parsed.gateway.WithZone("")
	parsed.metric, err = strconv.Atoi(metric)
	return parsed, err
}

func (r route) masked() route {
	r.prefix = r.prefix.Masked()
	return r
}

// record is the content of a journal: everything to be undone.
type record struct {
	// program is OpenVPN, or the program for WireGuard in user space.
	program   int
	startedAt string
	wireGuard wireGuardRecord
	dnsWays   []string
	// had holds the routes from before the tunnel, which stay; added, the routes that OpenVPN announced.
	had, added []route
	// deleted holds the default routes that OpenVPN announced to delete.
	deleted []route
}

// journal is a file with the changes of a tunnel; each line is written before its change. The helper holds a lock on it
// while it runs, so that other processes notice its end, however it comes. Only root may read it.
type journal struct {
	file   *os.File
	path   string
	device device
	// access is held while lines are written or read. unwritten holds the lines from the first one on that could not be
	// written completely: what follows a part of a line in the file would not be understood.
	access    sync.Mutex
	unwritten string
	// refused is why the first one of them could not be written.
	refused error
}

// folderOf returns the folder of a user's records: journals, server addresses, and the mark of the kill switch.
func folderOf(uid uint32) string {
	return filepath.Join(stateFolder, strconv.FormatUint(uint64(uid), 10))
}

// makeFolder creates the user's folder, and refuses one that someone other than root may have created.
func makeFolder(uid uint32) (string, error) {
	for _, folder := range []string{stateFolder, folderOf(uid)} {
		if err := os.Mkdir(folder, 0o711); err != nil && !os.IsExist(err) {
			return "", failedBy("records", "make-folder", err)
		}
		info, err := os.Lstat(folder)
		if err != nil {
			return "", failedBy("records", "make-folder", err)
		}
		if !info.IsDir() || !belongsToRoot(info) {
			return "", failedBy("records", "make-folder", causeOfOthers)
		}
		// Users may look for the mark of their kill switch, but list nothing. Also of a folder that a killed helper has left.
		if info.Mode().Perm() != 0o711 {
			if err := os.Chmod(folder, 0o711); err != nil {
				return "", failedBy("records", "make-folder", err)
			}
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
			return nil, failedBy("records", "make-journal", err)
		}
		there, err := lock(file, syscall.LOCK_EX)
		if err != nil {
			return nil, failedBy("records", "lock-journal", err)
		}
		if there {
			return &journal{file: file, path: path, device: name}, nil
		}
		// Another helper of this user found the new file before it was locked, and removed it as a leftover.
		file.Close()
	}
}

// openJournal waits for the lock, or fails at once with LOCK_NB. It returns nil if the journal no longer exists.
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
	return &journal{file: file, path: path, device: name}, nil
}

// journalWithin waits for the lock for a limited time. It returns nil if the journal no longer exists.
func journalWithin(folder string, name device, limit time.Duration) (*journal, error) {
	for giveUpAt := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		found, err := openJournal(folder, name, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK || time.Now().After(giveUpAt) {
			return found, err
		}
	}
}

// lock returns whether the locked file still exists under its name.
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

// lockWithin waits for the lock for a limited time, because a user may freeze a helper that holds it.
func lockWithin(file *os.File, limit time.Duration) error {
	for giveUpAt := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		_, err := lock(file, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK || time.Now().After(giveUpAt) {
			return err
		}
		step("waiting")
	}
}

// write adds a line. If it fails, this process still undoes the change, but no other would.
func (j *journal) write(format string, values ...any) error {
	j.access.Lock()
	defer j.access.Unlock()
	line := fmt.Sprintf(format+"\n", values...)
	if j.unwritten == "" {
		_, err := j.file.WriteString(line)
		if err == nil {
			return nil
		}
		j.unwritten, j.refused = "\n", err
	}
	j.unwritten += line
	return failedBy("records", "write-journal", j.refused)
}

func (j *journal) remove() error {
	defer j.file.Close()
	return at("remove-journal", os.Remove(j.path))
}

// read skips lines that it does not understand: a line that was not written completely announced no change yet.
func (j *journal) read() (record, error) {
	j.access.Lock()
	defer j.access.Unlock()
	read := record{}
	// A separate reader, because writing moves the position in the file.
	file := io.NewSectionReader(j.file, 0, 1<<62)
	scanner := bufio.NewScanner(io.MultiReader(file, strings.NewReader(j.unwritten)))
	noted := map[string]bool{}
	for scanner.Scan() {
		words := strings.Split(scanner.Text(), " ")
		switch {
		case words[0] == "program" && len(words) == 3 && words[2] != "":
			read.program, _ = strconv.Atoi(words[1])
			read.startedAt = words[2]
		case read.wireGuard.add(words):
		case words[0] == "dns" && len(words) == 2 && !noted[words[1]]:
			noted[words[1]] = true
			read.dnsWays = append(read.dnsWays, words[1])
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
	return read, at("read-journal", scanner.Err())
}

// undo reverts everything in the journal, and removes it. A failed part does not stop the others.
func (j *journal) undo() error {
	read, err := j.read()
	if err != nil {
		return err
	}
	// A WireGuard device of the kernel would stay up with its key. If this fails, the journal stays for the next run.
	failure := at("remove-device", read.wireGuard.removeDevice(j.device))
	step("undo-device")
	revert := func() (failure error) {
		for _, each := range read.dnsWays {
			if err := revertDNS(j.device, each); err != nil {
				failure = at(each, err)
			}
		}
		return failure
	}
	// The second attempt counts.
	_ = revert()
	step("undo-program")
	endProgram(read)
	step("undo-routes")
	for _, undo := range []func() error{
		func() error { return at("undo-routes", undoRoutes(read)) },
		func() error { return at("undo-wireguard", read.wireGuard.undo(j.device)) },
	} {
		if err := undo(); err != nil {
			failure = err
		}
	}
	// Repeat this, because a program that was setting them when the helper died may have finished since.
	if err := revert(); err != nil {
		failure = err
	}
	if failure != nil {
		return failure
	}
	step("undo-journal")
	return j.remove()
}

// endProgram terminates a program that outlived its helper: first with several signals, because it loses early ones,
// then by killing it. The start time distinguishes it from a later process with the same id.
func endProgram(read record) {
	if read.program <= 1 || read.startedAt == "" {
		return
	}
	for round := 0; processStart(read.program) == read.startedAt && round < 40; round++ {
		signal := syscall.SIGTERM
		if round >= 8 {
			signal = syscall.SIGKILL
		}
		_ = syscall.Kill(read.program, signal)
		time.Sleep(50 * time.Millisecond)
	}
}

// undoRoutes restores default routes that OpenVPN deleted, unless another has replaced them, and deletes announced
// routes that exist now and did not exist before. The routing table has the last word on whether it succeeded.
func undoRoutes(read record) error {
	if len(read.had)+len(read.added) == 0 {
		// OpenVPN has no configuration yet, or it was WireGuard.
		return nil
	}
	now, err := currentRoutes()
	if err != nil {
		return err
	}
	if gone := lost(read, now); len(gone) > 0 {
		// The network may be down.
		_ = changeRoutes("add", gone)
		if now, err = currentRoutes(); err != nil {
			return err
		}
	}
	left := leftover(read, now)
	if len(left) == 0 {
		return nil
	}
	// Some may have disappeared already.
	_ = changeRoutes("del", left)
	if now, err = currentRoutes(); err != nil {
		return err
	}
	if len(leftover(read, now)) > 0 {
		return causeLeft
	}
	return nil
}

// routeSet compares routes by the properties that identify them to the kernel.
type routeSet map[route]bool

func setOf(routes []route) routeSet {
	set := routeSet{}
	for _, each := range routes {
		set[each.masked()] = true
	}
	return set
}

// withoutDevice returns the form in which OpenVPN announces that it deletes a default route.
func (r route) withoutDevice() route {
	r.via = ""
	return r.masked()
}

func (r route) isDefault() bool { return r.prefix.Bits() == 0 }

// isOpenVPNs returns a function that recognizes OpenVPN's routes. OpenVPN restores the computer's default route with
// the same gateway and the metric of a route added without one, so such a default route counts as OpenVPN's.
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

// lost returns the default routes of the computer that OpenVPN deleted, for each family with no other default route
// now.
func lost(read record, now []route) []route {
	replaced := routeSet{}
	for _, each := range read.deleted {
		replaced[each.withoutDevice()] = true
	}
	isOpenVPNs, hasDefault := read.isOpenVPNs(), read.hasDefault(now)
	for _, there := range now {
		if there.isDefault() && isOpenVPNs(there) {
			replaced[there.withoutDevice()] = true
		}
	}
	gone := []route{}
	for _, had := range read.had {
		form := had.withoutDevice()
		form.metric = defaultMetric(had.prefix)
		if had.isDefault() && replaced[form] && !hasDefault[had.prefix.Addr().Is6()] {
			gone = append(gone, had)
		}
	}
	return gone
}

// leftover returns OpenVPN's routes among the current ones. It excludes the last default route, which OpenVPN may have
// put in place of the computer's own.
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

// usersWithRecords returns the users for whom the helper has ever run since the start of the computer.
func usersWithRecords() ([]uint32, error) {
	folders, err := os.ReadDir(stateFolder)
	if err != nil && !os.IsNotExist(err) {
		return nil, failedBy("records", "list-users", err)
	}
	users := []uint32{}
	for _, each := range folders {
		if uid, err := parseUID(each.Name()); err == nil {
			users = append(users, uid)
		}
	}
	return users, nil
}

// otherUsers returns the users with records but this one.
func otherUsers(uid uint32) ([]uint32, error) {
	users, err := usersWithRecords()
	others := []uint32{}
	for _, each := range users {
		if each != uid {
			others = append(others, each)
		}
	}
	return others, err
}

// undoNamesakes undoes what helpers of other users left that had this one's process id, and so its device. Whoever undid
// it later would undo this tunnel.
func undoNamesakes(uid uint32, name device) error {
	others, err := otherUsers(uid)
	if err != nil {
		return err
	}
	for _, other := range others {
		left, err := openJournal(folderOf(other), name, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && left != nil {
			err = left.undo()
		}
		if err != nil {
			return failedBy("records", "undo-namesake", err)
		}
	}
	return nil
}

// repair undoes the changes of helpers that ended without doing so, of all users: routes and rules concern everybody, and whoever
// left them may not come back. It returns failures with those of the caller, and with those of others.
func repair(by caller) (own, others error) {
	users, err := usersWithRecords()
	if err != nil {
		return err, nil
	}
	for _, uid := range users {
		failure := repairUser(uid)
		switch {
		case failure == nil:
		case uid == by.uid:
			own = failure
		default:
			others = failure
		}
	}
	return own, others
}

func repairUser(uid uint32) error {
	folder := folderOf(uid)
	files, err := os.ReadDir(folder)
	if err != nil {
		return failedBy("records", "list-journals", err)
	}
	var failure error
	for _, each := range files {
		name, err := parseDevice(each.Name())
		if err != nil {
			continue
		}
		if err := repairTunnel(folder, name); err != nil {
			failure = err
		}
	}
	return failure
}

// repairTunnel undoes what a helper left, if it has ended.
func repairTunnel(folder string, name device) error {
	// Whoever undoes it keeps the lock meanwhile.
	<-left
	found, err := openJournal(folder, name, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK || err == nil && found == nil {
		// Its helper is still running, or has just cleaned up.
		return nil
	}
	if err != nil {
		return failedBy("records", "open-journal", err)
	}
	info, err := found.file.Stat()
	if err == nil {
		err = found.undo()
	}
	if err != nil {
		found.file.Close()
		return failedBy("records", "undo", err)
	}
	// An empty journal is that of a helper that has just started, and creates another.
	if info.Size() > 0 {
		say("repaired", found.device)
	}
	return nil
}

// watch waits for the end of a device's helper, and undoes its changes. `run` starts it beside the tunnel.
func watch(by caller, text string) error {
	// At the end of a session, these signals go to every process of it.
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	name, err := parseDevice(text)
	if err != nil {
		return failed("usage")
	}
	left, err := openJournal(folderOf(by.uid), name, syscall.LOCK_EX)
	if err != nil {
		return failedBy("records", "open-journal", err)
	}
	if left == nil {
		return nil
	}
	if err := left.undo(); err != nil {
		return failedBy("records", "undo", err)
	}
	return nil
}

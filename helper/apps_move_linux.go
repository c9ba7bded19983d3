//go:build !macos_rehearsal

package helper

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// ownGroups are the groups that the helper makes for a user's apps, where systemd makes none. They belong to root, so that they are as
// many as there are sides, and end with the last process.
type ownGroups struct {
	caller  caller
	top     string
	journal *journal
	// held keeps groups from being removed while they are listed, or something is moved there.
	held map[groupPath]*os.File
}

func newOwnGroups(by caller, notes *journal) (*ownGroups, error) {
	top, err := groupsTop()
	if err != nil {
		return nil, failedBy("apps", "find-groups", err)
	}
	return &ownGroups{by, top, notes, map[groupPath]*os.File{}}, nil
}

// prepare makes a group if it is one of these, and keeps it until it is released.
func (o *ownGroups) prepare(group groupPath) error {
	if !group.isOwn(o.caller) || o.held[group] != nil {
		return nil
	}
	if err := o.journal.write("groups"); err != nil {
		return err
	}
	step("groups")
	folder, err := o.hold(group)
	if err != nil {
		return at("make-group", err)
	}
	o.held[group] = folder
	step("groups-made")
	return nil
}

// release lets anybody remove a group that is empty.
func (o *ownGroups) release(group groupPath) {
	if o != nil && o.held[group] != nil {
		o.held[group].Close()
		delete(o.held, group)
	}
}

func (o *ownGroups) end() {
	for group := range o.held {
		o.release(group)
	}
}

// hold returns the locked folder of a group.
func (o *ownGroups) hold(group groupPath) (*os.File, error) {
	<-hasLeft
	for {
		path := o.top
		var err error
		for _, part := range group.parts() {
			path = filepath.Join(path, part)
			if err = os.Mkdir(path, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
				break
			}
			var info os.FileInfo
			if info, err = os.Lstat(path); err == nil && (!info.IsDir() || !belongsToRoot(info)) {
				err = causeOfOthers
			}
			if err != nil {
				break
			}
		}
		var folder *os.File
		if err == nil {
			folder, err = os.Open(path)
		}
		if errors.Is(err, os.ErrNotExist) {
			// Somebody has removed it meanwhile.
			continue
		} else if err != nil {
			return nil, err
		}
		_, err = lock(folder, syscall.LOCK_SH)
		held, failure := folder.Stat()
		now, gone := os.Lstat(path)
		switch {
		case err == nil && failure == nil && gone == nil && os.SameFile(held, now):
			return folder, nil
		case err != nil:
			folder.Close()
			return nil, err
		case failure != nil:
			folder.Close()
			return nil, failure
		}
		folder.Close()
	}
}

// removeGroups removes the groups of a user's apps that are empty, and that nobody keeps.
func removeGroups(uid uint32) error {
	top, err := groupsTop()
	if err != nil {
		// None can be there.
		return nil
	}
	own := caller{uid: uid}
	if _, err := os.Lstat(filepath.Join(top, appsFolder, own.String())); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var failure error
	remove := func(path string) {
		err := syscall.Rmdir(path)
		if err != nil && err != syscall.EBUSY && err != syscall.ENOENT && err != syscall.ENOTEMPTY {
			failure = at("remove-group", err)
		}
	}
	for _, side := range appSides {
		path := filepath.Join(top, string(ownGroup(own, side)))
		folder, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			failure = at("remove-group", err)
			continue
		}
		if _, err := lock(folder, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			remove(path)
		}
		folder.Close()
	}
	remove(filepath.Join(top, appsFolder, own.String()))
	remove(filepath.Join(top, appsFolder))
	return failure
}

// move carries out `app move PID SIDE`, and returns the answer.
func (o *ownGroups) move(value string) (string, error) {
	text, side, _ := strings.Cut(value, " ")
	id, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(id) != text || id <= 1 || !includes(appSides, []string{side}) {
		return "refused", nil
	}
	group := ownGroup(o.caller, side)
	wasHeld := o.held[group] != nil
	if err := o.prepare(group); err != nil {
		return "failed", err
	}
	answer := ""
	onThread(func() { answer, err = o.movePinned(group, id) })
	if !wasHeld {
		o.release(group)
	}
	return answer, err
}

// onThread does something on a thread of its own, whose end lets go what it has pinned.
func onThread(do func()) {
	done := make(chan struct{})
	var work func()
	work = func() {
		// Never unlocked, so the thread ends with this function.
		runtime.LockOSThread()
		if syscall.Gettid() == os.Getpid() {
			// The first thread doesn't end. While it is locked, another one is taken.
			go work()
			<-done
			return
		}
		defer close(done)
		do()
	}
	go work()
	<-done
}

// movePinned moves a process that is surely the caller's. Only its number can be written, which the kernel could give to another one
// meanwhile; that of a traced process it can't, until the tracer has let it go.
func (o *ownGroups) movePinned(group groupPath, id int) (string, error) {
	handle, err := openProcess(id)
	switch err {
	case nil:
	case syscall.ESRCH:
		return "gone", nil
	case syscall.EINVAL, syscall.ENOENT:
		// A thread, not a process.
		return "refused", nil
	default:
		return "failed", at("open-process", err)
	}
	defer syscall.Close(handle)
	// Before it is traced, and after it can't be another one.
	if err := requireCallers(id, o.caller); err != nil {
		return answerAbout(err)
	}
	step("app-checked")
	if err := pin(id); err == syscall.ESRCH {
		return "gone", nil
	} else if err != nil {
		return "failed", at("pin-process", err)
	}
	step("app-pinned")
	if !exists(handle) {
		return "gone", nil
	}
	if err := requireCallers(id, o.caller); err != nil {
		return answerAbout(err)
	}
	if err := requireNoLimits(id, o.top); err != nil {
		return answerAbout(err)
	}
	step("app-allowed")
	path := filepath.Join(o.top, string(group), "cgroup.procs")
	err = os.WriteFile(path, []byte(strconv.Itoa(id)), 0)
	if errors.Is(err, syscall.ESRCH) {
		return "gone", nil
	} else if err != nil {
		return "failed", at("move-process", err)
	}
	// The kernel accepts the number of one that has ended.
	if err := requireProgram(id); err != nil {
		return answerAbout(err)
	}
	return "moved", nil
}

// answerAbout returns the answer for a process that isn't moved, and why.
func answerAbout(err error) (string, error) {
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ESRCH):
		return "gone", nil
	case errors.Is(err, causeOfOthers):
		return "refused", nil
	case errors.Is(err, causeManaged), errors.Is(err, causeLimited):
		return err.Error(), nil
	}
	return "failed", err
}

const (
	causeManaged = cause("managed")
	causeLimited = cause("limited")
)

// From linux/ptrace.h, and the system call tables, where these numbers are the same for all processors.
const (
	ptraceSeize    = 0x4206
	sysPidfdSignal = 424
	sysPidfdOpen   = 434
)

// openProcess returns a descriptor for a process, which never stands for another one with the same number.
func openProcess(id int) (int, error) {
	handle, _, err := syscall.RawSyscall(sysPidfdOpen, uintptr(id), 0, 0)
	if err != 0 {
		return 0, err
	}
	return int(handle), nil
}

// exists reports whether a process still has its number, also after its end.
func exists(handle int) bool {
	_, _, err := syscall.RawSyscall6(sysPidfdSignal, uintptr(handle), 0, 0, 0, 0, 0)
	return err == 0
}

// pin keeps the number of a process from being given to another one, until this thread ends. The process goes on.
func pin(id int) error {
	_, _, err := syscall.RawSyscall6(syscall.SYS_PTRACE, ptraceSeize, uintptr(id), 0, 0, 0, 0)
	if err != 0 {
		return err
	}
	return nil
}

// requireCallers refuses what isn't a process of the caller's alone: another user's, one with more rights, such as a setuid program,
// and the kernel's.
func requireCallers(id int, by caller) error {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "status"))
	if err != nil {
		return err
	}
	if !isCallers(string(status), by) {
		return causeOfOthers
	}
	return requireProgram(id)
}

// requireProgram fails for a process that runs no program: one that has ended, and a thread of the kernel.
func requireProgram(id int) error {
	_, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(id), "exe"))
	return err
}

// isCallers reads /proc/PID/status: all user ids are the caller's, all group ids the same, and there are no capabilities but root's.
func isCallers(status string, by caller) bool {
	users, groups, rights := []string{}, []string{}, ""
	for _, line := range strings.Split(status, "\n") {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "Uid":
			users = strings.Fields(value)
		case "Gid":
			groups = strings.Fields(value)
		case "CapPrm":
			rights = strings.TrimSpace(value)
		}
	}
	if len(users) != 4 || len(groups) != 4 || rights == "" {
		return false
	}
	for index := range users {
		if users[index] != by.String() || groups[index] != groups[0] {
			return false
		}
	}
	return by.uid == 0 || strings.Trim(rights, "0") == ""
}

// requireNoLimits refuses a process that is in one of systemd's units, which counts and ends what is there, or in a group with limits.
func requireNoLimits(id int, top string) error {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "cgroup"))
	if err != nil {
		return err
	}
	for _, each := range parseHierarchies(string(text)) {
		if each.name != "" {
			// It stays where it is there.
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(each.group, "/"), "/")
		switch filepath.Ext(first) {
		case ".slice", ".scope", ".service":
			return causeManaged
		}
		if filepath.Clean(each.group) != each.group {
			return causeManaged
		}
		for group := each.group; group != "/"; group = filepath.Dir(group) {
			if err := requireUnlimited(filepath.Join(top, group)); err != nil {
				return err
			}
		}
		return nil
	}
	return causeMissing
}

// requireUnlimited refuses a group with a limit.
func requireUnlimited(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, each := range files {
		if !mayLimit(each.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, each.Name()))
		if err != nil {
			return err
		}
		if isLimit(each.Name(), string(text)) {
			return causeLimited
		}
	}
	return nil
}

// unlimited holds what files contain that limit nothing.
var unlimited = map[string]string{
	"cgroup.freeze": "0", "cpuset.cpus": "", "cpuset.mems": "", "cpu.weight": "100", "cpu.idle": "0", "io.weight": "default 100",
}

func mayLimit(name string) bool {
	_, isKnown := unlimited[name]
	return isKnown || strings.HasSuffix(name, ".max") || strings.HasSuffix(name, ".high")
}

// isLimit reads a file of a group, such as `max 100000`, or a line for each device: `8:0 rbps=max wbps=1024`.
func isLimit(name, text string) bool {
	text = strings.TrimSpace(text)
	if normal, isKnown := unlimited[name]; isKnown {
		return text != normal
	}
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "max" {
			continue
		}
		if len(words) == 1 {
			return true
		}
		for _, word := range words[1:] {
			if word != "max" && !strings.HasSuffix(word, "=max") {
				return true
			}
		}
	}
	return false
}

//go:build !windows

package helper

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
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

// record is the content of a journal: everything to be undone.
type record struct {
	// program is OpenVPN, or the program for WireGuard in user space.
	program   int
	startedAt string
	wireGuard wireGuardRecord
	dnsWays   []string
	// groups is true if there may be control groups for apps of the user's.
	groups bool
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

// belongsToRoot reports whether only root may change a file.
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
		case words[0] == "groups" && len(words) == 1:
			read.groups = true
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
	if read.groups {
		if uid, err := parseUID(filepath.Base(filepath.Dir(j.path))); err == nil {
			if err := removeGroups(uid); err != nil {
				failure = err
			}
		}
	}
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

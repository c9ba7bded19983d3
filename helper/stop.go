//go:build !windows

package helper

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// stopTimeout is how long a helper gets to end its tunnel after it was asked to, and to be gone after it was killed. OpenVPN gets
// 5 s to end.
const stopTimeout = 8 * time.Second

// stoppedMark names a file in the folder of all records. While it exists, no tunnel starts: programs that are told of the
// end of theirs would connect again before a package's files are gone. Its scripts delete it when it is installed again.
const stoppedMark = stateFolder + "/stopped"

func isStopped() bool {
	_, err := os.Lstat(stoppedMark)
	return !errors.Is(err, os.ErrNotExist)
}

// lockedRecord is a record that another helper may keep locked.
type lockedRecord struct {
	path string
	// ask is the signal with which its holder is asked to let it go.
	ask syscall.Signal
	// take waits for the lock, and undoes what is recorded there.
	take func(limit time.Duration) error
}

// folderRecord is a folder whose lock is taken for a moment only, but by everything that undoes. A user may have stopped a helper that
// holds it.
func folderRecord(path string) lockedRecord {
	return lockedRecord{path, syscall.SIGCONT, func(limit time.Duration) error {
		folder, err := os.Open(path)
		if err != nil {
			return err
		}
		defer folder.Close()
		return lockWithin(folder, limit)
	}}
}

// tunnelRecord is the journal of a tunnel. Its helper holds the lock while it runs, and then whoever undoes its changes.
func tunnelRecord(folder string, name device) lockedRecord {
	return lockedRecord{filepath.Join(folder, string(name)), syscall.SIGTERM, func(limit time.Duration) error {
		record, err := journalWithin(folder, name, limit)
		if err != nil || record == nil {
			return err
		}
		return record.undo()
	}}
}

// end sends a signal to the helper that holds the lock of a record, which may end by itself meanwhile. Those that wait for it go on if
// they are stopped: they end with the record.
func (r lockedRecord) end(signal syscall.Signal) {
	for id, holds := range helpersWith(r.path) {
		if holds {
			_ = syscall.Kill(id, signal)
		}
		_ = syscall.Kill(id, syscall.SIGCONT)
	}
}

// stopAll ends the tunnels of all users, as their programs would, and lets none start. A helper that is stopped goes on; one that
// doesn't end is killed, and so is a watcher that doesn't undo its changes. Then this process does, so that nothing is left when a
// package's files are gone. Only root, or a user authorized by sudo, may call it.
func stopAll(by caller) error {
	if by.isSeated && by.uid != 0 {
		return failed("not-administrator")
	}
	if _, err := makeFolder(by.uid); err != nil {
		return err
	}
	if err := os.WriteFile(stoppedMark, nil, 0o644); err != nil {
		return failedBy("records", "note-stop", err)
	}
	// The mark comes first: helpers that start later see it.
	folders, tunnels, err := allRecords(by)
	if err != nil {
		return err
	}
	var failure error
	for round := 1; round <= 3 && len(folders)+len(tunnels) > 0; round++ {
		for _, each := range append(append([]lockedRecord{}, folders...), tunnels...) {
			if round == 1 {
				each.end(each.ask)
			} else {
				each.end(syscall.SIGKILL)
			}
		}
		giveUpAt := time.Now().Add(stopTimeout)
		if folders, failure = takeAll(folders, giveUpAt); failure == nil {
			tunnels, failure = takeAll(tunnels, giveUpAt)
		}
	}
	return failure
}

// takeAll returns the records that could not be taken, or undone, and why. One of them doesn't keep the others.
func takeAll(records []lockedRecord, giveUpAt time.Time) (left []lockedRecord, failure error) {
	for _, each := range records {
		err := each.take(time.Until(giveUpAt))
		if err == nil || errors.Is(err, os.ErrNotExist) {
			continue
		}
		left = append(left, each)
		if failure = undone(err); errors.Is(err, syscall.EWOULDBLOCK) {
			failure = failedBy("stop", "lock-records", err)
		}
	}
	return left, failure
}

// allRecords returns the folders of all users and of all records, and the journals in them.
func allRecords(by caller) (folders, tunnels []lockedRecord, err error) {
	users, err := usersToAdminister(by)
	if err != nil {
		return nil, nil, err
	}
	folders = append(folders, folderRecord(stateFolder))
	for _, uid := range users {
		folder := folderOf(uid)
		files, err := os.ReadDir(folder)
		if err != nil {
			return nil, nil, failedBy("records", "list-journals", err)
		}
		folders = append(folders, folderRecord(folder))
		for _, each := range files {
			if name, err := parseDevice(each.Name()); err == nil {
				tunnels = append(tunnels, tunnelRecord(folder, name))
			}
		}
	}
	return folders, tunnels, nil
}

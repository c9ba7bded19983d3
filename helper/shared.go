//go:build !windows

package helper

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// removeReplaced removes a file that is replaced in one step, and the new one of a helper that was killed before that step.
func removeReplaced(path string) error {
	for _, each := range []string{path, path + ".new"} {
		if err := os.Remove(each); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// maxTunnels is how many helpers of one user may run at once, so that nobody uses up the numbers of all users, or the memory.
const maxTunnels = 8

// hasLeft is closed once this process has left the groups in which its caller could stop it. Until then it holds no lock that others
// wait for, and changes nothing that they need.
var hasLeft = func() chan struct{} {
	never := make(chan struct{})
	close(never)
	return never
}()

// leaveCaller gets out of the caller's reach, which takes the kernel some milliseconds, beside the rest.
func leaveCaller(by caller) {
	leaving := make(chan struct{})
	hasLeft = leaving
	go func() {
		defer close(leaving)
		// Where it can't, whoever waits for too long ends it, and any user's next call undoes what it leaves.
		reportProblem("leave-groups", leaveGroups(by, os.Getpid()))
	}()
}

// lockShared locks a folder that many helpers take for a moment. One that keeps it for longer than its work can take is stopped: it
// is ended, and its watcher or the next call undoes its changes.
func lockShared(path string) (*os.File, error) {
	<-hasLeft
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = lockWithin(folder, lockTimeout)
	if err == syscall.EWOULDBLOCK {
		lockedRecord{path: path}.end(syscall.SIGKILL)
		err = lockWithin(folder, time.Second)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// countTunnels counts the helpers of a user.
func countTunnels(folder string) int {
	files, err := os.ReadDir(folder)
	if err != nil {
		return maxTunnels + 1
	}
	count := 0
	for _, each := range files {
		if _, err := parseDevice(each.Name()); err == nil {
			count++
		}
	}
	return count
}

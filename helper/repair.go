//go:build !windows

package helper

import (
	"os"
	"os/signal"
	"syscall"
)

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
		record, err := openJournal(folderOf(other), name, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && record != nil {
			err = record.undo()
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
	// Their last process may have ended without any helper.
	if err := removeGroups(uid); err != nil {
		failure = failedBy("records", "undo", err)
	}
	return failure
}

// repairTunnel undoes what a helper left, if it has ended.
func repairTunnel(folder string, name device) error {
	// Whoever undoes it keeps the lock meanwhile.
	<-hasLeft
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
		sendMessage("repaired", found.device)
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
	record, err := openJournal(folderOf(by.uid), name, syscall.LOCK_EX)
	if err != nil {
		return failedBy("records", "open-journal", err)
	}
	if record == nil {
		return nil
	}
	if err := record.undo(); err != nil {
		return failedBy("records", "undo", err)
	}
	return nil
}

//go:build !windows

package helper

// release lowers the caller's kill switch, and undoes the leftovers of a crash.
func release(by caller) error {
	// Even without records: somebody may have deleted them while the kill switch was up.
	if _, err := makeFolder(by.uid); err != nil {
		return err
	}
	own, others := repair(by)
	if own != nil {
		return own
	}
	was, err := lowerKillSwitch(by.uid)
	if err != nil {
		return err
	}
	if was {
		sendMessage("kill-switch released")
	} else {
		sendMessage("kill-switch none")
	}
	// Last: another user may keep it from being repaired, and must not keep this kill switch up.
	return undone(repairDNS(), others)
}

// usersToAdminister returns all users with records to root, and to a user authorized by sudo.
func usersToAdminister(by caller) ([]uint32, error) {
	if by.isSeated && by.uid != 0 {
		return nil, failed("not-administrator")
	}
	return usersWithRecords()
}

// releaseAll lowers the kill switches of all users, and undoes the leftovers of crashes. Only root, or a user authorized by
// sudo, may call it. Tunnels stay up, and say that their kill switch was lifted.
func releaseAll(by caller) error {
	users, err := usersToAdminister(by)
	if err != nil {
		return err
	}
	if _, err := makeFolder(by.uid); err != nil {
		return err
	}
	any := false
	// After a restart of the computer, there are no users with records.
	first := undone(repairDNS())
	for _, uid := range users {
		failure := repairUser(uid)
		was, err := lowerKillSwitch(uid)
		any = any || was
		// A failure does not stop the release of other users.
		for _, each := range []error{failure, err} {
			if each != nil && first == nil {
				first = each
			}
		}
	}
	if first != nil {
		return first
	}
	if any {
		sendMessage("kill-switch released")
	} else {
		sendMessage("kill-switch none")
	}
	return nil
}

//go:build !macos_rehearsal

package helper

import "syscall"

// removeDevice deletes the kernel's device, and its key and routes with it.
func (r wireGuardRecord) removeDevice(name device) error {
	if !r.device {
		return nil
	}
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	return socket.deleteLink(string(name))
}

// undo reverts all but the device. A failed part does not stop the others.
func (r wireGuardRecord) undo(name device) error {
	if !r.number {
		return nil
	}
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	if r.apps != 0 {
		// Before the rules: what has no mark any more is blocked by the kill switch, if that is up.
		err = at("delete-rules", dropFirewallTable(appsTable(name)))
	}
	step("undo-apps")
	for _, each := range r.rules {
		// There may be none, if the helper died before it was added.
		deletion := socket.change(each.message(rtmDelRule, 0))[0]
		if deletion != nil && deletion != syscall.ENOENT && !isWithoutIPv6(deletion) {
			err = at("delete-rule", deletion)
		}
	}
	step("undo-rules")
	if r.table != 0 {
		if failure := clearTable(socket, r.table); failure != nil {
			err = at("clear-table", failure)
		}
	}
	if r.apps != 0 {
		if failure := clearNetworkTable(r.apps); failure != nil {
			err = failure
		}
	}
	step("undo-table")
	if r.firewall {
		if failure := dropFirewallTable(firewallTable(name)); failure != nil {
			err = at("delete-rules", failure)
		}
	}
	step("undo-firewall")
	if err != nil {
		// The number stays taken as long as something has it.
		return err
	}
	return at("release-number", releaseNumber(name))
}

// clearTable deletes what is left in the table without the device.
func clearTable(socket *netlinkSocket, table uint32) error {
	for _, family := range []int{4, 6} {
		for _, round := range []bool{true, false} {
			routes, err := socket.routesOf(family, table)
			if err != nil {
				return err
			}
			for _, each := range routes {
				if !round {
					return at("clear-table", causeLeft)
				}
				_ = socket.change(each.delete())
			}
		}
	}
	return nil
}

// dropFirewallTable succeeds if there is no such table. The kernel has the last word.
func dropFirewallTable(name string) error {
	if is, err := hasFirewallTable(name); err == nil && !is {
		return nil
	}
	nft, err := systemProgram("nft")
	if err != nil {
		return err
	}
	_, err = runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: dropTable(name)})
	return err
}

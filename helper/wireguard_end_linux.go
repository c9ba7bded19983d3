//go:build !macos_rehearsal

package helper

import (
	"syscall"
	"time"
)

// exitGone is the exit status if somebody else deleted a part of the tunnel.
const exitGone = 71

// exitDeviceGone is the exit status of the program in user space if somebody deleted its device.
const exitDeviceGone = 3

func (w *wireGuard) awaitProcess() {
	<-w.process.ended
	switch status := w.process.status; {
	case status.Signaled():
		w.finish(exitKilled, "killed", int(status.Signal()))
	case status.ExitStatus() == exitDeviceGone:
		w.finish(exitGone, "gone", "device")
	default:
		w.finish(exitKilled, "exited", status.ExitStatus())
	}
}

// endBecause ends a tunnel of which a part is missing. A device in user space also goes with its program, which then is the
// cause.
func (w *wireGuard) endBecause(part string) {
	if part != "device" || w.process == nil || !w.process.endsWithin(askAgain) {
		w.finish(exitGone, "gone", part)
	}
}

// kill ends the program in user space, and its device with it.
func (w *wireGuard) kill() {
	w.finish(0)
	if w.changes != nil {
		w.changes.Close()
	}
	w.full.end()
	w.guard.wait()
	if w.asked != nil {
		w.asked.forgetKeys()
	}
	if w.process != nil {
		w.process.signal(syscall.SIGKILL)
		w.process.endsWithin(time.Second)
	}
}

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

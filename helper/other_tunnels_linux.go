//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// otherTunnel is a tunnel of another user's that is up, or starts.
type otherTunnel struct {
	name device
	// blocks is true if its user's kill switch permits it, and blocks everything else, or will.
	blocks bool
	// addresses holds those that it has asked for.
	addresses []netip.Prefix
}

// noteAsked notes what others have to know of a tunnel that starts: looking up its server takes seconds, before there is a kill switch.
func (t *tunnel) noteAsked(addresses []netip.Prefix) error {
	blocks, texts := "pass", []string{}
	if t.header.killSwitch && t.apps.blockMode() != onlyApps {
		blocks = "block"
	}
	for _, each := range addresses {
		texts = append(texts, each.String())
	}
	return t.journal.write("asked %s %s", blocks, strings.Join(texts, ","))
}

// refuseBesideOthers refuses a WireGuard tunnel that can't be up at the same time as one of another user. The newest full tunnel has the
// traffic of all users, also that for the networks of a split one, so it would leave nothing to a user whose kill switch permits
// another one. Of two tunnels with the same address, each drops what comes for it through the other one.
func (w *wireGuard) refuseBesideOthers(t *tunnel) error {
	others, err := otherTunnels(t.caller.uid)
	if err != nil || len(others) == 0 {
		return err
	}
	taken, err := w.routes.addresses()
	if err != nil {
		return failedBy("device", "list-addresses", err)
	}
	names, err := deviceNames()
	if err != nil {
		return failedBy("device", "list-devices", err)
	}
	for _, other := range others {
		for _, each := range other.addresses {
			if hasAddress(w.asked.addresses, each.Addr()) {
				return failed("other-tunnel")
			}
		}
		if other.blocks && takesMost(w.asked.allowed) && t.apps.insideMark() == 0 {
			return failed("other-tunnel")
		}
		for _, each := range taken {
			if names[each.index] == string(other.name) && hasAddress(w.asked.addresses, each.own.Addr()) {
				return failed("other-tunnel")
			}
		}
	}
	return nil
}

func hasAddress(prefixes []netip.Prefix, address netip.Addr) bool {
	for _, each := range prefixes {
		if each.Addr() == address {
			return true
		}
	}
	return false
}

// otherTunnels returns the tunnels of other users whose helpers run.
func otherTunnels(uid uint32) ([]otherTunnel, error) {
	users, err := otherUsers(uid)
	if err != nil {
		return nil, err
	}
	found := []otherTunnel{}
	for _, user := range users {
		permitted, err := permittedDevices(user)
		if err != nil {
			return nil, err
		}
		files, err := os.ReadDir(folderOf(user))
		if err != nil {
			return nil, failedBy("records", "list-journals", err)
		}
		for _, file := range files {
			name, err := parseDevice(file.Name())
			if err != nil {
				continue
			}
			read, isUp, err := readLiving(folderOf(user), name)
			if err != nil {
				return nil, failedBy("records", "read-journal", err)
			}
			if isUp {
				blocks := includes(permitted, []device{name}) && !read.wireGuard.isForSomeApps()
				blocks = blocks || read.wireGuard.asksBlock && !read.hasStarted()
				found = append(found, otherTunnel{name, blocks, read.wireGuard.asked})
			}
		}
	}
	return found, nil
}

// readLiving reads a journal that its helper keeps locked.
func readLiving(folder string, name device) (read record, isUp bool, err error) {
	free, err := openJournal(folder, name, syscall.LOCK_EX|syscall.LOCK_NB)
	if free != nil {
		free.file.Close()
	}
	if err != syscall.EWOULDBLOCK {
		return record{}, false, err
	}
	file, err := os.OpenFile(filepath.Join(folder, string(name)), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if os.IsNotExist(err) {
		return record{}, false, nil
	} else if err != nil {
		return record{}, false, err
	}
	defer file.Close()
	read, err = (&journal{file: file}).read()
	return read, err == nil, err
}

// hasStarted reports whether a tunnel has come further than its kill switch.
func (r record) hasStarted() bool {
	return r.program != 0 || r.wireGuard.device || r.wireGuard.table != 0
}

// isForSomeApps reports whether a tunnel leaves all but the listed apps, and so all that its kill switch doesn't block, to the network.
func (r wireGuardRecord) isForSomeApps() bool {
	for _, each := range r.rules {
		if each.notMark == each.table && isNetworkNumber(uint64(each.table)) {
			return true
		}
	}
	return false
}

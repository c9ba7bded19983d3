//go:build !macos_rehearsal

package helper

import (
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
)

// blockedApps is the list of a kill switch that is up while there is no tunnel.
type blockedApps struct {
	caller caller
	own    *ownGroups
}

// keepApps moves apps, and changes the list of the caller's kill switch for those that start or end meanwhile, until standard input
// ends. A signal ends it at once, and whoever comes next removes the groups that it made.
func keepApps(by caller) error {
	notes, err := begin(by)
	if err != nil {
		return err
	}
	own, err := newOwnGroups(by, notes)
	if err != nil {
		reportProblem("undo", notes.undo())
		return err
	}
	list := blockedApps{by, own}
	list.follow()
	own.end()
	return undone(notes.undo())
}

// follow carries out commands until standard input ends.
func (l blockedApps) follow() {
	lines := newLineReader(os.Stdin)
	sendMessage("started", "apps")
	for {
		lines.bytes, lines.lines = 0, 0
		line, err := lines.next()
		if err != nil {
			return
		}
		answer, failure := l.obey(line)
		sendMessage("app", answer)
		reportProblem("app-"+strings.Fields(answer)[0], failure)
	}
}

// obey carries out a command, and returns the answer. Nobody raises or lowers the kill switch meanwhile.
func (l blockedApps) obey(line string) (string, error) {
	if move := "app move "; strings.HasPrefix(line, move) {
		return l.own.move(strings.TrimPrefix(line, move))
	}
	held, err := lockKillSwitch(l.caller.uid)
	if err != nil {
		return "failed", err
	}
	defer held.Close()
	table, err := l.table()
	if err != nil {
		return "failed", err
	}
	if table == "" {
		return "off", nil
	}
	if line == "app list" {
		ids, err := listedIn(table)
		if err != nil {
			return "failed", err
		}
		return strings.TrimSuffix("listed "+strings.Join(ids, ","), " "), nil
	}
	words := strings.SplitN(line, " ", 3)
	if len(words) != 3 || words[0] != "app" || words[1] != "add" && words[1] != "remove" {
		return "refused", nil
	}
	group, ok := parseGroupPath(words[2], l.caller)
	if !ok {
		return "refused", nil
	}
	if words[1] == "add" {
		if err := l.own.prepare(group); err != nil {
			return "failed", err
		}
	}
	id, err := group.id(l.own.top)
	switch {
	case err == syscall.ENOENT && words[1] == "remove":
		return "none", nil
	case err == syscall.ENOENT:
		return "gone", nil
	case err != nil:
		return "refused", err
	case words[1] == "add":
		return answerTo(changeSet(nftNewElements, table, id), "added", syscall.ENFILE, "full")
	}
	return answerTo(changeSet(nftDelElements, table, id), "removed", syscall.ENOENT, "none")
}

// answerTo returns an answer for success, for one error, and for all others.
func answerTo(err error, success string, known syscall.Errno, answer string) (string, error) {
	switch err {
	case nil:
		return success, nil
	case known:
		return answer, nil
	}
	return "failed", err
}

// table returns the one for apps that the kill switch has, if any.
func (l blockedApps) table() (string, error) {
	for _, mode := range []appsMode{exceptApps, onlyApps} {
		name := blockTable(l.caller.uid, mode)
		if is, err := hasFirewallTable(name); err != nil || is {
			return name, err
		}
	}
	return "", nil
}

// changeSet adds a group to a list, or takes it off.
func changeSet(kind uint16, table string, id uint64) error {
	socket, err := openNetlink(netlinkNetfilter)
	if err != nil {
		return err
	}
	defer socket.close()
	flags := uint16(0)
	if kind == nftNewElements {
		flags = syscall.NLM_F_CREATE
	}
	return socket.transact([]message{{kind, flags, joined(setNames(table, "apps"), nested(nftElementList, element(id)))}})
}

// listedIn returns the groups that a table lists.
func listedIn(table string) ([]string, error) {
	socket, err := openNetlink(netlinkNetfilter)
	if err != nil {
		return nil, err
	}
	defer socket.close()
	ids := []uint64{}
	err = socket.ask(nftGetElements, syscall.NLM_F_DUMP, setNames(table, "apps"), func(_ uint16, data []byte) {
		if len(data) >= generalHeadBytes {
			ids = append(ids, idsIn(data[generalHeadBytes:])...)
		}
	})
	sort.Slice(ids, func(one, other int) bool { return ids[one] < ids[other] })
	texts := []string{}
	for _, id := range ids {
		texts = append(texts, strconv.FormatUint(id, 10))
	}
	return texts, err
}

// idsIn reads the elements of a set from a message.
func idsIn(data []byte) []uint64 {
	ids := []uint64{}
	attributesOf(data, func(kind uint16, list []byte) {
		if kind != nftElementList {
			return
		}
		attributesOf(list, func(_ uint16, element []byte) {
			attributesOf(element, func(kind uint16, key []byte) {
				if kind != nftElementKey {
					return
				}
				attributesOf(key, func(_ uint16, id []byte) {
					if len(id) == 8 {
						ids = append(ids, nativeOrder.Uint64(id))
					}
				})
			})
		})
	})
	return ids
}

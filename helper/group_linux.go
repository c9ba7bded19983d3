//go:build !macos_rehearsal

package helper

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// groupsFolder is the control group of all users' helpers, below the root of the hierarchy; each user has one in it.
	groupsFolder = "causeway"
	// maxGroupTasks limits the threads of a user's helpers and of their programs. A tunnel has about 40.
	maxGroupTasks = "1024"
	// sessionsGroup holds what logind and systemd end for a user, root's sessions too.
	sessionsGroup = "/user.slice/"
)

// From linux/magic.h.
const (
	controlGroups  = 0x27e0eb
	controlGroups2 = 0x63677270
)

// hierarchy is one of control groups, and the group of this process in it.
type hierarchy struct {
	// name is empty for version 2. For version 1, it is the list of controllers, or a name: systemd's.
	name, group string
}

func (h hierarchy) isSystemds() bool { return h.name == "" || strings.HasPrefix(h.name, "name=") }

// leaveGroups moves a process out of the groups in which its caller may freeze or end all processes at once, by files that systemd
// delegates to its user, or by asking logind. It goes to a group of the helper's in version 2, and to the root in version 1.
// What it can't leave, such as where the files are read-only, it stays in.
func leaveGroups(by caller, process int) error {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/cgroup")
	if err != nil {
		return err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for _, each := range parseHierarchies(string(text)) {
		if each.group == "/" || strings.HasPrefix(each.group, "/"+groupsFolder+"/") {
			continue
		}
		top, own := each.find(string(mounts), isGroup)
		if top == "" || own == top || !each.mayBeStopped(by, top, own) {
			continue
		}
		target, failure := top, error(nil)
		if each.name == "" {
			target, failure = makeGroup(top, by)
		}
		if failure == nil {
			failure = os.WriteFile(filepath.Join(target, "cgroup.procs"), []byte(strconv.Itoa(process)), 0)
		}
		if failure != nil {
			err = failure
		}
	}
	return err
}

// parseHierarchies reads /proc/self/cgroup.
func parseHierarchies(text string) []hierarchy {
	found := []hierarchy{}
	for _, line := range strings.Split(text, "\n") {
		fields := strings.SplitN(line, ":", 3)
		if len(fields) == 3 && strings.HasPrefix(fields[2], "/") {
			found = append(found, hierarchy{fields[1], fields[2]})
		}
	}
	return found
}

// isGroup reports whether a mounted file system is one of control groups, and isn't hidden by another one.
func isGroup(path string) bool {
	status := syscall.Statfs_t{}
	return syscall.Statfs(path, &status) == nil && (status.Type == controlGroups || status.Type == controlGroups2)
}

// find returns the folders of the hierarchy's root and of the group, where they are mounted; empty if they are nowhere.
func (h hierarchy) find(mountinfo string, isGroup func(path string) bool) (top, own string) {
	kind := "cgroup"
	if h.name == "" {
		kind = "cgroup2"
	}
	for _, line := range strings.Split(mountinfo, "\n") {
		left, right, _ := strings.Cut(line, " - ")
		fields, types := strings.Fields(left), strings.Fields(right)
		if len(fields) < 5 || len(types) < 3 || types[0] != kind || h.name != "" && !hasAll(types[2], h.name) {
			continue
		}
		// In a container, the mount may begin at a group that a namespace doesn't hide.
		begin, path := strings.TrimSuffix(fields[3], "/"), fields[4]
		if strings.HasPrefix(h.group+"/", begin+"/") && isGroup(path) {
			return path, filepath.Join(path, h.group[len(begin):])
		}
	}
	return "", ""
}

// hasAll reports whether all options of a list are in another one.
func hasAll(options, wanted string) bool {
	there := strings.Split(options, ",")
	return includes(there, strings.Split(wanted, ","))
}

// mayBeStopped reports whether anybody but root may stop what is in the group: its caller by a session of the user's, or whoever owns
// it or a group above it.
func (h hierarchy) mayBeStopped(by caller, top, own string) bool {
	if h.isSystemds() && by.uid != 0 || strings.HasPrefix(h.group, sessionsGroup) {
		return true
	}
	for group := own; len(group) > len(top); group = filepath.Dir(group) {
		for _, file := range []string{group, filepath.Join(group, "cgroup.procs")} {
			if info, err := os.Lstat(file); err != nil || !belongsToRoot(info) {
				return true
			}
		}
	}
	return false
}

// makeGroup returns the group of a user's helpers. Where the system counts tasks there, it has a limit: those of the user's own
// group no longer hold.
func makeGroup(top string, by caller) (string, error) {
	all := filepath.Join(top, groupsFolder)
	own := filepath.Join(all, by.String())
	for _, folder := range []string{all, own} {
		if err := os.Mkdir(folder, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return "", err
		}
		if info, err := os.Lstat(folder); err != nil || !belongsToRoot(info) {
			return "", at("make-group", causeOfOthers)
		}
	}
	limit := filepath.Join(own, "pids.max")
	if _, err := os.Lstat(limit); err != nil && os.WriteFile(filepath.Join(all, "cgroup.subtree_control"), []byte("+pids"), 0) != nil {
		return own, nil
	}
	return own, os.WriteFile(limit, []byte(maxGroupTasks), 0)
}

//go:build !macos_rehearsal

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// openPath (O_PATH) opens a folder without the right to read it.
const openPath = 0x200000

// groupsTop returns the folder of the root of the hierarchy that nftables looks at: version 2.
func groupsTop() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	if top, _ := (hierarchy{"", "/"}).find(string(mounts), isGroup); top != "" {
		return top, nil
	}
	return "", causeMissing
}

// id returns the number by which the kernel knows the group: that of its folder. It comes back for no other group.
func (g groupPath) id(top string) (uint64, error) {
	folder, err := syscall.Open(top, openPath|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	root := syscall.Stat_t{}
	err = syscall.Fstat(folder, &root)
	for _, part := range g.parts() {
		if err != nil {
			break
		}
		var next int
		next, err = syscall.Openat(folder, part, openPath|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
		if err == nil {
			syscall.Close(folder)
			folder = next
		}
	}
	defer syscall.Close(folder)
	if err != nil {
		return 0, err
	}
	found, system := syscall.Stat_t{}, syscall.Statfs_t{}
	if err := syscall.Fstat(folder, &found); err != nil {
		return 0, err
	}
	if err := syscall.Fstatfs(folder, &system); err != nil {
		return 0, err
	}
	// Another file system may be mounted below.
	if system.Type != controlGroups2 || found.Dev != root.Dev {
		return 0, cause("not-a-group")
	}
	return found.Ino, nil
}

// isOf reports whether a process has the user's id alone, whatever program it runs.
func isOf(process int, by caller) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return false
	}
	for _, line := range strings.Split(string(text), "\n") {
		if ids := strings.Fields(line); len(ids) == 5 && ids[0] == "Uid:" {
			for _, id := range ids[1:] {
				if id != by.String() {
					return false
				}
			}
			return true
		}
	}
	return false
}

// moveToApps moves a process into the group of its user's apps, which is root's, so that nobody stops what is in it. If the id has
// come to mean another user's process meanwhile, that changes nothing for it: only the packets of the caller are marked.
func moveToApps(top string, process int, by caller) error {
	own := ownAppsGroup(by)
	folder := top
	for _, part := range own.parts() {
		folder = filepath.Join(folder, part)
		if err := os.Mkdir(folder, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return at("make-group", err)
		}
		if info, err := os.Lstat(folder); err != nil || !belongsToRoot(info) {
			return at("make-group", causeOfOthers)
		}
	}
	err := os.WriteFile(filepath.Join(folder, "cgroup.procs"), []byte(fmt.Sprint(process)), 0)
	if errors.Is(err, syscall.ESRCH) {
		return syscall.ESRCH
	}
	return at("move", err)
}

//go:build !macos_rehearsal

package helper

import (
	"os"
	"syscall"
)

// openPath (O_PATH) opens a folder without the right to read it.
const openPath = 0x200000

const causeNoGroup = cause("not-a-group")

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
		return 0, causeNoGroup
	}
	return found.Ino, nil
}

// isGone reports whether the error of id means that the group is not there. Any other one says nothing of it.
func isGone(err error) bool {
	return err == syscall.ENOENT || err == syscall.ENODEV || err == syscall.ENOTDIR || err == syscall.ELOOP || err == causeNoGroup
}

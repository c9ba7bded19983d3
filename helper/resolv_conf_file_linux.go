//go:build !macos_rehearsal

package helper

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

// foundFile is the file as it is now.
type foundFile struct {
	isThere, isMine bool
	// text is empty of a link, or of anything else that isn't a regular file.
	text string
}

func (r resolvConf) current() (foundFile, error) {
	info, err := os.Lstat(r.path())
	if errors.Is(err, os.ErrNotExist) {
		return foundFile{}, nil
	} else if err != nil || !info.Mode().IsRegular() {
		return foundFile{isThere: true}, err
	}
	text, err := readRegular(r.path(), syscall.O_NOFOLLOW)
	return foundFile{true, strings.HasPrefix(text, resolvConfHead), text}, err
}

// readRegular returns the first part of a file, and never waits, whatever it is.
func readRegular(path string, flags int) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|flags, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", cause("not-a-file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxResolvConf))
	return string(text), err
}

// apply writes the file according to the claims.
func (r resolvConf) apply() error {
	claims, err := r.liveClaims()
	if err != nil {
		return err
	}
	_, err = os.Lstat(r.mark())
	wasInterrupted := err == nil
	now, err := r.current()
	if err != nil {
		return err
	}
	if len(claims) == 0 {
		if _, err = os.Lstat(r.kept()); now.isMine && errors.Is(err, os.ErrNotExist) {
			return r.replaceOwn()
		}
		return r.putBack(now.isMine || !now.isThere || wasInterrupted)
	}
	// Another program has replaced it since, or this is the first claim. A deleted file isn't one to put back.
	_, err = os.Lstat(r.kept())
	if !wasInterrupted && !now.isMine && (now.isThere || err != nil) {
		if err := r.keep(now); err != nil {
			return err
		}
		step("resolv-conf-kept")
	}
	newest := claims[len(claims)-1]
	servers, domains := newest.mergedWithNetwork(serversIn(r.keptText()), domainsIn(r.keptText()))
	text := resolvConfHead
	if len(domains) > 0 {
		text += "search " + joinedNames(domains, " ") + "\n"
	}
	for _, each := range servers {
		text += "nameserver " + each.String() + "\n"
	}
	if now.text == text && !wasInterrupted {
		return nil
	}
	return r.write(text)
}

// keep backs the file up under another name: as the same file, so that its rights and its kind stay.
func (r resolvConf) keep(now foundFile) error {
	if err := os.Remove(r.kept()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err, text := error(nil), noResolvConf
	if now.isThere {
		err, text = os.Link(r.path(), r.kept()), now.text
	}
	// A file that is mounted on its place, as in a container, has no second name.
	if !now.isThere || errors.Is(err, syscall.EXDEV) {
		err = writeNew(r.kept(), text)
	}
	if err != nil {
		return err
	}
	return syncFolder(r.folder)
}

// putBack restores the original if the file is the helper's, and otherwise removes the original.
func (r resolvConf) putBack(isMine bool) error {
	info, err := os.Lstat(r.kept())
	if errors.Is(err, os.ErrNotExist) {
		return r.removeDrafts()
	} else if err != nil {
		return err
	}
	switch {
	case !isMine:
	case info.Mode().IsRegular() && r.keptText() == noResolvConf:
		if err := remove(r.path()); err != nil {
			return err
		}
	default:
		// Does nothing if both are the same file.
		err := os.Rename(r.kept(), r.path())
		if errors.Is(err, syscall.EBUSY) {
			err = r.write(r.keptText())
		}
		if err != nil {
			return err
		}
	}
	step("resolv-conf-put-back")
	// In this order: a mark without what was kept would look like a change that was cut off.
	if err := r.removeDrafts(); err != nil {
		return err
	}
	if err := remove(r.kept()); err != nil {
		return err
	}
	return syncFolder(r.folder)
}

// replaceOwn removes the helper's file, whose servers are gone, where the original is missing. A program that keeps the
// network's servers elsewhere gets its usual link; others write a new file when they next get a lease.
func (r resolvConf) replaceOwn() error {
	if err := r.removeDrafts(); err != nil {
		return err
	}
	for _, each := range []string{"systemd/resolve/stub-resolv.conf", "NetworkManager/resolv.conf", "resolvconf/resolv.conf"} {
		target := filepath.Join(r.run, each)
		if info, err := os.Stat(target); err != nil || !info.Mode().IsRegular() || !isOwn(info) {
			continue
		}
		if err := os.Symlink(target, r.draft()); err != nil {
			return err
		}
		if err := os.Rename(r.draft(), r.path()); err != nil {
			_ = remove(r.draft())
			break
		}
		return syncFolder(r.folder)
	}
	if err := remove(r.path()); err != nil {
		// It is mounted on its place.
		return r.write(noResolvConf)
	}
	return syncFolder(r.folder)
}

// fsGetFlags and fsImmutable are FS_IOC_GETFLAGS and FS_IMMUTABLE_FL of linux/fs.h.
const (
	fsGetFlags  = 2<<30 | unsafe.Sizeof(uintptr(0))<<16 | 'f'<<8 | 1
	fsImmutable = 0x10
)

func isImmutable(path string) bool {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	flags := uint32(0)
	_, _, failure := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), fsGetFlags, uintptr(unsafe.Pointer(&flags)))
	return failure == 0 && flags&fsImmutable != 0
}

// write replaces the file in one step, or, where it is mounted on its place, writes into it.
func (r resolvConf) write(text string) error {
	if err := remove(r.draft()); err != nil {
		return err
	}
	if err := writeNew(r.draft(), text); err != nil {
		return err
	}
	step("resolv-conf-draft")
	err := os.Rename(r.draft(), r.path())
	if !errors.Is(err, syscall.EBUSY) {
		if err != nil {
			_ = remove(r.draft())
			return err
		}
		return syncFolder(r.folder)
	}
	file, err := os.OpenFile(r.path(), os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		_ = remove(r.draft())
		return err
	}
	defer file.Close()
	if err = os.Rename(r.draft(), r.mark()); err == nil {
		err = syncFolder(r.folder)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte(text), 0)
	step("resolv-conf-in-place")
	if err == nil {
		err = file.Truncate(int64(len(text)))
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return err
	}
	return remove(r.mark())
}

func (r resolvConf) removeDrafts() error {
	if err := remove(r.draft()); err != nil {
		return err
	}
	return remove(r.mark())
}

func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err = file.WriteString(text); err != nil {
		return err
	}
	// Whatever the process's mask.
	if err = file.Chmod(0o644); err != nil {
		return err
	}
	return file.Sync()
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	// Some file systems have nothing to do for a folder, and say so.
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

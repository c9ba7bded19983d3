//go:build !macos_rehearsal

package helper

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
)

const (
	// resolvConfHead marks files written by the helper.
	resolvConfHead = "# Written by Causeway while a VPN is connected. Afterwards, resolv.conf.before-causeway is put back.\n"
	// noResolvConf is kept where there was no file.
	noResolvConf = "# Causeway found no /etc/resolv.conf.\n"
	// maxResolvConf is the most that is read of one.
	maxResolvConf = 64 << 10
	// maxListed and maxSearched are how many the C library uses.
	maxListed, maxSearched = 3, 6
)

// resolvConf is /etc/resolv.conf, which names the DNS servers of all programs. A tunnel that wants it to name its servers
// leaves a claim in the helper's folder; the newest one wins. The original file stays beside it, as the same file, because
// /etc outlives a loss of power and the journal doesn't. Every change writes the file according to the claims, whatever
// was interrupted before.
type resolvConf struct {
	folder, claims string
	// run is the folder where programs that manage the file keep theirs.
	run string
}

var systemResolvConf = resolvConf{"/etc", stateFolder + "/resolv.conf", "/run"}

func (r resolvConf) path() string { return filepath.Join(r.folder, "resolv.conf") }
func (r resolvConf) kept() string { return r.path() + ".before-causeway" }

// draft is a new file that is being written.
func (r resolvConf) draft() string { return r.path() + ".causeway-draft" }

// mark is there while the file is being written in its place, and may be incomplete.
func (r resolvConf) mark() string { return r.path() + ".causeway-in-place" }

// claim is what a tunnel wants.
type claim struct {
	name  device
	order int
	nameServers
}

// claimed holds the lock on the claim of this process, which shows the others that it lives.
var claimed *os.File

// claim makes the file name these servers until the claim is withdrawn, or until this process has ended and another one
// calls settle.
func (r resolvConf) claim(name device, wanted nameServers) error {
	return r.locked(func() error {
		claims, err := r.liveClaims()
		if err != nil {
			return err
		}
		order := 0
		for _, each := range claims {
			if each.order >= order {
				order = each.order + 1
			}
		}
		path := filepath.Join(r.claims, string(name))
		_ = os.Remove(path + ".new")
		file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if _, err = lock(file, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			_, err = file.WriteString((claim{name, order, wanted}).String())
		}
		if err == nil {
			err = os.Rename(path+".new", path)
		}
		if err != nil {
			file.Close()
			return err
		}
		if claimed != nil {
			claimed.Close()
		}
		claimed = file
		step("resolv-conf-claimed")
		err = r.apply()
		if errors.Is(err, syscall.EPERM) && isImmutable(r.path()) {
			return errImmutable
		}
		return err
	})
}

// withdraw ends the claim of a tunnel. Without other claims, it puts back what was there before.
func (r resolvConf) withdraw(name device) error {
	return r.locked(func() error {
		if err := removeReplaced(filepath.Join(r.claims, string(name))); err != nil {
			return err
		}
		step("resolv-conf-withdrawn")
		return r.apply()
	})
}

// settle writes the file according to the claims of live helpers, if it may write over the one that is there now. It
// returns the file from before, and the one from now.
func (r resolvConf) settle(mayWrite func(now foundFile) bool) (before, after foundFile, err error) {
	err = r.locked(func() error {
		// Behind the lock, so that what another helper has just written doesn't count.
		before, _ = r.current()
		after = before
		if !mayWrite(before) {
			return nil
		}
		err := r.apply()
		after, _ = r.current()
		return err
	})
	return before, after, err
}

// isLeft reports whether a helper has left files that have to be restored or removed.
func (r resolvConf) isLeft() bool {
	for _, each := range []string{r.claims, r.kept(), r.draft(), r.mark()} {
		if _, err := os.Lstat(each); !errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	// Somebody has deleted the original.
	now, _ := r.current()
	return now.isMine
}

func (r resolvConf) locked(act func() error) error {
	// Not the folder of claims, which goes with the last one.
	folder, err := lockShared(filepath.Dir(r.claims))
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := os.Mkdir(r.claims, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	if info, err := os.Lstat(r.claims); err != nil || !info.IsDir() || !isOwn(info) || info.Mode().Perm() != 0o700 {
		return causeOfOthers
	}
	err = act()
	// Fails while there are claims.
	_ = syscall.Rmdir(r.claims)
	return err
}

// isOwn reports whether a file is root's, or of this process's user, who is root but in tests and for the doctor.
func isOwn(info os.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && (status.Uid == 0 || status.Uid == uint32(os.Geteuid()))
}

// liveClaims returns the claims, the newest last. It deletes those of helpers that have ended.
func (r resolvConf) liveClaims() ([]claim, error) {
	files, err := os.ReadDir(r.claims)
	if err != nil {
		return nil, err
	}
	claims := []claim{}
	for _, each := range files {
		name, err := parseDevice(each.Name())
		if err != nil {
			continue
		}
		path := filepath.Join(r.claims, each.Name())
		file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(file, maxResolvConf))
		_, free := lock(file, syscall.LOCK_EX|syscall.LOCK_NB)
		file.Close()
		read, ok := parseClaim(name, string(text))
		if err != nil || !ok || free == nil {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
			continue
		}
		claims = append(claims, read)
	}
	sort.Slice(claims, func(a, b int) bool { return claims[a].order < claims[b].order })
	return claims, nil
}

func (c claim) String() string {
	kind := "shared"
	if c.exclusive {
		kind = "exclusive"
	}
	text := fmt.Sprintf("%d %s %s", c.order, kind, netAddresses(c.servers))
	if len(c.domains) > 0 {
		text += " " + joinedNames(c.domains, ",")
	}
	return text
}

func parseClaim(name device, text string) (claim, bool) {
	words := strings.SplitN(text, " ", 3)
	if len(words) != 3 || !isNumber(words[0]) {
		return claim{}, false
	}
	order, err := strconv.Atoi(words[0])
	wanted, failure := parseNameServers(words[2])
	wanted.exclusive = words[1] != "shared"
	return claim{name, order, wanted}, err == nil && failure == nil
}

//go:build !macos_rehearsal

package helper

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// watchQuiet is how long a file has to stay as it is, because programs write it in steps; watchLimit, the most that is
// waited for that.
const watchQuiet, watchLimit = 100 * time.Millisecond, time.Second

// watch calls `changed` soon after another program may have changed the file, or the one that a kept link leads to, until stop is
// called.
func (r resolvConf) watch(changed func()) (stop func(), err error) {
	descriptor, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, err
	}
	inotify := os.NewFile(uintptr(descriptor), "inotify")
	names := watchedNames{}
	watchFolder := func(path string) error {
		id, err := syscall.InotifyAddWatch(descriptor, filepath.Dir(path),
			syscall.IN_CREATE|syscall.IN_MOVE|syscall.IN_DELETE|syscall.IN_CLOSE_WRITE|syscall.IN_ONLYDIR)
		if err == nil {
			names.Store(watchedName{int32(id), filepath.Base(path)}, true)
		}
		return err
	}
	if err = watchFolder(r.path()); err != nil {
		inotify.Close()
		return nil, err
	}
	watchFile := func() {
		// A file that is mounted on its place is in no folder that is watched.
		_, _ = syscall.InotifyAddWatch(descriptor, r.path(), syscall.IN_CLOSE_WRITE|syscall.IN_DONT_FOLLOW)
		if original := r.original(); original != "" {
			// Without its folder, nobody writes it either.
			_ = watchFolder(original)
		}
		if target, err := filepath.EvalSymlinks(r.path()); err == nil && target != r.path() {
			_ = watchFolder(target)
		}
	}
	watchFile()
	events, done := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(events)
		buffer := make([]byte, 16<<10)
		for {
			size, err := inotify.Read(buffer)
			if err != nil {
				return
			}
			if names.concern(buffer[:size]) {
				select {
				case events <- struct{}{}:
				default:
				}
			}
		}
	}()
	go func() {
		defer close(done)
		for range events {
			for end := time.After(watchLimit); ; {
				select {
				case _, more := <-events:
					if !more {
						return
					}
					continue
				case <-time.After(watchQuiet):
				case <-end:
				}
				break
			}
			watchFile()
			changed()
		}
	}()
	return func() {
		inotify.Close()
		<-done
	}, nil
}

// watchedNames are the names of files that are watched in their folders, by the folder's watch.
type watchedNames struct{ sync.Map }

type watchedName struct {
	folder int32
	name   string
}

// concern reports whether one of these events of the kernel's is of a watched file.
func (n *watchedNames) concern(events []byte) bool {
	for len(events) >= syscall.SizeofInotifyEvent {
		size := syscall.SizeofInotifyEvent + int(nativeOrder.Uint32(events[12:]))
		if size > len(events) {
			return true
		}
		of := string(bytes.TrimRight(events[syscall.SizeofInotifyEvent:size], "\x00"))
		_, isWatched := n.Load(watchedName{int32(nativeOrder.Uint32(events)), of})
		if of == "" || isWatched {
			return true
		}
		events = events[size:]
	}
	return false
}

// original returns where a link that was kept leads, if it is root's: another program writes the network's servers there, and not
// to the link. It is empty without one.
func (r resolvConf) original() string {
	info, err := os.Lstat(r.kept())
	if err != nil || info.Mode()&os.ModeSymlink == 0 || !isOwn(info) {
		return ""
	}
	if path, err := filepath.EvalSymlinks(r.kept()); err == nil {
		return path
	}
	// It may not be there yet.
	path, err := os.Readlink(r.kept())
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(r.folder, path)
	}
	return path
}

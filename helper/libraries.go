//go:build !windows

package helper

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

const (
	maxLinks = 40
	// maxLibraries exceeds what any OpenVPN loads.
	maxLibraries = 500
	// maxTable limits what is read of a file at once.
	maxTable = 16 << 20
)

var (
	errOthers = causeOfOthers
	// errMissing says that nothing is there, and that only root may put something there.
	errMissing = causeMissing
	errFormat  = cause("unknown-format")
)

// libraryCheck makes sure that a program runs no code that others than root may change: neither its own nor that of the
// libraries that it loads when it starts. Any doubt is an error.
type libraryCheck struct {
	// isRoots reports whether only root may change what is at a path.
	isRoots func(path string, info os.FileInfo) bool
	// folder is the program's.
	folder string
	// seen holds the files that were checked, each with the folders that apply to its libraries.
	seen map[string]bool
}

// requireRootsProgram returns an error unless only root may change the program and everything that it loads.
func requireRootsProgram(path string) error {
	check := libraryCheck{isRoots: isRootsEntry, folder: filepath.Dir(path), seen: map[string]bool{}}
	if runtime.GOOS == "darwin" {
		return check.machO(path, nil)
	}
	return check.elf(path, nil)
}

func isRootsEntry(_ string, info os.FileInfo) bool {
	if info.Mode()&os.ModeSymlink != 0 {
		// The mode of a link means nothing: only its owner and that of the folder can replace it.
		status, ok := info.Sys().(*syscall.Stat_t)
		return ok && status.Uid == 0
	}
	return belongsToRoot(info)
}

// resolve returns a path without links. It checks every folder on the way, and every link.
func (c *libraryCheck) resolve(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", errOthers
	}
	found, rest, links := "/", strings.Split(path, "/"), 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			found = filepath.Dir(found)
			continue
		}
		// Checks the root, too, whose name is empty.
		next := filepath.Join(found, name)
		info, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return "", errMissing
		}
		if err != nil || !c.isRoots(next, info) {
			return "", errOthers
		}
		if info.Mode()&os.ModeSymlink == 0 {
			found = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return "", errOthers
		}
		if filepath.IsAbs(target) {
			found = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return found, nil
}

// file does the same for a regular file.
func (c *libraryCheck) file(path string) (string, error) {
	found, err := c.resolve(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Lstat(found); err != nil || !info.Mode().IsRegular() {
		return "", errOthers
	}
	return found, nil
}

// folderOrMissing returns an error if others than root may put a library into a folder.
func (c *libraryCheck) folderOrMissing(path string) error {
	if _, err := c.resolve(path); err != nil && err != errMissing {
		return err
	}
	return nil
}

// isNew notes a file, the name by which it was found, and reports whether it has to be checked.
func (c *libraryCheck) isNew(name, file string, folders []string) (bool, error) {
	key := name + "\x00" + file + "\x00" + strings.Join(folders, "\x00")
	if c.seen[key] {
		return false, nil
	}
	if len(c.seen) == maxLibraries {
		return false, errFormat
	}
	c.seen[key] = true
	return true, nil
}

// with returns the folders and those of more that are not among them.
func with(folders, more []string) []string {
	all := append([]string{}, folders...)
next:
	for _, each := range more {
		for _, known := range all {
			if each == known {
				continue next
			}
		}
		all = append(all, each)
	}
	return all
}

// foldersOf returns the folder of a file by its name, and that by its real path: loaders differ in which one they take
// for the file's own.
func foldersOf(path, resolved string) []string {
	named, real := folderIn(path), folderIn(resolved)
	if named == real {
		return []string{real}
	}
	return []string{named, real}
}

// folderIn returns a path without its last name. Unlike filepath.Dir, it keeps `..`, which leads elsewhere behind a link.
func folderIn(path string) string {
	return path[:strings.LastIndexByte(path, '/')]
}

// expand replaces a variable at the beginning of a path by each of the folders. Other paths stay as they are.
func expand(path, variable string, folders []string) []string {
	rest := strings.TrimPrefix(path, variable)
	if rest == path || rest != "" && rest[0] != '/' {
		return []string{path}
	}
	paths := []string{}
	for _, each := range folders {
		paths = append(paths, each+rest)
	}
	return paths
}

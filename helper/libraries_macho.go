//go:build !windows

package helper

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Load commands and magic numbers from mach-o/loader.h and mach-o/fat.h.
const (
	loadDylib       = 0xc
	loadDylinker    = 0xe
	loadLazyDylib   = 0x20
	loadEnvironment = 0x27
	loadWeakDylib   = 0x80000018
	loadRpath       = 0x8000001c
	loadReexport    = 0x8000001f
	loadUpwardDylib = 0x80000023

	magic32    = 0xfeedface
	magic64    = 0xfeedfacf
	magicFat   = 0xcafebabe
	magicFat64 = 0xcafebabf
	// maxImages exceeds the processors that a file can be for.
	maxImages = 32
)

// systemLoader is the only loader that the kernel of macOS accepts.
const systemLoader = "/usr/lib/dyld"

// machO checks a program or library of macOS, for each of its processors. folders are those of @rpath from the files that
// load it.
func (c *libraryCheck) machO(path string, folders []string) error {
	file, err := c.file(path)
	if err != nil {
		return err
	}
	if isNew, err := c.isNew(path, file, folders); !isNew {
		return err
	}
	opened, err := os.Open(file)
	if err != nil {
		return errOthers
	}
	defer opened.Close()
	images, err := imagesOf(opened)
	if err != nil {
		return err
	}
	for _, each := range images {
		loads, err := readMachO(each)
		if err == nil {
			err = c.machOLoads(loads, foldersOf(path, file), folders)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// imagesOf returns the part of a file for each processor. It doesn't use debug/macho: that of Go 1.19, which the helper builds with, makes
// room for as many commands as a file claims, so four bytes of a damaged one end the process for lack of memory. It also refuses fat
// files of 64 bits.
func imagesOf(file *os.File) ([]*io.SectionReader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, errFormat
	}
	head, err := readRange(file, 0, 8)
	if err != nil {
		return nil, err
	}
	wide := binary.BigEndian.Uint32(head) == magicFat64
	if !wide && binary.BigEndian.Uint32(head) != magicFat {
		return []*io.SectionReader{io.NewSectionReader(file, 0, info.Size())}, nil
	}
	count, entry := int(binary.BigEndian.Uint32(head[4:])), 20
	if wide {
		entry = 32
	}
	if count < 1 || count > maxImages {
		return nil, errFormat
	}
	table, err := readRange(file, 8, count*entry)
	if err != nil {
		return nil, err
	}
	images := []*io.SectionReader{}
	for ; len(table) > 0; table = table[entry:] {
		offset, size := uint64(binary.BigEndian.Uint32(table[8:])), uint64(binary.BigEndian.Uint32(table[12:]))
		if wide {
			offset, size = binary.BigEndian.Uint64(table[8:]), binary.BigEndian.Uint64(table[16:])
		}
		length := uint64(info.Size())
		if offset > length || size > length-offset {
			return nil, errFormat
		}
		images = append(images, io.NewSectionReader(file, int64(offset), int64(size)))
	}
	return images, nil
}

// machOLoads is what the loader reads in the image for one processor.
type machOLoads struct{ libraries, searched []string }

func readMachO(image *io.SectionReader) (machOLoads, error) {
	loads := machOLoads{}
	head, err := readRange(image, 0, 28)
	if err != nil {
		return loads, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic := order.Uint32(head); magic != magic32 && magic != magic64 {
		order = binary.BigEndian
	}
	begin := 28
	switch order.Uint32(head) {
	case magic64:
		begin = 32
	case magic32:
	default:
		return loads, errFormat
	}
	size := order.Uint32(head[20:])
	if size > maxTable {
		return loads, errFormat
	}
	commands, err := readRange(image, int64(begin), int(size))
	if err != nil {
		return loads, err
	}
	for count := order.Uint32(head[16:]); count > 0; count-- {
		if len(commands) < 8 {
			return loads, errFormat
		}
		length := order.Uint32(commands[4:])
		if length < 8 || uint64(length) > uint64(len(commands)) {
			return loads, errFormat
		}
		if err := loads.readCommand(order, commands[:length]); err != nil {
			return loads, err
		}
		commands = commands[length:]
	}
	return loads, nil
}

func (l *machOLoads) readCommand(order binary.ByteOrder, raw []byte) error {
	command := order.Uint32(raw)
	switch command {
	case loadEnvironment:
		// It sets variables for the loader, such as those that name other folders.
		return errFormat
	case loadDylib, loadLazyDylib, loadWeakDylib, loadReexport, loadUpwardDylib, loadRpath, loadDylinker:
	default:
		return nil
	}
	if len(raw) < 12 {
		return errFormat
	}
	text, err := textAt(raw, uint64(order.Uint32(raw[8:])))
	if err != nil {
		return err
	}
	switch {
	case command == loadRpath:
		l.searched = append(l.searched, text)
	case command != loadDylinker:
		l.libraries = append(l.libraries, text)
	case text != systemLoader:
		return errOthers
	}
	return nil
}

func readRange(file io.ReaderAt, offset int64, size int) ([]byte, error) {
	content := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(file, offset, int64(size)), content); err != nil {
		return nil, errFormat
	}
	return content, nil
}

// machOLoads checks the libraries of an image. own are the folders that @loader_path stands for.
func (c *libraryCheck) machOLoads(loads machOLoads, own, folders []string) error {
	for _, each := range loads.searched {
		more := c.expandMachO(each, own)
		for _, folder := range more {
			if err := c.folderOrMissing(folder); err != nil {
				return err
			}
		}
		folders = with(folders, more)
	}
	for _, name := range loads.libraries {
		if err := c.machOLibrary(name, own, folders); err != nil {
			return err
		}
	}
	return nil
}

// machOLibrary checks every place where the loader may find a library. It must be in one of them, although the loader may
// do without a weak one: it also looks in /usr/local/lib, which belongs to a user on many computers.
func (c *libraryCheck) machOLibrary(name string, own, folders []string) error {
	places := c.expandMachO(name, own)
	if strings.HasPrefix(name, "@rpath/") {
		places = expand(name, "@rpath", folders)
	}
	isFound := false
	for _, place := range places {
		if isSealed(place) {
			isFound = true
			continue
		}
		if _, err := c.file(place); err == errMissing {
			continue
		}
		if err := c.machO(place, folders); err != nil {
			return err
		}
		isFound = true
	}
	if !isFound {
		return errOthers
	}
	return nil
}

func (c *libraryCheck) expandMachO(path string, own []string) []string {
	paths := []string{}
	for _, each := range expand(path, "@loader_path", own) {
		paths = append(paths, expand(each, "@executable_path", []string{c.folder})...)
	}
	return paths
}

// isSealed reports whether a path is on the system's volume, which nobody can change. Its libraries are in the loader's cache
// and not in files. /System/Volumes is where the other volumes are.
func isSealed(path string) bool {
	clean := filepath.Clean(path)
	if clean != strings.TrimSuffix(path, "/") {
		return false
	}
	return strings.HasPrefix(path, "/usr/lib/") ||
		strings.HasPrefix(path, "/System/") && !strings.HasPrefix(path, "/System/Volumes/")
}

//go:build !windows

package helper

import (
	"bytes"
	"debug/elf"
	"io"
	"strings"
)

// elf checks a program or library of Linux. folders are those in which its libraries are searched because of the files
// that load it.
//
// A library that is in none of the folders that a file names comes from those of the system (ld.so.conf, /lib, /usr/lib).
// Only root installs libraries there, and they are not checked.
func (c *libraryCheck) elf(path string, folders []string) error {
	file, err := c.file(path)
	if err != nil {
		return err
	}
	if isNew, err := c.isNew(path, file, folders); !isNew {
		return err
	}
	opened, err := elf.Open(file)
	if err != nil {
		return errFormat
	}
	defer opened.Close()
	loads, err := readELF(opened)
	if err != nil {
		return err
	}
	if loads.interpreter != "" {
		if _, err := c.file(loads.interpreter); err != nil {
			return errOthers
		}
	}
	own := foldersOf(path, file)
	// Whether a folder applies to the libraries of libraries depends on its kind. Here it always does.
	for _, list := range loads.searched {
		more, err := c.searchPath(list, own)
		if err != nil {
			return err
		}
		folders = with(folders, more)
	}
	for _, name := range loads.libraries {
		if err := c.elfLibrary(name, own, folders); err != nil {
			return err
		}
	}
	return nil
}

func (c *libraryCheck) elfLibrary(name string, own, folders []string) error {
	if strings.ContainsAny(name, "/$") {
		for _, path := range expandOrigin(name, own) {
			if err := c.elf(path, folders); err != nil {
				return errOthers
			}
		}
		return nil
	}
	for _, folder := range folders {
		path := folder + "/" + name
		if _, err := c.file(path); err == errMissing {
			continue
		}
		if err := c.elf(path, folders); err != nil {
			return err
		}
	}
	return nil
}

// searchPath returns the folders of a DT_RPATH or DT_RUNPATH. own are the folders that $ORIGIN stands for. Only root may
// put something into them, also if they don't exist.
func (c *libraryCheck) searchPath(list string, own []string) ([]string, error) {
	folders := []string{}
	if list == "" {
		return folders, nil
	}
	for _, each := range strings.Split(list, ":") {
		for _, folder := range expandOrigin(each, own) {
			// An empty or relative path starts at the working directory, and other variables depend on the loader.
			if strings.Contains(folder, "$") {
				return nil, errFormat
			}
			if err := c.folderOrMissing(folder); err != nil {
				return nil, err
			}
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

func expandOrigin(path string, own []string) []string {
	paths := []string{}
	for _, each := range expand(path, "${ORIGIN}", own) {
		paths = append(paths, expand(each, "$ORIGIN", own)...)
	}
	return paths
}

// elfLoads is what the loader reads in a file.
type elfLoads struct {
	// interpreter is the loader; empty in static programs and most libraries.
	interpreter string
	libraries   []string
	// searched holds lists of folders.
	searched []string
}

// readELF reads the segments, as the loader does. The sections, which debug/elf reads, may be missing or differ.
func readELF(file *elf.File) (elfLoads, error) {
	loads := elfLoads{}
	if file.Type != elf.ET_EXEC && file.Type != elf.ET_DYN {
		return loads, errFormat
	}
	for _, segment := range file.Progs {
		var err error
		switch segment.Type {
		case elf.PT_INTERP:
			var content []byte
			if content, err = readPart(segment, 0, segment.Filesz); err == nil {
				loads.interpreter, err = textAt(content, 0)
			}
		case elf.PT_DYNAMIC:
			err = loads.readDynamic(file, segment)
		}
		if err != nil {
			return loads, err
		}
	}
	return loads, nil
}

type dynamicEntry struct {
	tag   elf.DynTag
	value uint64
}

func (l *elfLoads) readDynamic(file *elf.File, segment *elf.Prog) error {
	content, err := readPart(segment, 0, segment.Filesz)
	if err != nil {
		return err
	}
	entries := []dynamicEntry{}
	texts := map[elf.DynTag]uint64{}
	for {
		entry := dynamicEntry{}
		switch {
		case file.Class == elf.ELFCLASS64 && len(content) >= 16:
			entry.tag, entry.value = elf.DynTag(file.ByteOrder.Uint64(content)), file.ByteOrder.Uint64(content[8:])
			content = content[16:]
		case file.Class == elf.ELFCLASS32 && len(content) >= 8:
			entry.tag, entry.value = elf.DynTag(file.ByteOrder.Uint32(content)), uint64(file.ByteOrder.Uint32(content[4:]))
			content = content[8:]
		default:
			return errFormat
		}
		if entry.tag == elf.DT_NULL {
			break
		}
		switch entry.tag {
		case elf.DT_STRTAB, elf.DT_STRSZ:
			texts[entry.tag] = entry.value
		case elf.DT_NEEDED, elf.DT_RPATH, elf.DT_RUNPATH:
			entries = append(entries, entry)
		case elf.DT_AUDIT, elf.DT_DEPAUDIT, elf.DT_AUXILIARY, elf.DT_FILTER:
			// These load more libraries, and OpenVPN needs none of them.
			return errFormat
		}
	}
	if len(entries) == 0 {
		return nil
	}
	table, err := readMemory(file, texts[elf.DT_STRTAB], texts[elf.DT_STRSZ])
	if err != nil {
		return err
	}
	for _, entry := range entries {
		text, err := textAt(table, entry.value)
		if err != nil {
			return err
		}
		if entry.tag == elf.DT_NEEDED {
			l.libraries = append(l.libraries, text)
		} else {
			l.searched = append(l.searched, text)
		}
	}
	return nil
}

// readMemory reads what is at an address once the file is loaded.
func readMemory(file *elf.File, address, size uint64) ([]byte, error) {
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_LOAD && address >= segment.Vaddr && address-segment.Vaddr < segment.Filesz {
			return readPart(segment, address-segment.Vaddr, size)
		}
	}
	return nil, errFormat
}

func readPart(segment *elf.Prog, offset, size uint64) ([]byte, error) {
	if size > maxTable || offset > segment.Filesz || size > segment.Filesz-offset {
		return nil, errFormat
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(segment, int64(offset), int64(size)), content); err != nil {
		return nil, errFormat
	}
	return content, nil
}

// textAt returns the text up to a zero byte.
func textAt(table []byte, offset uint64) (string, error) {
	if offset >= uint64(len(table)) {
		return "", errFormat
	}
	length := bytes.IndexByte(table[offset:], 0)
	if length < 0 {
		return "", errFormat
	}
	return string(table[offset : offset+uint64(length)]), nil
}

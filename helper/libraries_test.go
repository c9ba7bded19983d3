//go:build !windows

package helper

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// computer is a folder with files, in which everything belongs to root that only its owner may write to.
type computer struct {
	*testing.T
	root string
}

func newComputer(t *testing.T) computer {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := computer{t, root}
	c.must(os.Chmod(root, 0o755))
	for _, folder := range []string{"bin", "lib", "other", "home", "home/lib"} {
		c.must(os.Mkdir(c.at(folder), 0o755))
		c.must(os.Chmod(c.at(folder), 0o755))
	}
	c.must(os.Chmod(c.at("home"), 0o777))
	return c
}

func (c computer) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c computer) at(name string) string { return c.root + "/" + name }

func (c computer) put(name string, content []byte) {
	c.Helper()
	c.must(os.WriteFile(c.at(name), content, 0o755))
	c.must(os.Chmod(c.at(name), 0o755))
}

func (c computer) check() *libraryCheck {
	return &libraryCheck{
		isRoots: func(path string, info os.FileInfo) bool {
			isLink := info.Mode()&os.ModeSymlink != 0
			return !strings.HasPrefix(path, c.root) || isLink || info.Mode().Perm()&0o022 == 0
		},
		folder: c.at("bin"),
		seen:   map[string]bool{},
	}
}

// --- Linux -------------------------------------------------------------------------------------------------------

type elfFile struct {
	order       binary.ByteOrder
	is32        bool
	interpreter string
	entries     []elfEntry
}

type elfEntry struct {
	tag  elf.DynTag
	text string
}

// bytes writes a file with segments and no sections, like a stripped one.
func (f elfFile) bytes() []byte {
	order, class, word := f.order, elf.ELFCLASS64, 8
	if order == nil {
		order = binary.LittleEndian
	}
	if f.is32 {
		class, word = elf.ELFCLASS32, 4
	}
	// The addresses begin here, so that they are no offsets in the file.
	const base = 0x10000
	number := func(out *bytes.Buffer, size int, value uint64) {
		raw := make([]byte, 8)
		switch size {
		case 2:
			order.PutUint16(raw, uint16(value))
		case 4:
			order.PutUint32(raw, uint32(value))
		default:
			order.PutUint64(raw, value)
		}
		out.Write(raw[:size])
	}
	headerSize, segmentSize := map[int]int{4: 52, 8: 64}[word], map[int]int{4: 32, 8: 56}[word]
	const segments = 3
	body, texts, dynamic := bytes.Buffer{}, bytes.Buffer{}, bytes.Buffer{}
	start := headerSize + segments*segmentSize
	body.WriteString(f.interpreter + "\x00")
	texts.WriteByte(0)
	for _, each := range f.entries {
		number(&dynamic, word, uint64(each.tag))
		number(&dynamic, word, uint64(texts.Len()))
		texts.WriteString(each.text + "\x00")
	}
	textsAt := start + body.Len()
	body.Write(texts.Bytes())
	for _, each := range [][2]uint64{
		{uint64(elf.DT_STRTAB), uint64(base + textsAt)}, {uint64(elf.DT_STRSZ), uint64(texts.Len())}, {uint64(elf.DT_NULL), 0},
	} {
		number(&dynamic, word, each[0])
		number(&dynamic, word, each[1])
	}
	dynamicAt := start + body.Len()
	body.Write(dynamic.Bytes())

	out := bytes.Buffer{}
	data := elf.ELFDATA2LSB
	if order == binary.BigEndian {
		data = elf.ELFDATA2MSB
	}
	out.Write([]byte{0x7f, 'E', 'L', 'F', byte(class), byte(data), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	number(&out, 2, uint64(elf.ET_DYN))
	number(&out, 2, uint64(elf.EM_X86_64))
	number(&out, 4, 1)
	number(&out, word, 0)
	number(&out, word, uint64(headerSize))
	number(&out, word, 0)
	number(&out, 4, 0)
	for _, each := range []int{headerSize, segmentSize, segments, 0, 0, 0} {
		number(&out, 2, uint64(each))
	}
	segment := func(kind elf.ProgType, offset, size int) {
		number(&out, 4, uint64(kind))
		if !f.is32 {
			number(&out, 4, 0)
		}
		number(&out, word, uint64(offset))
		number(&out, word, uint64(base+offset))
		number(&out, word, 0)
		number(&out, word, uint64(size))
		number(&out, word, uint64(size))
		if f.is32 {
			number(&out, 4, 0)
		}
		number(&out, word, 1)
	}
	interpreter, interpreterSize := elf.PT_NULL, 0
	if f.interpreter != "" {
		interpreter, interpreterSize = elf.PT_INTERP, len(f.interpreter)+1
	}
	segment(interpreter, start, interpreterSize)
	segment(elf.PT_LOAD, 0, start+body.Len())
	if f.entries == nil {
		segment(elf.PT_NULL, 0, 0)
	} else {
		segment(elf.PT_DYNAMIC, dynamicAt, dynamic.Len())
	}
	return append(out.Bytes(), body.Bytes()...)
}

func (c computer) elf(name string, entries ...elfEntry) {
	c.Helper()
	c.put(name, elfFile{interpreter: c.at("lib/ld.so"), entries: entries}.bytes())
}

func needed(name string) elfEntry  { return elfEntry{elf.DT_NEEDED, name} }
func runPath(list string) elfEntry { return elfEntry{elf.DT_RUNPATH, list} }

func (c computer) prepareELF() {
	c.put("lib/ld.so", elfFile{}.bytes())
	c.elf("lib/libgood.so")
	c.put("home/ld.so", elfFile{}.bytes())
	c.elf("home/lib/libbad.so")
	c.must(os.Symlink("lib/libgood.so", c.at("libgood-link.so")))
	c.must(os.Symlink(c.at("home/lib"), c.at("lib-link")))
	c.must(os.Symlink("loop", c.at("loop")))
	c.elf("lib/libbranch.so", needed("libleaf.so"), runPath("$ORIGIN/../other"))
	c.elf("other/libleaf.so", needed("libbranch.so"))
	c.elf("lib/librotten.so", needed("libbad.so"), runPath(c.at("home/lib")))
	c.elf("lib/libwritable.so")
	c.must(os.Chmod(c.at("lib/libwritable.so"), 0o775))
	c.put("lib/libscript.so", []byte("INPUT(libgood.so)"))
	c.elf("lib/libtwin.so", needed("libbad.so"), runPath("$ORIGIN/beside"))
	for _, name := range []string{"bin/libtwin.so", "other/libtwin.so"} {
		c.must(os.Symlink("../lib/libtwin.so", c.at(name)))
	}
	c.must(os.Symlink(c.at("home/lib"), c.at("other/beside")))
}

func TestELFAccepts(t *testing.T) {
	c := newComputer(t)
	c.prepareELF()
	for name, entries := range map[string][]elfEntry{
		"no library":                   {},
		"one of the system":            {needed("libc.so.6")},
		"a path":                       {needed(c.at("lib/libgood.so"))},
		"a link":                       {needed(c.at("libgood-link.so"))},
		"a path with a step up":        {needed(c.at("bin/../lib/libgood.so"))},
		"a folder":                     {needed("libgood.so"), runPath(c.at("lib"))},
		"the folder of the program":    {needed("libgood.so"), runPath("$ORIGIN/../lib:${ORIGIN}")},
		"a folder that does not exist": {needed("libgood.so"), runPath(c.at("missing/lib"))},
		"an empty list":                {needed("libgood.so"), runPath("")},
		"libraries in a circle":        {needed("libbranch.so"), {elf.DT_RPATH, c.at("lib")}},
	} {
		c.elf("bin/openvpn", entries...)
		if err := c.check().elf(c.at("bin/openvpn"), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestELFRefuses(t *testing.T) {
	c := newComputer(t)
	c.prepareELF()
	for name, entries := range map[string][]elfEntry{
		"a user's library":                     {needed(c.at("home/lib/libbad.so"))},
		"a library that others may change":     {needed(c.at("lib/libwritable.so"))},
		"a missing library":                    {needed(c.at("lib/libmissing.so"))},
		"a path through a user's folder":       {needed(c.at("home/../lib/libgood.so"))},
		"a relative path":                      {needed("lib/libgood.so")},
		"a variable of the loader":             {needed("$LIB/libgood.so")},
		"a folder in place of a library":       {needed(c.at("lib"))},
		"a user's folder":                      {runPath(c.at("home/lib"))},
		"a user's folder, in the older form":   {{elf.DT_RPATH, c.at("home/lib")}},
		"a user's folder after others":         {runPath(c.at("lib") + ":$ORIGIN:" + c.at("home/lib"))},
		"a user's folder beside the program":   {runPath("$ORIGIN/../home/lib")},
		"a user's folder, through a link":      {runPath(c.at("lib-link"))},
		"a folder that a user can create":      {runPath(c.at("home/missing/lib"))},
		"a folder through a file":              {runPath(c.at("lib/libgood.so/lib"))},
		"a link to itself":                     {runPath(c.at("loop"))},
		"the working directory":                {runPath(c.at("lib") + ":")},
		"a relative folder":                    {runPath("lib")},
		"a folder of the loader's choice":      {runPath(c.at("lib/$LIB"))},
		"a longer variable":                    {runPath("$ORIGINAL")},
		"a library with a user's folder":       {needed("librotten.so"), runPath(c.at("lib"))},
		"a library under a second name":        {needed(c.at("bin/libtwin.so")), needed(c.at("other/libtwin.so"))},
		"a library that is a text":             {needed("libscript.so"), runPath(c.at("lib"))},
		"a found library that others change":   {needed("libwritable.so"), runPath(c.at("lib"))},
		"a library that watches the loader":    {{elf.DT_AUDIT, "libaudit.so"}},
		"a library that watches its libraries": {{elf.DT_DEPAUDIT, "libaudit.so"}},
		"a library in front of another":        {{elf.DT_FILTER, "libfilter.so"}},
		"a second library":                     {{elf.DT_AUXILIARY, "libfilter.so"}},
	} {
		c.elf("bin/openvpn", entries...)
		if c.check().elf(c.at("bin/openvpn"), nil) == nil {
			t.Error(name)
		}
	}
}

func TestELFPrograms(t *testing.T) {
	c := newComputer(t)
	c.prepareELF()
	loader, own := c.at("lib/ld.so"), []elfEntry{needed("libgood.so"), runPath(c.at("lib"))}
	bad := []elfEntry{runPath(c.at("home/lib"))}
	whole := elfFile{interpreter: loader, entries: own}.bytes()
	for name, each := range map[string]struct {
		content []byte
		passes  bool
	}{
		"static":                       {elfFile{}.bytes(), true},
		"32 bits":                      {elfFile{is32: true, interpreter: loader, entries: own}.bytes(), true},
		"another byte order":           {elfFile{order: binary.BigEndian, interpreter: loader, entries: own}.bytes(), true},
		"32 bits, a user's folder":     {elfFile{is32: true, interpreter: loader, entries: bad}.bytes(), false},
		"another byte order, the same": {elfFile{order: binary.BigEndian, interpreter: loader, entries: bad}.bytes(), false},
		"a user's loader":              {elfFile{interpreter: c.at("home/ld.so")}.bytes(), false},
		"a missing loader":             {elfFile{interpreter: c.at("lib/missing.so")}.bytes(), false},
		"a relative loader":            {elfFile{interpreter: "lib/ld.so"}.bytes(), false},
		"a script":                     {[]byte("#!/bin/sh\nexec /bin/true\n"), false},
		"nothing":                      {nil, false},
		"a file that is cut off":       {whole[:len(whole)-8], false},
		"half a header":                {whole[:40], false},
	} {
		c.put("bin/openvpn", each.content)
		if err := c.check().elf(c.at("bin/openvpn"), nil); (err == nil) != each.passes {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.put("bin/openvpn", whole)
	c.must(os.Chmod(c.at("bin/openvpn"), 0o777))
	if c.check().elf(c.at("bin/openvpn"), nil) == nil {
		t.Error("a program that others may change")
	}
	if c.check().elf(c.at("bin/missing"), nil) == nil {
		t.Error("no program")
	}
}

// Every error ends in a refusal, never in a crash.
func TestELFDamaged(t *testing.T) {
	c := newComputer(t)
	c.prepareELF()
	c.elf("bin/openvpn", needed("libgood.so"), runPath(c.at("lib")))
	whole, err := os.ReadFile(c.at("bin/openvpn"))
	c.must(err)
	for index := range whole {
		damaged := append([]byte{}, whole...)
		damaged[index] ^= 0xff
		c.put("bin/openvpn", damaged)
		_ = c.check().elf(c.at("bin/openvpn"), nil)
	}
}

func TestRequireRootsProgram(t *testing.T) {
	info, err := os.Stat("/bin/sh")
	if err != nil || !belongsToRoot(info) {
		t.Skip("the system's files don't belong to root here")
	}
	if err := requireRootsProgram("/bin/sh"); err != nil {
		t.Error(err)
	}
	// Everybody may write to the folder above it.
	c := newComputer(t)
	c.prepareELF()
	if strings.HasPrefix(c.root, os.TempDir()) && requireRootsProgram(c.at("lib/libgood.so")) == nil {
		t.Error("a program in the folder for temporary files")
	}
}

func TestFolderIn(t *testing.T) {
	// Behind a link, `..` leads out of the folder that it names.
	if folder := folderIn("/opt/link/../lib/libx.so"); folder != "/opt/link/../lib" {
		t.Error(folder)
	}
	if folder := folderIn("/libx.so"); folder != "" {
		t.Error(folder)
	}
}

// --- macOS -------------------------------------------------------------------------------------------------------

type loadCommand struct {
	command uint32
	text    string
}

// machO writes a program or library without code.
func machO(cpu macho.Cpu, commands ...loadCommand) []byte {
	body := bytes.Buffer{}
	order := binary.LittleEndian
	number := func(out *bytes.Buffer, value uint32) { out.Write(order.AppendUint32(nil, value)) }
	for _, each := range commands {
		// The numbers of a library's version stand between the head and the text.
		const textAt = 24
		size := (textAt + len(each.text) + 1 + 7) / 8 * 8
		command := bytes.Buffer{}
		for _, value := range []uint32{each.command, uint32(size), textAt, 0, 0, 0} {
			number(&command, value)
		}
		command.WriteString(each.text)
		command.Write(make([]byte, size-command.Len()))
		body.Write(command.Bytes())
	}
	out := bytes.Buffer{}
	for _, value := range []uint32{
		macho.Magic64, uint32(cpu), 0, uint32(macho.TypeExec), uint32(len(commands)), uint32(body.Len()), 0, 0,
	} {
		number(&out, value)
	}
	return append(out.Bytes(), body.Bytes()...)
}

// fat writes a file for several processors.
func fat(images ...[]byte) []byte {
	out := bytes.Buffer{}
	number := func(value int) { out.Write(binary.BigEndian.AppendUint32(nil, uint32(value))) }
	number(int(macho.MagicFat))
	number(len(images))
	offset := 4096
	for _, each := range images {
		for _, value := range []int{int(binary.LittleEndian.Uint32(each[4:])), 0, offset, len(each), 12} {
			number(value)
		}
		offset += 4096
	}
	for index, each := range images {
		out.Write(make([]byte, 4096*(index+1)-out.Len()))
		out.Write(each)
	}
	return out.Bytes()
}

const system = "/usr/lib/libSystem.B.dylib"

func dylib(name string) loadCommand { return loadCommand{loadDylib, name} }
func rpath(name string) loadCommand { return loadCommand{loadRpath, name} }

func (c computer) prepareMachO() {
	put := func(name string, commands ...loadCommand) {
		c.put(name, machO(macho.CpuArm64, append(commands, loadCommand{0xd, "/x.dylib"}, dylib(system))...))
	}
	put("lib/good.dylib")
	put("home/lib/bad.dylib")
	put("lib/writable.dylib")
	c.must(os.Chmod(c.at("lib/writable.dylib"), 0o775))
	put("lib/rotten.dylib", dylib(c.at("home/lib/bad.dylib")))
	put("lib/branch.dylib", dylib("@loader_path/../other/leaf.dylib"))
	put("other/leaf.dylib", dylib("@rpath/branch.dylib"))
	c.must(os.Symlink("lib/good.dylib", c.at("good-link.dylib")))
	c.must(os.Symlink(c.at("home/lib"), c.at("lib-link")))
}

func TestMachOAccepts(t *testing.T) {
	c := newComputer(t)
	c.prepareMachO()
	for name, commands := range map[string][]loadCommand{
		"no library":                 {},
		"the system's":               {{loadDylinker, systemLoader}, dylib(system), dylib("/System/Library/Frameworks/IOKit.framework/IOKit")},
		"a path":                     {dylib(c.at("lib/good.dylib"))},
		"a link":                     {dylib(c.at("good-link.dylib"))},
		"beside the program":         {dylib("@executable_path/../lib/good.dylib"), dylib("@loader_path/../lib/good.dylib")},
		"a folder":                   {rpath(c.at("missing")), rpath("@loader_path/../lib"), dylib("@rpath/good.dylib")},
		"a folder of the system":     {rpath("/usr/lib/swift"), dylib("@rpath/libswiftCore.dylib")},
		"libraries in a circle":      {rpath(c.at("lib")), dylib(c.at("lib/branch.dylib"))},
		"a weak library that exists": {{loadWeakDylib, c.at("lib/good.dylib")}},
	} {
		c.put("bin/openvpn", machO(macho.CpuArm64, commands...))
		if err := c.check().machO(c.at("bin/openvpn"), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.put("bin/openvpn", fat(machO(macho.CpuAmd64, dylib(system)), machO(macho.CpuArm64, dylib(c.at("lib/good.dylib")))))
	if err := c.check().machO(c.at("bin/openvpn"), nil); err != nil {
		t.Error("fat:", err)
	}
}

func TestMachORefuses(t *testing.T) {
	c := newComputer(t)
	c.prepareMachO()
	bad := c.at("home/lib/bad.dylib")
	for name, commands := range map[string][]loadCommand{
		"a user's library":                    {dylib(bad)},
		"a weak one":                          {{loadWeakDylib, bad}},
		"one that it exports":                 {{loadReexport, bad}},
		"one that loads it":                   {{loadUpwardDylib, bad}},
		"one that is loaded late":             {{loadLazyDylib, bad}},
		"a library that others may change":    {dylib(c.at("lib/writable.dylib"))},
		"a library with a user's library":     {dylib(c.at("lib/rotten.dylib"))},
		"a missing library":                   {dylib(c.at("lib/missing.dylib"))},
		"a missing weak library":              {{loadWeakDylib, c.at("lib/missing.dylib")}},
		"a name without a path":               {dylib("good.dylib")},
		"a relative path":                     {dylib("lib/good.dylib")},
		"an unknown variable":                 {dylib("@other/good.dylib")},
		"a way out of the system's folder":    {dylib("/usr/lib/../.." + bad)},
		"another volume":                      {dylib("/System/Volumes/Data" + bad)},
		"a library in no folder":              {dylib("@rpath/good.dylib")},
		"a user's folder before the right":    {rpath(c.at("home/lib")), rpath(c.at("lib")), dylib("@rpath/good.dylib")},
		"a user's folder after it":            {rpath(c.at("lib")), rpath(c.at("home/lib")), dylib("@rpath/good.dylib")},
		"a user's folder, through a link":     {rpath(c.at("lib-link"))},
		"a user's folder beside the program":  {rpath("@executable_path/../home/lib")},
		"a folder that a user can create":     {rpath(c.at("home/missing"))},
		"a relative folder":                   {rpath("lib")},
		"a variable of the loader":            {{loadEnvironment, "DYLD_LIBRARY_PATH=/tmp"}},
		"another loader":                      {{loadDylinker, c.at("lib/good.dylib")}},
		"a folder in place of a library":      {dylib(c.at("lib"))},
		"a found library that others change":  {rpath(c.at("lib")), dylib("@rpath/writable.dylib")},
		"a found library with a user's":       {rpath(c.at("lib")), dylib("@rpath/rotten.dylib")},
		"a way out of the folders of a found": {rpath(c.at("lib")), dylib("@rpath/../home/lib/bad.dylib")},
	} {
		c.put("bin/openvpn", machO(macho.CpuArm64, commands...))
		if c.check().machO(c.at("bin/openvpn"), nil) == nil {
			t.Error(name)
		}
	}
	good, rotten := machO(macho.CpuAmd64, dylib(system)), machO(macho.CpuArm64, dylib(bad))
	for name, content := range map[string][]byte{
		"the second processor":   fat(good, rotten),
		"the first processor":    fat(rotten, good),
		"a script":               []byte("#!/bin/sh\n"),
		"nothing":                nil,
		"half a header":          good[:20],
		"half a command":         good[:len(good)-8],
		"a text without an end":  append(good[:len(good)-8:len(good)-8], "notended"...),
		"a program of Linux":     elfFile{}.bytes(),
		"a file that is cut off": fat(good, good)[:4096+20],
	} {
		c.put("bin/openvpn", content)
		if c.check().machO(c.at("bin/openvpn"), nil) == nil {
			t.Error(name)
		}
	}
}

func TestMachODamaged(t *testing.T) {
	c := newComputer(t)
	c.prepareMachO()
	whole := machO(macho.CpuArm64, rpath(c.at("lib")), dylib("@rpath/good.dylib"))
	for index := range whole {
		damaged := append([]byte{}, whole...)
		damaged[index] ^= 0xff
		c.put("bin/openvpn", damaged)
		_ = c.check().machO(c.at("bin/openvpn"), nil)
	}
}

func TestReadMemoryReadsTheSegmentThatBeginsThere(t *testing.T) {
	segment := func(kind elf.ProgType, address uint64, text string) *elf.Prog {
		return &elf.Prog{
			ProgHeader: elf.ProgHeader{Type: kind, Vaddr: address, Filesz: uint64(len(text))}, ReaderAt: strings.NewReader(text),
		}
	}
	file := &elf.File{Progs: []*elf.Prog{
		segment(elf.PT_NOTE, 0, "xxxxxxxxxxxx"), segment(elf.PT_LOAD, 0, "abcd"), segment(elf.PT_LOAD, 4, "efgh"),
	}}
	for address, want := range map[uint64]string{0: "ab", 2: "cd", 4: "ef", 6: "gh", 3: "", 7: "", 8: "", 9: ""} {
		if got, err := readMemory(file, address, 2); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%d: %q %v", address, got, err)
		}
	}
}

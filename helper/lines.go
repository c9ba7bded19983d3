package helper

import (
	"bufio"
	"errors"
	"io"
	"unicode"
	"unicode/utf8"
)

// header is how every request on standard input begins.
type header struct{ killSwitch, dns bool }

// lineReader reads printable lines within the limits of size and number.
type lineReader struct {
	in           *bufio.Reader
	from         *bufferedSource
	bytes, lines int
}

// bufferedSource notes the memory that a bufio.Reader uses, which it never shows.
type bufferedSource struct {
	io.Reader
	memory []byte
}

func (s *bufferedSource) Read(into []byte) (int, error) {
	if len(into) > len(s.memory) {
		s.memory = into
	}
	return s.Reader.Read(into)
}

func newLineReader(in io.Reader) *lineReader {
	from := &bufferedSource{Reader: in}
	return &lineReader{in: bufio.NewReaderSize(from, 16384), from: from}
}

func (r *lineReader) next() (string, error) {
	line, err := r.nextBytes()
	return string(line), err
}

// nextIs reports whether the next line begins with this text, which is no longer than the shortest line that ends a request.
func (r *lineReader) nextIs(text string) bool {
	begin, err := r.in.Peek(len(text))
	return err == nil && string(begin) == text
}

// forget overwrites everything that was read, except what is still to be returned.
func (r *lineReader) forget() {
	unread, _ := r.in.Peek(r.in.Buffered())
	kept := append([]byte{}, unread...)
	wipe(r.from.memory)
	copy(unread, kept)
}

func wipe(secret []byte) {
	for index := range secret {
		secret[index] = 0
	}
}

// nextBytes returns a line in the memory of the reader, which the next call overwrites.
func (r *lineReader) nextBytes() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	r.bytes += len(line)
	r.lines++
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || r.bytes > maxBytes || r.lines > maxLines:
		return nil, failed("too-large")
	case err == io.EOF:
		return nil, failed("incomplete")
	case err != nil:
		return nil, failedBy("incomplete", "read-request", err)
	}
	line = line[:len(line)-1]
	for rest := line; len(rest) > 0; {
		char, size := utf8.DecodeRune(rest)
		if unicode.IsControl(char) || char == utf8.RuneError || char == '\uFEFF' {
			return nil, refused("unprintable")
		}
		rest = rest[size:]
	}
	return line, nil
}

func readHeader(lines *lineReader) (header, error) {
	read := header{}
	for _, each := range []struct {
		name string
		on   *bool
	}{{"kill-switch", &read.killSwitch}, {"dns", &read.dns}} {
		line, err := lines.next()
		if err != nil {
			return header{}, err
		}
		if line != each.name+" on" && line != each.name+" off" {
			return header{}, failed("header")
		}
		*each.on = line == each.name+" on"
	}
	return read, nil
}

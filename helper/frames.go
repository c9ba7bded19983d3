package helper

import (
	"encoding/binary"
	"io"
	"sync"
)

// The streams in the frames that serve writes: a byte for the stream, two for the length of the text in network byte
// order, and the text. That of streamStatus is one byte, and ends the answer.
const (
	streamLog      = 'l'
	streamMessages = 'm'
	streamStatus   = 'x'

	maxFrame = 1 << 15
)

// ErrCommand is the error for a command that is longer than any.
var ErrCommand error = failed("usage")

// ReadCommand reads a line up to a length with its line break, and nothing of what follows it. It returns an empty text if there is
// nothing at all.
func ReadCommand(in io.Reader, longest int) (string, error) {
	line, char := []byte{}, []byte{0}
	for len(line) < longest {
		if _, err := io.ReadFull(in, char); err == io.EOF && len(line) == 0 {
			return "", nil
		} else if err == io.EOF {
			return "", failed("incomplete")
		} else if err != nil {
			return "", failedBy("incomplete", "read-request", err)
		}
		if char[0] == '\n' {
			return string(line), nil
		}
		line = append(line, char[0])
	}
	return "", ErrCommand
}

// frames writes several streams to one connection.
type frames struct {
	lock sync.Mutex
	out  io.Writer
}

type frameStream struct {
	frames *frames
	name   byte
}

func (f *frames) stream(name byte) frameStream { return frameStream{f, name} }

func (s frameStream) Write(text []byte) (int, error) {
	s.frames.lock.Lock()
	defer s.frames.lock.Unlock()
	for from := 0; from < len(text); from += maxFrame {
		part := text[from:]
		if len(part) > maxFrame {
			part = part[:maxFrame]
		}
		frame := append([]byte{s.name, 0, 0}, part...)
		binary.BigEndian.PutUint16(frame[1:], uint16(len(part)))
		if _, err := s.frames.out.Write(frame); err != nil {
			return from, err
		}
	}
	return len(text), nil
}

// end sends the exit status, after which nothing follows.
func (f *frames) end(status int) error {
	_, err := f.stream(streamStatus).Write([]byte{byte(status)})
	return err
}

package helper

import (
	"encoding/binary"
	"errors"
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

var (
	// ErrFrames is the error for what is no frame.
	ErrFrames = errors.New("not a frame")
	// ErrLost is the error if the other end went, or one of the streams has no reader, before the status.
	ErrLost = errors.New("lost")
)

// ReadFrames is the other end of a service: it writes the streams, and returns the exit status.
func ReadFrames(from io.Reader, log, messages io.Writer) (status int, err error) {
	head, text := [3]byte{}, [maxFrame]byte{}
	for {
		if _, err := io.ReadFull(from, head[:]); err != nil {
			return 0, ErrLost
		}
		to := map[byte]io.Writer{streamLog: log, streamMessages: messages}[head[0]]
		length, isStatus := int(binary.BigEndian.Uint16(head[1:])), head[0] == streamStatus
		if length == 0 || length > maxFrame || isStatus && length != 1 || to == nil && !isStatus {
			return 0, ErrFrames
		}
		if _, err := io.ReadFull(from, text[:length]); err != nil {
			return 0, ErrLost
		}
		if isStatus {
			return int(text[0]), nil
		}
		if _, err := to.Write(text[:length]); err != nil {
			return 0, ErrLost
		}
	}
}

const (
	// passBytes is how much is passed on at once.
	passBytes = 16384
	// endCommand ends a tunnel whose connection has no end of one direction.
	endCommand = "end"
)

// Pass passes on a request, until one of its ends fails. Its private key stays nowhere. It returns the last byte.
func Pass(to io.Writer, from io.Reader) (last byte) {
	buffer := make([]byte, passBytes)
	for {
		length, err := from.Read(buffer)
		if length > 0 {
			last = buffer[length-1]
			if _, failed := to.Write(buffer[:length]); failed != nil {
				err = failed
			}
			wipe(buffer[:length])
		}
		if err != nil {
			return last
		}
	}
}

// SendInput passes on the input of a command to a service. Its end is a line.
func SendInput(to io.Writer, in io.Reader) {
	end := endCommand + "\n"
	if last := Pass(to, in); last != '\n' && last != 0 {
		end = "\n" + end
	}
	// Without a service, there is nothing to end.
	_, _ = io.WriteString(to, end)
}

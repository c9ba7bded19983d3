//go:build darwin || macos_rehearsal

package helper

import (
	"encoding/binary"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// The streams in the frames that serve writes: a byte for the stream, two for the length of the text in network byte
// order, and the text. That of streamStatus is one byte, and ends the answer.
const (
	streamLog      = 'l'
	streamMessages = 'm'
	streamStatus   = 'x'

	maxFrame = 1 << 15
	// maxCommand is the length of the longest command, with its line break.
	maxCommand = len("release --all\n")
	// finishTimeout limits the wait for a peer that does not read, or does not close the socket.
	finishTimeout = time.Second
)

// serve runs a command for the peer of the socket that launchd passes as standard input (org.causeway.helper.plist). It
// reads the command from the first line; the rest is the command's standard input. Only root and the user at the
// console may ask, by what the kernel says about the peer.
func serve(by caller) (int, error) {
	if by.uid != 0 {
		// sudo passes on a standard input of the user's choice, perhaps a socket of another program.
		return 0, failed("usage")
	}
	uid, err := peerOf(int(os.Stdin.Fd()))
	if err != nil {
		return 0, failedBy("caller", "find-peer", err)
	}
	// launchd may pass the socket as the other two as well.
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, failedBy("descriptors", "open-null", err)
	}
	os.Stdout, os.Stderr = null, null
	socket := &frames{socket: os.Stdin}
	logOutput, messageOutput, finish = socket.stream(streamLog), socket.stream(streamMessages), socket.finish
	if uid != 0 && !isAtConsole(uid) {
		return 0, failed("not-at-console")
	}
	command, err := readCommand(os.Stdin)
	if err != nil {
		return 0, err
	}
	peer := caller{uid: uid, isSeated: true}
	switch command {
	case "":
		// It asked whether the helper answers.
		return 0, nil
	case "run":
		return run(peer, newOpenVPN())
	case "wireguard":
		tunnel, err := newWireGuard()
		if err != nil {
			return 0, err
		}
		return run(peer, tunnel)
	case "release":
		return 0, release(peer)
	case "release --all":
		return 0, releaseAll(peer)
	}
	return 0, failed("usage")
}

// isAtConsole reports whether the user sits at the computer: macOS gives the console to the user whose desktop it shows.
func isAtConsole(uid uint32) bool {
	info, err := os.Stat("/dev/console")
	if err != nil {
		return false
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && status.Uid == uid
}

// readCommand reads a line, and nothing of what follows it. It returns an empty text if there is nothing at all.
func readCommand(in io.Reader) (string, error) {
	line, char := []byte{}, []byte{0}
	for len(line) < maxCommand {
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
	return "", failed("usage")
}

// frames writes several streams to one socket.
type frames struct {
	lock   sync.Mutex
	socket io.ReadWriter
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
		if _, err := s.frames.socket.Write(frame); err != nil {
			return from, err
		}
	}
	return len(text), nil
}

// finish sends the exit status, and waits for the peer to close the socket. Until then it reads what the peer still
// sends: a peer that fails to write may not read the answer any more.
func (f *frames) finish(status int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := f.stream(streamStatus).Write([]byte{byte(status)}); err == nil {
			_, _ = io.Copy(io.Discard, f.socket)
		}
	}()
	select {
	case <-done:
	case <-time.After(finishTimeout):
	}
}

//go:build darwin || macos_rehearsal

package helper

import (
	"io"
	"os"
	"syscall"
	"time"
)

const (
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
	socket := &frames{out: os.Stdin}
	logOutput, messageOutput = socket.stream(streamLog), socket.stream(streamMessages)
	finish = func(status int) { finishFrames(socket, os.Stdin, status) }
	if uid != 0 && !isAtConsole(uid) {
		return 0, failed("not-at-console")
	}
	command, err := ReadCommand(os.Stdin, maxCommand)
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

// finishFrames sends the exit status, and waits for the peer to close the socket. Until then it reads what the peer still
// sends: a peer that fails to write may not read the answer any more.
func finishFrames(f *frames, in io.Reader, status int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if f.end(status) == nil {
			_, _ = io.Copy(io.Discard, in)
		}
	}()
	select {
	case <-done:
	case <-time.After(finishTimeout):
	}
}

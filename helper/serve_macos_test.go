//go:build darwin || macos_rehearsal

package helper

import (
	"bytes"
	"io"
	"net"
	"os"
	"strings"
	"testing"
)

func TestFramesSplitLongTextsAndNameTheStream(t *testing.T) {
	out := bytes.Buffer{}
	socket := &frames{out: &out}
	long := strings.Repeat("x", maxFrame+1)
	for _, text := range []string{"", "hello\n", long} {
		if written, err := socket.stream(streamLog).Write([]byte(text)); err != nil || written != len(text) {
			t.Fatal(written, err)
		}
	}
	want := "l\x00\x06hello\nl\x80\x00" + long[1:] + "l\x00\x01x"
	if out.String() != want {
		t.Errorf("%q", out.String()[:20])
	}
}

func TestFinishReadsUntilThePeerCloses(t *testing.T) {
	own, peer := net.Pipe()
	finished := make(chan struct{})
	go func() {
		finishFrames(&frames{out: own}, own, 65)
		close(finished)
	}()
	status := make([]byte, 4)
	if _, err := io.ReadFull(peer, status); err != nil || string(status) != "x\x00\x01A" {
		t.Fatal(status, err)
	}
	// It blocks unless somebody reads it.
	if _, err := peer.Write(make([]byte, 100_000)); err != nil {
		t.Error(err)
	}
	select {
	case <-finished:
		t.Error("the socket was closed before the peer closed it")
	default:
	}
	peer.Close()
	<-finished
}

func TestReadCommandReadsOnlyItsLine(t *testing.T) {
	in := strings.NewReader("run\nkill-switch on\n")
	if command, err := ReadCommand(in, maxCommand); command != "run" || err != nil || in.Len() != len("kill-switch on\n") {
		t.Error(command, err, in.Len())
	}
	if command, err := ReadCommand(strings.NewReader(""), maxCommand); command != "" || err != nil {
		t.Error(command, err)
	}
	for text, want := range map[string]string{
		"run": "failed incomplete", strings.Repeat("x", 100) + "\n": "failed usage",
	} {
		if _, err := ReadCommand(strings.NewReader(text), maxCommand); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPeerOf(t *testing.T) {
	path := t.TempDir() + "/socket"
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	file, err := accepted.(*net.UnixConn).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if uid, err := peerOf(int(file.Fd())); err != nil || uid != uint32(os.Getuid()) {
		t.Error(uid, err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if uid, err := peerOf(int(null.Fd())); err == nil {
		t.Error("a file has the peer", uid)
	}
}

package helper

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestFramesReachTheOtherEnd(t *testing.T) {
	sent := &bytes.Buffer{}
	written := &frames{out: sent}
	long := strings.Repeat("x", maxFrame+1)
	for _, each := range []struct {
		stream byte
		text   string
	}{{streamMessages, "started\n"}, {streamLog, long}, {streamMessages, "gone\n"}} {
		if _, err := written.stream(each.stream).Write([]byte(each.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := written.end(71); err != nil {
		t.Fatal(err)
	}
	all := sent.Bytes()
	log, messages := &bytes.Buffer{}, &bytes.Buffer{}
	status, err := ReadFrames(bytes.NewReader(all), log, messages)
	if status != 71 || err != nil || log.String() != long || messages.String() != "started\ngone\n" {
		t.Error(status, err, log.Len(), messages)
	}
	for length := range all {
		if _, err := ReadFrames(bytes.NewReader(all[:length]), io.Discard, io.Discard); err != ErrLost {
			t.Fatal(length, err)
		}
	}
	if _, err := ReadFrames(bytes.NewReader(all), io.Discard, refusing{}); err != ErrLost {
		t.Error(err)
	}
	for _, each := range []string{"m\x00\x00", "y\x00\x01x", "x\x00\x02ab", "m\x80\x01", "\x00\x00\x01x"} {
		if _, err := ReadFrames(strings.NewReader(each), io.Discard, io.Discard); err != ErrFrames {
			t.Errorf("%q: %v", each, err)
		}
	}
}

func TestSendInputEndsWithALine(t *testing.T) {
	for text, want := range map[string]string{"": "end\n", "state\n": "state\nend\n", "sta": "sta\nend\n"} {
		out := &bytes.Buffer{}
		SendInput(out, strings.NewReader(text))
		if out.String() != want {
			t.Errorf("%q: %q", text, out)
		}
	}
}

// keeper reads a text, and keeps the memory that it was read into.
type keeper struct {
	text   io.Reader
	memory []byte
}

func (k *keeper) Read(into []byte) (int, error) {
	k.memory = into
	return k.text.Read(into)
}

func TestPassLeavesNoKeyInMemory(t *testing.T) {
	from, to := &keeper{text: strings.NewReader("private-key AQEB")}, &bytes.Buffer{}
	Pass(to, from)
	if to.String() != "private-key AQEB" || bytes.Contains(from.memory, []byte("AQEB")) {
		t.Errorf("%q %q", to, bytes.Trim(from.memory, "\x00"))
	}
	from = &keeper{text: strings.NewReader("private-key AQEB")}
	Pass(refusing{}, from)
	if bytes.Contains(from.memory, []byte("AQEB")) {
		t.Error("left after a failure")
	}
}

// refusing is a worker that has ended.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errors.New("closed") }

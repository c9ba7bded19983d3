//go:build !windows

package helper

import (
	"context"
	"io"
	"testing"
	"time"
)

// lookingUp is a tunnel whose input ends while it carries out a command that looks names up.
type lookingUp struct {
	vpn
	input   io.Closer
	outcome *error
}

func (l lookingUp) command(t *tunnel, line string) bool {
	if line == "resolve" {
		_ = l.input.Close()
		select {
		case <-t.wanted.Done():
		case <-time.After(10 * time.Second):
		}
		*l.outcome = t.wanted.Err()
	}
	return true
}

func TestTheEndOfTheInputEndsALookUpThatOtherCommandsFollow(t *testing.T) {
	output, input := io.Pipe()
	outcome := error(nil)
	run := &tunnel{lines: newLineReader(output), vpn: lookingUp{input: input, outcome: &outcome}, heard: make(chan struct{})}
	run.running, run.end = context.WithCancel(context.Background())
	defer run.end()
	run.wanted, run.giveUp = context.WithCancel(run.running)
	run.hearEnd()
	go func() { _, _ = io.WriteString(input, "resolve\ntest\nnext\n") }()
	run.obey()
	expect(t, outcome, context.Canceled)
}

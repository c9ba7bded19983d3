//go:build windows || service_rehearsal

package main

import (
	"encoding/binary"
	"io"
)

const (
	// The streams of the service's frames (../frames.go), and their longest text.
	streamLog, streamMessages, streamStatus = 'l', 'm', 'x'
	maxFrame                                = 1 << 15
	// exitLost is the exit status if the service ended without saying why.
	exitLost = 70
)

var errFrames = failure{reason: "frames"}

// isServiceCommand reports whether the service has this command (docs/helper.md).
func isServiceCommand(word string) bool {
	return word == "wireguard" || word == "release" || word == "blocked"
}

// sendInput passes the input on. Its end is a line, because a pipe has no end of one direction.
func sendInput(in io.Reader, out io.Writer) {
	buffer, last := make([]byte, 16384), byte('\n')
	for {
		length, err := in.Read(buffer)
		if length > 0 {
			last = buffer[length-1]
			if _, failed := out.Write(buffer[:length]); failed != nil {
				return
			}
		}
		if err != nil {
			break
		}
	}
	end := "end\n"
	if last != '\n' {
		end = "\nend\n"
	}
	// Without a service, there is nothing to end.
	_, _ = io.WriteString(out, end)
}

// relayFrames writes the streams of the service, and returns its exit status.
func relayFrames(from io.Reader, log, messages io.Writer) (int, error) {
	head, text := [3]byte{}, [maxFrame]byte{}
	for {
		if _, err := io.ReadFull(from, head[:]); err != nil {
			return exitLost, nil
		}
		to := map[byte]io.Writer{streamLog: log, streamMessages: messages}[head[0]]
		length, isStatus := int(binary.BigEndian.Uint16(head[1:])), head[0] == streamStatus
		if length == 0 || length > maxFrame || isStatus && length != 1 || to == nil && !isStatus {
			return 0, errFrames
		}
		if _, err := io.ReadFull(from, text[:length]); err != nil {
			return exitLost, nil
		}
		if isStatus {
			return int(text[0]), nil
		}
		// Without a reader, the service ends with this process.
		if _, err := to.Write(text[:length]); err != nil {
			return exitLost, nil
		}
	}
}

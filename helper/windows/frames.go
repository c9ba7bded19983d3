//go:build windows || service_rehearsal

package main

import (
	"errors"
	"io"

	"causeway-helper"
)

// exitLost is the exit status if the service ended without saying why.
const exitLost = 70

var errFrames = failure{reason: "frames"}

// isServiceCommand reports whether the service has this command (docs/helper.md).
func isServiceCommand(word string) bool {
	return word == "wireguard" || word == "openvpn" || word == "release" || word == "blocked"
}

// relayFrames writes the streams of the service, and returns its exit status. Without a reader, the service ends with this process.
func relayFrames(from io.Reader, log, messages io.Writer) (int, error) {
	status, err := helper.ReadFrames(from, log, messages)
	switch {
	case errors.Is(err, helper.ErrLost):
		return exitLost, nil
	case err != nil:
		return 0, errFrames
	}
	return status, nil
}

//go:build windows || service_rehearsal

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// exitFailed is the exit status after a `failed` message.
const exitFailed = 65

// failure is what the helper says: a fixed word of docs/helper.md, and the number of the system's error if there is one.
type failure struct {
	reason string
	cause  error
}

func (f failure) Error() string {
	number := syscall.Errno(0)
	if !errors.As(f.cause, &number) {
		return f.reason
	}
	return fmt.Sprintf("%s system error-%d", f.reason, uint32(number))
}

func fail(err error) {
	known := failure{"unexpected", err}
	errors.As(err, &known)
	fmt.Fprintf(os.Stderr, "causeway-helper: failed %s\n", known)
	os.Exit(exitFailed)
}

// answer writes one line of JSON to standard output.
func answer(value any) error {
	line, err := json.Marshal(value)
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	return err
}

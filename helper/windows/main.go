//go:build windows

// Causeway's helper on Windows asks the system what Node.js can't, and ends OpenVPN when Causeway is gone. It has no more
// rights than the user: OpenVPN's interactive service has those that tunnels need. docs/helper.md describes its protocol.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"syscall"
)

const (
	version = "2"
	// exitFailed is the exit status after a `failed` message.
	exitFailed = 65
)

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

func main() {
	words := os.Args[1:]
	if len(words) == 2 && words[0] == "call" && (words[1] == "wireguard" || words[1] == "release") {
		status, err := callService(words[1])
		if err == nil {
			os.Exit(status)
		}
		fail(err)
	}
	if err := command(words); err != nil {
		fail(err)
	}
}

func fail(err error) {
	known := failure{"unexpected", err}
	errors.As(err, &known)
	fmt.Fprintf(os.Stderr, "causeway-helper: failed %s\n", known)
	os.Exit(exitFailed)
}

func command(words []string) error {
	if len(words) == 0 {
		return failure{reason: "usage"}
	}
	switch arguments := words[1:]; {
	case words[0] == "--help" && len(arguments) == 0:
		_, err := fmt.Println("Usage: causeway-helper.exe WORD\n\nCauseway starts it. Its words are in docs/helper.md.")
		return err
	case words[0] == "version" && len(arguments) == 0:
		_, err := fmt.Println("causeway-helper " + version)
		return err
	case words[0] == "exit-event" && len(arguments) == 1 && isEventName(arguments[0]):
		return ownExitEvent(arguments[0], "")
	case words[0] == "exit-event" && len(arguments) == 2 && isEventName(arguments[0]) && isEventName(arguments[1]):
		return ownExitEvent(arguments[0], arguments[1])
	case words[0] == "service" && len(arguments) == 0:
		found, err := readValue(serviceKey, "ImagePath")
		if err != nil {
			return failure{"service", err}
		}
		return answer(map[string]any{"installed": found.Kind != "none", "running": isPipe(servicePipe)})
	case words[0] == "account" && len(arguments) == 0:
		found, err := readAccount()
		if err != nil {
			return failure{"account", err}
		}
		return answer(found)
	case words[0] == "policy" && len(arguments) == 0:
		found, err := readPolicy()
		if err != nil {
			return failure{"policy", err}
		}
		return answer(found)
	case words[0] == "network" && len(arguments) == 0:
		return watchNetwork()
	case words[0] == "routes" && len(arguments) == 0:
		return answerRoutes(os.Stdin)
	case words[0] == "counters" && len(arguments) == 1:
		found, err := readCounters(arguments[0])
		if err != nil {
			return failure{"device", err}
		}
		return answer(found)
	case words[0] == "check-installer" && len(arguments) == 3 && arguments[1] != "" && checksum.MatchString(arguments[2]):
		return checkInstaller(arguments[0], arguments[1], arguments[2])
	}
	return failure{reason: "usage"}
}

// answer writes one line of JSON to standard output.
func answer(value any) error {
	line, err := json.Marshal(value)
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	return err
}

var eventName = regexp.MustCompile(`^causeway-[0-9a-f]{32}$`)

func isEventName(text string) bool { return eventName.MatchString(text) }

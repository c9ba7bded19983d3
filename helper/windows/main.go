//go:build windows

// Causeway's helper on Windows asks the system what Node.js can't, and ends OpenVPN when Causeway is gone. It has no more
// rights than the user: OpenVPN's interactive service has those that tunnels need. docs/helper.md describes its protocol.
package main

import (
	"fmt"
	"os"
	"regexp"
)

const version = "3"

func main() {
	words := os.Args[1:]
	if len(words) == 2 && words[0] == "call" && isServiceCommand(words[1]) {
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
	case words[0] == "own-service" && len(arguments) == 0:
		found, err := readOwnService()
		if err != nil {
			return err
		}
		return answer(found)
	case words[0] == "kill-switch" && len(arguments) == 0:
		return watchKillSwitch(os.Stdin)
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

var eventName = regexp.MustCompile(`^causeway-[0-9a-f]{32}$`)

func isEventName(text string) bool { return eventName.MatchString(text) }

//go:build !windows

// Causeway's privileged helper sets up tunnels for the calling user with as few rights as the system allows, and undoes
// all of its changes, however it ends. It trusts no input: an error in a check is a refusal. docs/helper.md describes
// its protocol.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

const (
	version = "2"
	// exitRefused is the exit status if nothing was started.
	exitRefused = 65
	// exitKilled is the exit status if a signal ended OpenVPN, or if WireGuard's program ended.
	exitKilled = 70
)

// sendMessage queues a message of the protocol. Callers pass only fixed words and typed values.
func sendMessage(words ...any) {
	line := "causeway-helper:"
	for _, word := range words {
		line += fmt.Sprintf(" %v", word)
	}
	select {
	case messages <- line + "\n":
	default:
	}
}

// The outputs of the protocol. `serve` replaces them, and what main does last.
var (
	logOutput, messageOutput io.Writer = os.Stdout, os.Stderr
	finish                             = func(status int) {}
)

// messages is the queue of messages. Nothing waits for the reader, who may have stopped listening.
var messages = make(chan string, 64)

// startMessages writes the messages. The returned function waits up to a second for the last one.
func startMessages() (flush func()) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		for line := range messages {
			if line == "" {
				return
			}
			if _, err := io.WriteString(messageOutput, line); err != nil {
				return
			}
		}
	}()
	return func() {
		end := time.After(time.Second)
		select {
		case messages <- "":
		case <-end:
		}
		select {
		case <-written:
		case <-end:
		}
	}
}

func main() {
	flush := startMessages()
	status, err := command(os.Args[1:])
	if err != nil {
		sendMessage(refusalOf(err).Error())
		status = exitRefused
	}
	flush()
	finish(status)
	os.Exit(status)
}

func command(words []string) (int, error) {
	if len(words) == 1 && words[0] == "--help" {
		fmt.Println("Usage: causeway-helper version|run|wireguard|apps|release [--all]|stop --all|watch DEVICE|serve\n\n" +
			"Causeway starts it with all rights (docs/helper.md). For people there is the command causeway helper.")
		return 0, nil
	}
	if len(words) == 1 && words[0] == "version" {
		fmt.Println("causeway-helper " + version)
		return 0, nil
	}
	if len(words) == 1 && words[0] == "dns" {
		by, separates := expectedWay()
		if !separates {
			by += " all"
		}
		fmt.Println(by)
		return 0, nil
	}
	caller, err := readCaller(os.Getenv("PKEXEC_UID"), os.Getenv("SUDO_UID"))
	if err != nil {
		return 0, err
	}
	if err := resetProcess(); err != nil {
		return 0, err
	}
	if caller.uid != 0 {
		resetScheduling()
	}
	// The helper itself takes its watcher along.
	if len(words) == 0 || words[0] != "watch" {
		leaveCaller(caller)
	}
	switch {
	case len(words) == 1 && words[0] == "run":
		return run(caller, newOpenVPN())
	case len(words) == 1 && words[0] == "wireguard":
		tunnel, err := newWireGuard()
		if err != nil {
			return 0, err
		}
		return run(caller, tunnel)
	case len(words) == 1 && words[0] == "apps":
		return 0, keepApps(caller)
	case len(words) == 1 && words[0] == "release":
		return 0, release(caller)
	case len(words) == 1 && words[0] == "repair":
		if _, err := makeFolder(caller.uid); err != nil {
			return 0, err
		}
		own, others := repair(caller)
		if own != nil {
			return 0, own
		}
		return 0, undone(repairDNS(), others)
	case len(words) == 2 && words[0] == "release" && words[1] == "--all":
		return 0, releaseAll(caller)
	case len(words) == 2 && words[0] == "stop" && words[1] == "--all":
		return 0, stopAll(caller)
	case len(words) == 2 && words[0] == "watch":
		return 0, watch(caller, words[1])
	case len(words) == 1 && words[0] == "serve":
		return serve(caller)
	}
	return 0, failed("usage")
}

// caller is the user for whom the helper works.
type caller struct {
	uid uint32
	// isSeated is true for a caller whom polkit or the console of macOS let in: for sitting at the computer, for a group that
	// an administrator allowed, or with a password. That need not be an administrator.
	isSeated bool
}

// readCaller reads the caller's id from pkexec or sudo, which both overwrite any value that the caller had set.
func readCaller(pkexec, sudo string) (caller, error) {
	if pkexec != "" && sudo != "" {
		return caller{}, failed("caller")
	}
	text := pkexec + sudo
	if text == "" {
		return caller{uid: 0}, nil
	}
	uid, err := parseUID(text)
	if err != nil {
		return caller{}, failedBy("caller", "read-id", err)
	}
	return caller{uid: uid, isSeated: pkexec != ""}, nil
}

func parseUID(text string) (uint32, error) {
	uid, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(uid, 10) != text || uid == 1<<32-1 {
		return 0, cause("not-a-user-id")
	}
	return uint32(uid), nil
}

func (c caller) String() string { return strconv.FormatUint(uint64(c.uid), 10) }

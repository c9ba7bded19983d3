//go:build !windows

// Package helper sets up tunnels for the calling user with as few rights as the system allows, and undoes
// all of its changes, however it ends. It trusts no input: an error in a check is a refusal. docs/helper.md describes
// its protocol.
package helper

import (
	"fmt"
	"os"
	"strconv"
)

const (
	version = "2"
	// exitKilled is the exit status if a signal ended OpenVPN, or if WireGuard's program ended.
	exitKilled = 70
)

// Main runs the command of the command line, and ends the process.
func Main() {
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

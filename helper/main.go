// The privileged helper of Causeway: runs OpenVPN for the user who asks, with as few rights as the system allows, and
// undoes everything that it changed, however it ends. It trusts nothing that it reads. Every error while checking is a
// refusal. docs/helper.md describes its protocol.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

const (
	version = "2"
	// exitRefused is the exit status when nothing was started.
	exitRefused = 65
	// exitKilled is the exit status when a signal ended OpenVPN.
	exitKilled = 70
)

// refusal ends the helper before it has started anything. Its words go to standard error.
type refusal struct{ word, reason string }

func (r refusal) Error() string { return r.word + " " + r.reason }

// failed reports a reason that is one of the fixed words of docs/helper.md.
func failed(reason string) error { return refusal{"failed", reason} }

// refused names the directive or block that is not allowed. The rest of its line may be secret.
func refused(name string) error { return refusal{"refused", printableName(name)} }

func printableName(text string) string {
	name := []byte{}
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' || len(name) == 40 {
			break
		}
		name = append(name, char)
	}
	if len(name) == 0 {
		return "empty"
	}
	return string(name)
}

// say writes one message of the protocol. Callers pass fixed words and typed values only.
func say(words ...any) {
	line := "causeway-helper:"
	for _, word := range words {
		line += fmt.Sprintf(" %v", word)
	}
	select {
	case messages <- line + "\n":
	default:
	}
}

// messages are on their way to somebody who may have stopped listening, for which nothing waits.
var messages = make(chan string, 64)

// speak writes them. What it returns waits for the last, a while.
func speak() (silence func()) {
	said := make(chan struct{})
	go func() {
		defer close(said)
		for line := range messages {
			if line == "" {
				return
			}
			if _, err := os.Stderr.WriteString(line); err != nil {
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
		case <-said:
		case <-end:
		}
	}
}

func main() {
	silence := speak()
	status, err := command(os.Args[1:])
	if err != nil {
		var known refusal
		if !errors.As(err, &known) {
			known = refusal{"failed", "unexpected"}
		}
		say(known.word, known.reason)
		status = exitRefused
	}
	silence()
	os.Exit(status)
}

func command(words []string) (int, error) {
	if len(words) == 1 && words[0] == "version" {
		fmt.Println("causeway-helper " + version)
		return 0, nil
	}
	caller, err := readCaller(os.Getenv("PKEXEC_UID"), os.Getenv("SUDO_UID"))
	if err != nil {
		return 0, err
	}
	if err := resetProcess(); err != nil {
		return 0, err
	}
	switch {
	case len(words) == 1 && words[0] == "run":
		return run(caller)
	case len(words) == 1 && words[0] == "release":
		return 0, release(caller)
	case len(words) == 2 && words[0] == "release" && words[1] == "--all":
		return 0, releaseAll(caller)
	case len(words) == 2 && words[0] == "watch":
		return 0, watch(caller, words[1])
	}
	return 0, failed("usage")
}

// caller is the user for whom the helper works.
type caller struct {
	uid uint32
	// viaPolkit: polkit let the caller in, whose rule allows everybody at the computer; that does not make an administrator.
	viaPolkit bool
}

// readCaller takes what pkexec or sudo say about who asked; both replace what the caller itself had set.
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
		return caller{}, failed("caller")
	}
	return caller{uid: uid, viaPolkit: pkexec != ""}, nil
}

func parseUID(text string) (uint32, error) {
	uid, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(uid, 10) != text || uid == 1<<32-1 {
		return 0, errors.New("not a user id")
	}
	return uint32(uid), nil
}

func (c caller) String() string { return strconv.FormatUint(uint64(c.uid), 10) }

package helper

import (
	"fmt"
	"io"
	"os"
	"time"
)

// exitRefused is the exit status if nothing was started.
const exitRefused = 65

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

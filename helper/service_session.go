package helper

import (
	"context"
	"sync"
	"time"
)

// checkBlocked is how often a session asks whether what it blocks is still blocked.
const checkBlocked = 10 * time.Second

// lookUpTimeout limits the time for looking names up, all of them at once.
const lookUpTimeout = 10 * time.Second

// maxUnheard limits the commands that wait while a session starts.
const maxUnheard = 64

// serviceSession is what a tunnel of a service and OpenVPN's kill switch have in common: commands, and a kill switch that others may lift.
type serviceSession struct {
	system System
	header header
	// during ends with the client's input. Until then, heard receives the commands.
	during context.Context
	heard  chan string
	// commands is held while a command is carried out; isOver ends them.
	commands sync.Mutex
	isOver   bool
}

// followed is what a session follows until its end.
type followed interface {
	ended() <-chan struct{}
	stop(round int)
	// finish ends it with a message, unless it has ended.
	finish(status int, cause ...any)
	// obey carries out a command of its own.
	obey(line string)
	// look says what has changed in the firewall. It is called again and again.
	look()
}

// hear reads commands from now on, and notices the end of the input, also while the session starts.
func (s *serviceSession) hear(lines *lineReader) {
	during, end := context.WithCancel(context.Background())
	s.during, s.heard = during, make(chan string, maxUnheard)
	go func() {
		defer close(s.heard)
		defer end()
		for {
			// The limits of a request do not apply to a long session.
			lines.bytes, lines.lines = 0, 0
			line, err := lines.next()
			// A pipe of Windows has no end of one direction.
			if err != nil || line == endCommand {
				return
			}
			s.heard <- line
		}
	}()
}

// forNames returns the time for looking names up: the end of the input ends it, too.
func (s *serviceSession) forNames() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.during, lookUpTimeout)
}

// stay carries out commands until what it follows has ended, or its input, or somebody removed a part.
func (s *serviceSession) stay(of followed) {
	go func() {
		for line := range s.heard {
			s.ifRunning(func() { s.command(line, of) })
		}
		of.stop(1)
	}()
	check := time.NewTicker(checkBlocked)
	defer check.Stop()
	for {
		select {
		case <-of.ended():
			return
		case part := <-s.system.Gone():
			of.finish(exitGone, "gone", part)
		case <-check.C:
			s.ifRunning(of.look)
		}
	}
}

func (s *serviceSession) command(line string, of followed) {
	switch line {
	case "release":
		s.header.killSwitch = false
		if err := releaseService(s.system); err != nil {
			sendMessage("kill-switch failed")
			reportProblem("release", err)
		}
	default:
		of.obey(line)
	}
}

func (s *serviceSession) ifRunning(do func()) {
	s.commands.Lock()
	defer s.commands.Unlock()
	if !s.isOver {
		do()
	}
}

// reportIfLifted sends a message if something else has lifted the kill switch.
func (s *serviceSession) reportIfLifted() {
	if !s.header.killSwitch {
		return
	}
	up, err := s.system.IsBlocked(Blocked{Everything: true})
	reportProblem("find-rules", err)
	if err == nil && !up {
		s.header.killSwitch = false
		sendMessage("kill-switch lifted")
	}
}

// close undoes everything but the kill switch, and returns why the session failed.
func (s *serviceSession) close(err error) error {
	// Nobody would undo a later command.
	s.ifRunning(func() { s.isOver = true })
	failure := s.system.Close()
	if err != nil {
		reportProblem("undo", failure)
		return err
	}
	if failure != nil {
		return undone(failure)
	}
	return nil
}

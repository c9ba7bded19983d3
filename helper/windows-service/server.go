//go:build windows

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"causeway-helper"
	"golang.org/x/sys/windows"
)

const (
	// maxClients limits the connections at once, and maxOfSession those of one Windows session: another user who is signed in, too, must not
	// keep whoever is at the computer from connecting.
	maxClients, maxOfSession = 64, 16
	// commandTimeout is the time for the first line.
	commandTimeout = 5 * time.Second
	// endTimeout is the time that a process has to undo its changes.
	endTimeout = 10 * time.Second
	// readTimeout is the time that a client has to read the answer.
	readTimeout = time.Second
	// takeTimeout is the time that a client waits for the end of a tunnel.
	takeTimeout = 3 * time.Second
	maxCommand  = len("wireguard\n")
)

// server lets clients in, and runs their commands.
type server struct {
	access  sync.Mutex
	clients map[*connection]bool
	last    time.Time
	// tunnel is full while a command has the tunnel.
	tunnel chan struct{}
	// undo reverts what a command has left. isUnclean is true if something could not be undone.
	undo      func() error
	isUnclean bool
	// recovered is closed once what an earlier service left was undone, or could not be.
	recovered chan struct{}
	// isOver is true once no client is let in any more.
	isOver  bool
	working sync.WaitGroup
}

func newServer(undo func() error) *server {
	return &server{clients: map[*connection]bool{}, tunnel: make(chan struct{}, 1), undo: undo, recovered: make(chan struct{})}
}

// recoverAtStart undoes what an earlier service left. Until it has, nobody gets a tunnel.
func (s *server) recoverAtStart() {
	defer close(s.recovered)
	s.recover()
}

// recover undoes what a command has left.
func (s *server) recover() {
	err := s.undo()
	s.access.Lock()
	defer s.access.Unlock()
	s.isUnclean = err != nil
}

// isClean tries once more.
func (s *server) isClean() bool {
	select {
	case <-s.recovered:
	case <-time.After(endTimeout):
		return false
	}
	s.access.Lock()
	isUnclean := s.isUnclean
	s.access.Unlock()
	if !isUnclean {
		return true
	}
	s.recover()
	s.access.Lock()
	defer s.access.Unlock()
	return !s.isUnclean
}

// isTidy tries once more where no tunnel follows that would: what blocks would stay until then. It returns whether nothing is left.
func (s *server) isTidy() bool {
	if !s.take() {
		return false
	}
	defer func() { <-s.tunnel }()
	return s.isClean()
}

func (s *server) accept(clients *pipeListener) {
	for {
		from, err := clients.accept()
		if err != nil {
			return
		}
		if !s.add(from) {
			from.close()
			continue
		}
		go func() {
			defer s.leave(from)
			s.serve(from)
		}()
	}
}

func (s *server) add(from *connection) bool {
	s.access.Lock()
	defer s.access.Unlock()
	s.last = time.Now()
	ofSession := 0
	for each := range s.clients {
		if each.session == from.session {
			ofSession++
		}
	}
	if s.isOver || len(s.clients) >= maxClients || ofSession >= maxOfSession {
		return false
	}
	s.clients[from] = true
	s.working.Add(1)
	return true
}

func (s *server) leave(from *connection) {
	from.close()
	s.access.Lock()
	defer s.access.Unlock()
	delete(s.clients, from)
	s.last = time.Now()
	s.working.Done()
}

func (s *server) isIdle(since time.Duration) bool {
	s.access.Lock()
	defer s.access.Unlock()
	return len(s.clients) == 0 && time.Since(s.last) >= since
}

// endAll ends the input of all commands, and waits until they have undone their changes.
func (s *server) endAll() {
	s.access.Lock()
	s.isOver = true
	for each := range s.clients {
		each.close()
	}
	s.access.Unlock()
	s.working.Wait()
}

// serve carries out the command of a client.
func (s *server) serve(from *connection) {
	from.readUntil(time.Now().Add(commandTimeout))
	command, err := helper.ReadCommand(from, maxCommand)
	if err != nil && !errors.Is(err, helper.ErrCommand) {
		return
	}
	// After something was read, as Windows demands it.
	by, err := identify(from)
	from.readUntil(time.Time{})
	if err != nil {
		helper.Refuse(from, "caller")
		return
	}
	if !by.isAtComputer {
		helper.Refuse(from, "not-at-console")
		return
	}
	switch command {
	case "wireguard", "openvpn":
		if !s.take() {
			helper.Refuse(from, "other-tunnel")
			return
		}
		defer func() { <-s.tunnel }()
	case "blocked":
		// Changes nothing, so that everybody at the computer may ask.
		s.run(command, by, from)
		return
	case "release":
		// Also while there is a tunnel, by its owner.
	default:
		helper.Refuse(from, "usage")
		return
	}
	if !mayChange(by, killSwitchOwner()) {
		helper.Refuse(from, "not-owner")
		return
	}
	isTunnel := command != "release"
	if isTunnel && !s.isClean() {
		helper.Refuse(from, "undo")
		return
	}
	s.run(command, by, from)
	if isTunnel {
		s.recover()
	}
}

// take waits a moment for the tunnel: an earlier one may have ended just now.
func (s *server) take() bool {
	select {
	case s.tunnel <- struct{}{}:
		return true
	case <-time.After(takeTimeout):
		return false
	}
}

// mayChange reports whether a client may change what the kill switch of a user with this SID blocks; an empty one is nobody's.
func mayChange(by client, owner string) bool {
	return owner == "" || owner == by.sid || by.isAdministrator
}

// run runs a command in a process of its own, whose input and output are the client's. The input of the process ends with the
// connection, and with the service.
func (s *server) run(command string, by client, from *connection) {
	program, err := os.Executable()
	if err != nil {
		helper.Refuse(from, "program")
		return
	}
	rights := asUser
	if by.isAdministrator {
		rights = asAdministrator
	}
	process := exec.Command(program, "worker", command, by.sid, rights)
	process.Env = []string{"SystemRoot=" + os.Getenv("SystemRoot")}
	process.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
	input, err := process.StdinPipe()
	if err == nil {
		// Its frames, as they are: of one that is killed, the client sees the end without a status.
		process.Stdout = from
		err = process.Start()
	}
	if err != nil {
		helper.Refuse(from, "program")
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		helper.Pass(input, from)
		// It then undoes its changes and ends.
		input.Close()
		time.AfterFunc(endTimeout, func() { _ = process.Process.Kill() })
	}()
	_ = process.Wait()
	// A client that has not closed the connection may not have read the answer yet, which would end with it.
	waiting := time.AfterFunc(readTimeout, from.close)
	defer waiting.Stop()
	<-ended
	// The rest of a request that was refused.
	helper.Pass(io.Discard, from)
}

//go:build windows && causeway_model

package main

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

func nothing() error { return nil }

func TestClientsConnectWhileTheServiceRecovers(t *testing.T) {
	clients, err := listen(testPipe, testAccess)
	must(t, err)
	begun, goOn := make(chan struct{}), make(chan struct{})
	served := newServer(func() error {
		close(begun)
		<-goOn
		return windows.ERROR_BUSY
	})
	go served.recoverAtStart()
	<-begun
	ended := make(chan struct{})
	go func() {
		served.accept(clients)
		close(ended)
	}()
	client := connect(t, testPipe)
	defer client.Close()
	_, err = io.WriteString(client, "calc\n")
	must(t, err)
	// Whether the end is an error depends on the system.
	if said, _ := io.ReadAll(client); !strings.Contains(string(said), "failed usage") {
		t.Errorf("%q", said)
	}
	served.undo = nothing
	close(goOn)
	if !served.isClean() {
		t.Error("it did not try once more")
	}
	clients.close()
	<-ended
	served.endAll()
}

func TestTheServiceStaysUntilEverythingIsUndone(t *testing.T) {
	tries := 0
	served := newServer(func() error {
		if tries++; tries < 3 {
			return windows.ERROR_BUSY
		}
		return nil
	})
	served.recoverAtStart()
	for _, want := range []bool{false, true, true} {
		if served.isTidy() != want {
			t.Error("after", tries, "tries:", !want)
		}
	}
	if tries != 3 {
		t.Error(tries)
	}
	// It would undo what a tunnel has just done.
	served.tunnel <- struct{}{}
	if served.isTidy() || tries != 3 {
		t.Error("undid the changes of a tunnel")
	}
	<-served.tunnel
}

func TestASessionLeavesRoomForOthers(t *testing.T) {
	served := newServer(nothing)
	for count := 0; count < 2*maxClients; count++ {
		if served.add(&connection{session: 3}) != (count < maxOfSession) {
			t.Error(count)
		}
	}
	if !served.add(&connection{session: 1}) {
		t.Error("another session gets no room")
	}
	for session := uint32(4); session < 4+maxClients; session++ {
		served.add(&connection{session: session})
	}
	if len(served.clients) != maxClients {
		t.Error(len(served.clients))
	}
}

// accepted returns a client's end of the pipe.
func accepted(t *testing.T) *connection {
	clients, err := listen(testPipe, testAccess)
	must(t, err)
	t.Cleanup(func() { clients.close() })
	client := connect(t, testPipe)
	t.Cleanup(func() { client.Close() })
	from, err := clients.accept()
	must(t, err)
	return from
}

func TestAClientHasItsSession(t *testing.T) {
	from := accepted(t)
	defer from.close()
	own := uint32(0)
	must(t, windows.ProcessIdToSessionId(windows.GetCurrentProcessId(), &own))
	if from.session != own {
		t.Error(from.session, "is not", own)
	}
}

func TestNobodyIsLetInAfterTheEnd(t *testing.T) {
	served := newServer(nothing)
	served.endAll()
	if served.add(&connection{}) {
		t.Error("let in a client that nobody ends")
	}
}

func TestAConnectionKeepsNoHandle(t *testing.T) {
	from := accepted(t)
	event := from.closed
	from.close()
	// An event that is set, as this one was, unless it is gone.
	if which, err := windows.WaitForSingleObject(event, 0); err == nil && which == windows.WAIT_OBJECT_0 {
		t.Error("the event is left")
	}
	if _, err := from.Read([]byte{0}); err == nil {
		t.Error("read from a closed connection")
	}
	if err := from.use(func(windows.Handle) error { return nil }); err == nil {
		t.Error("used a closed connection")
	}
	from.close()
}

func TestWorkersGiveUpWhatTheyNeverNeed(t *testing.T) {
	must(t, dropUnused())
	debug, err := privilege("SeDebugPrivilege")
	must(t, err)
	driver, err := privilege("SeLoadDriverPrivilege")
	must(t, err)
	left := map[windows.LUID]bool{}
	must(t, changePrivileges(func(each *windows.LUIDAndAttributes) { left[each.Luid] = true }))
	if left[debug] || !left[driver] {
		t.Error(left)
	}
}

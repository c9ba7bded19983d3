//go:build windows

package main

import (
	"errors"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pipeName is where only administrators may make a pipe: the service doesn't run all the time, and anybody else could take its name.
const pipeName = `\\.\pipe\ProtectedPrefix\Administrators\causeway-service`

// pipeAccess lets in SYSTEM, administrators, and users who have signed in at this computer, never over the network, which comes
// first. Only SYSTEM may add another end to the pipe (0x12019b is reading and writing without that right).
const pipeAccess = "O:SYG:SYD:P(D;;GA;;;NU)(D;;GA;;;AN)(A;;GA;;;SY)(A;;0x12019b;;;BA)(A;;0x12019b;;;IU)"

const pipeBuffer = 1 << 16

// pipeListener accepts clients. It always holds an end of the pipe, so that no other program can take the name.
type pipeListener struct {
	name    *uint16
	access  windows.SecurityAttributes
	next    windows.Handle
	closed  windows.Handle
	closing sync.Once
	// accepting is held while it waits for a client.
	accepting sync.Mutex
}

// listen fails if the pipe exists: another program may have taken its name.
func listen(name, access string) (*pipeListener, error) {
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	descriptor, err := windows.SecurityDescriptorFromString(access)
	if err != nil {
		return nil, err
	}
	l := &pipeListener{name: text}
	l.access = windows.SecurityAttributes{Length: uint32(unsafe.Sizeof(l.access)), SecurityDescriptor: descriptor}
	if l.closed, err = windows.CreateEvent(nil, 1, 0, nil); err != nil {
		return nil, err
	}
	l.next, err = l.add(windows.FILE_FLAG_FIRST_PIPE_INSTANCE)
	return l, err
}

// add adds an end to which a client can connect.
func (l *pipeListener) add(flags uint32) (windows.Handle, error) {
	return windows.CreateNamedPipe(l.name, windows.PIPE_ACCESS_DUPLEX|windows.FILE_FLAG_OVERLAPPED|flags,
		windows.PIPE_TYPE_BYTE|windows.PIPE_READMODE_BYTE|windows.PIPE_WAIT|windows.PIPE_REJECT_REMOTE_CLIENTS,
		windows.PIPE_UNLIMITED_INSTANCES, pipeBuffer, pipeBuffer, 0, &l.access)
}

// accept returns the next client. It fails once the listener is closed.
func (l *pipeListener) accept() (*connection, error) {
	l.accepting.Lock()
	defer l.accepting.Unlock()
	if which, _ := windows.WaitForSingleObject(l.closed, 0); which == windows.WAIT_OBJECT_0 {
		return nil, os.ErrClosed
	}
	connected, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(connected)
	overlapped := &windows.Overlapped{HEvent: connected}
	switch err := windows.ConnectNamedPipe(l.next, overlapped); {
	case errors.Is(err, windows.ERROR_IO_PENDING):
		which, err := windows.WaitForMultipleObjects([]windows.Handle{l.closed, connected}, false, windows.INFINITE)
		if err != nil || which == windows.WAIT_OBJECT_0 {
			_ = windows.CancelIoEx(l.next, overlapped)
			count := uint32(0)
			_ = windows.GetOverlappedResult(l.next, overlapped, &count, true)
			return nil, errors.Join(os.ErrClosed, err)
		}
	case err != nil && !errors.Is(err, windows.ERROR_PIPE_CONNECTED) && !errors.Is(err, windows.ERROR_NO_DATA):
		return nil, err
	}
	next, err := l.add(0)
	if err != nil {
		return nil, err
	}
	client := l.next
	l.next = next
	return newConnection(client)
}

func (l *pipeListener) close() {
	l.closing.Do(func() {
		_ = windows.SetEvent(l.closed)
		l.accepting.Lock()
		defer l.accepting.Unlock()
		windows.CloseHandle(l.next)
	})
}

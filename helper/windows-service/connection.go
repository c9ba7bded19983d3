//go:build windows

package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/windows"
)

// connection is a client's end of the pipe. It can be read, written and closed at the same time.
type connection struct {
	handle windows.Handle
	// session is the client's of Windows, before it is known who that is.
	session uint32
	// closed ends what waits. Once isOver, with both locks, there is neither.
	closed  windows.Handle
	isOver  bool
	closing sync.Once
	reading sync.Mutex
	writing sync.Mutex
	// until, if not zero, is when reading gives up.
	until time.Time
}

func newConnection(handle windows.Handle) (*connection, error) {
	closed, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		windows.CloseHandle(handle)
		return nil, err
	}
	return &connection{handle: handle, session: sessionOf(handle), closed: closed}, nil
}

// sessionOf returns noSession for a client that has ended.
func sessionOf(pipe windows.Handle) uint32 {
	process, session := uint32(0), uint32(0)
	if windows.GetNamedPipeClientProcessId(pipe, &process) != nil || windows.ProcessIdToSessionId(process, &session) != nil {
		return noSession
	}
	return session
}

const noSession = ^uint32(0)

// readUntil limits what is read next.
func (c *connection) readUntil(limit time.Time) {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.until = limit
}

func (c *connection) Read(into []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	length, err := c.transfer(c.until, func(o *windows.Overlapped) error { return windows.ReadFile(c.handle, into, nil, o) })
	if errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED) {
		return 0, io.EOF
	}
	return length, err
}

func (c *connection) Write(text []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.transfer(time.Time{}, func(o *windows.Overlapped) error { return windows.WriteFile(c.handle, text, nil, o) })
}

// use passes on the pipe, which isn't closed meanwhile.
func (c *connection) use(do func(windows.Handle) error) error {
	c.reading.Lock()
	defer c.reading.Unlock()
	if c.isOver {
		return os.ErrClosed
	}
	return do(c.handle)
}

// transfer waits for the end of what it begins, or of the connection. The caller holds one of the locks.
func (c *connection) transfer(until time.Time, begin func(*windows.Overlapped) error) (int, error) {
	if c.isOver {
		return 0, os.ErrClosed
	}
	finished, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return 0, err
	}
	defer windows.CloseHandle(finished)
	if which, _ := windows.WaitForSingleObject(c.closed, 0); which == windows.WAIT_OBJECT_0 {
		return 0, os.ErrClosed
	}
	overlapped := &windows.Overlapped{HEvent: finished}
	if err := begin(overlapped); err != nil && !errors.Is(err, windows.ERROR_IO_PENDING) {
		return 0, err
	}
	limit := uint32(windows.INFINITE)
	if !until.IsZero() {
		limit = uint32(max(0, time.Until(until)/time.Millisecond))
	}
	which, err := windows.WaitForMultipleObjects([]windows.Handle{finished, c.closed}, false, limit)
	ended := error(nil)
	switch {
	case err != nil:
		ended = err
	case which == uint32(windows.WAIT_TIMEOUT):
		ended = os.ErrDeadlineExceeded
	case which == windows.WAIT_OBJECT_0+1:
		ended = os.ErrClosed
	}
	if ended != nil {
		_ = windows.CancelIoEx(c.handle, overlapped)
	}
	length := uint32(0)
	// Until then, Windows uses the memory.
	if err := windows.GetOverlappedResult(c.handle, overlapped, &length, true); ended == nil {
		ended = err
	}
	return int(length), ended
}

// close ends everything that waits for the client.
func (c *connection) close() {
	c.closing.Do(func() {
		_ = windows.SetEvent(c.closed)
		c.reading.Lock()
		defer c.reading.Unlock()
		c.writing.Lock()
		defer c.writing.Unlock()
		c.isOver = true
		windows.CloseHandle(c.handle)
		windows.CloseHandle(c.closed)
	})
}

//go:build windows && !causeway_model

package main

import (
	"net/netip"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	// echoTimeout is how long an answer may take; echoRoom, what an answer takes beside its payload.
	echoTimeout  = 3000
	echoRoom     = 64
	dontFragment = 2
)

var (
	iphlpapi    = windows.NewLazySystemDLL("iphlpapi.dll")
	icmpCreate  = iphlpapi.NewProc("IcmpCreateFile")
	icmp6Create = iphlpapi.NewProc("Icmp6CreateFile")
	icmpClose   = iphlpapi.NewProc("IcmpCloseHandle")
	icmpSend    = iphlpapi.NewProc("IcmpSendEcho2Ex")
	icmp6Send   = iphlpapi.NewProc("Icmp6SendEcho2")
)

// echo sends echo requests from the tunnel's address, which Windows never fragments.
type echo struct {
	from, to netip.Addr
	answers  chan int
	over     chan struct{}
	ending   sync.Once
}

func openEcho(from, to netip.Addr) (*echo, error) {
	if !from.IsValid() || from.Is4() != to.Is4() {
		return nil, windows.ERROR_NOT_FOUND
	}
	return &echo{from: from, to: to, answers: make(chan int, 16), over: make(chan struct{})}, nil
}

// ipOptions is IP_OPTION_INFORMATION.
type ipOptions struct {
	ttl, tos, flags, size uint8
	data                  uintptr
}

// Send begins a request; its answer comes to Receive.
func (e *echo) Send(payload int) error {
	create := icmpCreate
	if e.to.Is6() {
		create = icmp6Create
	}
	handle, _, err := create.Call()
	if windows.Handle(handle) == windows.InvalidHandle {
		return err
	}
	go func() {
		defer icmpClose.Call(handle)
		if !e.ask(handle, payload) {
			return
		}
		select {
		case e.answers <- payload:
		case <-e.over:
		}
	}()
	return nil
}

// ask waits for the answer. The calls keep what their arguments point to in place.
func (e *echo) ask(handle uintptr, payload int) bool {
	data, answer := make([]byte, payload+1), make([]byte, payload+echoRoom+1)
	options := ipOptions{ttl: 64, flags: dontFragment}
	count := uintptr(0)
	if e.to.Is4() {
		from, to := e.from.As4(), e.to.As4()
		count, _, _ = icmpSend.Call(handle, 0, 0, 0,
			uintptr(*(*uint32)(unsafe.Pointer(&from))), uintptr(*(*uint32)(unsafe.Pointer(&to))),
			uintptr(unsafe.Pointer(&data[0])), uintptr(payload), uintptr(unsafe.Pointer(&options)),
			uintptr(unsafe.Pointer(&answer[0])), uintptr(len(answer)), echoTimeout)
		// ICMP_ECHO_REPLY: an address, then the status.
		return count > 0 && *(*uint32)(unsafe.Pointer(&answer[4])) == 0
	}
	from := windows.RawSockaddrInet6{Family: windows.AF_INET6, Addr: e.from.As16()}
	to := windows.RawSockaddrInet6{Family: windows.AF_INET6, Addr: e.to.As16()}
	count, _, _ = icmp6Send.Call(handle, 0, 0, 0,
		uintptr(unsafe.Pointer(&from)), uintptr(unsafe.Pointer(&to)),
		uintptr(unsafe.Pointer(&data[0])), uintptr(payload), uintptr(unsafe.Pointer(&options)),
		uintptr(unsafe.Pointer(&answer[0])), uintptr(len(answer)), echoTimeout)
	// ICMPV6_ECHO_REPLY: an address of 26 bytes, then the status at the next multiple of four.
	return count > 0 && *(*uint32)(unsafe.Pointer(&answer[28])) == 0
}

// Receive returns the payload's size of the next answer, or false at the end of the time.
func (e *echo) Receive(until time.Time) (int, bool) {
	timeout := time.NewTimer(time.Until(until))
	defer timeout.Stop()
	select {
	case size := <-e.answers:
		return size, true
	case <-timeout.C:
	case <-e.over:
	}
	return 0, false
}

// Close ends the waiting; requests that are under way end by themselves.
func (e *echo) Close() { e.ending.Do(func() { close(e.over) }) }

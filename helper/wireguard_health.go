package helper

import (
	"net/netip"
	"time"
)

const (
	// smallPing is the usual payload.
	smallPing = 56
	pingHead  = 8
	// A test sends at most this many pings of each size, one every pingPause.
	maxPings  = 5
	pingPause = 2 * time.Second
	// largeWait is the time that a large answer gets after the small one, and maxLost the large ones that may be missing.
	largeWait = time.Second
	maxLost   = 3
)

const (
	// A handshake takes one round trip, so the first second is looked at more closely.
	firstPoll, laterPoll = 20 * time.Millisecond, 100 * time.Millisecond
	firstPolls           = 50
	// awaitedFor is longer than WireGuard itself tries, after which only new traffic makes it try again.
	awaitedFor = 2 * time.Minute
)

// commandLock keeps commands of a tunnel apart.
type commandLock interface {
	// ifRunning calls `do` while no command is carried out, unless the tunnel is over.
	ifRunning(do func())
}

// awaitHandshake reports the first handshake, for which the kernel has no event. It provokes one if nothing else does, and tries the addresses
// in turn.
func (w *wireGuardCore) awaitHandshake(t commandLock, addresses int) {
	w.provoke()
	begun := time.Now()
	turn := newTurn(begun)
	for polls := 0; time.Since(begun) < awaitedFor; polls++ {
		now, err := w.device.counters()
		if err == nil && !now.handshake.IsZero() {
			w.sendCounters(now, true)
			return
		}
		if turn.isOver(time.Now(), addresses) {
			// A command may have done so meanwhile.
			t.ifRunning(func() { w.useNext() })
		}
		pause := laterPoll
		if polls < firstPolls {
			pause = firstPoll
		}
		select {
		case <-w.over:
			return
		case <-time.After(pause):
		}
	}
}

// gatewayOf returns the first host of the tunnel's network, which is the server at the services that Causeway knows.
func gatewayOf(addresses []netip.Prefix) (netip.Addr, bool) {
	for _, each := range addresses {
		if first := each.Masked().Addr().Next(); each.Contains(first) && first != each.Addr() {
			return first, true
		}
	}
	return netip.Addr{}, false
}

// test finds out whether packets of the MTU pass: `full`, only small ones (`small`), or `none`. It returns an empty text if
// the tunnel ends meanwhile.
func (w *wireGuardCore) test() string {
	gateway, ok := gatewayOf(w.addresses)
	if !ok {
		return "none"
	}
	ping, err := w.router.openPing(gateway)
	if err != nil {
		return "none"
	}
	defer ping.close()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-w.over:
			ping.close()
		case <-done:
		}
	}()
	large := int(w.mtu.Load()) - pingHead - 20
	if gateway.Is6() {
		large -= 20
	}
	answered := 0
	for round := 0; round < maxPings; round++ {
		// Lost ones are what this is about.
		_, _ = ping.send(large), ping.send(smallPing)
		isAnswered := false
		for until := time.Now().Add(pingPause); ; {
			size, ok := ping.receive(until)
			if !ok {
				break
			}
			if size == large {
				return "full"
			}
			if !isAnswered {
				isAnswered, until = true, time.Now().Add(largeWait)
				answered++
			}
		}
		select {
		case <-w.over:
			return ""
		default:
		}
		if answered == maxLost {
			break
		}
	}
	if answered > 0 {
		return "small"
	}
	return "none"
}

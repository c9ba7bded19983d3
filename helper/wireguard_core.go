package helper

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// wireGuardCore is what a WireGuard tunnel is on every system: its server's addresses, the way to them, and what Causeway hears of it.
type wireGuardCore struct {
	asked    *wireGuardRequest
	device   wireGuardDevice
	router   wireGuardRouter
	resolver wireGuardResolver
	// servers holds the addresses of the endpoint, or of the proxy, in the order in which they are tried. current is the index
	// of the one that is used.
	servers []remote
	current int
	// dialled is the address of the proxy to which the client may connect now.
	dialled remote
	plan    routePlan
	// mark, if not 0, is that of the tunnel's own packets.
	mark uint32
	// addresses holds the tunnel's own, as far as the system took them.
	addresses []netip.Prefix
	// program is the one in user space, if there is one.
	program wireGuardProgram
	mtu     atomic.Int32
	// countsOwn is true if the device counts WireGuard's own packets as sent, too, so that it doesn't show what programs want to send.
	countsOwn bool
	over      chan struct{}
	// ending ends the tunnel once, with its last message and exit status.
	ending sync.Once
	cause  []any
	status int
	// testing is held during a test.
	testing sync.Mutex
}

// wireGuardDevice configures WireGuard, in the kernel or in a program for user space.
type wireGuardDevice interface {
	// configure sends the private key and overwrites it.
	configure(asked *wireGuardRequest, endpoint netip.AddrPort, mark uint32) error
	// setPeer replaces the peer by a new one, which begins a handshake at once.
	setPeer(asked *wireGuardRequest, endpoint netip.AddrPort) error
	setEndpoint(peer wireGuardKey, endpoint netip.AddrPort) error
	counters() (counters, error)
}

// wireGuardRouter is the network of the system, and the tunnel's device in it.
type wireGuardRouter interface {
	// makeDevice makes the device. A program in user space runs as program from then on.
	makeDevice() (wireGuardDevice, error)
	// addAddress returns errNoIPv6 for an address of IPv6 if that is turned off on this computer.
	addAddress(address netip.Prefix) error
	// setUp sets the device up, and begins to listen for changes. An error of the latter is at the step "subscribe".
	setUp() error
	// lead has the tunnel's prefixes routed through the device, and its own packets past it. withoutIPv6 is true if the system
	// refused those of IPv6.
	lead() (withoutIPv6 bool, err error)
	// reach has the tunnel's own packets to a server leave past the tunnel, instead of those to the one before.
	reach(server netip.Addr) error
	// dial does the same for the client of a proxy. Its error names what it was adding: a rule, or a route.
	dial(before, to remote) error
	// stop ends what changes the network while the tunnel is up.
	stop()
	// way returns errNoWay if the system refuses the tunnel's own packets to an address, such as IPv4 on a network that has only
	// IPv6. Another error says nothing of the address.
	way(to netip.Addr) error
	// pathMTU returns the MTU of the way to an address.
	pathMTU(to netip.Addr) (int, error)
	setMTU(mtu int) error
	statistics() (found statistics, ok bool)
	// openPing sends and receives through the device.
	openPing(to netip.Addr) (pinger, error)
}

// pinger sends echo requests, which nothing fragments, and receives the answers.
type pinger interface {
	send(payload int) error
	receive(until time.Time) (payload int, ok bool)
	close()
}

// wireGuardResolver finds servers, and lets the tunnel's packets through to them.
type wireGuardResolver interface {
	addresses(server host) ([]netip.Addr, error)
	// permit has the kill switch let these servers pass instead of the ones before.
	permit(remotes []remote) bool
}

// wireGuardProgram runs a device in user space.
type wireGuardProgram interface {
	endsWithin(limit time.Duration) bool
	kill()
}

var (
	errNoWay  = errors.New("no way")
	errNoIPv6 = errors.New("no IPv6")
)

// counters is the time of the last handshake, zero before the first, and the bytes since the start.
type counters struct {
	handshake      time.Time
	received, sent uint64
}

func (w *wireGuardCore) read(lines *lineReader) (err error) {
	w.asked, err = readWireGuardRequest(lines)
	return err
}

func (w *wireGuardCore) names() []domainName { return []domainName{w.asked.server().host.name} }

// findServers looks up the server before routes or a kill switch change how names are looked up.
func (w *wireGuardCore) findServers() ([]remote, error) {
	var err error
	if w.servers, err = w.lookUp(); err != nil {
		return nil, err
	}
	if w.asked.proxy != nil {
		w.dialled = w.servers[0]
	}
	w.sendServers()
	return w.permitted(), nil
}

// setUp sets up the tunnel. Each change is in the journal before it is made.
func (w *wireGuardCore) setUp() (err error) {
	w.plan = planRoutes(w.asked, w.servers)
	w.mtu.Store(int32(w.fullMTU()))
	if w.device, err = w.router.makeDevice(); err != nil {
		return err
	}
	if err := w.device.configure(w.asked, w.endpoint(), w.mark); err != nil {
		return failedBy("wireguard", "configure", err)
	}
	step("configured")
	withoutIPv6 := false
	for _, each := range w.asked.addresses {
		err := w.router.addAddress(each)
		if err == errNoIPv6 && each.Addr().Is6() {
			withoutIPv6 = true
		} else if err != nil {
			return failedBy("address", "add-address", err)
		} else {
			w.addresses = append(w.addresses, each)
		}
		step("address")
	}
	if err := w.router.setUp(); err != nil {
		return failedBy("device", "set-up", err)
	}
	without, err := w.router.lead()
	if err != nil {
		return err
	}
	if withoutIPv6 || without {
		sendMessage("ipv6 off")
	}
	return nil
}

func (w *wireGuardCore) ended() <-chan struct{} { return w.over }

func (w *wireGuardCore) stop(int) { w.finish(0) }

// finish ends the tunnel. Only the first cause counts.
func (w *wireGuardCore) finish(status int, cause ...any) {
	w.ending.Do(func() {
		w.cause, w.status = cause, status
		close(w.over)
	})
}

func (w *wireGuardCore) result() int {
	if len(w.cause) > 0 {
		sendMessage(w.cause...)
	}
	return w.status
}

// exitGone is the exit status if somebody else deleted a part of the tunnel.
const exitGone = 71

// endBecause ends a tunnel of which a part is missing. A device in user space also goes with its program, which then is the
// cause.
func (w *wireGuardCore) endBecause(part string) {
	if part != "device" || w.program == nil || !w.program.endsWithin(askAgain) {
		w.finish(exitGone, "gone", part)
	}
}

// kill ends the program in user space, and its device with it.
func (w *wireGuardCore) kill() {
	w.finish(0)
	w.router.stop()
	if w.asked != nil {
		w.asked.forgetKeys()
	}
	if w.program != nil {
		w.program.kill()
		w.program.endsWithin(time.Second)
	}
}

// fullMTU is what was asked for, or what fits the way to the server now.
func (w *wireGuardCore) fullMTU() int {
	if w.asked.mtu != 0 {
		return w.asked.mtu
	}
	return w.routeMTU()
}

func (w *wireGuardCore) changeMTU(mtu int) {
	err := error(nil)
	if mtu >= w.asked.lowestMTU() {
		err = w.router.setMTU(mtu)
	}
	if mtu < w.asked.lowestMTU() || err != nil {
		sendMessage("mtu failed")
		reportProblem("set-mtu", err)
		return
	}
	w.mtu.Store(int32(mtu))
	sendMessage("mtu", mtu)
}

// routeMTU leaves room for WireGuard's own data in a packet to the server.
func (w *wireGuardCore) routeMTU() int {
	mtu, err := w.router.pathMTU(w.servers[w.current].host.address)
	if mtu -= wireGuardOverhead; err != nil || mtu > defaultMTU {
		return defaultMTU
	}
	if lowest := w.asked.lowestMTU(); mtu < lowest {
		return lowest
	}
	return mtu
}

func (w *wireGuardCore) searchesDomains() bool { return true }

// carryOut carries out a command, and returns false if it knows none of that name.
func (w *wireGuardCore) carryOut(line string) bool {
	switch {
	case strings.HasPrefix(line, "dial "):
		sendMessage("dial", w.permitDial(strings.TrimPrefix(line, "dial ")))
	case line == "state":
		if now, err := w.device.counters(); err == nil {
			w.sendCounters(now, w.router.way(w.endpoint().Addr()) != errNoWay)
		} else {
			sendMessage("handshake failed")
			reportProblem("read-counters", err)
		}
	case line == "resolve":
		sendMessage("resolve", w.resolveAgain())
	case line == "next":
		sendMessage("next", w.useNext())
	case line == "test":
		// A second one while it runs gets the same answer.
		if w.testing.TryLock() {
			go func() {
				defer w.testing.Unlock()
				if answer := w.test(); answer != "" {
					sendMessage("test", answer)
				}
			}()
		}
	case line == "mtu full":
		w.changeMTU(w.fullMTU())
	case strings.HasPrefix(line, "mtu "):
		mtu, err := parseMTU(strings.TrimPrefix(line, "mtu "))
		if err != nil {
			mtu = 0
		}
		w.changeMTU(mtu)
	default:
		return false
	}
	return true
}

// statistics is what the kernel counts for a device: the packets that it passed on to programs, and those that they handed
// to it. lost are those that it didn't take.
type statistics struct {
	inPackets, inBytes, outPackets, lost uint64
}

// sendCounters sends the age of the last handshake, WireGuard's bytes and the device's counters. A device of the kernel counts
// WireGuard's own packets as sent, too, so it doesn't show what programs want to send.
func (w *wireGuardCore) sendCounters(now counters, hasWay bool) {
	age := "-"
	if !now.handshake.IsZero() {
		seconds := int64(time.Since(now.handshake) / time.Second)
		if seconds < 0 {
			// The clock was set back.
			seconds = 0
		}
		age = strconv.FormatInt(seconds, 10)
	}
	words := []any{"handshake", age, now.received, now.sent}
	if device, ok := w.router.statistics(); ok {
		handed := "-"
		if !w.countsOwn {
			handed = strconv.FormatUint(device.outPackets, 10)
		}
		words = append(words, device.inPackets, device.inBytes, handed, device.lost)
	}
	if !hasWay {
		words = append(words, "no-way")
	}
	sendMessage(words...)
}

package helper

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// lookUp returns the addresses of the endpoint, or of the proxy, that the kernel has a way to, in the order in which to try
// them.
func (w *wireGuardCore) lookUp() ([]remote, error) {
	server := w.asked.server()
	addresses, err := []netip.Addr{server.host.address}, error(nil)
	if !server.host.address.IsValid() {
		addresses, err = w.resolver.addresses(server.host)
	}
	if err != nil {
		return nil, failedBy("unresolved", "look-up", err)
	}
	mark := w.mark
	if w.asked.proxy != nil {
		mark = 0
	}
	found, isAny, hasIPv6 := []remote{}, false, false
	for _, address := range inTurn(addresses, w.asked.prefer) {
		if !mayBeServer(address) {
			continue
		}
		isAny, hasIPv6 = true, hasIPv6 || address.Is6()
		if w.router.way(address) != errNoWay {
			found = append(found, remote{
				host: host{address: address}, port: server.port, protocol: server.protocol, mark: mark, from: server.from,
			})
		}
	}
	switch {
	case !isAny:
		return nil, failed("endpoint")
	case len(found) == 0 && !hasIPv6 && w.router.way(anyIPv6) == nil:
		return nil, failed("no-ipv4")
	case len(found) == 0:
		return nil, failed("unreachable")
	}
	return found, nil
}

// anyIPv6 is an address of the public Internet.
var anyIPv6 = netip.MustParseAddr("2000::1")

// permitted returns what the kill switch permits: the addresses of the endpoint, to packets with the tunnel's mark alone, or
// the one of the proxy that is dialled, to one socket alone. A hostile network answers a name with addresses of its choice, to
// which programs would connect past the tunnel.
func (w *wireGuardCore) permitted() []remote {
	if w.asked.proxy != nil {
		return []remote{w.dialled}
	}
	return w.servers
}

// endpoint is where WireGuard sends its packets.
func (w *wireGuardCore) endpoint() netip.AddrPort {
	to := w.servers[w.current]
	if w.asked.proxy != nil {
		to = w.asked.endpoint
	}
	return netip.AddrPortFrom(to.host.address, to.port)
}

// sendServers sends the address in use, or all addresses of a proxy, whose client chooses.
func (w *wireGuardCore) sendServers() {
	for index, each := range w.servers {
		if w.asked.proxy != nil || index == w.current {
			sendMessage("remote", each.host, each.port)
		}
	}
}

// turn is the time that one address has for the first handshake, which takes one round trip. Each round doubles it, for a way
// that is slower than that.
type turn struct {
	until time.Time
	count int
}

const firstTurn = 2 * time.Second

func newTurn(now time.Time) *turn { return &turn{until: now.Add(firstTurn)} }

// isOver begins the next turn if this one is over.
func (t *turn) isOver(now time.Time, addresses int) bool {
	if addresses < 2 || now.Before(t.until) {
		return false
	}
	t.count++
	t.until = now.Add(firstTurn << (t.count / addresses))
	return true
}

// useNext moves the tunnel to the next address of the endpoint. It looks up nothing, because a dead tunnel may be the way to
// the resolver. The kill switch permits all of them, to packets with the tunnel's mark alone.
func (w *wireGuardCore) useNext() string {
	if w.asked.proxy != nil || len(w.servers) < 2 {
		return "same"
	}
	before := w.current
	w.current = (w.current + 1) % len(w.servers)
	if !w.moveFrom(w.servers, before) {
		return "failed"
	}
	w.sendServers()
	w.provoke()
	return "changed"
}

// moveFrom moves to the current address, or back to the one before if that fails.
func (w *wireGuardCore) moveFrom(servers []remote, current int) bool {
	err := w.move()
	if err != nil {
		reportProblem("move", err)
		w.servers, w.current = servers, current
		reportProblem("move-back", w.router.reach(w.endpoint().Addr()))
	}
	return err == nil
}

// move sends WireGuard's packets to the current address. Before the first handshake, the peer is set anew: WireGuard would
// wait for five seconds before it tries again. After it, the keys are good at any address.
func (w *wireGuardCore) move() error {
	if err := w.router.reach(w.endpoint().Addr()); err != nil {
		return err
	}
	if now, err := w.device.counters(); err == nil && now.handshake.IsZero() {
		return w.device.setPeer(w.asked, w.endpoint())
	}
	return w.device.setEndpoint(w.asked.peer, w.endpoint())
}

// provoke makes WireGuard begin a handshake, which without keepalives takes a packet.
func (w *wireGuardCore) provoke() {
	if w.asked.keepalive != 0 {
		return
	}
	if gateway, ok := gatewayOf(w.asked.addresses); ok {
		if ping, err := w.router.openPing(gateway); err == nil {
			_ = ping.send(smallPing)
			ping.close()
		}
	}
}

// resolveAgain moves the tunnel to the server's present addresses, and keeps the one in use while the name has it. The kill
// switch permits both while it does.
func (w *wireGuardCore) resolveAgain() string {
	before, current := w.servers, w.current
	found, err := w.lookUp()
	if err != nil {
		reportProblem("look-up", err)
		return "failed"
	}
	if includes(before, found) && includes(found, before) {
		return "same"
	}
	if fmt.Sprint(planRoutes(w.asked, found)) != fmt.Sprint(w.plan) {
		// Other routes are needed, which only a new tunnel has.
		return "failed"
	}
	if w.asked.proxy != nil {
		// Its client says which one it dials.
		w.servers = found
		w.sendServers()
		return "changed"
	}
	if !w.resolver.permit(append(append([]remote{}, before...), found...)) {
		return "failed"
	}
	w.servers, w.current = found, 0
	for index, each := range found {
		if each == before[current] {
			w.current = index
		}
	}
	isSame := found[w.current] == before[current]
	if !isSame && !w.moveFrom(before, current) {
		return "failed"
	}
	if !w.resolver.permit(found) {
		return "failed"
	}
	if isSame {
		return "same"
	}
	w.sendServers()
	return "changed"
}

// permitDial lets the client connect to another address of the proxy, or from another port, and to the one before no longer.
func (w *wireGuardCore) permitDial(words string) string {
	to, ok := w.parseDial(words)
	if !ok {
		return "refused"
	}
	before := w.dialled
	if to == before {
		return "permitted"
	}
	if !w.resolver.permit([]remote{to}) {
		return "failed"
	}
	if err := w.router.dial(before, to); err != nil {
		reportProblem("dial", err)
		return "failed"
	}
	w.dialled = to
	return "permitted"
}

// parseDial reads an address that the name of the proxy has, and the port of the client.
func (w *wireGuardCore) parseDial(words string) (remote, bool) {
	address, port, _ := strings.Cut(words, " ")
	from, err := parseDialPort(port)
	if err != nil || w.asked.proxy == nil || (from == 0) != (w.asked.proxy.from == 0) {
		return remote{}, false
	}
	for _, each := range w.servers {
		if each.host.address.String() == address {
			each.from = from
			return each, true
		}
	}
	return remote{}, false
}

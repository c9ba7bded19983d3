package helper

import (
	"net/netip"
	"strings"
	"time"
)

// serviceTunnel is a WireGuard tunnel of a service: the core, with the system of the service for everything else.
type serviceTunnel struct {
	wireGuardCore
	serviceSession
	// name is the device's.
	name string
	// withoutIPv6 is true if the device has none, so that it carries none whatever it is asked for.
	withoutIPv6 bool
	// local is what was last said of local networks.
	local string
}

// run reads a request, and returns the exit status once the tunnel has ended and everything is undone.
func (t *serviceTunnel) run(lines *lineReader) (int, error) {
	t.over, t.router, t.resolver = make(chan struct{}), serviceRouter{t}, serviceResolver{t}
	name, err := t.start(lines)
	if err == nil {
		t.reportLocal()
		sendMessage("started", name, "userspace")
		t.reportIfLeft()
		heard := make(chan struct{})
		go func() {
			t.awaitHandshake(t, len(t.servers))
			close(heard)
		}()
		t.stay(t)
		<-heard
	}
	if t.asked != nil {
		t.asked.forgetKeys()
	}
	if err := t.close(err); err != nil {
		return 0, err
	}
	return t.result(), nil
}

func (t *serviceTunnel) start(lines *lineReader) (name string, err error) {
	if t.header, err = readHeader(lines); err != nil {
		return "", err
	}
	if err = t.read(lines); err != nil {
		return "", err
	}
	t.hear(lines)
	if _, err = t.findServers(); err != nil {
		return "", err
	}
	if err = t.block(t.permitted()); err != nil {
		return "", err
	}
	if t.header.killSwitch {
		sendMessage("kill-switch on")
	}
	if t.asked.proxy != nil {
		if err = t.router.dial(remote{}, t.dialled); err != nil {
			return "", failedBy("route", "add-route", err)
		}
	}
	err = t.setUp()
	return t.name, err
}

func (t *serviceTunnel) obey(line string) {
	word, words, _ := strings.Cut(line, " ")
	if word == "dns" {
		t.setDNS(words)
	} else if !t.carryOut(line) {
		sendMessage("unknown-command")
	}
}

// reportIfLeft sends a message if the kill switch of an earlier tunnel is up, which this one didn't ask for.
func (t *serviceTunnel) reportIfLeft() {
	if t.header.killSwitch {
		return
	}
	up, err := t.system.IsBlocked(Blocked{Everything: true})
	reportProblem("find-rules", err)
	if up || err != nil {
		sendMessage("kill-switch left")
	}
}

func (t *serviceTunnel) look() {
	t.reportIfLifted()
	t.reportLocal()
}

// reportLocal says whether the firewall blocks local networks, if they are to be blocked and that has changed.
func (t *serviceTunnel) reportLocal() {
	what := t.blocked()
	what.Everything = false
	if !what.Local {
		return
	}
	isBlocked, err := t.system.IsBlocked(what)
	now := map[bool]string{true: "blocked", false: "open"}[isBlocked]
	if err != nil {
		now = "unknown"
	}
	if now == t.local {
		return
	}
	t.local = now
	reportProblem("find-rules", err)
	sendMessage("local-network", now)
}

func (t *serviceTunnel) setDNS(words string) {
	wanted, err := parseNameServers(words)
	if err != nil || !t.header.dns {
		sendMessage("dns refused")
		return
	}
	domains := []string{}
	for _, each := range wanted.domains {
		domains = append(domains, string(each))
	}
	if err := t.leadInside(wanted.servers); err != nil {
		sendMessage("dns cannot")
		reportProblem("route-name-servers", err)
		return
	}
	if err := t.system.SetDNS(wanted.servers, domains, wanted.every); err != nil {
		sendMessage("dns cannot")
		reportProblem("set-dns", err)
		return
	}
	sendMessage("dns applied", "NRPT")
}

// leadInside keeps name servers inside a tunnel for most traffic: a network could claim their addresses. WireGuard takes only those in
// the tunnel's prefixes.
func (t *serviceTunnel) leadInside(servers []netip.Addr) error {
	if !t.plan.most {
		return nil
	}
	inside := []netip.Addr{}
	for _, server := range servers {
		for _, each := range t.asked.allowed {
			if each.Contains(server) {
				inside = append(inside, server)
				break
			}
		}
	}
	return t.system.LeadInside(inside)
}

// blocked is what the request asks for: the kill switch, a block of local networks, which routes alone would leave outside, and that
// of a family that a tunnel for all traffic doesn't carry.
func (t *serviceTunnel) blocked() Blocked {
	isFull, carriesIPv6 := t.asked.isFull(), isCarried(6, t.asked.allowed) && !t.withoutIPv6
	return Blocked{
		Everything: t.header.killSwitch, Local: t.asked.blocksLocal && takesMost(t.asked.allowed),
		IPv4: isFull && !isCarried(4, t.asked.allowed), IPv6: isFull && !carriesIPv6,
	}
}

func (t *serviceTunnel) block(remotes []remote) error {
	what := t.blocked()
	if what == (Blocked{}) {
		return nil
	}
	servers := []Server{}
	for _, each := range remotes {
		servers = append(servers, Server{
			Address: netip.AddrPortFrom(each.host.address, each.port), TCP: each.protocol == "tcp", From: each.from,
		})
	}
	if err := t.system.Block(servers, what); err != nil {
		return failedBy("kill-switch", "add-rules", err)
	}
	return nil
}

func (t *serviceTunnel) permit(remotes []remote) bool {
	err := t.block(remotes)
	reportProblem("permit", err)
	return err == nil
}

// serviceResolver finds servers, and lets the tunnel's packets through to them.
type serviceResolver struct{ tunnel *serviceTunnel }

func (r serviceResolver) addresses(server host) ([]netip.Addr, error) {
	limit, cancel := r.tunnel.forNames()
	defer cancel()
	found, err := r.tunnel.system.LookUp(limit, string(server.name))
	if err != nil {
		return nil, err
	}
	if len(found) > maxAddresses {
		// A network answers with as many as it likes, and each takes rules of the firewall.
		found = found[:maxAddresses]
	}
	return someOf(found)
}

func (r serviceResolver) permit(remotes []remote) bool { return r.tunnel.permit(remotes) }

// serviceRouter is the network of a service's system.
type serviceRouter struct{ tunnel *serviceTunnel }

// makeDevice lets the new device pass the kill switch, too.
func (r serviceRouter) makeDevice() (wireGuardDevice, error) {
	name, configuration, err := r.tunnel.system.Open(int(r.tunnel.mtu.Load()))
	if err != nil {
		return nil, failedBy("device", "make-device", err)
	}
	r.tunnel.name = name
	return &userspaceDevice{socket: configuration}, r.tunnel.block(r.tunnel.permitted())
}

// addAddress leaves it to lead, which sets addresses and routes of a family at once.
func (r serviceRouter) addAddress(netip.Prefix) error { return nil }

func (r serviceRouter) setUp() error { return nil }

func (r serviceRouter) lead() (withoutIPv6 bool, err error) {
	t := r.tunnel
	if t.addresses, t.withoutIPv6, err = t.system.SetUp(t.asked.addresses, t.asked.allowed); err != nil {
		return false, failedBy("address", "add-address", err)
	}
	if t.withoutIPv6 {
		// Other devices may have it.
		if err := t.block(t.permitted()); err != nil {
			return false, err
		}
	}
	return len(t.addresses) < len(t.asked.addresses), nil
}

// reach does nothing: the system keeps WireGuard's own packets past the tunnel, wherever they go.
func (r serviceRouter) reach(netip.Addr) error { return nil }

func (r serviceRouter) dial(_, to remote) error {
	return at("add-route", r.tunnel.system.Bypass(to.host.address))
}

// stop does nothing: Close does.
func (r serviceRouter) stop() {}

func (r serviceRouter) way(to netip.Addr) error {
	has, err := r.tunnel.system.HasWay(to)
	if err == nil && !has {
		return errNoWay
	}
	return err
}

func (r serviceRouter) pathMTU(to netip.Addr) (int, error) { return r.tunnel.system.PathMTU(to) }

func (r serviceRouter) setMTU(mtu int) error { return r.tunnel.system.SetMTU(mtu) }

func (r serviceRouter) statistics() (statistics, bool) {
	found, ok := r.tunnel.system.Counters()
	return statistics{found.InPackets, found.InBytes, found.OutPackets, found.Lost}, ok
}

func (r serviceRouter) openPing(to netip.Addr) (pinger, error) {
	ping, err := r.tunnel.system.OpenPing(to)
	if err != nil {
		return nil, err
	}
	return servicePing{ping}, nil
}

type servicePing struct{ ping Ping }

func (p servicePing) send(payload int) error              { return p.ping.Send(payload) }
func (p servicePing) receive(until time.Time) (int, bool) { return p.ping.Receive(until) }
func (p servicePing) close()                              { p.ping.Close() }

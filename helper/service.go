package helper

import (
	"context"
	"io"
	"net/netip"
	"time"
)

// System is what a service gives its tunnels: Windows (windows-service/), or a model of it in tests. One value serves one tunnel.
// Everything that it changes is undone by Close, and by the service if this process is killed.
type System interface {
	// LookUp returns the addresses of a name, or those from before if a kill switch keeps it from being looked up. It returns once the
	// context has ended, and may be called for several names at once.
	LookUp(during context.Context, name string) ([]netip.Addr, error)
	// HasWay returns false if the system refuses packets past the tunnel to an address. Another failure is an error.
	HasWay(to netip.Addr) (bool, error)
	// PathMTU returns the MTU of the way to an address past the tunnel.
	PathMTU(to netip.Addr) (int, error)
	// Bypass leads this address past the tunnel, and the one before no longer.
	Bypass(to netip.Addr) error

	// Block lets nothing of this pass but the tunnel and these servers. It replaces what it did before without a gap, but doesn't block
	// everything again once somebody has lifted that. Unblock ends the block of everything alone, and returns whether there was one; the
	// rest ends with the tunnel.
	Block(servers []Server, what Blocked) error
	Unblock() (was bool, err error)
	// IsBlocked tells whether the system's firewall has the rules now with which Block blocks all of this, also those of an earlier tunnel.
	IsBlocked(what Blocked) (bool, error)

	// LetOpenVPN has Block let pass OpenVPN's program and device in place of WireGuard's. The system finds both by itself, fails with
	// ErrNoOpenVPN or ErrOpenVPNOfOthers, and calls back when the device has come or gone, until Block has been called again and succeeded,
	// or the call returns false: there is nothing any more that it would pass.
	LetOpenVPN(changed func() (goOn bool)) error

	// Open makes the device, and returns its name and a connection for WireGuard's configuration protocol.
	Open(mtu int) (name string, configuration Connection, err error)
	// SetUp gives the device its addresses and routes. It returns those addresses that the system took: the device may have no IPv6.
	SetUp(addresses, routes []netip.Prefix) (taken []netip.Prefix, withoutIPv6 bool, err error)
	// LeadInside routes these addresses through the device, whatever other routes there are, and those before no longer.
	LeadInside(addresses []netip.Addr) error
	SetMTU(mtu int) error
	// Counters returns the device's, if they can be read.
	Counters() (found Counters, ok bool)
	// OpenPing sends and receives through the device.
	OpenPing(to netip.Addr) (Ping, error)
	// SetDNS has these servers asked: with `every` for all names, else for those in the domains. It fails with ErrNamePolicy where the
	// administrators of the computer have decided otherwise.
	SetDNS(servers []netip.Addr, domains []string, every bool) error
	// Gone receives the part of the tunnel that somebody else removed: `device`.
	Gone() <-chan string
	Close() error
}

// What a system says of OpenVPN.
var (
	ErrNoOpenVPN       = failed("no-openvpn")
	ErrOpenVPNOfOthers = failed("openvpn-of-others")
)

// ErrNamePolicy says that a group policy has rules for names, beside which Windows follows no others.
var ErrNamePolicy error = cause("name-policy")

// Connection is one to WireGuard in this process.
type Connection interface {
	io.ReadWriteCloser
	SetDeadline(time.Time) error
}

// Server is where packets may leave past the tunnel: those of WireGuard itself, or with TCP those of the client's connection to a
// proxy, from one port unless that is 0. OpenVPN itself sends both.
type Server struct {
	Address netip.AddrPort
	TCP     bool
	From    uint16
}

// Blocked is what may not leave past a tunnel.
type Blocked struct {
	// Everything is the kill switch, which stays after this process has ended.
	Everything bool
	// Local is private networks. IPv4 and IPv6 are all others of a family.
	Local, IPv4, IPv6 bool
}

// Counters is what the system counts for a device.
type Counters struct{ InPackets, InBytes, OutPackets, Lost uint64 }

// Ping sends echo requests, which nothing fragments, and receives the answers.
type Ping interface {
	Send(payload int) error
	// Receive returns the payload's size of the next answer, or false at the end of the time.
	Receive(until time.Time) (payload int, ok bool)
	Close()
}

// Serve runs a command of a service's client, and returns the exit status: `wireguard`, a tunnel; `openvpn`, the kill switch of one;
// `release` or `blocked`. It writes frames (frames.go).
// A process serves once.
func Serve(command string, in io.Reader, out io.Writer, system System) int {
	written := &frames{out: out}
	logOutput, messageOutput = written.stream(streamLog), written.stream(streamMessages)
	flush := startMessages()
	status, err := 0, error(nil)
	switch command {
	case "wireguard":
		status, err = (&serviceTunnel{serviceSession: serviceSession{system: system}}).run(newLineReader(in))
	case "openvpn":
		status, err = (&openVPNBlock{serviceSession: serviceSession{system: system}}).run(newLineReader(in))
	case "release":
		err = releaseService(system)
	case "blocked":
		err = tellBlocked(system)
	default:
		err = failed("usage")
	}
	if err != nil {
		sendMessage(refusalOf(err).Error())
		status = exitRefused
	}
	flush()
	// Without a reader, nobody misses it.
	_ = written.end(status)
	return status
}

// Refuse answers a client that may not ask, with a reason of docs/helper.md.
func Refuse(out io.Writer, reason string) {
	written := &frames{out: out}
	if _, err := io.WriteString(written.stream(streamMessages), "causeway-helper: "+failed(reason).Error()+"\n"); err == nil {
		_ = written.end(exitRefused)
	}
}

// tellBlocked says whether the kill switch of any user is up, as the system's firewall has it.
func tellBlocked(system System) error {
	up, err := system.IsBlocked(Blocked{Everything: true})
	if err != nil {
		return failedBy("kill-switch", "find-rules", err)
	}
	sendMessage("kill-switch", map[bool]string{true: "on", false: "none"}[up])
	return nil
}

func releaseService(system System) error {
	was, err := system.Unblock()
	if err != nil {
		return failedBy("kill-switch", "delete-rules", err)
	}
	sendMessage("kill-switch", map[bool]string{true: "released", false: "none"}[was])
	return nil
}

package helper

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

const (
	keyBytes          = 32
	maxAllowed        = 5000
	defaultKeepalive  = 25
	minMTU, maxMTU    = 576, 1500
	minIPv6MTU        = 1280
	defaultMTU        = 1420
	wireGuardOverhead = 80
)

type wireGuardKey [keyBytes]byte

// wireGuardRequest is what the command `wireguard` reads from standard input after the header.
type wireGuardRequest struct {
	// privateKey is overwritten once it is sent.
	privateKey *wireGuardKey
	peer       wireGuardKey
	// sharedKey is nil without one. Each address of the server that is tried needs it again.
	sharedKey *wireGuardKey
	// addresses holds at most one of each family.
	addresses []netip.Prefix
	// mtu is 0 if it follows from the route to the server.
	mtu      int
	endpoint remote
	// allowed holds masked prefixes without duplicates.
	allowed    []netip.Prefix
	keepalive  uint16
	listenPort uint16
	// blocksLocal is true if the local networks must not stay outside a full tunnel.
	blocksLocal bool
	// proxy is not nil if WireGuard's packets go through a ProxyGuard client at the endpoint, which connects from the port
	// `from`. 0: another program of this computer connects for it, from any port.
	proxy *remote
	// prefer, if valid, is the address that worked before.
	prefer netip.Addr
}

// server is what the tunnel reaches on the network.
func (r *wireGuardRequest) server() remote {
	if r.proxy != nil {
		return *r.proxy
	}
	return r.endpoint
}

func (r *wireGuardRequest) hasIPv6() bool {
	for _, each := range r.addresses {
		if each.Addr().Is6() {
			return true
		}
	}
	return false
}

func (r *wireGuardRequest) lowestMTU() int {
	if r.hasIPv6() {
		return minIPv6MTU
	}
	return minMTU
}

// isFull reports whether the tunnel takes all traffic, in both families even if it carries one.
func (r *wireGuardRequest) isFull() bool {
	halves := [2]int{}
	for _, each := range r.allowed {
		if each.Bits() == 1 {
			halves[ipVersion(each.Addr())/5]++
		}
		if each.Bits() == 0 || halves[0] == 2 || halves[1] == 2 {
			return true
		}
	}
	return false
}

// forgetKeys overwrites the keys.
func (r *wireGuardRequest) forgetKeys() {
	wipe(r.privateKey[:])
	if r.sharedKey != nil {
		wipe(r.sharedKey[:])
	}
}

// readWireGuardRequest reads up to `#END`. A refusal names the line, never its value.
func readWireGuardRequest(lines *lineReader) (*wireGuardRequest, error) {
	defer lines.forget()
	read := &wireGuardRequest{privateKey: &wireGuardKey{}, keepalive: defaultKeepalive}
	count, known := map[string]int{}, map[netip.Prefix]bool{}
	for {
		line, err := lines.nextBytes()
		if err != nil {
			return nil, err
		}
		word, value, _ := bytes.Cut(line, []byte(" "))
		name := string(word)
		if len(word) > len("local-network") {
			// Perhaps a key without its name.
			return nil, refused("unknown")
		}
		if name == "#END" && len(line) == len(word) {
			break
		}
		most, isKnown := map[string]int{
			"private-key": 1, "address": 2, "mtu": 1, "peer": 1, "endpoint": 1, "allowed": maxAllowed, "keepalive": 1,
			"listen-port": 1, "proxy": 1, "prefer": 1, "shared-key": 1,
			"local-network": 1,
		}[name]
		if !isKnown {
			return nil, refused("unknown")
		}
		if count[name]++; count[name] > most || !read.set(name, value, known) {
			return nil, refused(name)
		}
	}
	for _, name := range []string{"private-key", "address", "peer", "endpoint", "allowed"} {
		if count[name] == 0 {
			return nil, refused(name)
		}
	}
	endpointIsProxy := read.endpoint.host.address == netip.AddrFrom4([4]byte{127, 0, 0, 1})
	switch {
	case read.proxy != nil && read.listenPort == 0, read.proxy == nil && read.listenPort != 0:
		return nil, refused("listen-port")
	case read.proxy != nil && !endpointIsProxy:
		return nil, refused("endpoint")
	case read.proxy == nil && read.endpoint.host.address.IsValid() && !mayBeServer(read.endpoint.host.address):
		return nil, refused("endpoint")
	case read.mtu != 0 && read.mtu < read.lowestMTU():
		return nil, refused("mtu")
	}
	return read, nil
}

// set parses the value of a line, and returns false if it is not valid.
func (r *wireGuardRequest) set(name string, value []byte, known map[netip.Prefix]bool) bool {
	if name == "private-key" {
		return parseKey(value, r.privateKey)
	}
	if name == "shared-key" {
		r.sharedKey = &wireGuardKey{}
		return parseKey(value, r.sharedKey)
	}
	text, err := string(value), error(nil)
	switch name {
	case "peer":
		return parseKey(value, &r.peer)
	case "address":
		prefix, err := parsePrefix(text)
		for _, each := range r.addresses {
			if each.Addr().Is4() == prefix.Addr().Is4() {
				return false
			}
		}
		r.addresses = append(r.addresses, prefix)
		return err == nil && isUsable(prefix.Addr()) && !prefix.Addr().IsLoopback() && !isHuge(prefix)
	case "mtu":
		r.mtu, err = parseMTU(text)
	case "endpoint":
		r.endpoint, err = parseServer(text, "udp")
	case "proxy":
		last := strings.LastIndexByte(text, ' ')
		if last < 0 {
			return false
		}
		server, failure := parseServer(text[:last], "tcp")
		from, portFailure := parseDialPort(text[last+1:])
		server.from, r.proxy, err = from, &server, portFailure
		return failure == nil && err == nil && (!server.host.address.IsValid() || mayBeServer(server.host.address))
	case "allowed":
		prefix, failure := parsePrefix(text)
		if failure != nil {
			return false
		}
		prefix = prefix.Masked()
		if !known[prefix] {
			known[prefix] = true
			r.allowed = append(r.allowed, prefix)
		}
		return !isNeverRouted(prefix)
	case "keepalive":
		r.keepalive, err = parseNumber(text)
	case "local-network":
		r.blocksLocal = text == "block"
		return r.blocksLocal
	case "listen-port":
		r.listenPort, err = parsePort(text)
	case "prefer":
		r.prefer, err = parseAddress(text)
	}
	return err == nil
}

// parseKey reads canonical base64. It leaves no copy of the key elsewhere.
func parseKey(text []byte, key *wireGuardKey) bool {
	decoded := make([]byte, keyBytes+1)
	defer wipe(decoded)
	if len(text) != base64.StdEncoding.EncodedLen(keyBytes) {
		return false
	}
	length, err := base64.StdEncoding.Strict().Decode(decoded, text)
	copy(key[:], decoded)
	return err == nil && length == keyBytes && *key != wireGuardKey{}
}

// parsePrefix reads an address with a length in decimal notation, without a zone. It refuses IPv4-mapped addresses.
func parsePrefix(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	if err == nil && prefix.Addr().Is4In6() {
		err = errors.New("not a prefix")
	}
	return prefix, err
}

func parseMTU(text string) (int, error) {
	mtu, err := parseNumber(text)
	if err == nil && (mtu < minMTU || mtu > maxMTU) {
		err = errors.New("not an MTU")
	}
	return int(mtu), err
}

// parseNumber reads a number of 16 bits.
func parseNumber(text string) (uint16, error) {
	number, err := strconv.ParseUint(text, 10, 16)
	if err == nil && !isNumber(text) {
		err = errors.New("not a number")
	}
	return uint16(number), err
}

func parseServer(text, protocol string) (remote, error) {
	if strings.Count(text, " ") != 1 {
		return remote{}, errors.New("not a server")
	}
	parsed, err := parseRemote(text)
	parsed.protocol = protocol
	return parsed, err
}

// parseDialPort reads the port that a client connects from, or 0 for any.
func parseDialPort(text string) (uint16, error) {
	if text == "any" {
		return 0, nil
	}
	return parsePort(text)
}

// isUsable reports whether an address can be that of one computer.
func isUsable(address netip.Addr) bool {
	isNetworkOfNone := address.Is4() && address.As4()[0] == 0
	return !address.IsMulticast() && !address.IsUnspecified() && !isNetworkOfNone && address != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// isHuge reports whether the network around an address takes a part of the Internet, which no list of routes would show.
func isHuge(prefix netip.Prefix) bool {
	return prefix.Bits() < map[int]int{4: 8, 6: 32}[ipVersion(prefix.Addr())]
}

// mayBeServer excludes this computer, too: WireGuard would send to its own programs with the right to pass the kill switch,
// and a ProxyGuard client would make requests of a service's choice to them.
func mayBeServer(address netip.Addr) bool { return isUsable(address) && !address.IsLoopback() }

// inTurn puts addresses in the order in which they are tried: the preferred one if it is among them, then one of each family
// by turns, so that a family that doesn't work here costs one turn (RFC 8305, section 4).
func inTurn(addresses []netip.Addr, prefer netip.Addr) []netip.Addr {
	sorted := make([]netip.Addr, 0, len(addresses))
	queues := map[bool][]netip.Addr{}
	for _, each := range addresses {
		if each == prefer && len(sorted) == 0 {
			sorted = append(sorted, each)
		} else {
			queues[each.Is4()] = append(queues[each.Is4()], each)
		}
	}
	for len(sorted) < len(addresses) {
		// The system's resolver puts the better family first.
		isIPv4 := addresses[0].Is4()
		if len(sorted) > 0 {
			isIPv4 = !sorted[len(sorted)-1].Is4()
		}
		if len(queues[isIPv4]) == 0 {
			isIPv4 = !isIPv4
		}
		sorted, queues[isIPv4] = append(sorted, queues[isIPv4][0]), queues[isIPv4][1:]
	}
	return sorted
}

// isNeverRouted reports whether a prefix is within one that belongs to the computer itself or to no computer.
func isNeverRouted(prefix netip.Prefix) bool {
	for _, each := range []string{"127.0.0.0/8", "::1/128", "224.0.0.0/4", "ff00::/8"} {
		if never := netip.MustParsePrefix(each); prefix.Bits() >= never.Bits() && never.Contains(prefix.Addr()) {
			return true
		}
	}
	return false
}

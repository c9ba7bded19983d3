//go:build !macos_rehearsal

package main

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func findFirewall() (string, error) {
	nft, err := systemProgram("nft")
	if err != nil {
		return "", failed("no-nft")
	}
	return nft, nil
}

// blockTraffic replaces the user's rules in one transaction.
func blockTraffic(nft string, uid uint32, name device, remotes []remote) error {
	before, err := connectionsOf(uid)
	if err != nil {
		return failed("kill-switch")
	}
	rules := killSwitchRules(uid, name, remotes, before)
	if _, err := runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: rules}); err != nil {
		return failed("kill-switch")
	}
	return nil
}

func allowTraffic(nft string, uid uint32) error {
	// Adding the table first makes the deletion succeed even if it does not exist.
	rules := fmt.Sprintf("table inet %[1]s\ndelete table inet %[1]s\n", tableOf(uid))
	_, err := runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: rules})
	return err
}

func killSwitchIsUp(uid uint32) bool {
	nft, err := systemProgram("nft")
	if err != nil {
		return false
	}
	// Not the whole table, whose sets may be long.
	_, err = runTool(tool{program: nft, arguments: []string{"list", "chain", "inet", tableOf(uid), "output"}})
	return err == nil
}

// killSwitchPermits tells whether a user's rules name a device.
func killSwitchPermits(uid uint32, name device) (bool, error) {
	nft, err := findFirewall()
	if err != nil {
		return false, err
	}
	tables, err := runTool(tool{program: nft, arguments: []string{"list", "tables", "inet"}})
	if err != nil || !strings.Contains(tables+"\n", " "+tableOf(uid)+"\n") {
		// A reload of the firewall removes the rules.
		return false, err
	}
	rules, err := runTool(tool{program: nft, arguments: []string{"list", "chain", "inet", tableOf(uid), "user"}})
	return strings.Contains(rules, `"`+string(name)+`"`), err
}

func tableOf(uid uint32) string { return "causeway_" + strconv.FormatUint(uint64(uid), 10) }

func killSwitchRules(uid uint32, name device, remotes []remote, before []connection) string {
	holes := strings.Builder{}
	for _, each := range remotes {
		family := "ip"
		if each.host.address.Is6() {
			family = "ip6"
		}
		fmt.Fprintf(&holes, "    %s daddr %s %s dport %d accept\n", family, each.host.address, each.protocol[:3], each.port)
	}
	ipv4, ipv6 := []string{}, []string{}
	for _, each := range before {
		text := fmt.Sprintf("%s . %d . %s . %d", each.local.Addr(), each.local.Port(), each.remote.Addr(), each.remote.Port())
		if each.local.Addr().Is4() {
			ipv4 = append(ipv4, text)
		} else {
			ipv6 = append(ipv6, text)
		}
	}
	// A closed socket with unsent data has no user, so it is recognized by addresses and ports, also through the
	// tunnel, because routes change. It sends at least every two minutes. Addresses and ports do not identify a socket
	// that has a user, which may have changed.
	return fmt.Sprintf(`table inet causeway_%[1]d
delete table inet causeway_%[1]d
table inet causeway_%[1]d {
  chain output {
    type filter hook output priority 0; policy accept;
    meta skuid %[1]d goto user
    meta skuid != %[1]d accept
    ip saddr . tcp sport . ip daddr . tcp dport @closed4 goto user
    ip6 saddr . tcp sport . ip6 daddr . tcp dport @closed6 goto user
  }
  set closed4 {
    type ipv4_addr . inet_service . ipv4_addr . inet_service; flags dynamic, timeout; timeout 5m; size 65536%[4]s
  }
  set closed6 {
    type ipv6_addr . inet_service . ipv6_addr . inet_service; flags dynamic, timeout; timeout 5m; size 65536%[5]s
  }
  chain user {
    oifname "lo" accept
    oifname "%[2]s" update @closed4 { ip saddr . tcp sport . ip daddr . tcp dport } accept
    oifname "%[2]s" update @closed6 { ip6 saddr . tcp sport . ip6 daddr . tcp dport } accept
    oifname "%[2]s" accept
%[3]s    udp sport 68 udp dport 67 accept
    udp sport 546 udp dport 547 accept
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    update @closed4 { ip saddr . tcp sport . ip daddr . tcp dport } drop
    update @closed6 { ip6 saddr . tcp sport . ip6 daddr . tcp dport } drop
    drop
  }
}
`, uid, name, holes.String(), elements(ipv4), elements(ipv6))
}

func elements(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "; elements = { " + strings.Join(texts, ", ") + " }"
}

// connection is a TCP connection.
type connection struct{ local, remote netip.AddrPort }

// connectionsOf returns the current TCP connections of a user.
func connectionsOf(uid uint32) ([]connection, error) {
	found := []connection{}
	for _, path := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) && path == "/proc/net/tcp6" {
			// This kernel has no IPv6.
			continue
		} else if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		for _, line := range lines[1:] {
			each, isUsers, err := parseConnection(line, uid)
			if err != nil {
				return nil, err
			}
			if isUsers {
				found = append(found, each)
			}
		}
	}
	return found, nil
}

// States in which there is no data to send, by Linux's numbers.
const (
	tcpTimeWait = "06"
	tcpListen   = "0A"
)

// parseConnection reads a line of /proc/net/tcp, and tells whether the connection is this user's. A closed one may
// appear as root's, so it counts as this user's.
func parseConnection(line string, uid uint32) (connection, bool, error) {
	words := strings.Fields(line)
	if len(words) < 10 {
		return connection{}, false, errors.New("not a connection")
	}
	local, err := parseSocketAddress(words[1])
	if err != nil {
		return connection{}, false, err
	}
	remote, err := parseSocketAddress(words[2])
	if err != nil {
		return connection{}, false, err
	}
	state, owner, inode := words[3], words[7], words[9]
	isUsers := owner == strconv.FormatUint(uint64(uid), 10) || owner == "0" && inode == "0"
	return connection{local, remote}, isUsers && state != tcpTimeWait && state != tcpListen && !remote.Addr().IsLoopback(), nil
}

// parseSocketAddress reads 32-bit numbers in the processor's byte order, and a port.
func parseSocketAddress(text string) (netip.AddrPort, error) {
	addressText, portText, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(addressText)
	if err != nil || len(bytes)%4 != 0 {
		return netip.AddrPort{}, errors.New("not an address")
	}
	for at := 0; at < len(bytes); at += 4 {
		nativeOrder.PutUint32(bytes[at:], binary.BigEndian.Uint32(bytes[at:]))
	}
	address, isAddress := netip.AddrFromSlice(bytes)
	port, err := strconv.ParseUint(portText, 16, 16)
	if err != nil || !isAddress {
		return netip.AddrPort{}, errors.New("not an address")
	}
	return netip.AddrPortFrom(address.Unmap(), uint16(port)), nil
}

// lookUp returns the addresses of a name, or none.
func lookUp(uid, gid uint32, name domainName, limit time.Duration) []netip.Addr {
	program, err := systemProgram("getent")
	if err != nil {
		return nil
	}
	output, err := runTool(tool{
		program: program, arguments: []string{"ahosts", string(name)},
		user: &syscall.Credential{Uid: uid, Gid: gid}, timeout: limit,
	})
	if err != nil {
		return nil
	}
	return parseAddresses(output, streamAddress)
}

// streamAddress returns the address in a line of getent for one kind of socket, which lists each address three times.
func streamAddress(words []string) string {
	if len(words) < 2 || words[1] != "STREAM" {
		return ""
	}
	return words[0]
}

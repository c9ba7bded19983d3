//go:build !macos_rehearsal

package helper

import (
	"bufio"
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
func blockTraffic(nft string, uid uint32, name device, remotes []remote, listed *apps) error {
	// The empty table says that the kill switch is up: that of the listed apps blocks these alone (blockTable).
	contents := ""
	if listed.blockMode() != onlyApps {
		before, err := connectionsOf(uid)
		if err != nil {
			return failedBy("kill-switch", "list-connections", err)
		}
		contents = killSwitchRules(uid, name, remotes, before, listed.passMarks())
	}
	if err := runRules(nft, newTable(tableOf(uid), contents)); err != nil {
		return failedBy("kill-switch", "add-rules", err)
	}
	return nil
}

// runRules carries out all of these commands of nft, or none.
func runRules(nft, rules string) error {
	_, err := runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: rules})
	return err
}

func allowTraffic(nft string, uid uint32) error {
	// Adding the table first makes the deletion succeed even if it does not exist.
	drops := dropTable(tableOf(uid)) + dropTable(blockTable(uid, exceptApps)) + dropTable(blockTable(uid, onlyApps))
	return runRules(nft, drops)
}

// killSwitchIsUp asks the kernel for the user's table alone. nft reads all sets of all users first, whatever it is to
// list, so its time would be in the hands of another user.
func killSwitchIsUp(uid uint32) (bool, error) { return hasFirewallTable(tableOf(uid)) }

// interfaceOf returns the network interface of a tunnel.
func interfaceOf(name device) string { return string(name) }

// The kernel tells of each change, and nobody puts a deleted table back.
const (
	liftedLooks = 1
	liftedPause = 0
)

func killSwitchHolds(uid uint32) (bool, error) { return killSwitchIsUp(uid) }

func tableOf(uid uint32) string { return "causeway_" + strconv.FormatUint(uint64(uid), 10) }

const (
	// maxConnections limits a set of connections, because the time to change a table grows with it.
	maxConnections = 8192
	// maxEarlier limits the connections from before, which include those of others.
	maxEarlier = maxConnections / 2
)

func killSwitchRules(uid uint32, name device, remotes []remote, before []connection, marks []uint32) string {
	holes := strings.Builder{}
	for _, each := range marks {
		fmt.Fprintf(&holes, "    meta mark %d accept\n", each)
	}
	for _, each := range remotes {
		family := "ip"
		if each.host.address.Is6() {
			family = "ip6"
		}
		marked := ""
		if each.mark != 0 {
			marked = fmt.Sprintf("meta mark %d ", each.mark)
		}
		protocol := each.protocol[:3]
		from := ""
		if each.from != 0 {
			from = fmt.Sprintf("%s sport %d ", protocol, each.from)
		}
		fmt.Fprintf(&holes, "    %s%s daddr %s %s%s dport %d accept\n", marked, family, each.host.address, from, protocol, each.port)
	}
	if uid == 0 {
		// Others' programs configure no network, and could reach any host's port where low ports need no right.
		holes.WriteString("    udp sport 68 udp dport 67 accept\n    udp sport 546 udp dport 547 accept\n")
	}
	ipv4, ipv6, earlier := []string{}, []string{}, []string{}
	if len(before) > maxEarlier {
		before, earlier = nil, []string{"tcp timeout 15m"}
	}
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
	// that has a user, which may have changed. Where too many connections were closed before to list them, all packets
	// of TCP without a user are blocked until the kernel has given those up. A full set blocks what it cannot note.
	//
	// All is decided twice: marks of another program can lead a packet elsewhere after its first device was chosen, and the
	// output hook goes on naming that one. The second decision comes before others' rules may change OpenVPN's mark.
	return fmt.Sprintf(`  chain output {
    type filter hook output priority 0; policy accept;
    jump sent
  }
  chain leaving {
    type filter hook postrouting priority -400; policy accept;
    jump sent
  }
  chain sent {
    meta skuid %[1]d goto user
    meta skuid != %[1]d accept
    ip saddr . tcp sport . ip daddr . tcp dport @closed4 goto user
    ip6 saddr . tcp sport . ip6 daddr . tcp dport @closed6 goto user
    meta l4proto @earlier goto earlier
  }
  set closed4 {
    type ipv4_addr . inet_service . ipv4_addr . inet_service; flags dynamic, timeout; timeout 3m; size %[7]d%[4]s
  }
  set closed6 {
    type ipv6_addr . inet_service . ipv6_addr . inet_service; flags dynamic, timeout; timeout 3m; size %[7]d%[5]s
  }
  set earlier {
    type inet_proto; flags timeout%[6]s
  }
  chain earlier {
    oifname { "lo", "%[2]s" } accept
    drop
  }
  chain user {
    oifname "lo" accept
    oifname "%[2]s" update @closed4 { ip saddr . tcp sport . ip daddr . tcp dport } accept
    oifname "%[2]s" update @closed6 { ip6 saddr . tcp sport . ip6 daddr . tcp dport } accept
    oifname "%[2]s" meta l4proto tcp drop
    oifname "%[2]s" accept
%[3]s    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    update @closed4 { ip saddr . tcp sport . ip daddr . tcp dport } drop
    update @closed6 { ip6 saddr . tcp sport . ip6 daddr . tcp dport } drop
    drop
  }
`, uid, name, holes.String(), elements(ipv4), elements(ipv6), elements(earlier), maxConnections)
}

func elements(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "; elements = { " + strings.Join(texts, ", ") + " }"
}

// connection is a TCP connection.
type connection struct{ local, remote netip.AddrPort }

// connectionsOf returns the current TCP connections of a user, or as many as show that there are too many to list.
func connectionsOf(uid uint32) ([]connection, error) {
	found := []connection{}
	for _, path := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		file, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) && path == "/proc/net/tcp6" {
			// This kernel has no IPv6.
			continue
		} else if err != nil {
			return nil, err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		// The first line has the names of the columns.
		for lines.Scan(); lines.Scan() && len(found) <= maxEarlier; {
			each, isUsers, err := parseConnection(lines.Text(), uid)
			if err != nil {
				return nil, err
			}
			if isUsers {
				found = append(found, each)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// States in which there is no data to send, by Linux's numbers.
const (
	tcpTimeWait = "06"
	tcpListen   = "0A"
)

// parseConnection reads a line of /proc/net/tcp, and reports whether the connection is this user's. A closed one may
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

// lookUp returns the addresses of a name, or why there are none.
func lookUp(t *tunnel, name domainName, limit time.Duration) ([]netip.Addr, error) {
	program, err := systemProgram("getent")
	if err != nil {
		return nil, err
	}
	output, err := runTool(tool{
		program: program, arguments: []string{"ahosts", string(name)},
		user: &syscall.Credential{Uid: t.caller.uid, Gid: t.group}, timeout: limit, until: t.wanted,
	})
	if err != nil {
		return nil, err
	}
	return someOf(parseAddresses(output, streamAddress))
}

// streamAddress returns the address in a line of getent for one kind of socket, which lists each address three times.
func streamAddress(words []string) string {
	if len(words) < 2 || words[1] != "STREAM" {
		return ""
	}
	return words[0]
}

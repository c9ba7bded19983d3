//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
)

// keptText returns what was kept. It follows a link only if it is root's.
func (r resolvConf) keptText() string { return readOfRoot(r.kept()) }

func readOfRoot(path string) string {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink != 0 && !isOwn(info) {
		return ""
	}
	text, err := readRegular(path, 0)
	if err != nil {
		return ""
	}
	return text
}

// others returns the file if it is another program's.
func (r resolvConf) others() string {
	text := readOfRoot(r.path())
	if strings.HasPrefix(text, resolvConfHead) {
		return ""
	}
	return text
}

// ofNetwork returns the servers and the domains of the network.
func (r resolvConf) ofNetwork() (netAddresses, []domainName) {
	return serversIn(r.others()), domainsIn(r.others())
}

// lists reports whether another program's file asks one of these servers first or, if alone, no others at all.
func (r resolvConf) lists(servers []netip.Addr, alone bool) bool {
	listed := serversIn(r.others())
	if len(listed) > 1 && !alone {
		// The others are asked if it doesn't answer.
		listed = listed[:1]
	}
	for _, each := range listed {
		isWanted := false
		for _, wanted := range servers {
			isWanted = isWanted || each == wanted
		}
		if !isWanted {
			return false
		}
	}
	return len(listed) > 0
}

// isLocal reports whether it names resolvers on this computer alone.
func (r resolvConf) isLocal() bool {
	servers := serversIn(r.others())
	for _, each := range servers {
		if !each.IsLoopback() {
			return false
		}
	}
	return len(servers) > 0
}

// resolvedFolder is where systemd-resolved keeps the files that others may link to.
const resolvedFolder = "/run/systemd/resolve/"

// managedByResolved reports whether programs ask systemd-resolved, and whether they ask nothing else.
func (r resolvConf) managedByResolved() (used, alone bool) {
	servers := serversIn(r.others())
	alone = len(servers) > 0
	for _, each := range servers {
		if text := each.String(); text != "127.0.0.53" && text != "127.0.0.54" {
			alone = false
		}
	}
	target, err := filepath.EvalSymlinks(r.path())
	return alone || err == nil && strings.HasPrefix(target, resolvedFolder), alone
}

// isBypassed reports whether programs that use the C library ask systemd-resolved whatever the file says.
func (r resolvConf) isBypassed() bool {
	found := false
	eachLine(readOfRoot(filepath.Join(r.folder, "nsswitch.conf")), func(words []string) {
		if words[0] == "hosts:" {
			for _, each := range words[1:] {
				found = found || each == "resolve"
			}
		}
	})
	return found
}

// managedByResolvconf reports whether a program called resolvconf writes it.
func (r resolvConf) managedByResolvconf() bool {
	target, err := os.Readlink(r.path())
	return err == nil && strings.Contains(target, "resolvconf/") || strings.Contains(r.others(), "resolvconf")
}

// serversIn returns the servers of a resolv.conf, as many as the C library uses.
func serversIn(text string) netAddresses {
	servers := netAddresses{}
	eachLine(text, func(words []string) {
		if words[0] != "nameserver" || len(words) < 2 || len(servers) == maxListed {
			return
		}
		if address, err := netip.ParseAddr(words[1]); err == nil && isZone(address.Zone()) {
			servers = append(servers, address)
		}
	})
	return servers
}

// isZone reports whether a text can be the name of a device, or is empty.
func isZone(text string) bool { return text == "" || len(text) < 16 && consistsOf(text, ".-_") }

// domainsIn returns the domains that complete short names. The last line of this kind counts.
func domainsIn(text string) []domainName {
	domains := []domainName{}
	eachLine(text, func(words []string) {
		if words[0] != "search" && words[0] != "domain" {
			return
		}
		domains = domains[:0]
		for _, each := range words[1:] {
			if domain, err := parseDomainName(strings.TrimSuffix(each, ".")); err == nil && len(domains) < maxSearched {
				domains = append(domains, domain)
			}
		}
	})
	return domains
}

func eachLine(text string, use func(words []string)) {
	for _, line := range strings.Split(text, "\n") {
		if words := strings.Fields(line); len(words) > 0 && !strings.ContainsAny(line[:1], " \t") {
			use(words)
		}
	}
}

// netAddresses are printed with commas.
type netAddresses []netip.Addr

func (n netAddresses) String() string {
	words := []string{}
	for _, each := range n {
		words = append(words, each.String())
	}
	return strings.Join(words, ",")
}

func parseNetAddresses(text string) netAddresses {
	addresses := netAddresses{}
	for _, each := range strings.Split(text, ",") {
		if address, err := netip.ParseAddr(each); err == nil {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

func joinedNames(names []domainName, by string) string {
	words := []string{}
	for _, each := range names {
		words = append(words, string(each))
	}
	return strings.Join(words, by)
}

// mergedWithNetwork returns the tunnel's servers and domains. A tunnel that is to answer only for some domains is asked first for every
// name, because such a file can't tell them apart; the network's servers come after it, for a server that refuses others.
func (w nameServers) mergedWithNetwork(network netAddresses, searched []domainName) (netAddresses, []domainName) {
	servers, domains := append(netAddresses{}, w.servers...), append([]domainName{}, w.domains...)
	if !w.exclusive {
		servers = append(servers, network...)
		domains = append(domains, searched...)
	}
	if len(servers) > maxListed {
		servers = servers[:maxListed]
	}
	if len(domains) > maxSearched {
		domains = domains[:maxSearched]
	}
	return servers, domains
}

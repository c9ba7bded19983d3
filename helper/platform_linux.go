//go:build !macos_rehearsal

package main

import (
	"context"
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
	"unsafe"
)

const (
	stateFolder      = "/run/causeway"
	descriptorFolder = "/proc/self/fd"
	capNetAdmin      = 12
)

func ownProgram() string { return "/proc/self/exe" }

func findOpenVPN() (string, error) {
	path, err := systemProgram("openvpn")
	if err != nil {
		return "", failed("no-openvpn")
	}
	return path, nil
}

func deviceDirective(name device) string { return "dev " + string(name) }

func markOptions(device) []string { return nil }

func hasDevice(name device) bool {
	devices, err := os.ReadFile("/proc/net/dev")
	// If this is unknown, OpenVPN gets the time to clean up.
	return err != nil || strings.Contains(string(devices), string(name)+":")
}

// --- Rights ------------------------------------------------------------------------------------------------------

// From linux/prctl.h.
const (
	prCapBsetDrop  = 24
	prSetNoNewPriv = 38
	sigSetMask     = 2
)

func unblockSignals() error {
	none := uint64(0)
	_, _, err := syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, sigSetMask, uintptr(unsafe.Pointer(&none)), 0, 8, 0, 0)
	if err != 0 {
		return err
	}
	return nil
}

// endWithHelper makes the kernel send a signal to the command when the helper dies.
func endWithHelper(attributes *syscall.SysProcAttr, signal syscall.Signal) {
	attributes.Pdeathsig = signal
}

// asUser completes the attributes of a command that runs as this user with CAP_NET_ADMIN, cannot gain any other right,
// and ends with the helper. The returned function must run on the thread that starts the command.
func asUser(attributes *syscall.SysProcAttr, uid, gid uint32) func() error {
	endWithHelper(attributes, syscall.SIGTERM)
	if uid != 0 {
		attributes.Credential = &syscall.Credential{Uid: uid, Gid: gid}
		attributes.AmbientCaps = []uintptr{capNetAdmin}
	}
	return func() error {
		for capability := uintptr(0); ; capability++ {
			if capability == capNetAdmin {
				continue
			}
			_, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, prCapBsetDrop, capability, 0, 0, 0, 0)
			if err == syscall.EINVAL && capability > capNetAdmin {
				// The last capability that this kernel knows has been dropped.
				break
			} else if err != 0 {
				return err
			}
		}
		if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPriv, 1, 0, 0, 0, 0); err != 0 {
			return err
		}
		return nil
	}
}

// processStart returns a start time, which distinguishes a process from a later one with the same id. It is empty if
// there is no such process, or only a zombie.
func processStart(id int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return ""
	}
	// The name is in brackets and may contain anything; the state follows, and the start time is the 22nd field.
	end := strings.LastIndexByte(string(text), ')')
	fields := strings.Fields(string(text[end+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	return fields[19]
}

// --- Routes ------------------------------------------------------------------------------------------------------

// gatewayRoutes returns the routes through gateways in the main table.
func gatewayRoutes() ([]route, error) {
	answer, err := syscall.NetlinkRIB(syscall.RTM_GETROUTE, syscall.AF_UNSPEC)
	if err != nil {
		return nil, err
	}
	messages, err := syscall.ParseNetlinkMessage(answer)
	if err != nil {
		return nil, err
	}
	routes := []route{}
	for _, message := range messages {
		if message.Header.Type != syscall.RTM_NEWROUTE || len(message.Data) < syscall.SizeofRtMsg {
			continue
		}
		head := (*syscall.RtMsg)(unsafe.Pointer(&message.Data[0]))
		attributes, err := syscall.ParseNetlinkRouteAttr(&message)
		if err != nil {
			return nil, err
		}
		if each, ok := routeOf(head, attributes); ok {
			routes = append(routes, each)
		}
	}
	return routes, nil
}

func routeOf(head *syscall.RtMsg, attributes []syscall.NetlinkRouteAttr) (route, bool) {
	if head.Table != syscall.RT_TABLE_MAIN || head.Type != syscall.RTN_UNICAST {
		return route{}, false
	}
	destination := netip.IPv4Unspecified()
	if head.Family == syscall.AF_INET6 {
		destination = netip.IPv6Unspecified()
	}
	found := route{}
	for _, each := range attributes {
		switch each.Attr.Type {
		case syscall.RTA_DST:
			destination, _ = netip.AddrFromSlice(each.Value)
		case syscall.RTA_GATEWAY:
			found.gateway, _ = netip.AddrFromSlice(each.Value)
		case syscall.RTA_PRIORITY:
			if len(each.Value) == 4 {
				found.metric = int(nativeOrder.Uint32(each.Value))
			}
		}
	}
	found.prefix = netip.PrefixFrom(destination, int(head.Dst_len))
	return found, found.gateway.IsValid() && found.prefix.IsValid()
}

var nativeOrder = func() binary.ByteOrder {
	one := uint16(1)
	if *(*byte)(unsafe.Pointer(&one)) == 1 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}()

// parseAnnouncedRoute reads the line that OpenVPN logs before it adds a route past its device, or deletes a default
// route. It returns `added` or `deleted`, or an empty text for other lines.
func parseAnnouncedRoute(line string) (string, route) {
	if !strings.HasPrefix(line, "net_route_v") {
		return "", route{}
	}
	words := strings.Split(line, " ")
	if len(words) < 5 || words[2] != "via" {
		return "", route{}
	}
	change := map[string]string{
		"net_route_v4_add:": "added", "net_route_v6_add:": "added",
		"net_route_v4_del:": "deleted", "net_route_v6_del:": "deleted",
	}[words[0]]
	parsed, err := parseRoute(words[1], words[3], words[len(words)-1])
	if err != nil || change == "deleted" && parsed.prefix.Bits() > 0 {
		return "", route{}
	}
	if parsed.metric < 0 {
		parsed.metric = defaultMetric(parsed.prefix)
	}
	return change, parsed
}

// defaultMetric returns the metric of a route that was added without one.
func defaultMetric(prefix netip.Prefix) int {
	if prefix.Addr().Is6() {
		return 1024
	}
	return 0
}

// routeExisted recognizes the line that OpenVPN logs if an announced route already existed, whoever added it.
func routeExisted(line string) bool {
	return strings.HasPrefix(line, "sitnl_send: rtnl: generic error (-17)")
}

// changeRoute adds or deletes (`add`, `del`) a route.
func changeRoute(change string, asked route) error {
	program, err := systemProgram("ip")
	if err != nil {
		return err
	}
	family := "-4"
	if asked.prefix.Addr().Is6() {
		family = "-6"
	}
	_, err = runTool(tool{program: program, arguments: []string{
		family, "route", change, asked.prefix.String(), "via", asked.gateway.String(),
		"metric", strconv.Itoa(asked.metric),
	}})
	return err
}

// --- Name servers ------------------------------------------------------------------------------------------------

func dnsPrograms() []string { return []string{"resolvectl", "resolvconf"} }

func applyDNS(until context.Context, name device, by string, wanted nameServers) error {
	program, err := systemProgram(by)
	if err != nil {
		return err
	}
	if by == "resolvconf" {
		return applyByResolvconf(until, program, name, wanted)
	}
	servers := []string{"dns", string(name)}
	for _, each := range wanted.servers {
		servers = append(servers, each.String())
	}
	// A domain with a tilde only selects the servers; one without is also a search domain for short names.
	domains, mark := []string{"domain", string(name)}, "~"
	if wanted.every {
		domains, mark = append(domains, "~."), ""
	}
	for _, each := range wanted.domains {
		domains = append(domains, mark+string(each))
	}
	for _, arguments := range [][]string{
		servers, domains, {"default-route", string(name), strconv.FormatBool(wanted.every)},
	} {
		if _, err := runTool(tool{program: program, arguments: arguments, until: until}); err != nil {
			return err
		}
	}
	return nil
}

// recordOf returns a name that starts with tun0, because both programs called resolvconf rank such records first.
func recordOf(name device) string { return "tun0." + string(name) }

func applyByResolvconf(until context.Context, program string, name device, wanted nameServers) error {
	input := strings.Builder{}
	for _, each := range wanted.servers {
		fmt.Fprintf(&input, "nameserver %s\n", each)
	}
	if len(wanted.domains) > 0 {
		input.WriteString("search")
		for _, each := range wanted.domains {
			fmt.Fprintf(&input, " %s", each)
		}
		input.WriteString("\n")
	}
	arguments := []string{"-a", recordOf(name)}
	if wanted.every {
		// Use no other servers. One of the two programs does not know this option, and ignores it.
		arguments = append(arguments, "-x")
	}
	_, err := runTool(tool{program: program, arguments: arguments, input: input.String(), shellScript: true, until: until})
	return err
}

func revertDNS(name device, by string) {
	program, err := systemProgram(by)
	if err != nil {
		return
	}
	// The device may be gone, and its settings with it.
	switch by {
	case "resolvectl":
		_, _ = runTool(tool{program: program, arguments: []string{"revert", string(name)}})
	case "resolvconf":
		_, _ = runTool(tool{program: program, arguments: []string{"-d", recordOf(name)}, shellScript: true})
	}
}

// --- Kill switch -------------------------------------------------------------------------------------------------

const (
	killSwitchMark = "kill-switch"
	// lockTimeout exceeds the time that nft may take.
	lockTimeout = 3 * toolTimeout
)

// lockKillSwitch keeps a user's rules and mark consistent until the returned folder is closed.
func lockKillSwitch(uid uint32) (*os.File, error) {
	folder, err := os.Open(folderOf(uid))
	if err != nil {
		return nil, err
	}
	if err := lockWithin(folder, lockTimeout); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// raiseKillSwitch blocks the user's traffic except through the tunnel, to the servers of the configuration, and what a
// network needs to come up; docs/helper.md lists what it does not cover. It replaces the servers' names by addresses,
// so that OpenVPN contacts only what the rules permit. An existing kill switch is replaced without a gap. Nothing
// lowers it until the caller closes the returned file, which may be nil.
func raiseKillSwitch(uid, gid uint32, name device, asked *configuration) (*os.File, error) {
	nft, err := systemProgram("nft")
	if err != nil {
		return nil, failed("no-nft")
	}
	// Before new ones are written, so that only one set exists however many requests there are.
	if err := forgetNames(uid, *asked); err != nil {
		return nil, err
	}
	remotes, err := resolveRemotes(uid, gid, *asked)
	if err != nil {
		return nil, err
	}
	held, err := lockKillSwitch(uid)
	if err != nil {
		return nil, failed("records")
	}
	if err := os.WriteFile(folderOf(uid)+"/"+killSwitchMark, nil, 0o600); err != nil {
		return held, failed("records")
	}
	step("kill-switch-noted")
	before, err := connectionsOf(uid)
	if err != nil {
		return held, failed("kill-switch")
	}
	rules := killSwitchRules(uid, name, remotes, before)
	if _, err := runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: rules}); err != nil {
		return held, failed("kill-switch")
	}
	step("kill-switch-up")
	resolved := []directive{}
	for index := range remotes {
		resolved = append(resolved, directive{remote: &remotes[index]})
	}
	for _, each := range asked.directives {
		if each.remote == nil {
			resolved = append(resolved, each)
		}
	}
	asked.directives = resolved
	return held, nil
}

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

// resolveRemotes returns the servers with addresses, ports and protocols, in the order of the configuration.
func resolveRemotes(uid, gid uint32, asked configuration) ([]remote, error) {
	resolved := []remote{}
	giveUpAt := time.Now().Add(2 * nameTimeout)
	for _, each := range asked.directives {
		if each.remote == nil {
			continue
		}
		one := *each.remote
		if one.port == 0 {
			one.port = asked.defaultPort
		}
		if one.protocol == "" {
			one.protocol = asked.defaultProtocol
		}
		for _, address := range addressesOf(uid, gid, one.host, time.Until(giveUpAt)) {
			if strings.Contains(one.protocol, "6") && address.Is4() || strings.Contains(one.protocol, "4") && address.Is6() {
				continue
			}
			one.host = host{address: address}
			resolved = append(resolved, one)
		}
	}
	if len(resolved) == 0 {
		return nil, failed("unresolved")
	}
	return resolved, nil
}

// nameTimeout is the time limit for one name; all names together may take twice as long.
const nameTimeout = 10 * time.Second

// addressesOf resolves a name like OpenVPN would, with the user's rights only. If there is no answer, perhaps because
// of an earlier kill switch, it returns the last one.
func addressesOf(uid, gid uint32, server host, timeLeft time.Duration) []netip.Addr {
	if server.address.IsValid() {
		return []netip.Addr{server.address}
	}
	path := folderOf(uid) + "/name." + string(server.name)
	if timeLeft > nameTimeout {
		timeLeft = nameTimeout
	}
	if program, err := systemProgram("getent"); err == nil && timeLeft > 0 {
		output, err := runTool(tool{
			program: program, arguments: []string{"ahosts", string(server.name)},
			user: &syscall.Credential{Uid: uid, Gid: gid}, timeout: timeLeft,
		})
		if found := parseAddresses(output, "STREAM"); err == nil && len(found) > 0 {
			text := strings.Builder{}
			for _, each := range found {
				fmt.Fprintf(&text, "%s STREAM\n", each)
			}
			// Without the file, the next start resolves the name again.
			_ = os.WriteFile(path, []byte(text.String()), 0o600)
			return found
		}
	}
	last, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return parseAddresses(string(last), "STREAM")
}

const maxAddresses = 8

// parseAddresses reads getent's lines for one kind of socket.
func parseAddresses(output, kind string) []netip.Addr {
	found := []netip.Addr{}
	for _, line := range strings.Split(output, "\n") {
		words := strings.Fields(line)
		if len(words) < 2 || words[1] != kind || len(found) == maxAddresses {
			continue
		}
		if address, err := parseAddress(words[0]); err == nil {
			found = append(found, address)
		}
	}
	return found
}

// wasRaised tells whether there may be a kill switch, without starting a program.
func wasRaised(uid uint32) bool {
	_, err := os.Lstat(folderOf(uid) + "/" + killSwitchMark)
	return err == nil
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

func tableOf(uid uint32) string { return "causeway_" + strconv.FormatUint(uint64(uid), 10) }

// lowerKillSwitch returns whether a kill switch was up. It also deletes the stored server addresses.
func lowerKillSwitch(uid uint32) (bool, error) {
	folder := folderOf(uid)
	held, err := lockKillSwitch(uid)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, failed("records")
	}
	defer held.Close()
	was := killSwitchIsUp(uid)
	nft, err := systemProgram("nft")
	if err != nil && wasRaised(uid) {
		return false, failed("no-nft")
	} else if was || wasRaised(uid) {
		// Adding the table first makes the deletion succeed even if it does not exist.
		rules := fmt.Sprintf("table inet %[1]s\ndelete table inet %[1]s\n", tableOf(uid))
		if _, err := runTool(tool{program: nft, arguments: []string{"-f", "-"}, input: rules}); err != nil {
			return false, failed("kill-switch")
		}
	}
	if err := os.Remove(folder + "/" + killSwitchMark); err != nil && !errors.Is(err, os.ErrNotExist) {
		return was, failed("records")
	}
	return was, forgetNames(uid, configuration{})
}

// forgetNames deletes the stored addresses of all servers except those in a configuration.
func forgetNames(uid uint32, but configuration) error {
	kept := map[string]bool{}
	for _, each := range but.directives {
		if each.remote != nil {
			kept["name."+string(each.remote.host.name)] = true
		}
	}
	files, err := os.ReadDir(folderOf(uid))
	if err != nil {
		return failed("records")
	}
	for _, each := range files {
		if strings.HasPrefix(each.Name(), "name.") && !kept[each.Name()] {
			if err := os.Remove(folderOf(uid) + "/" + each.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
				return failed("records")
			}
		}
	}
	return nil
}

//go:build darwin || macos_rehearsal

// On macOS there are no capabilities, so OpenVPN runs as root. With the build tag macos_rehearsal this runs on Linux, for
// tests with stand-ins for the programs of macOS.
package helper

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	stateFolder      = "/var/run/causeway"
	descriptorFolder = "/dev/fd"
)

func ownProgram() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

// openVPNEnvironment holds only the loader's folders for what is missing elsewhere. Its own list has /usr/local/lib, which
// belongs to a user on many computers.
var openVPNEnvironment = []string{
	"DYLD_FALLBACK_LIBRARY_PATH=/usr/lib",
	"DYLD_FALLBACK_FRAMEWORK_PATH=/System/Library/Frameworks",
}

// findOpenVPN returns an OpenVPN that only root may change, with all libraries that it loads. A Homebrew installation
// belongs to a user, and any program of that user could become root through it.
func findOpenVPN() (string, error) {
	found := "no-openvpn"
	for _, path := range []string{
		"/opt/local/sbin/openvpn", "/opt/local/sbin/openvpn2", "/usr/local/sbin/openvpn", "/opt/homebrew/sbin/openvpn",
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if isRoots(path) && requireRootsProgram(path) == nil {
			return path, nil
		}
		found = "openvpn-of-others"
	}
	return "", failed(found)
}

// isRoots reports whether only root may change a file and every folder above it, and none of them is a link.
func isRoots(path string) bool {
	for ; ; path = filepath.Dir(path) {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&os.ModeSymlink != 0 || !belongsToRoot(info) {
			return false
		}
		if path == "/" {
			return true
		}
	}
}

// deviceDirective only asks for a tunnel; platformOptions names the device.
func deviceDirective(device) string { return "dev tun" }

const (
	firstInterface = 1000
	// interfaceCount keeps the numbers within the 16 bits that the kernel stores.
	interfaceCount = 30_000
)

// interfaceOf returns the network interface of a tunnel, which the rules of the kill switch have to name before OpenVPN
// creates it. The system gives other programs the lowest free number, so this one stays free, also after a crash that
// leaves the rules in place. OpenVPN refuses to start if the interface exists.
func interfaceOf(name device) string { return fmt.Sprintf("utun%d", interfaceNumber(name)) }

func interfaceNumber(name device) int {
	id, _ := strconv.Atoi(strings.Trim(string(name), "cwt"))
	return firstInterface + id%interfaceCount
}

// platformOptions names the interface, and distinguishes this OpenVPN from others in a list of processes.
func platformOptions(name device, _ uint32) []string {
	return []string{"--dev-node", interfaceOf(name), "--setenv", "causeway", string(name)}
}

var killSwitchOptions = []string{}

func hasDevice(device) bool { return true }

func unblockSignals() error { return nil }

func endWithHelper(*syscall.SysProcAttr, syscall.Signal) {}

// asProgramUser changes nothing: OpenVPN needs root's rights.
func (t *tunnel) asProgramUser(*syscall.SysProcAttr, bool) func() error { return nil }

// helpersWith returns the helper of a journal, as far as its name shows: nothing tells who else has a file open, or holds its lock.
func helpersWith(path string) map[int]bool {
	name, err := parseDevice(filepath.Base(path))
	program, missing := systemProgram("ps")
	if err != nil || missing != nil {
		return nil
	}
	id, err := strconv.Atoi(strings.Trim(string(name), "cwt"))
	if err != nil || id <= 1 {
		return nil
	}
	output, err := runTool(tool{program: program, arguments: []string{"-o", "comm=", "-p", strconv.Itoa(id)}})
	if err != nil || !strings.HasSuffix(strings.TrimSpace(output), "causeway-helper") {
		return nil
	}
	return map[int]bool{id: true}
}

func processStart(id int) string {
	program, err := systemProgram("ps")
	if err != nil {
		return ""
	}
	output, err := runTool(tool{program: program, arguments: []string{"-o", "stat=,lstart=", "-p", strconv.Itoa(id)}})
	fields := strings.Fields(output)
	if err != nil || len(fields) < 2 || strings.HasPrefix(fields[0], "Z") {
		return ""
	}
	return strings.Join(fields[1:], "_")
}

// --- Routes ------------------------------------------------------------------------------------------------------

// currentRoutes returns the routes through gateways and network devices.
func currentRoutes() ([]route, error) {
	program, err := systemProgram("netstat")
	if err != nil {
		return nil, err
	}
	output, err := runTool(tool{program: program, arguments: []string{"-rn"}})
	if err != nil {
		return nil, err
	}
	routes := []route{}
	for _, line := range strings.Split(output, "\n") {
		if each, ok := parseListedRoute(line); ok {
			routes = append(routes, each)
		}
	}
	return routes, nil
}

// parseListedRoute reads a line of `netstat -rn`: a destination, a gateway or link, flags, and a network device.
func parseListedRoute(line string) (route, bool) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return route{}, false
	}
	gatewayText, _, _ := strings.Cut(words[1], "%")
	gateway, err := netip.ParseAddr(gatewayText)
	if err != nil && !strings.HasPrefix(words[1], "link#") && words[1] != words[3] {
		return route{}, false
	}
	found := route{gateway: gateway, metric: -1}
	isIPv6 := gateway.Is6()
	if err != nil {
		found.via, isIPv6 = words[3], strings.Contains(words[0], ":")
	}
	found.prefix, err = parseDestination(words[0], isIPv6)
	return found, err == nil
}

// parseDestination reads `default`, an address, or a network without trailing zeros: `10/8`, `192.168.1`.
func parseDestination(text string, isIPv6 bool) (netip.Prefix, error) {
	if text == "default" {
		if isIPv6 {
			return netip.PrefixFrom(netip.IPv6Unspecified(), 0), nil
		}
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0), nil
	}
	addressText, bitsText, hasBits := strings.Cut(text, "/")
	addressText, _, _ = strings.Cut(addressText, "%")
	bits := 128
	if !isIPv6 {
		parts := strings.Count(addressText, ".") + 1
		if parts > 4 {
			return netip.Prefix{}, errors.New("not a destination")
		}
		bits = 8 * parts
		addressText += strings.Repeat(".0", 4-parts)
	}
	address, err := netip.ParseAddr(addressText)
	if err != nil {
		return netip.Prefix{}, err
	}
	if hasBits {
		if bits, err = strconv.Atoi(bitsText); err != nil {
			return netip.Prefix{}, err
		}
	}
	prefix := netip.PrefixFrom(address, bits)
	if !prefix.IsValid() {
		return netip.Prefix{}, errors.New("not a destination")
	}
	return prefix, nil
}

// parseAnnouncedRoute reads the command that OpenVPN logs before running it. It returns `added`, for a default route
// also `deleted`, or an empty text for other lines.
func parseAnnouncedRoute(line string) (string, route) {
	words := strings.Fields(line)
	if len(words) < 6 || words[0] != "/sbin/route" {
		return "", route{}
	}
	change := map[string]string{"add": "added", "delete": "deleted"}[words[1]]
	parsed, err := route{}, errors.New("not a route")
	switch {
	case len(words) == 6 && words[2] == "-net":
		mask, failure := netip.ParseAddr(words[5])
		if bits := maskBits(mask); failure == nil && bits >= 0 {
			parsed, err = parseRoute(fmt.Sprintf("%s/%d", words[3], bits), words[4], "-1")
		}
	case len(words) == 9 && words[2] == "-cloning" && words[3] == "-net" && words[7] == "-interface":
		mask, failure := netip.ParseAddr(words[6])
		if bits := maskBits(mask); failure == nil && bits >= 0 {
			parsed, err = parseRoute(fmt.Sprintf("%s/%d", words[4], bits), devicePrefix+words[8], "-1")
		}
	case len(words) == 7 && words[2] == "-inet6" && words[4] == "-prefixlen":
		parsed, err = parseRoute(words[3]+"/"+words[5], words[6], "-1")
	}
	if err != nil || change == "deleted" && parsed.prefix.Bits() > 0 {
		return "", route{}
	}
	return change, parsed
}

// defaultMetric returns -1, because macOS has no metrics.
func defaultMetric(netip.Prefix) int { return -1 }

// routeExisted returns false, because on macOS OpenVPN does not replace an existing route.
func routeExisted(string) bool { return false }

// maskBits returns the length of a network mask, or -1 if it is not one.
func maskBits(mask netip.Addr) int {
	if !mask.Is4() {
		return -1
	}
	bytes := mask.As4()
	bits, ended := 0, false
	for index := 0; index < 32; index++ {
		isSet := bytes[index/8]&(0x80>>(index%8)) != 0
		if isSet && ended {
			return -1
		}
		ended = !isSet
		if isSet {
			bits++
		}
	}
	return bits
}

// changeRoutes adds or deletes (`add`, `del`) routes, and goes on after an error.
func changeRoutes(change string, routes []route) error {
	program, err := systemProgram("route")
	if err != nil {
		return err
	}
	verb := map[string]string{"add": "add", "del": "delete"}[change]
	for _, each := range routes {
		address, bits := each.prefix.Addr(), each.prefix.Bits()
		mask, nextHop := "", []string{"-interface", each.via}
		if each.gateway.IsValid() {
			nextHop = []string{each.gateway.String()}
		}
		arguments := []string{"-n", verb, "-inet6", address.String(), "-prefixlen", strconv.Itoa(bits)}
		if address.Is4() {
			masked, _ := netip.AddrFrom4([4]byte{255, 255, 255, 255}).Prefix(bits)
			mask = masked.Addr().String()
			arguments = []string{"-n", verb, "-net", address.String()}
		}
		switch {
		case mask == "":
			arguments = append(arguments, nextHop...)
		case each.gateway.IsValid():
			arguments = append(arguments, nextHop[0], mask)
		default:
			arguments = append(arguments, "-netmask", mask, nextHop[0], nextHop[1])
		}
		if _, failure := runTool(tool{program: program, arguments: arguments}); failure != nil {
			err = failure
		}
	}
	return err
}

// --- Name servers ------------------------------------------------------------------------------------------------

func dnsWays() []string { return []string{"scutil"} }

func whyNot(string) error { return nil }

func expectedWay() (by string, separates bool) { return "scutil", true }

func guardDNS(string, func(bool)) (stop func(), err error) { return func() {}, nil }

func watchDNS(string, nameServers, func(bool)) (stop func()) { return func() {} }

func repairDNS() error { return nil }

func dnsKey(name device) string {
	return fmt.Sprintf("State:/Network/Service/org.causeway.%s/DNS", name)
}

func applyDNS(until context.Context, name device, by string, wanted nameServers) (separates bool, err error) {
	program, err := systemProgram(by)
	if err != nil {
		return false, err
	}
	if _, err := runTool(tool{program: program, input: scutilCommands(name, wanted), until: until}); err != nil {
		return false, err
	}
	// scutil always exits with status 0, so query the result.
	output, err := runTool(tool{program: program, input: "show " + dnsKey(name) + "\n"})
	if err == nil && !strings.Contains(output, wanted.servers[0].String()) {
		err = at("scutil", errNobodyAsks)
	}
	return true, err
}

func scutilCommands(name device, wanted nameServers) string {
	out := strings.Builder{}
	out.WriteString("d.init\nd.add ServerAddresses *")
	for _, each := range wanted.servers {
		fmt.Fprintf(&out, " %s", each)
	}
	domains := ""
	for _, each := range wanted.domains {
		domains += " " + string(each)
	}
	answers := domains
	if wanted.every {
		answers = ` ""`
	}
	fmt.Fprintf(&out, "\nd.add SupplementalMatchDomains *%s\n", answers)
	if domains != "" {
		fmt.Fprintf(&out, "d.add SearchDomains *%s\n", domains)
	}
	fmt.Fprintf(&out, "set %s\n", dnsKey(name))
	return out.String()
}

func revertDNS(name device, by string) error {
	if program, err := systemProgram(by); err == nil {
		// The key may not exist.
		_, _ = runTool(tool{program: program, input: "remove " + dnsKey(name) + "\n"})
	}
	return nil
}

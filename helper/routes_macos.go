//go:build darwin || macos_rehearsal

package helper

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// listedRoute is a line of `netstat -rn`.
type listedRoute struct {
	route
	// zone is that of a gateway with a link-local address.
	zone, flags, device string
}

// refuses reports whether the system refuses packets to the destination.
func (r listedRoute) refuses() bool { return strings.ContainsAny(r.flags, "RB") }

// isScoped reports whether only programs that ask for its device use it.
func (r listedRoute) isScoped() bool { return strings.Contains(r.flags, "I") }

// listRoutes returns the routes through gateways and network devices.
func listRoutes() ([]listedRoute, error) {
	program, err := systemProgram("netstat")
	if err != nil {
		return nil, err
	}
	output, err := runTool(tool{program: program, arguments: []string{"-rn"}})
	if err != nil {
		return nil, err
	}
	routes := []listedRoute{}
	for _, line := range strings.Split(output, "\n") {
		if each, ok := parseListedRoute(line); ok {
			routes = append(routes, each)
		}
	}
	return routes, nil
}

// currentRoutes returns the same without what OpenVPN doesn't announce.
func currentRoutes() ([]route, error) {
	listed, err := listRoutes()
	routes := []route{}
	for _, each := range listed {
		routes = append(routes, each.route)
	}
	return routes, err
}

// parseListedRoute reads a line of `netstat -rn`: a destination, a gateway or link, flags, and a network device.
func parseListedRoute(line string) (listedRoute, bool) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return listedRoute{}, false
	}
	gatewayText, zone, _ := strings.Cut(words[1], "%")
	gateway, err := netip.ParseAddr(gatewayText)
	if err != nil && !strings.HasPrefix(words[1], "link#") && words[1] != words[3] {
		return listedRoute{}, false
	}
	found := listedRoute{route: route{gateway: gateway, metric: -1}, zone: zone, flags: words[2], device: words[3]}
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
	verb := map[string]string{"add": "add", "del": "delete"}[change]
	var failure error
	for _, each := range routes {
		if err := changeRoute(verb, each); err != nil {
			failure = err
		}
	}
	return failure
}

// changeRoute runs `route` for one, with further options behind its own.
func changeRoute(verb string, changed route, options ...string) error {
	program, err := systemProgram("route")
	if err == nil {
		_, err = runTool(tool{program: program, arguments: append(routeArguments(verb, changed), options...)})
	}
	return err
}

func routeArguments(verb string, each route) []string {
	address, bits := each.prefix.Addr(), each.prefix.Bits()
	nextHop := []string{"-interface", each.via}
	if each.gateway.IsValid() {
		nextHop = []string{each.gateway.String()}
	}
	if address.Is6() {
		return append([]string{"-n", verb, "-inet6", address.String(), "-prefixlen", strconv.Itoa(bits)}, nextHop...)
	}
	masked, _ := netip.AddrFrom4([4]byte{255, 255, 255, 255}).Prefix(bits)
	mask := masked.Addr().String()
	arguments := []string{"-n", verb, "-net", address.String()}
	if each.gateway.IsValid() {
		return append(arguments, nextHop[0], mask)
	}
	return append(arguments, "-netmask", mask, nextHop[0], nextHop[1])
}

//go:build !windows

package helper

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// policyRule is a rule for routing: one connection (`to`), traffic that has or has not this mark, of DHCP, or all of it, looks
// up a table.
type policyRule struct {
	family   int
	priority uint32
	table    uint32
	// notMark, if not 0, exempts the packets with this mark; mark restricts the rule to them.
	notMark, mark uint32
	// dhcp restricts the rule to what a DHCP client sends to a server that it knows, which takes the right to use low ports.
	dhcp bool
	// suppress, if not negative, ignores the table's routes up to this length.
	suppress int
	// to, if valid, restricts the rule to TCP to this server; fromPort, if not 0, to that of this user from this port.
	to       netip.AddrPort
	fromPort uint16
	user     uint32
	// through, if not empty, restricts it to packets of programs that have chosen this device.
	through device
	// from and gateway, if valid, restrict it to packets from one address of this computer to another one.
	from, gateway netip.Addr
}

func (r policyRule) String() string {
	to := "-"
	if r.to.IsValid() {
		to = r.to.String()
	}
	if r.dhcp {
		to = "dhcp"
	}
	if r.through != "" {
		to = devicePrefix + string(r.through)
	}
	if r.from.IsValid() {
		to = r.from.String() + ">" + r.gateway.String()
	}
	return fmt.Sprintf("%d %d %d %d %d %d %d %d %s",
		r.family, r.priority, r.table, r.notMark, r.mark, r.suppress, r.fromPort, r.user, to)
}

func parsePolicyRule(words []string) (policyRule, error) {
	numbers := [8]int64{}
	if len(words) != len(numbers)+1 {
		return policyRule{}, errors.New("not a rule")
	}
	for index := range numbers {
		var err error
		if numbers[index], err = strconv.ParseInt(words[index], 10, 64); err != nil {
			return policyRule{}, err
		}
	}
	rule := policyRule{
		family: int(numbers[0]), priority: uint32(numbers[1]), table: uint32(numbers[2]), notMark: uint32(numbers[3]),
		mark: uint32(numbers[4]), suppress: int(numbers[5]), fromPort: uint16(numbers[6]), user: uint32(numbers[7]),
	}
	to := words[len(numbers)]
	rule.dhcp = to == "dhcp"
	var err error
	if from, gateway, isPair := strings.Cut(to, ">"); isPair {
		if rule.from, err = netip.ParseAddr(from); err == nil {
			rule.gateway, err = netip.ParseAddr(gateway)
		}
	} else if strings.HasPrefix(to, devicePrefix) {
		rule.through, err = parseDevice(strings.TrimPrefix(to, devicePrefix))
	} else if to != "-" && !rule.dhcp {
		rule.to, err = netip.ParseAddrPort(to)
	}
	return rule, err
}

// wireGuardRecord is what a journal says of a WireGuard tunnel. The routes of its device end with the device.
type wireGuardRecord struct {
	// device is true if the kernel's device may exist.
	device bool
	rules  []policyRule
	// table, if not 0, is the routing table.
	table uint32
	// number is true if it may have reserved a number, and changed a setting.
	number bool
	// firewall is true if its table in nftables may exist.
	firewall bool
	// apps, if not 0, is the table of the network's routes, and the table for apps in nftables may exist.
	apps uint32
	// asksBlock is true if it starts with a kill switch, asked holds its addresses.
	asksBlock bool
	asked     []netip.Prefix
}

// add takes a line of a journal, and returns false if it is none of WireGuard's.
func (r *wireGuardRecord) add(words []string) bool {
	switch {
	case len(words) == 1 && words[0] == "device":
		r.device = true
	case len(words) == 1 && words[0] == "number":
		r.number = true
	case len(words) == 1 && words[0] == "firewall":
		r.firewall = true
	case len(words) == 2 && words[0] == "table":
		table, err := strconv.ParseUint(words[1], 10, 32)
		if err == nil && table >= firstNumber {
			r.table = uint32(table)
		}
	case len(words) == 2 && words[0] == "apps":
		table, err := strconv.ParseUint(words[1], 10, 32)
		if err == nil && isNetworkNumber(table) {
			r.apps = uint32(table)
		}
	case len(words) == 3 && words[0] == "asked":
		r.asksBlock = words[1] == "block"
		for _, each := range strings.Split(words[2], ",") {
			if address, err := netip.ParsePrefix(each); err == nil {
				r.asked = append(r.asked, address)
			}
		}
	case len(words) == 10 && words[0] == "rule":
		if rule, err := parsePolicyRule(words[1:]); err == nil {
			r.rules = append(r.rules, rule)
		}
	default:
		return false
	}
	return true
}

// firstNumber is the first number for marks and tables. With maxTables, none has a bit, nor is one, that another known program
// uses: docs/helper.md lists them.
const (
	firstNumber = 0x3000
	// maxTables limits them.
	maxTables = 128
)

// The same holds for the tables of the network (networkTable), whose numbers are the marks of the apps inside, and for the marks
// of the apps outside: one for each tunnel, and the last one for those that a kill switch lets pass while there is none.
const (
	firstNetworkNumber = 0x1000
	firstOutsideMark   = 0x2000
	passMark           = firstOutsideMark + maxTables - 1
)

func isNetworkNumber(number uint64) bool {
	return number >= firstNetworkNumber && number < firstNetworkNumber+maxTables
}

//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"syscall"
	"unsafe"
)

const largestMetric = 1<<32 - 1

func routeHead(family, bits int, kind, protocol, scope byte) []byte {
	return []byte{
		familyNumber(family), byte(bits), 0, 0, syscall.RT_TABLE_UNSPEC, protocol, scope, kind, 0, 0, 0, 0,
	}
}

// tableRoute is a route of a table: through a device, or `unreachable` or `throw` without one.
type tableRoute struct {
	table   uint32
	prefix  netip.Prefix
	index   uint32
	kind    byte
	gateway netip.Addr
}

// attributes returns what identifies a route. The last one of a table, for packets that no other one takes, is unreachable.
func (r tableRoute) attributes() []byte {
	found := joined(attribute(syscall.RTA_DST, r.prefix.Addr().AsSlice()), attribute(rtaTable, number32(r.table)))
	if r.kind == syscall.RTN_UNREACHABLE {
		found = append(found, attribute(syscall.RTA_PRIORITY, number32(largestMetric))...)
	}
	if r.index != 0 {
		found = append(found, attribute(syscall.RTA_OIF, number32(r.index))...)
	}
	return found
}

// add adds a route. An existing one is not replaced (EEXIST).
func (r tableRoute) add() message { return r.addAs(syscall.RTPROT_BOOT, netip.Addr{}) }

// addAs adds it with a protocol and, if valid, the address from which programs send.
func (r tableRoute) addAs(protocol byte, source netip.Addr) message {
	scope := byte(syscall.RT_SCOPE_UNIVERSE)
	if r.index != 0 {
		scope = syscall.RT_SCOPE_LINK
	}
	body := append(routeHead(ipVersion(r.prefix.Addr()), r.prefix.Bits(), r.kind, protocol, scope), r.attributes()...)
	if source.IsValid() {
		body = append(body, attribute(syscall.RTA_PREFSRC, source.AsSlice())...)
	}
	return message{syscall.RTM_NEWROUTE, syscall.NLM_F_CREATE | syscall.NLM_F_EXCL, body}
}

func (r tableRoute) delete() message {
	head := routeHead(ipVersion(r.prefix.Addr()), r.prefix.Bits(), r.kind, 0, syscall.RT_SCOPE_NOWHERE)
	return message{syscall.RTM_DELROUTE, 0, append(head, r.attributes()...)}
}

func everything(family int) netip.Prefix {
	if family == 4 {
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	}
	return netip.PrefixFrom(netip.IPv6Unspecified(), 0)
}

func parseTableRoute(data []byte) tableRoute {
	if len(data) < syscall.SizeofRtMsg {
		return tableRoute{}
	}
	head := (*syscall.RtMsg)(unsafe.Pointer(&data[0]))
	route := tableRoute{table: uint32(head.Table), kind: head.Type}
	destination := netip.IPv4Unspecified()
	if head.Family == syscall.AF_INET6 {
		destination = netip.IPv6Unspecified()
	}
	attributesOf(data[syscall.SizeofRtMsg:], func(kind uint16, value []byte) {
		switch {
		case kind == rtaTable:
			route.table = uint32Of(value)
		case kind == syscall.RTA_OIF && route.kind == syscall.RTN_UNICAST:
			route.index = uint32Of(value)
		case kind == syscall.RTA_DST:
			destination, _ = netip.AddrFromSlice(value)
		case kind == syscall.RTA_GATEWAY:
			route.gateway, _ = netip.AddrFromSlice(value)
		}
	})
	route.prefix = netip.PrefixFrom(destination, int(head.Dst_len))
	return route
}

// isFirst returns true if the route to this network that the kernel uses in this table leads to the same device.
func (s *netlinkSocket) isFirst(wanted tableRoute) bool {
	// The kernel lists them in the order in which it uses them.
	all, err := s.routesOf(ipVersion(wanted.prefix.Addr()), wanted.table)
	for _, each := range all {
		if err == nil && each.prefix == wanted.prefix {
			return each.index == wanted.index
		}
	}
	return false
}

// routesOf returns the routes of a table in one family.
func (s *netlinkSocket) routesOf(family int, table uint32) ([]tableRoute, error) {
	found := []tableRoute{}
	err := s.listRoutes(family, table, func(data []byte) { found = append(found, parseTableRoute(data)) })
	return found, err
}

// listRoutes passes on the message about each route of a table in one family.
func (s *netlinkSocket) listRoutes(family int, table uint32, use func(data []byte)) error {
	// Without this (before Linux 4.20), the kernel lists all tables.
	_ = syscall.SetsockoptInt(s.descriptor, solNetlink, netlinkStrictCheck, 1)
	defer func() { _ = syscall.SetsockoptInt(s.descriptor, solNetlink, netlinkStrictCheck, 0) }()
	body := append([]byte{familyNumber(family)}, make([]byte, syscall.SizeofRtMsg-1)...)
	err := s.ask(syscall.RTM_GETROUTE, syscall.NLM_F_DUMP, append(body, attribute(rtaTable, number32(table))...),
		func(kind uint16, data []byte) {
			if kind == syscall.RTM_NEWROUTE && parseTableRoute(data).table == table {
				use(data)
			}
		})
	if err == syscall.ENOENT || isWithoutIPv6(err) && family == 6 {
		// There is no such table.
		return nil
	}
	return err
}

// hasWay returns the kernel's error for packets with this mark to an address.
func (s *netlinkSocket) hasWay(to netip.Addr, mark uint32) error {
	return s.ask(syscall.RTM_GETROUTE, 0, joined(routeHead(ipVersion(to), to.BitLen(), 0, 0, 0),
		attribute(syscall.RTA_DST, to.AsSlice()), attribute(rtaMark, number32(mark))), nil)
}

// pathMTU returns the MTU of the route that packets with this mark take to an address.
func (s *netlinkSocket) pathMTU(to netip.Addr, mark uint32) (int, error) {
	body := joined(routeHead(ipVersion(to), to.BitLen(), 0, 0, 0), attribute(syscall.RTA_DST, to.AsSlice()),
		attribute(rtaMark, number32(mark)))
	mtu, index := 0, uint32(0)
	err := s.ask(syscall.RTM_GETROUTE, 0, body, func(kind uint16, data []byte) {
		if kind != syscall.RTM_NEWROUTE || len(data) < syscall.SizeofRtMsg {
			return
		}
		attributesOf(data[syscall.SizeofRtMsg:], func(kind uint16, value []byte) {
			switch kind {
			case syscall.RTA_OIF:
				index = uint32Of(value)
			case syscall.RTA_METRICS:
				attributesOf(value, func(kind uint16, value []byte) {
					if kind == rtaxMTU {
						mtu = int(uint32Of(value))
					}
				})
			}
		})
	})
	if err != nil || mtu > 0 {
		return mtu, err
	}
	through, err := s.findLink("", index)
	return through.mtu, err
}

// isWithoutIPv6 reports whether an error means that IPv6 is turned off, on this computer or a device.
func isWithoutIPv6(err error) bool {
	return err == syscall.EACCES || err == syscall.EAFNOSUPPORT || err == syscall.EOPNOTSUPP
}

func (r policyRule) message(kind, flags uint16) message {
	bits, sourceBits, inverted := 0, 0, uint32(0)
	attributes := joined(attribute(fraPriority, number32(r.priority)), attribute(fraTable, number32(r.table)))
	if r.notMark != 0 {
		inverted = fibRuleInvert
		attributes = append(attributes, attribute(fraMark, number32(r.notMark))...)
	}
	if r.mark != 0 {
		attributes = append(attributes, attribute(fraMark, number32(r.mark))...)
	}
	if r.from.IsValid() {
		bits, sourceBits = r.gateway.BitLen(), r.from.BitLen()
		attributes = joined(attributes, attribute(fraDestination, r.gateway.AsSlice()), attribute(fraSource, r.from.AsSlice()))
	}
	if r.through != "" {
		attributes = append(attributes, attribute(fraThrough, zeroEnded(string(r.through)))...)
	}
	if r.dhcp {
		attributes = joined(attributes, attribute(fraProtocol, []byte{syscall.IPPROTO_UDP}),
			attribute(fraSourcePorts, number16(68), number16(68)), attribute(fraPorts, number16(67), number16(67)))
	}
	if r.suppress >= 0 {
		attributes = append(attributes, attribute(fraSuppressLength, number32(uint32(r.suppress)))...)
	}
	if r.to.IsValid() {
		port := number16(r.to.Port())
		bits = r.to.Addr().BitLen()
		attributes = joined(attributes, attribute(fraDestination, r.to.Addr().AsSlice()),
			attribute(fraProtocol, []byte{syscall.IPPROTO_TCP}), attribute(fraPorts, port, port))
	}
	if r.fromPort != 0 {
		port, user := number16(r.fromPort), number32(r.user)
		attributes = joined(attributes, attribute(fraUsers, user, user), attribute(fraSourcePorts, port, port))
	}
	head := joined([]byte{familyNumber(r.family), byte(bits), byte(sourceBits), 0, 0, 0, 0, frActToTable}, number32(inverted))
	return message{kind, flags, append(head, attributes...)}
}

// existingRule is what matters of a rule of the computer.
type existingRule struct {
	priority, table, mark uint32
	// isPlain is true if it applies to everything.
	isPlain bool
}

const ruleHeadBytes = 12

func parseRule(data []byte) (existingRule, bool) {
	if len(data) < ruleHeadBytes {
		return existingRule{}, false
	}
	found := existingRule{table: uint32(data[4]), isPlain: data[1] == 0 && data[2] == 0 && data[3] == 0 && nativeOrder.Uint32(data[8:]) == 0}
	attributesOf(data[ruleHeadBytes:], func(kind uint16, value []byte) {
		switch kind {
		case fraPriority:
			found.priority = uint32Of(value)
		case fraTable:
			found.table = uint32Of(value)
		case fraMark:
			found.mark = uint32Of(value)
			found.isPlain = false
		case fraSuppressLength:
			found.isPlain = found.isPlain && uint32Of(value) == largestMetric
		case fraSource, 3, fraThrough, fraUsers, fraProtocol, fraSourcePorts, fraPorts:
			// A sender, a device, an outgoing one, users, a protocol, ports.
			found.isPlain = false
		}
	})
	return found, true
}

func (s *netlinkSocket) rules(family int) ([]existingRule, error) {
	found := []existingRule{}
	body := append([]byte{familyNumber(family)}, make([]byte, ruleHeadBytes-1)...)
	err := s.ask(rtmGetRule, syscall.NLM_F_DUMP, body, func(kind uint16, data []byte) {
		if parsed, ok := parseRule(data); kind == rtmNewRule && ok {
			found = append(found, parsed)
		}
	})
	if isWithoutIPv6(err) && family == 6 {
		return nil, nil
	}
	return found, err
}

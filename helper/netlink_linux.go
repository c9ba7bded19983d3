//go:build !macos_rehearsal

package main

import (
	"errors"
	"net/netip"
	"os"
	"syscall"
	"unsafe"
)

// From linux/netlink.h, rtnetlink.h, if_link.h, if_addr.h and fib_rules.h.
const (
	nlaNested          = 0x8000
	nlaTypeMask        = 0x3fff
	solNetlink         = 270
	netlinkStrictCheck = 12
	rtmNewRule         = 32
	rtmDelRule         = 33
	rtmGetRule         = 34
	iflaLinkInfo       = 18
	iflaInfoKind       = 1
	iflaFamilies       = 26
	iflaInet6Addresses = 8
	noAddresses        = 1 // IN6_ADDR_GEN_MODE_NONE
	ifaNoDAD           = 0x02
	rtaTable           = 15
	rtaMark            = 16
	rtaxMTU            = 2
	rtProtocolKernel   = 2
	fraDestination     = 1
	fraSource          = 2
	fraPriority        = 6
	fraMark            = 10
	fraSuppressLength  = 14
	fraTable           = 15
	fraProtocol        = 22
	fraUsers           = 20
	fraSourcePorts     = 23
	fraPorts           = 24
	fibRuleInvert      = 2
	frActToTable       = 1
	groupRouteIPv6Rule = 19
)

// netlinkSocket is a connection to the kernel's network configuration. Answers have a time limit.
type netlinkSocket struct {
	descriptor int
	sequence   uint32
	buffer     []byte
}

func openNetlink(protocol int) (*netlinkSocket, error) {
	descriptor, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, protocol)
	if err != nil {
		return nil, err
	}
	limit := syscall.NsecToTimeval(toolTimeout.Nanoseconds())
	if err := syscall.SetsockoptTimeval(descriptor, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		syscall.Close(descriptor)
		return nil, err
	}
	return &netlinkSocket{descriptor: descriptor, buffer: make([]byte, 65536)}, nil
}

func (s *netlinkSocket) close() { syscall.Close(s.descriptor) }

// message is one to the kernel: a head of its kind, then attributes.
type message struct {
	kind, flags uint16
	body        []byte
}

// maxBatch limits the messages that are sent before their acknowledgements are read, which would not fit in the socket's
// memory otherwise.
const maxBatch = 64

// change sends messages, a batch at a time, and returns the kernel's error for each.
func (s *netlinkSocket) change(messages ...message) []error {
	results := make([]error, len(messages))
	for from := 0; from < len(messages); from += maxBatch {
		until := from + maxBatch
		if until > len(messages) {
			until = len(messages)
		}
		if err := s.exchange(messages[from:until], results[from:until], nil); err != nil {
			for index := from; index < len(messages); index++ {
				results[index] = err
			}
			break
		}
	}
	return results
}

func (s *netlinkSocket) do(kind, flags uint16, body []byte) error {
	return s.change(message{kind, flags, body})[0]
}

// ask sends one question, and passes on each answer.
func (s *netlinkSocket) ask(kind, flags uint16, body []byte, use func(kind uint16, data []byte)) error {
	result := make([]error, 1)
	if err := s.exchange([]message{{kind, flags, body}}, result, use); err != nil {
		return err
	}
	return result[0]
}

// exchange sends messages at once, and waits until each is acknowledged, or its list has ended.
func (s *netlinkSocket) exchange(messages []message, results []error, use func(kind uint16, data []byte)) error {
	first := s.sequence + 1
	length := 0
	for _, each := range messages {
		length += aligned(syscall.NLMSG_HDRLEN + len(each.body))
	}
	// Never grown, because a message may hold a key, which is overwritten below.
	out := make([]byte, length)
	defer wipe(out)
	at := 0
	for _, each := range messages {
		s.sequence++
		size := syscall.NLMSG_HDRLEN + len(each.body)
		nativeOrder.PutUint32(out[at:], uint32(size))
		nativeOrder.PutUint16(out[at+4:], each.kind)
		nativeOrder.PutUint16(out[at+6:], each.flags|syscall.NLM_F_REQUEST|syscall.NLM_F_ACK)
		nativeOrder.PutUint32(out[at+8:], s.sequence)
		copy(out[at+syscall.NLMSG_HDRLEN:], each.body)
		at += aligned(size)
	}
	if err := syscall.Sendto(s.descriptor, out, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return err
	}
	for waiting := len(messages); waiting > 0; {
		answers, err := s.receive()
		if err != nil {
			return err
		}
		for _, each := range answers {
			index := each.Header.Seq - first
			if index >= uint32(len(messages)) {
				// The rest of an earlier answer that took too long.
				continue
			}
			switch each.Header.Type {
			case syscall.NLMSG_ERROR, syscall.NLMSG_DONE:
				waiting--
				if len(each.Data) >= 4 {
					if number := -int32(nativeOrder.Uint32(each.Data)); number != 0 {
						results[index] = syscall.Errno(number)
					}
				}
			default:
				if use != nil {
					use(each.Header.Type, each.Data)
				}
			}
		}
	}
	return nil
}

func (s *netlinkSocket) receive() ([]syscall.NetlinkMessage, error) {
	for {
		length, _, err := syscall.Recvfrom(s.descriptor, s.buffer, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		return syscall.ParseNetlinkMessage(s.buffer[:length])
	}
}

func aligned(length int) int { return (length + 3) &^ 3 }

// attribute returns an attribute with these parts as its value.
func attribute(kind uint16, parts ...[]byte) []byte {
	length := syscall.NLA_HDRLEN
	for _, part := range parts {
		length += len(part)
	}
	out := make([]byte, syscall.NLA_HDRLEN, aligned(length))
	nativeOrder.PutUint16(out, uint16(length))
	nativeOrder.PutUint16(out[2:], kind)
	for _, part := range parts {
		out = append(out, part...)
	}
	return out[:cap(out)]
}

func nested(kind uint16, parts ...[]byte) []byte { return attribute(kind|nlaNested, parts...) }

func number16(value uint16) []byte {
	out := make([]byte, 2)
	nativeOrder.PutUint16(out, value)
	return out
}

func number32(value uint32) []byte {
	out := make([]byte, 4)
	nativeOrder.PutUint32(out, value)
	return out
}

func joined(parts ...[]byte) []byte {
	out := []byte{}
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

func zeroEnded(text string) []byte { return append([]byte(text), 0) }

// attributesOf passes on the attributes in the data. What is malformed ends it.
func attributesOf(data []byte, use func(kind uint16, value []byte)) {
	for len(data) >= syscall.NLA_HDRLEN {
		length := int(nativeOrder.Uint16(data))
		if length < syscall.NLA_HDRLEN || length > len(data) {
			return
		}
		use(nativeOrder.Uint16(data[2:])&nlaTypeMask, data[syscall.NLA_HDRLEN:length])
		if length = aligned(length); length > len(data) {
			return
		}
		data = data[length:]
	}
}

func uint32Of(value []byte) uint32 {
	if len(value) != 4 {
		return 0
	}
	return nativeOrder.Uint32(value)
}

func familyNumber(family int) byte {
	if family == 4 {
		return syscall.AF_INET
	}
	return syscall.AF_INET6
}

// --- Devices -----------------------------------------------------------------------------------------------------

// link is a network device.
type link struct {
	index uint32
	isUp  bool
	mtu   int
}

func linkHead(index, flags, mask uint32) []byte {
	return joined(make([]byte, 4), number32(index), number32(flags), number32(mask))
}

func parseLink(data []byte) (link, bool) {
	if len(data) < syscall.SizeofIfInfomsg {
		return link{}, false
	}
	head := (*syscall.IfInfomsg)(unsafe.Pointer(&data[0]))
	found := link{index: uint32(head.Index), isUp: head.Flags&syscall.IFF_UP != 0}
	attributesOf(data[syscall.SizeofIfInfomsg:], func(kind uint16, value []byte) {
		if kind == syscall.IFLA_MTU {
			found.mtu = int(uint32Of(value))
		}
	})
	return found, true
}

// findLink returns a device by its name, or if that is empty, by its index. It returns ENODEV if there is none.
func (s *netlinkSocket) findLink(name string, index uint32) (link, error) {
	body := linkHead(index, 0, 0)
	if name != "" {
		body = append(body, attribute(syscall.IFLA_IFNAME, zeroEnded(name))...)
	}
	found, any := link{}, false
	err := s.ask(syscall.RTM_GETLINK, 0, body, func(kind uint16, data []byte) {
		if parsed, ok := parseLink(data); kind == syscall.RTM_NEWLINK && ok {
			found, any = parsed, true
		}
	})
	if err == nil && !any {
		err = syscall.ENODEV
	}
	return found, err
}

func (s *netlinkSocket) addLink(name, kind string) error {
	return s.do(syscall.RTM_NEWLINK, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, joined(
		linkHead(0, 0, 0), attribute(syscall.IFLA_IFNAME, zeroEnded(name)),
		nested(iflaLinkInfo, attribute(iflaInfoKind, zeroEnded(kind)))))
}

// deleteLink succeeds if there is no such device.
func (s *netlinkSocket) deleteLink(name string) error {
	err := s.do(syscall.RTM_DELLINK, 0, append(linkHead(0, 0, 0), attribute(syscall.IFLA_IFNAME, zeroEnded(name))...))
	if err == syscall.ENODEV {
		return nil
	}
	return err
}

func (s *netlinkSocket) setMTU(index uint32, mtu int) error {
	return s.do(syscall.RTM_NEWLINK, 0, append(linkHead(index, 0, 0), attribute(syscall.IFLA_MTU, number32(uint32(mtu)))...))
}

// useNoOtherAddresses keeps the kernel from giving a device a link-local address, which WireGuard's own devices have not.
// With one, it would ask for routers, up to every hour, and so wake the tunnel and its server.
func (s *netlinkSocket) useNoOtherAddresses(index uint32) error {
	return s.do(syscall.RTM_NEWLINK, 0, append(linkHead(index, 0, 0), nested(iflaFamilies,
		nested(syscall.AF_INET6, attribute(iflaInet6Addresses, []byte{noAddresses})))...))
}

func (s *netlinkSocket) setUp(index uint32) error {
	return s.do(syscall.RTM_NEWLINK, 0, linkHead(index, syscall.IFF_UP, syscall.IFF_UP))
}

func (s *netlinkSocket) addAddress(index uint32, prefix netip.Prefix) error {
	family := ipVersion(prefix.Addr())
	flags := byte(0)
	if family == 6 {
		// Nobody else is on this link who could have the address.
		flags = ifaNoDAD
	}
	address := prefix.Addr().AsSlice()
	return s.do(syscall.RTM_NEWADDR, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, joined(
		[]byte{familyNumber(family), byte(prefix.Bits()), flags, 0}, number32(index),
		attribute(syscall.IFA_LOCAL, address), attribute(syscall.IFA_ADDRESS, address)))
}

// deviceAddress is an address of this computer with the network that it is in, which is that of the other end if it has one.
type deviceAddress struct {
	index   uint32
	own     netip.Prefix
	network netip.Prefix
}

// addressesOf returns the addresses of a device.
func (s *netlinkSocket) addressesOf(index uint32) ([]netip.Prefix, error) {
	all, err := s.addresses()
	found := []netip.Prefix{}
	for _, each := range all {
		if each.index == index {
			found = append(found, each.own)
		}
	}
	return found, err
}

// addresses returns those of all devices.
func (s *netlinkSocket) addresses() ([]deviceAddress, error) {
	found := []deviceAddress{}
	err := s.ask(syscall.RTM_GETADDR, syscall.NLM_F_DUMP, make([]byte, syscall.SizeofIfAddrmsg), func(kind uint16, data []byte) {
		if kind != syscall.RTM_NEWADDR || len(data) < syscall.SizeofIfAddrmsg {
			return
		}
		own, other := netip.Addr{}, netip.Addr{}
		attributesOf(data[syscall.SizeofIfAddrmsg:], func(kind uint16, value []byte) {
			switch kind {
			case syscall.IFA_LOCAL:
				own, _ = netip.AddrFromSlice(value)
			case syscall.IFA_ADDRESS:
				other, _ = netip.AddrFromSlice(value)
			}
		})
		if !own.IsValid() {
			// IPv6 has no local address of its own in this message.
			own = other
		}
		if !other.IsValid() {
			other = own
		}
		found = append(found, deviceAddress{
			nativeOrder.Uint32(data[4:]), netip.PrefixFrom(own, int(data[1])), netip.PrefixFrom(other, int(data[1])).Masked(),
		})
	})
	return found, err
}

// --- Routes ------------------------------------------------------------------------------------------------------

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

// routesOf returns the routes of a table in one family.
func (s *netlinkSocket) routesOf(family int, table uint32) ([]tableRoute, error) {
	// Without this (before Linux 4.20), the kernel lists all tables.
	_ = syscall.SetsockoptInt(s.descriptor, solNetlink, netlinkStrictCheck, 1)
	defer func() { _ = syscall.SetsockoptInt(s.descriptor, solNetlink, netlinkStrictCheck, 0) }()
	body := append([]byte{familyNumber(family)}, make([]byte, syscall.SizeofRtMsg-1)...)
	found := []tableRoute{}
	err := s.ask(syscall.RTM_GETROUTE, syscall.NLM_F_DUMP, append(body, attribute(rtaTable, number32(table))...),
		func(kind uint16, data []byte) {
			if route := parseTableRoute(data); kind == syscall.RTM_NEWROUTE && route.table == table {
				found = append(found, route)
			}
		})
	if err == syscall.ENOENT || isWithoutIPv6(err) && family == 6 {
		// There is no such table.
		return nil, nil
	}
	return found, err
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

// isWithoutIPv6 tells whether an error means that IPv6 is turned off, on this computer or a device.
func isWithoutIPv6(err error) bool {
	return err == syscall.EACCES || err == syscall.EAFNOSUPPORT || err == syscall.EOPNOTSUPP
}

// --- Rules -------------------------------------------------------------------------------------------------------

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
		case fraSource, 3, 17, fraUsers, fraProtocol, fraSourcePorts, fraPorts:
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

// --- Changes -----------------------------------------------------------------------------------------------------

// isLostMessages tells whether an error of a subscription means that more changed than there was room for.
func isLostMessages(err error) bool { return errors.Is(err, syscall.ENOBUFS) }

// partsOfTunnels are the groups of changes of routes and rules.
var partsOfTunnels = []int{
	syscall.RTNLGRP_IPV4_ROUTE, syscall.RTNLGRP_IPV4_RULE, syscall.RTNLGRP_IPV6_ROUTE, groupRouteIPv6Rule,
}

// devicesAndAddresses are the groups of changes that networks come and go with.
var devicesAndAddresses = []int{syscall.RTNLGRP_LINK, syscall.RTNLGRP_IPV4_IFADDR, syscall.RTNLGRP_IPV6_IFADDR}

// subscribe returns a file from which changes of devices and addresses, and of more, can be read, one message at a time.
func subscribe(more ...int) (*os.File, error) {
	descriptor, err := syscall.Socket(syscall.AF_NETLINK,
		syscall.SOCK_RAW|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, syscall.NETLINK_ROUTE)
	if err != nil {
		return nil, err
	}
	groups := uint32(0)
	for _, group := range append(append([]int{}, more...), devicesAndAddresses...) {
		groups |= 1 << (group - 1)
	}
	if err := syscall.Bind(descriptor, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: groups}); err != nil {
		syscall.Close(descriptor)
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), "changes"), nil
}

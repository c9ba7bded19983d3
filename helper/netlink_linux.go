//go:build !macos_rehearsal

package helper

import (
	"errors"
	"os"
	"syscall"
)

// From linux/netlink.h, rtnetlink.h, if_link.h, if_addr.h and fib_rules.h.
const (
	nlmDumpInterrupted = 0x10
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
	fraThrough         = 17
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

// maxLists limits how often the kernel is asked for a list that changes while it is read.
const maxLists = 20

// ask sends one question, and passes on each answer. The kernel marks a list that has changed while it was read, in which entries may
// be missing that were there all the time. It is asked for again, so that nobody takes what is missing for what is gone.
func (s *netlinkSocket) ask(kind, flags uint16, body []byte, use func(kind uint16, data []byte)) error {
	for count := 0; count < maxLists; count++ {
		answers, isInterrupted, result := []syscall.NetlinkMessage{}, false, make([]error, 1)
		err := s.exchange([]message{{kind, flags, body}}, result, func(answer syscall.NetlinkMessage) {
			isInterrupted = isInterrupted || answer.Header.Flags&nlmDumpInterrupted != 0
			// The next answer is read to the same place.
			answer.Data = append([]byte{}, answer.Data...)
			answers = append(answers, answer)
		})
		if err == nil {
			err = result[0]
		}
		if err == nil && isInterrupted {
			continue
		}
		for _, each := range answers {
			if use != nil && each.Header.Type != syscall.NLMSG_DONE {
				use(each.Header.Type, each.Data)
			}
		}
		return err
	}
	return syscall.EINTR
}

// exchange sends messages at once, and waits until each is acknowledged, or its list has ended. It passes on all answers but
// acknowledgements.
func (s *netlinkSocket) exchange(messages []message, results []error, use func(syscall.NetlinkMessage)) error {
	first, err := s.send(messages, syscall.NLM_F_ACK)
	if err != nil {
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
			kind := each.Header.Type
			if kind == syscall.NLMSG_ERROR || kind == syscall.NLMSG_DONE {
				waiting--
				if len(each.Data) >= 4 {
					if number := -int32(nativeOrder.Uint32(each.Data)); number != 0 {
						results[index] = syscall.Errno(number)
					}
				}
			}
			// The end of a list may be what says that it has changed.
			if use != nil && kind != syscall.NLMSG_ERROR {
				use(each)
			}
		}
	}
	return nil
}

// send sends messages at once, with these flags besides their own, and returns the number of the first one.
func (s *netlinkSocket) send(messages []message, flags uint16) (first uint32, err error) {
	first = s.sequence + 1
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
		nativeOrder.PutUint16(out[at+6:], each.flags|flags|syscall.NLM_F_REQUEST)
		nativeOrder.PutUint32(out[at+8:], s.sequence)
		copy(out[at+syscall.NLMSG_HDRLEN:], each.body)
		at += aligned(size)
	}
	return first, syscall.Sendto(s.descriptor, out, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK})
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
	rawAttributesOf(data, func(kind uint16, value []byte) { use(kind&nlaTypeMask, value) })
}

// rawAttributesOf passes them on with the flags of their kinds.
func rawAttributesOf(data []byte, use func(kind uint16, value []byte)) {
	for len(data) >= syscall.NLA_HDRLEN {
		length := int(nativeOrder.Uint16(data))
		if length < syscall.NLA_HDRLEN || length > len(data) {
			return
		}
		use(nativeOrder.Uint16(data[2:]), data[syscall.NLA_HDRLEN:length])
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

// isLostMessages reports whether an error of a subscription means that more changed than there was room for.
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

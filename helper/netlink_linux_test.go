//go:build !macos_rehearsal

package helper

import (
	"errors"
	"net/netip"
	"sync/atomic"
	"syscall"
	"testing"
)

// kernelThatSays returns a socket whose questions a stand-in of the kernel answers with these messages in turn, the last ones also
// later, and how often it was asked.
func kernelThatSays(t *testing.T, answers ...[]message) (*netlinkSocket, func() int) {
	t.Helper()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	do(t, err)
	asked, ended := atomic.Int32{}, make(chan struct{})
	go func() {
		defer close(ended)
		buffer := make([]byte, 65536)
		for {
			length, err := syscall.Read(ends[1], buffer)
			if err != nil || length < syscall.NLMSG_HDRLEN {
				return
			}
			now := answers[0]
			if len(answers) > 1 {
				answers = answers[1:]
			}
			asked.Add(1)
			for _, each := range now {
				head := make([]byte, syscall.NLMSG_HDRLEN)
				nativeOrder.PutUint32(head, uint32(len(head)+len(each.body)))
				nativeOrder.PutUint16(head[4:], each.kind)
				nativeOrder.PutUint16(head[6:], each.flags|syscall.NLM_F_MULTI)
				copy(head[8:12], buffer[8:12])
				if _, err := syscall.Write(ends[1], joined(head, each.body)); err != nil {
					return
				}
			}
		}
	}()
	socket := &netlinkSocket{descriptor: ends[0], buffer: make([]byte, 65536)}
	t.Cleanup(func() {
		socket.close()
		<-ended
		syscall.Close(ends[1])
	})
	return socket, func() int { return int(asked.Load()) }
}

func listedAddress(text string, flags uint16) message {
	address := netip.MustParseAddr(text)
	body := joined([]byte{familyNumber(ipVersion(address)), byte(address.BitLen()), 0, 0}, number32(7),
		attribute(syscall.IFA_LOCAL, address.AsSlice()))
	return message{syscall.RTM_NEWADDR, flags, body}
}

func endOfList(flags uint16) message { return message{syscall.NLMSG_DONE, flags, number32(0)} }

// As while another program adds and deletes addresses: one that was there all the time is missing from the list.
func TestAListThatChangesWhileItIsReadIsReadAgain(t *testing.T) {
	whole := []message{listedAddress("192.0.2.1", 0), listedAddress("192.0.2.2", 0), endOfList(0)}
	for _, part := range [][]message{
		{listedAddress("192.0.2.1", 0), listedAddress("192.0.2.3", nlmDumpInterrupted), endOfList(0)},
		{listedAddress("192.0.2.1", 0), endOfList(nlmDumpInterrupted)},
	} {
		socket, asked := kernelThatSays(t, part, part, whole)
		found, err := socket.addressesOf(7)
		do(t, err)
		expect(t, found, []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("192.0.2.2/32")})
		expect(t, asked(), 3)
	}
	// Nobody hears of a part of a list that never stops changing.
	socket, asked := kernelThatSays(t, []message{listedAddress("192.0.2.1", nlmDumpInterrupted), endOfList(0)})
	found, err := socket.addressesOf(7)
	expect(t, len(found), 0)
	expect(t, errors.Is(err, syscall.EINTR), true)
	expect(t, asked(), maxLists)
}

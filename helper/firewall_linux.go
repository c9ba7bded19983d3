//go:build !macos_rehearsal

package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

func dropTable(name string) string {
	return fmt.Sprintf("table inet %[1]s\ndelete table inet %[1]s\n", name)
}

// From linux/netfilter/nfnetlink.h and nf_tables.h.
const (
	netlinkNetfilter = 12
	nftGetTable      = 10<<8 | 1
	nftDelTable      = 10<<8 | 2
	nftTableName     = 1
	nftablesGroup    = 7
	familyInet       = 1
)

// watchFirewall calls back at once and whenever a table was deleted, until the returned function is called. Where the
// kernel tells of no changes, it does nothing: the kill switch still stands, only nobody is told when others lift it.
func watchFirewall(onDeleted func()) (stop func()) {
	socket, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkNetfilter)
	if err != nil {
		reportProblem("watch-firewall", err)
		return func() {}
	}
	group := &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: 1 << (nftablesGroup - 1)}
	if err = syscall.Bind(socket, group); err == nil {
		err = syscall.SetNonblock(socket, true)
	}
	if err != nil {
		syscall.Close(socket)
		reportProblem("watch-firewall", err)
		return func() {}
	}
	events := os.NewFile(uintptr(socket), "nftables")
	go func() {
		onDeleted()
		buffer := make([]byte, 65536)
		for {
			length, err := events.Read(buffer)
			if errors.Is(err, syscall.ENOBUFS) {
				// Some events were lost.
				onDeleted()
				continue
			} else if err != nil {
				return
			}
			messages, err := syscall.ParseNetlinkMessage(buffer[:length])
			if err != nil {
				onDeleted()
			}
			for _, each := range messages {
				if each.Header.Type == nftDelTable {
					onDeleted()
					break
				}
			}
		}
	}()
	return func() { events.Close() }
}

func hasFirewallTable(name string) (bool, error) {
	socket, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkNetfilter)
	if err == syscall.EPROTONOSUPPORT {
		// This kernel has no nftables.
		return false, nil
	} else if err != nil {
		return false, err
	}
	defer syscall.Close(socket)
	limit := syscall.NsecToTimeval(toolTimeout.Nanoseconds())
	if err := syscall.SetsockoptTimeval(socket, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		return false, err
	}
	if err := syscall.Sendto(socket, tableRequest(name), 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return false, err
	}
	answer := make([]byte, 65536)
	length, _, err := syscall.Recvfrom(socket, answer, 0)
	if err != nil {
		return false, err
	}
	return parseTableAnswer(answer[:length])
}

// tableRequest returns a netlink message that asks for a table: its head, the family, and the name as an attribute.
func tableRequest(name string) []byte {
	attribute := append([]byte(name), 0)
	request := make([]byte, syscall.NLMSG_HDRLEN+4+syscall.NLA_HDRLEN, 64)
	nativeOrder.PutUint16(request[4:], nftGetTable)
	nativeOrder.PutUint16(request[6:], syscall.NLM_F_REQUEST)
	request[syscall.NLMSG_HDRLEN] = familyInet
	nativeOrder.PutUint16(request[syscall.NLMSG_HDRLEN+4:], uint16(syscall.NLA_HDRLEN+len(attribute)))
	nativeOrder.PutUint16(request[syscall.NLMSG_HDRLEN+6:], nftTableName)
	request = append(request, attribute...)
	for len(request)%syscall.NLMSG_ALIGNTO > 0 {
		request = append(request, 0)
	}
	nativeOrder.PutUint32(request, uint32(len(request)))
	return request
}

// parseTableAnswer reads the kernel's answer: the table, or an error.
func parseTableAnswer(answer []byte) (bool, error) {
	messages, err := syscall.ParseNetlinkMessage(answer)
	if err != nil || len(messages) != 1 {
		return false, cause("not-understood")
	}
	if messages[0].Header.Type != syscall.NLMSG_ERROR {
		return true, nil
	}
	if len(messages[0].Data) < 4 {
		return false, cause("not-understood")
	}
	switch number := syscall.Errno(-int32(nativeOrder.Uint32(messages[0].Data))); number {
	case syscall.ENOENT, syscall.EINVAL:
		// EINVAL means that nftables is not loaded.
		return false, nil
	default:
		return false, number
	}
}

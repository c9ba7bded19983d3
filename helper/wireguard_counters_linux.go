//go:build !macos_rehearsal

package main

import (
	"strconv"
	"syscall"
	"time"
)

// From linux/if_link.h: rtnl_link_stats64 begins with these, of 8 bytes each.
const (
	iflaStats64    = 23
	receivedCount  = 0
	sentCount      = 1
	receivedBytes  = 2
	sendErrors     = 5
	sendDrops      = 7
	statisticBytes = 8
)

// statistics is what the kernel counts for a device: the packets that it passed on to programs, and those that they handed
// to it. lost are those that it didn't take.
type statistics struct {
	inPackets, inBytes, outPackets, lost uint64
}

func parseStatistics(data []byte) (found statistics, ok bool) {
	if len(data) < syscall.SizeofIfInfomsg {
		return found, false
	}
	attributesOf(data[syscall.SizeofIfInfomsg:], func(kind uint16, value []byte) {
		if kind != iflaStats64 || len(value) < (sendDrops+1)*statisticBytes {
			return
		}
		at := func(index int) uint64 { return nativeOrder.Uint64(value[index*statisticBytes:]) }
		found = statistics{at(receivedCount), at(receivedBytes), at(sentCount), at(sendErrors) + at(sendDrops)}
		ok = true
	})
	return found, ok
}

// statisticsOf uses a connection of its own, because several goroutines send the counters.
func (w *wireGuard) statistics() (found statistics, ok bool) {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return found, false
	}
	defer socket.close()
	err = socket.ask(syscall.RTM_GETLINK, 0, linkHead(w.link.index, 0, 0), func(kind uint16, data []byte) {
		if kind == syscall.RTM_NEWLINK {
			found, ok = parseStatistics(data)
		}
	})
	return found, ok && err == nil
}

// sendCounters sends the age of the last handshake, WireGuard's bytes and the device's counters. A device of the kernel counts
// WireGuard's own packets as sent, too, so it doesn't show what programs want to send.
func (w *wireGuard) sendCounters(now counters, hasWay bool) {
	age := "-"
	if !now.handshake.IsZero() {
		seconds := int64(time.Since(now.handshake) / time.Second)
		if seconds < 0 {
			// The clock was set back.
			seconds = 0
		}
		age = strconv.FormatInt(seconds, 10)
	}
	words := []any{"handshake", age, now.received, now.sent}
	if device, ok := w.statistics(); ok {
		handed := "-"
		if w.kernel == nil {
			handed = strconv.FormatUint(device.outPackets, 10)
		}
		words = append(words, device.inPackets, device.inBytes, handed, device.lost)
	}
	if !hasWay {
		words = append(words, "no-way")
	}
	sendMessage(words...)
}

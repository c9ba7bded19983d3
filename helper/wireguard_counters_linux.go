//go:build !macos_rehearsal

package helper

import "syscall"

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

// statistics uses a connection of its own, because several goroutines send the counters.
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

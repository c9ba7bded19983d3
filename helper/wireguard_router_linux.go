//go:build !macos_rehearsal

package helper

import (
	"net/netip"
	"syscall"
)

// linuxRouter is the kernel's network (wireGuardRouter).
type linuxRouter struct{ tunnel *wireGuard }

func (r linuxRouter) way(to netip.Addr) error {
	err := r.tunnel.routes.hasWay(to, r.tunnel.number)
	if isWithoutWay(err) {
		return errNoWay
	}
	return err
}

// isWithoutWay reports whether the kernel refuses packets to an address, such as IPv4 on a network that has only IPv6. Anything
// else that goes wrong says nothing of the address.
func isWithoutWay(err error) bool {
	return err == syscall.ENETUNREACH || err == syscall.EHOSTUNREACH || err == syscall.EACCES || err == syscall.EINVAL
}

func (r linuxRouter) pathMTU(to netip.Addr) (int, error) {
	return r.tunnel.routes.pathMTU(to, r.tunnel.number)
}

func (r linuxRouter) setMTU(mtu int) error { return r.tunnel.routes.setMTU(r.tunnel.link.index, mtu) }

func (r linuxRouter) statistics() (statistics, bool) { return r.tunnel.statistics() }

func (r linuxRouter) openPing(to netip.Addr) (pinger, error) { return openPing(r.tunnel.name, to) }

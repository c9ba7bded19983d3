//go:build darwin || macos_rehearsal

package helper

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// burst is the time in which other changes follow the first one.
const burst = 50 * time.Millisecond

// watch has the route to the server follow changes of the network, and ends the tunnel if somebody else deletes a part of it.
func (r *macosRouter) watch() {
	defer r.watching.Done()
	for r.awaitChange() {
		if part := r.settle(); part != "" {
			r.core.endBecause(part)
			return
		}
	}
}

// awaitChange returns false when the tunnel is over.
func (r *macosRouter) awaitChange() bool {
	buffer := make([]byte, 65536)
	if r.changes.SetReadDeadline(time.Time{}) != nil {
		return false
	}
	for {
		length, err := r.changes.Read(buffer)
		if err != nil && !errors.Is(err, syscall.ENOBUFS) {
			return false
		}
		if err != nil || isChange(buffer[:length]) {
			break
		}
	}
	if r.changes.SetReadDeadline(time.Now().Add(burst)) != nil {
		return false
	}
	for {
		if _, err := r.changes.Read(buffer); err != nil && !errors.Is(err, syscall.ENOBUFS) {
			return errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}

// settle returns the part of the tunnel that is missing.
func (r *macosRouter) settle() string {
	r.access.Lock()
	defer r.access.Unlock()
	if r.isOver {
		return ""
	}
	listed, err := listRoutes()
	if err == nil {
		if part := r.missing(listed); part != "" {
			return part
		}
		if r.server.IsValid() {
			reportProblem("reach", r.follow(listed))
		}
		return ""
	}
	reportProblem("list-routes", err)
	return "route"
}

// missing names a part of the tunnel that is no longer there.
func (r *macosRouter) missing(listed []listedRoute) string {
	device, err := net.InterfaceByName(r.device())
	if err != nil || device.Flags&net.FlagUp == 0 {
		return "device"
	}
	addresses, err := device.Addrs()
	reportProblem("list-addresses", err)
	there, wanted := []netip.Addr{}, []netip.Addr{}
	for _, each := range addresses {
		if network, ok := each.(*net.IPNet); ok {
			if address, ok := netip.AddrFromSlice(network.IP); ok {
				there = append(there, address.Unmap())
			}
		}
	}
	for _, each := range r.core.addresses {
		wanted = append(wanted, each.Addr())
	}
	if !includes(there, wanted) {
		return "address"
	}
	if r.lacksRoute(listed) {
		return "route"
	}
	return ""
}

// lacksRoute reports whether somebody has deleted a route that leads into the tunnel, or refuses what it doesn't carry.
func (r *macosRouter) lacksRoute(listed []listedRoute) bool {
	if !includes(r.insideOf(listed), r.inside) {
		return true
	}
	for _, each := range append(append([]route{}, r.refused...), r.refusedByOthers...) {
		if !isListed(listed, each) {
			return true
		}
	}
	return false
}

// stop lets the routes be from then on.
func (r *macosRouter) stop() {
	r.access.Lock()
	r.isOver = true
	r.access.Unlock()
	if r.changes != nil {
		r.changes.Close()
	}
	r.watching.Wait()
}

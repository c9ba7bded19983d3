//go:build !windows

package helper

import "net/netip"

func (w *wireGuardCore) start(*tunnel) error { return w.setUp() }

func (w *wireGuardCore) command(_ *tunnel, line string) bool { return w.carryOut(line) }

// systemResolver looks names up as the system does, with the rights of the tunnel's user.
type systemResolver struct{ tunnel *tunnel }

func (r systemResolver) addresses(server host) ([]netip.Addr, error) {
	if r.tunnel.header.killSwitch {
		return addressesOf(r.tunnel, server, nameTimeout)
	}
	return lookUp(r.tunnel, server.name, nameTimeout)
}

func (r systemResolver) permit(remotes []remote) bool { return r.tunnel.permit(remotes) }

//go:build darwin || macos_rehearsal

package helper

import "net/netip"

// wireGuard is a WireGuard tunnel in a program for user space.
type wireGuard struct {
	wireGuardCore
	routes *macosRouter
}

func newWireGuard() (vpn, error) {
	w := &wireGuard{}
	w.routes = &macosRouter{core: &w.wireGuardCore, past: map[netip.Addr]route{}}
	w.over, w.router = make(chan struct{}), w.routes
	return w, nil
}

// prepare finds the program, before a kill switch goes up.
func (w *wireGuard) prepare(t *tunnel) (err error) {
	w.routes.run, w.resolver = t, macosResolver{systemResolver{t}}
	w.routes.program, err = findUserspaceWireGuard()
	return err
}

func (w *wireGuard) resolve(*tunnel) ([]remote, error) {
	remotes, err := w.findServers()
	return ofUser(remotes), err
}

func (w *wireGuard) kind() string { return "userspace" }

func (w *wireGuard) attend(t *tunnel) {
	w.routes.watching.Add(1)
	go w.routes.watch()
	go w.awaitHandshake(t, len(w.servers))
}

func (w *wireGuard) useNames(servers []netip.Addr) error { return w.routes.useNames(servers) }

// macosResolver has the kill switch permit what a program of the user's contacts. The program for WireGuard is another user's.
type macosResolver struct{ systemResolver }

func (r macosResolver) permit(remotes []remote) bool {
	users := ofUser(remotes)
	return len(users) == 0 || r.systemResolver.permit(users)
}

func ofUser(remotes []remote) []remote {
	users := []remote{}
	for _, each := range remotes {
		if each.byUser {
			users = append(users, each)
		}
	}
	return users
}

// removeDevice has nothing to do: the device ends with the program.
func (r wireGuardRecord) removeDevice(device) error { return nil }

// undo has nothing to do: what doesn't end with the device are routes (undoRoutes).
func (r wireGuardRecord) undo(device) error { return nil }

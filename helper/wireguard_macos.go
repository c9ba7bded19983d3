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
	w.routes = &macosRouter{core: &w.wireGuardCore, past: map[netip.Addr]route{}, had: map[route]bool{}}
	w.over, w.router = make(chan struct{}), w.routes
	return w, nil
}

// prepare finds the program, before a kill switch goes up.
func (w *wireGuard) prepare(t *tunnel) (err error) {
	w.routes.run, w.resolver = t, macosResolver{systemResolver{t}}
	w.routes.program, err = findUserspaceWireGuard()
	return err
}

func (w *wireGuard) resolve(t *tunnel) ([]remote, error) {
	remotes, err := w.findServers()
	return macosResolver{systemResolver{t}}.sent(remotes), err
}

func (w *wireGuard) kind() string { return "userspace" }

func (w *wireGuard) attend(t *tunnel) {
	w.routes.watching.Add(1)
	go w.routes.watch()
	go w.awaitHandshake(t, len(w.servers))
}

func (w *wireGuard) useNames(servers []netip.Addr) error { return w.routes.useNames(servers) }

// macosResolver has the kill switch permit the server to the program alone, or the proxy to the caller's programs.
type macosResolver struct{ systemResolver }

func (r macosResolver) permit(remotes []remote) bool {
	return r.systemResolver.permit(r.sent(remotes))
}

func (r macosResolver) sent(remotes []remote) []remote {
	sent := append([]remote{}, remotes...)
	for index := range sent {
		sent[index].mark = r.tunnel.caller.uid
		if sent[index].protocol == "udp" {
			sent[index].mark = programID(r.tunnel.device)
		}
	}
	return sent
}

// removeDevice has nothing to do: the device ends with the program.
func (r wireGuardRecord) removeDevice(device) error { return nil }

// undo has nothing to do: what doesn't end with the device are routes (undoRoutes).
func (r wireGuardRecord) undo(device) error { return nil }

//go:build darwin || macos_rehearsal

package helper

import "net/netip"

// openVPNRoutes does nothing: macOS has no rules for routing. What leaves outside a full tunnel shows in the routes, which Causeway
// reads.
type openVPNRoutes struct{}

func (*openVPNRoutes) prepare(*tunnel, bool) error { return nil }

func (*openVPNRoutes) mark() uint32 { return 0 }

func (*openVPNRoutes) onLogLine(string) {}

func (*openVPNRoutes) useNames([]netip.Addr) error { return nil }

func (*openVPNRoutes) end() {}

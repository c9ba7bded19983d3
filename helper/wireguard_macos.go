//go:build darwin || macos_rehearsal

package helper

// newWireGuard refuses: macOS has no WireGuard in its kernel, and the program for user space was not tried there.
func newWireGuard() (vpn, error) { return nil, failed("not-supported") }

func (r wireGuardRecord) removeDevice(device) error { return nil }

func (r wireGuardRecord) undo(device) error { return nil }

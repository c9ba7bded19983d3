//go:build darwin || macos_rehearsal

package helper

// leaveGroups has nothing to leave: macOS has no groups of processes that their user may stop but by signals, which root's ignore.
func leaveGroups(caller, int) error { return nil }

func resetScheduling() {}

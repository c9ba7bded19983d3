//go:build killpoints

package helper

import (
	"os"
	"strings"
	"syscall"
	"time"
)

// step kills or stops the helper, or lets it hang, at the moment named in a file. No package contains this variant.
func step(name string) {
	if wanted, err := os.ReadFile(stateFolder + "/stop-at"); err == nil && strings.TrimSpace(string(wanted)) == name {
		_ = os.Remove(stateFolder + "/stop-at")
		// The whole process stops before this returns, which it might not if another thread took the signal.
		_ = syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGSTOP)
	}
	if wanted, err := os.ReadFile(stateFolder + "/hang-at"); err == nil && strings.TrimSpace(string(wanted)) == name {
		_ = os.Remove(stateFolder + "/hang-at")
		time.Sleep(time.Hour)
	}
	wanted, err := os.ReadFile(stateFolder + "/kill-at")
	if err == nil && strings.TrimSpace(string(wanted)) == name {
		_ = os.Remove(stateFolder + "/kill-at")
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

//go:build !killpoints

package main

// step marks a moment at which tests can kill the helper (step_killpoints.go).
func step(string) {}

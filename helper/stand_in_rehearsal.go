//go:build macos_rehearsal

package helper

import (
	"bytes"
	"os"
	"syscall"
)

// The helper runs no script, because it can't tell what a script loads. As `openvpn`, this variant of it therefore stands
// in for OpenVPN in tests: it runs the shell script at the end of its own file.
func init() {
	if os.Args[0] != "openvpn" {
		return
	}
	program, _ := os.ReadFile(ownProgram())
	if begin := bytes.LastIndex(program, []byte("\n#!/bin/sh\n")); begin >= 0 {
		words := append([]string{"openvpn", "-c", string(program[begin:]), "openvpn"}, os.Args[1:]...)
		_ = syscall.Exec("/bin/sh", words, os.Environ())
	}
	os.Exit(127)
}

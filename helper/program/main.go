//go:build !windows

// Causeway's privileged helper for Linux and macOS (docs/helper.md).
package main

import "causeway-helper"

func main() { helper.Main() }

//go:build windows

// Causeway's service on Windows makes WireGuard tunnels and holds the kill switch of both protocols, for the client of the user at
// the computer. It trusts no caller (docs/helper.md). The service itself only lets clients in; each command runs in a process of its
// own, whose changes it undoes however that ends.
//
//	causeway-service              the service, started by Windows
//	causeway-service install      installs the service; the installer calls it
//	causeway-service remove       removes it, and everything that it has changed
//	causeway-service worker …     one command of a client; the service starts it
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"causeway-helper"
	"golang.org/x/sys/windows/svc"
)

const (
	serviceName = "CausewayService"
	version     = "1"
	// asAdministrator tells a worker that its client has elevated rights; otherwise, it gets asUser.
	asAdministrator, asUser = "administrator", "user"
	// memoryLimit makes the garbage collector work harder instead of letting buffers of a fast transfer pile up.
	memoryLimit = 96 << 20
)

func main() {
	words := os.Args[1:]
	err := errors.New("usage: causeway-service version|install|remove")
	switch {
	case len(words) == 1 && words[0] == "--help":
		fmt.Println("Usage: causeway-service version|install|remove\n\nWindows starts it; Causeway's installer installs and removes it.")
		return
	case len(words) == 1 && words[0] == "version":
		fmt.Println("causeway-service " + version)
		return
	case len(words) == 0:
		err = svc.Run(serviceName, service{})
	case len(words) == 1 && words[0] == "install":
		err = install()
	case len(words) == 1 && words[0] == "remove":
		err = remove()
	case len(words) == 4 && words[0] == "worker":
		if err = dropUnused(); err != nil {
			break
		}
		// The others make a device, and drop the rest then.
		if words[1] == "openvpn" {
			if err = dropPrivileges(); err != nil {
				break
			}
		}
		debug.SetMemoryLimit(memoryLimit)
		by := client{sid: words[2], isAdministrator: words[3] == asAdministrator}
		os.Exit(helper.Serve(words[1], os.Stdin, os.Stdout, newSystem(by)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "causeway-service:", err)
		os.Exit(1)
	}
}

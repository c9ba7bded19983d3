// causeway-wireguard carries the packets of one WireGuard tunnel where the kernel has no WireGuard. The privileged helper
// starts it without root's rights, so that none of them is at stake when it parses packets: on Linux with the caller's user id and
// CAP_NET_ADMIN alone, on macOS as a user of its own.
//
//	causeway-wireguard version
//	causeway-wireguard MTU
//
// Descriptor 3 is a TUN device without packet information, or a utun, descriptor 4 a stream socket with WireGuard's cross-platform
// configuration protocol. The tunnel ends with that socket. Exit status: 0 at its end, 1 on a failure, which is one line
// on standard error, 2 for a wrong call, 3 if somebody deleted the device.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/device"
)

const (
	tunDescriptor           = 3
	configurationDescriptor = 4
	// memoryLimit makes the garbage collector work harder instead of letting buffers of a fast transfer pile up.
	memoryLimit = 96 << 20
)

var errDeviceGone = errors.New("the device is gone")

func main() {
	const usage = "Usage: causeway-wireguard version|MTU"
	if len(os.Args) == 2 && os.Args[1] == "--help" {
		fmt.Println(usage + "\n\nCauseway's helper starts it with the descriptors of a tunnel (docs/helper.md).")
		return
	}
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if os.Args[1] == "version" {
		fmt.Println("causeway-wireguard " + libraryVersion())
		fmt.Println("offloads " + strings.Join(offloads(), ", "))
		return
	}
	mtu, err := strconv.Atoi(os.Args[1])
	if err != nil || mtu < 576 || mtu > 1500 {
		fmt.Fprintln(os.Stderr, "not an MTU")
		os.Exit(2)
	}
	debug.SetMemoryLimit(memoryLimit)
	switch err := run(mtu); {
	case errors.Is(err, errDeviceGone):
		os.Exit(3)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// libraryVersion returns the version of the WireGuard library in this program.
func libraryVersion() string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, module := range info.Deps {
			if module.Path == "golang.zx2c4.com/wireguard" {
				return module.Version
			}
		}
	}
	return "unknown"
}

// run carries packets until the configuration socket is closed.
func run(mtu int) error {
	configuration, err := net.FileConn(os.NewFile(configurationDescriptor, "configuration"))
	if err != nil {
		return errors.New("no configuration socket")
	}
	tunnel, err := openTun(tunDescriptor, mtu)
	if err != nil {
		return fmt.Errorf("device: %w", err)
	}
	// The library's messages name peers and addresses, never keys; only its errors are of use to anyone.
	logger := &device.Logger{
		Verbosef: device.DiscardLogf,
		Errorf:   func(format string, words ...any) { fmt.Fprintf(os.Stderr, format+"\n", words...) },
	}
	wireGuard := device.NewDevice(tunnel, conn.NewDefaultBind(), logger)
	// Answers from another address must not move the tunnel to where the kill switch and the routes don't expect its packets.
	// The helper sets the server's new address. Despite its name, this only ends the moving of peers with a set address.
	wireGuard.DisableSomeRoamingForBrokenMobileSemantics()
	defer wireGuard.Close()
	if isUpAtOnce {
		if err := wireGuard.Up(); err != nil {
			return fmt.Errorf("socket: %w", err)
		}
	}
	answered := make(chan struct{})
	go func() {
		// Answers requests until the socket is closed.
		wireGuard.IpcHandle(configuration)
		close(answered)
	}()
	select {
	case <-answered:
		return nil
	case <-wireGuard.Wait():
		return errDeviceGone
	}
}

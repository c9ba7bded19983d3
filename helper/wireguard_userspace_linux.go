//go:build !macos_rehearsal

package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// findUserspaceWireGuard returns the program beside the helper, which only root may change, with every folder above it.
func findUserspaceWireGuard() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", failedBy("no-wireguard", "find-program", err)
	}
	path := filepath.Join(filepath.Dir(own), "causeway-wireguard")
	if _, err := os.Lstat(path); err != nil {
		return "", failedBy("no-wireguard", "find-program", err)
	}
	if err := requireRootsProgram(path); err != nil {
		return "", failedBy("wireguard-of-others", "check-program", err)
	}
	return path, nil
}

// userspaceDevice speaks WireGuard's cross-platform configuration protocol with the program.
type userspaceDevice struct {
	socket *os.File
	access sync.Mutex
	// answer is the memory for answers, which may hold the private key.
	answer [maxOutput]byte
}

// From linux/if_tun.h.
const (
	tunSetInterface = 0x400454ca
	tunFlags        = 0x0001 | 0x1000 | 0x4000 // IFF_TUN | IFF_NO_PI | IFF_VNET_HDR
)

// createTun returns the file of a new device, which ends when all of its files are closed.
func createTun(name device) (*os.File, error) {
	descriptor, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, at("open-tun", err)
	}
	request := [40]byte{}
	copy(request[:syscall.IFNAMSIZ-1], name)
	nativeOrder.PutUint16(request[syscall.IFNAMSIZ:], tunFlags)
	_, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(descriptor), tunSetInterface, uintptr(unsafe.Pointer(&request[0])))
	if number != 0 {
		syscall.Close(descriptor)
		return nil, number
	}
	return os.NewFile(uintptr(descriptor), "tun"), nil
}

// startUserspaceWireGuard makes the device, and starts the program with it. The log is closed when the program ends.
func startUserspaceWireGuard(t *tunnel, path string, mtu int) (*userspaceDevice, *process, io.Reader, error) {
	tun, err := createTun(t.device)
	if err != nil {
		return nil, nil, nil, failedBy("no-tun", "make-tun", err)
	}
	// The device is the program's, and ends with it.
	defer tun.Close()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, nil, failedBy("pipe", "make-pipe", err)
	}
	own, its := os.NewFile(uintptr(ends[0]), "configuration"), os.NewFile(uintptr(ends[1]), "configuration")
	defer its.Close()
	logs, logsIn, err := os.Pipe()
	if err != nil {
		own.Close()
		return nil, nil, nil, failedBy("pipe", "make-pipe", err)
	}
	defer logsIn.Close()
	command := exec.Command(path, strconv.Itoa(mtu))
	command.Args[0], command.Env = "causeway-wireguard", []string{}
	command.Stdout, command.Stderr = logsIn, logsIn
	command.ExtraFiles = []*os.File{tun, its}
	command.SysProcAttr = &syscall.SysProcAttr{}
	running, err := launch(command, t.asProgramUser(command.SysProcAttr, false))
	if err != nil {
		own.Close()
		return nil, nil, nil, failedBy("wireguard", "start-wireguard", err)
	}
	return &userspaceDevice{socket: own}, running, logs, nil
}

func (d *userspaceDevice) configure(asked *wireGuardRequest, endpoint netip.AddrPort, mark uint32) error {
	defer wipe(asked.privateKey[:])
	if err := d.setKey("private_key=", asked.privateKey); err != nil {
		return err
	}
	if err := d.exchange([]byte(fmt.Sprintf("set=1\nfwmark=%d\nlisten_port=%d\n\n", mark, asked.listenPort)), nil); err != nil {
		return err
	}
	return d.setPeer(asked, endpoint)
}

func (d *userspaceDevice) setPeer(asked *wireGuardRequest, endpoint netip.AddrPort) error {
	replacing := fmt.Sprintf("replace_peers=true\npublic_key=%x\n", asked.peer)
	if asked.sharedKey != nil {
		if err := d.setKey(replacing+"preshared_key=", asked.sharedKey); err != nil {
			return err
		}
		replacing = fmt.Sprintf("public_key=%x\n", asked.peer)
	}
	rest := strings.Builder{}
	fmt.Fprintf(&rest, "set=1\n%sendpoint=%s\npersistent_keepalive_interval=%d\nreplace_allowed_ips=true\n",
		replacing, endpoint, asked.keepalive)
	for _, each := range asked.allowed {
		fmt.Fprintf(&rest, "allowed_ip=%s\n", each)
	}
	rest.WriteString("\n")
	return d.exchange([]byte(rest.String()), nil)
}

// setKey sends a key in memory that is overwritten afterwards.
func (d *userspaceDevice) setKey(before string, key *wireGuardKey) error {
	const after = "\n\n"
	before = "set=1\n" + before
	text := make([]byte, len(before)+2*keyBytes+len(after))
	defer wipe(text)
	at := copy(text, before)
	at += hex.Encode(text[at:], key[:])
	copy(text[at:], after)
	return d.exchange(text, nil)
}

func (d *userspaceDevice) setEndpoint(peer wireGuardKey, endpoint netip.AddrPort) error {
	return d.exchange([]byte(fmt.Sprintf("set=1\npublic_key=%x\nupdate_only=true\nendpoint=%s\n\n", peer, endpoint)), nil)
}

func (d *userspaceDevice) counters() (counters, error) {
	found := counters{}
	err := d.exchange([]byte("get=1\n\n"), func(answer []byte) (err error) {
		found, err = parseCounters(answer)
		return err
	})
	return found, err
}

func parseCounters(answer []byte) (counters, error) {
	seconds, nanoseconds, found := int64(0), int64(0), counters{}
	var err error
	for _, line := range bytes.Split(answer, []byte("\n")) {
		key, value, _ := bytes.Cut(line, []byte("="))
		failure := error(nil)
		switch string(key) {
		case "last_handshake_time_sec":
			seconds, failure = strconv.ParseInt(string(value), 10, 64)
		case "last_handshake_time_nsec":
			nanoseconds, failure = strconv.ParseInt(string(value), 10, 64)
		case "rx_bytes":
			found.received, failure = strconv.ParseUint(string(value), 10, 64)
		case "tx_bytes":
			found.sent, failure = strconv.ParseUint(string(value), 10, 64)
		}
		if failure != nil {
			err = failure
		}
	}
	if seconds > 0 {
		found.handshake = time.Unix(seconds, nanoseconds)
	}
	return found, err
}

var successText = []byte("errno=0\n\n")

// exchange sends a request, and passes on the answer, which is overwritten afterwards.
func (d *userspaceDevice) exchange(request []byte, use func(answer []byte) error) error {
	d.access.Lock()
	defer d.access.Unlock()
	if err := d.socket.SetDeadline(time.Now().Add(toolTimeout)); err != nil {
		return err
	}
	if _, err := d.socket.Write(request); err != nil {
		return err
	}
	length := 0
	defer func() { wipe(d.answer[:length]) }()
	for length < len(d.answer) {
		more, err := d.socket.Read(d.answer[length:])
		length += more
		answer := d.answer[:length]
		switch {
		case bytes.HasSuffix(answer, successText):
			if use == nil {
				return nil
			}
			return use(answer)
		case bytes.HasSuffix(answer, []byte("\n\n")):
			return errRefused
		case err != nil:
			return err
		}
	}
	return causeTooMuch
}

//go:build !macos_rehearsal

package helper

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
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

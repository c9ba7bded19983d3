//go:build !windows

package helper

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
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

// startProgram makes the device, and starts the program of the path with it, which is in the journal from then on.
func (w *wireGuardCore) startProgram(t *tunnel, path string) (wireGuardDevice, error) {
	device, running, logs, err := startUserspaceWireGuard(t, path, int(w.mtu.Load()))
	if err != nil {
		return nil, err
	}
	w.program = running
	go relayLines(logs)
	go w.awaitProgram(running)
	if err := t.journal.write("program %d %s", running.id, processStart(running.id)); err != nil {
		return nil, err
	}
	step("program")
	return device, nil
}

// exitDeviceGone is the exit status of the program in user space if somebody deleted its device.
const exitDeviceGone = 3

func (w *wireGuardCore) awaitProgram(running *process) {
	<-running.ended
	switch status := running.status; {
	case status.Signaled():
		w.finish(exitKilled, "killed", int(status.Signal()))
	case status.ExitStatus() == exitDeviceGone:
		w.finish(exitGone, "gone", "device")
	default:
		w.finish(exitKilled, "exited", status.ExitStatus())
	}
}

func (p *process) kill() { p.signal(syscall.SIGKILL) }

// relayLines passes on a log.
func relayLines(logs io.Reader) {
	pass, wait := passLog(func(line string) string { return line })
	defer wait()
	lines := bufio.NewScanner(logs)
	for lines.Scan() {
		pass(lines.Text() + "\n")
	}
}

// startUserspaceWireGuard makes the device, and starts the program with it. The log is closed when the program ends.
func startUserspaceWireGuard(t *tunnel, path string, mtu int) (*userspaceDevice, *process, io.Reader, error) {
	tun, err := createTun(t.device)
	if err != nil {
		return nil, nil, nil, failedBy("no-tun", "make-tun", err)
	}
	// The device is the program's, and ends with it.
	defer tun.Close()
	own, its, err := socketPair()
	if err != nil {
		return nil, nil, nil, failedBy("pipe", "make-pipe", err)
	}
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

// socketPair returns two connected sockets that no other program inherits.
func socketPair() (one, other *os.File, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, each := range ends {
		syscall.CloseOnExec(each)
		if failure := syscall.SetNonblock(each, true); failure != nil {
			err = failure
		}
	}
	one, other = os.NewFile(uintptr(ends[0]), "configuration"), os.NewFile(uintptr(ends[1]), "configuration")
	if err != nil {
		one.Close()
		other.Close()
	}
	return one, other, err
}

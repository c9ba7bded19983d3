//go:build !windows

package helper

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// resetProcess replaces everything that the process inherited from the caller. Resource limits come first, because a
// lack of memory or time must not decide the outcome of a check.
func resetProcess() error {
	if os.Geteuid() != 0 {
		return failed("not-root")
	}
	if os.Getuid() != 0 || os.Getgid() != os.Getegid() {
		return failed("set-uid")
	}
	unlimited := ^uint64(0)
	if runtime.GOOS == "darwin" {
		unlimited = 1<<63 - 1
	}
	for _, limit := range []struct {
		resource  int
		soft, max uint64
	}{
		{syscall.RLIMIT_AS, unlimited, unlimited},
		{syscall.RLIMIT_CPU, unlimited, unlimited},
		{syscall.RLIMIT_DATA, unlimited, unlimited},
		{syscall.RLIMIT_FSIZE, unlimited, unlimited},
		{syscall.RLIMIT_STACK, 8 << 20, 8 << 20},
		{syscall.RLIMIT_NOFILE, 1024, 4096},
		// A core file would contain the private key.
		{syscall.RLIMIT_CORE, 0, 0},
	} {
		if err := syscall.Setrlimit(limit.resource, &syscall.Rlimit{Cur: limit.soft, Max: limit.max}); err != nil {
			return failedBy("limits", "set-limit", err)
		}
	}
	// The kernel must not kill this process first when memory runs out. A caller can only set a positive value.
	if score, err := os.ReadFile("/proc/self/oom_score_adj"); err == nil && !strings.HasPrefix(string(score), "-") {
		if err := os.WriteFile("/proc/self/oom_score_adj", []byte("0"), 0); err != nil {
			return failedBy("limits", "set-memory-score", err)
		}
	}
	// The caller's terminal could stop this process, and keep others waiting for it.
	signal.Ignore(syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	syscall.Umask(0o077)
	if err := os.Chdir("/"); err != nil {
		return failedBy("folder", "change-folder", err)
	}
	for descriptor := 0; descriptor <= 2; descriptor++ {
		if err := syscall.Fstat(descriptor, &syscall.Stat_t{}); err != nil {
			return failedBy("descriptors", "find-stream", err)
		}
	}
	// All other open descriptors stay with this process.
	open, err := os.ReadDir(descriptorFolder)
	if err != nil {
		return failedBy("descriptors", "list-descriptors", err)
	}
	for _, each := range open {
		if descriptor, err := strconv.Atoi(each.Name()); err == nil && descriptor > 2 {
			syscall.CloseOnExec(descriptor)
		}
	}
	os.Clearenv()
	return nil
}

// environmentOf tells another helper who the caller is.
func environmentOf(by caller) []string {
	if by.uid == 0 {
		return []string{}
	}
	return []string{"SUDO_UID=" + by.String()}
}

// groupOf returns the user's primary group.
func groupOf(uid uint32) (uint32, error) {
	if uid == 0 {
		return 0, nil
	}
	id := strconv.FormatUint(uint64(uid), 10)
	text := ""
	if found, err := user.LookupId(id); err == nil {
		text = found.Gid
	} else {
		// Users of a directory service are not in the local files.
		program, err := systemProgram("id")
		if err != nil {
			return 0, failedBy("caller", "find-group", err)
		}
		output, err := runTool(tool{program: program, arguments: []string{"-g", id}})
		if err != nil {
			return 0, failedBy("caller", "find-group", err)
		}
		text = strings.TrimSuffix(output, "\n")
	}
	group, err := parseUID(text)
	if err != nil {
		return 0, failedBy("caller", "read-group", err)
	}
	return group, nil
}

var systemFolders = []string{"/usr/sbin", "/usr/bin", "/sbin", "/bin"}

// systemProgram returns the path of a program in the system's folders, which only root can write.
func systemProgram(name string) (string, error) {
	for _, folder := range systemFolders {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return path, nil
		}
	}
	return "", at(name, causeMissing)
}

// process is a started program.
type process struct {
	id int
	// ended is closed once status is set.
	ended  chan struct{}
	status syscall.WaitStatus
	handle *os.Process
}

func (p *process) signal(signal syscall.Signal) { _ = p.handle.Signal(signal) }

func (p *process) endsWithin(limit time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(limit):
		return false
	}
}

// launch starts a command on its own thread, with no signal blocked, whatever the caller had blocked. `before` changes
// the rights of the thread, which the command inherits. The thread lives as long as the command, because the kernel
// takes its end for the end of the parent.
func launch(command *exec.Cmd, before func() error) (*process, error) {
	started := make(chan error, 1)
	launched := &process{ended: make(chan struct{})}
	go func() {
		// Never unlocked, so the thread ends with this function.
		runtime.LockOSThread()
		err := unblockSignals()
		if err == nil && before != nil {
			err = before()
		}
		if err == nil {
			err = command.Start()
		}
		if err != nil {
			started <- err
			return
		}
		launched.id, launched.handle = command.Process.Pid, command.Process
		started <- nil
		// Its error only reports an exit status other than 0.
		_ = command.Wait()
		launched.status, _ = command.ProcessState.Sys().(syscall.WaitStatus)
		close(launched.ended)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return launched, nil
}

// tool is a call of a system program that does one thing.
type tool struct {
	program   string
	arguments []string
	input     string
	// user is the user whose rights the program gets; nil for root.
	user *syscall.Credential
	// shellScript is true if the program needs a PATH, like resolvconf.
	shellScript bool
	// errorOutput is true if the program answers on standard error.
	errorOutput bool
	timeout     time.Duration
	// until ends the program early; nil means never.
	until context.Context
}

// limitedBuffer calls full when more than maxOutput is written.
type limitedBuffer struct {
	bytes  bytes.Buffer
	full   func()
	isFull bool
}

func (b *limitedBuffer) Write(more []byte) (int, error) {
	if b.bytes.Len()+len(more) > maxOutput {
		b.isFull = true
		b.full()
		return 0, causeTooMuch
	}
	return b.bytes.Write(more)
}

// runTool returns the program's output. Its error output is usually discarded, because it may quote secret input.
func runTool(asked tool) (string, error) {
	limit := asked.timeout
	if limit == 0 {
		limit = toolTimeout
	}
	parent := asked.until
	if parent == nil {
		parent = context.Background()
	}
	ctx, cancel := context.WithTimeout(parent, limit)
	defer cancel()
	command := exec.CommandContext(ctx, asked.program, asked.arguments...)
	command.Env = []string{}
	if asked.shellScript {
		command.Env = []string{"PATH=" + strings.Join(systemFolders, ":")}
	}
	output := limitedBuffer{full: cancel}
	command.Stdin, command.Stdout = strings.NewReader(asked.input), &output
	if asked.errorOutput {
		command.Stderr = &output
	}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: asked.user}
	endWithHelper(command.SysProcAttr, syscall.SIGKILL)
	name := filepath.Base(asked.program)
	running, err := launch(command, nil)
	if err != nil {
		return "", at(name, err)
	}
	// A child process may keep the output open after the program was killed.
	hasEnded := running.endsWithin(limit + time.Second)
	switch {
	case output.isFull:
		return "", at(name, causeTooMuch)
	case ctx.Err() == context.Canceled:
		return "", at(name, ctx.Err())
	case !hasEnded || ctx.Err() != nil:
		return "", at(name, causeTimedOut)
	case running.status.Signaled():
		return "", at(name, cause("signal-"+strconv.Itoa(int(running.status.Signal()))))
	case running.status.ExitStatus() != 0:
		return "", at(name, cause("exit-"+strconv.Itoa(running.status.ExitStatus())))
	}
	return output.bytes.String(), nil
}

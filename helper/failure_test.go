//go:build !windows

package helper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFailuresNameTheirStepAndCause(t *testing.T) {
	_, notThere := os.Open(filepath.Join(t.TempDir(), "secret"))
	_, notANumber := strconv.Atoi("secret")
	for _, each := range []struct {
		err  error
		want string
	}{
		{failed("stopped"), "failed stopped"},
		{failedBy("device", "open-netlink", syscall.EPERM), "failed device open-netlink EPERM"},
		// The error of the kernel, and not the file's name.
		{failedBy("records", "make-folder", notThere), "failed records make-folder ENOENT"},
		{failedBy("records", "make-folder", fmt.Errorf("secret: %w", notThere)), "failed records make-folder ENOENT"},
		{failedBy("device", "make-device", syscall.Errno(4095)), "failed device make-device errno-4095"},
		{failedBy("number", "reserve-number", cause("none-free")), "failed number reserve-number none-free"},
		// A text that may quote what was read is not said.
		{failedBy("caller", "read-group", notANumber), "failed caller read-group"},
		{failedBy("caller", "read-group", errors.New("secret")), "failed caller read-group"},
		// The step that is nearest to the cause.
		{failedBy("no-tun", "make-tun", at("open-tun", syscall.EACCES)), "failed no-tun open-tun EACCES"},
		{undone(nil, failedBy("records", "write-journal", syscall.ENOSPC)), "failed undo write-journal ENOSPC"},
		{undone(failed("other-tunnel")), "failed undo undo other-tunnel"},
		{refusalOf(notThere), "failed unexpected other ENOENT"},
		{refusalOf(errors.New("secret")), "failed unexpected other"},
		{refusalOf(fmt.Errorf("more: %w", failed("stopped"))), "failed stopped"},
		{failedBy("unresolved", "look-up", context.DeadlineExceeded), "failed unresolved look-up timed-out"},
		{failedBy("wireguard", "configure", os.ErrDeadlineExceeded), "failed wireguard configure timed-out"},
	} {
		if got := each.err.Error(); got != each.want {
			t.Errorf("got %q, want %q", got, each.want)
		}
	}
	if undone(nil, nil) != nil || at("step", nil) != nil {
		t.Error("a failure without a cause")
	}
	if !errors.Is(failedBy("device", "make-device", at("open", syscall.EBUSY)), syscall.EBUSY) {
		t.Error("the cause is lost")
	}
}

func TestToolsTellHowTheyEnded(t *testing.T) {
	within := toolTimeout
	shell := func(script string) error {
		_, err := runTool(tool{program: "/bin/sh", arguments: []string{"-c", script}, shellScript: true, timeout: within})
		return err
	}
	ended, killed, full := shell("echo secret >&2; exit 3"), shell("kill -9 $$"), shell("exec cat /dev/zero")
	within = 50 * time.Millisecond
	over, end := context.WithCancel(context.Background())
	end()
	_, cut := runTool(tool{program: "/bin/sh", arguments: []string{"-c", "exec sleep 60"}, shellScript: true, until: over})
	_, absent := systemProgram("causeway-none")
	folder := filepath.Join(t.TempDir(), "folder")
	do(t, os.Mkdir(folder, 0o700))
	_, refused := runTool(tool{program: folder})
	for _, each := range []struct {
		err  error
		want string
	}{
		{ended, "sh exit-3"},
		{killed, "sh signal-9"},
		{full, "sh too-much-output"},
		{shell("exec sleep 60"), "sh timed-out"},
		{cut, "sh cancelled"},
		{absent, "causeway-none missing"},
		{refused, "folder EACCES"},
	} {
		if got := strings.Join(causeWords(each.err), " "); got != each.want {
			t.Errorf("got %q, want %q", got, each.want)
		}
	}
}

func TestRecordsKeepWhyTheyCouldNotBeWritten(t *testing.T) {
	folder := t.TempDir()
	_, err := createJournal(filepath.Join(folder, "missing"), "cw1t")
	if got := refusalOf(err).Error(); got != "failed records make-journal ENOENT" {
		t.Error(got)
	}
	path := filepath.Join(folder, "cw1t")
	do(t, os.WriteFile(path, nil, 0o600))
	file, err := os.Open(path)
	do(t, err)
	defer file.Close()
	unwritable := &journal{file: file, path: path, device: "cw1t"}
	for range [2]int{} {
		if got := refusalOf(unwritable.write("number")).Error(); got != "failed records write-journal EBADF" {
			t.Error(got)
		}
	}
}

func TestRecordsThatCannotBeTakenKeepTheirCause(t *testing.T) {
	failing := func(err error) lockedRecord {
		return lockedRecord{take: func(time.Duration) error { return err }}
	}
	for want, err := range map[string]error{
		"failed stop lock-records EAGAIN":      syscall.EWOULDBLOCK,
		"failed undo clear-table left":         at("clear-table", causeLeft),
		"failed undo remove-journal EROFS":     at("remove-journal", syscall.EROFS),
		"failed undo delete-rules EOPNOTSUPP":  at("delete-rules", syscall.EOPNOTSUPP),
		"failed undo resolv.conf of-others":    at("resolv.conf", causeOfOthers),
		"failed undo NetworkManager timed-out": at("NetworkManager", causeTimedOut),
	} {
		left, failure := takeAll([]lockedRecord{failing(nil), failing(err)}, time.Now())
		if len(left) != 1 || refusalOf(failure).Error() != want {
			t.Errorf("got %d, %v, want %s", len(left), failure, want)
		}
	}
}

func TestProblemsAreSaidWithoutAFailure(t *testing.T) {
	before := messages
	messages = make(chan string, 2)
	defer func() { messages = before }()
	reportProblem("repair-dns", nil)
	reportProblem("repair-dns", at("NetworkManager", cause("refused")))
	reportProblem("leave-groups", &os.PathError{Op: "write", Path: "/sys/secret", Err: syscall.EROFS})
	for _, want := range []string{"problem NetworkManager refused", "problem leave-groups EROFS"} {
		if got := <-messages; got != "causeway-helper: "+want+"\n" {
			t.Error(got)
		}
	}
}

//go:build !macos_rehearsal

package helper

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestOwnGroupsAreTheCallers(t *testing.T) {
	for text, isOwn := range map[string]bool{
		"/causeway-apps/7/outside": true, "/causeway-apps/7/inside": true,
		"/causeway-apps/8/outside": false, "/causeway-apps/7": false, "/causeway-apps/7/outside/": false,
		"/causeway-apps/7/other": false, "/causeway-apps/7/outside/x": false, "/causeway-apps/07/outside": false,
		"/causeway-apps/7/../7/outside": false,
	} {
		if _, ok := parseGroupPath(text, caller{uid: 7}); ok != isOwn {
			t.Error(text)
		}
	}
}

func TestProcessesAreTheCallers(t *testing.T) {
	status := func(users, groups, rights string) string {
		return "Name:\tUid: 7\nUid:\t" + users + "\nGid:\t" + groups + "\nCapPrm:\t" + rights + "\n"
	}
	const none, some = "0000000000000000", "0000000000002000"
	for text, is := range map[string]bool{
		status("7\t7\t7\t7", "7\t7\t7\t7", none): true,
		status("7\t7\t7\t7", "8\t8\t8\t8", none): true,
		status("8\t8\t8\t8", "7\t7\t7\t7", none): false,
		// A setuid program, one that has given its rights up for a while, a setgid one, and one with a capability.
		status("7\t0\t0\t0", "7\t7\t7\t7", none): false,
		status("7\t7\t0\t7", "7\t7\t7\t7", none): false,
		status("7\t7\t7\t7", "7\t9\t9\t9", none): false,
		status("7\t7\t7\t7", "7\t7\t7\t7", some): false,
		"Name:\tUid: 7\n":                        false,
		"":                                       false,
	} {
		if isCallers(text, caller{uid: 7}) != is {
			t.Error(text)
		}
	}
	if !isCallers(status("0\t0\t0\t0", "0\t0\t0\t0", some), caller{}) {
		t.Error("root")
	}
}

func TestLimitsOfGroups(t *testing.T) {
	for name, texts := range map[string][2]string{
		"memory.max":    {"max\n", "1073741824\n"},
		"memory.high":   {"max\n", "4096\n"},
		"pids.max":      {"max\n", "0\n"},
		"cpu.max":       {"max 100000\n", "50000 100000\n"},
		"io.max":        {"8:0 rbps=max wbps=max\n", "8:0 rbps=max wbps=1024\n"},
		"rdma.max":      {"", "mlx4_0 hca_handle=max hca_object=7\n"},
		"misc.max":      {"sev max\n", "sev 3\n"},
		"cpuset.cpus":   {"\n", "0-1\n"},
		"cpu.weight":    {"100\n", "1\n"},
		"cgroup.freeze": {"0\n", "1\n"},
		"io.weight":     {"default 100\n", "default 10\n"},
	} {
		if !mayLimit(name) || isLimit(name, texts[0]) || !isLimit(name, texts[1]) {
			t.Error(name)
		}
	}
	for _, name := range []string{"memory.current", "cgroup.procs", "cgroup.max.depth", "pids.max.imposed"} {
		if mayLimit(name) {
			t.Error(name)
		}
	}
	folder := t.TempDir()
	do := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	do("memory.max", "max\n")
	if err := requireUnlimited(folder); err != nil {
		t.Error(err)
	}
	do("pids.max", "5\n")
	if err := requireUnlimited(folder); err != causeLimited {
		t.Error(err)
	}
	if err := requireUnlimited(folder + "/gone"); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// The number of a process that ends meanwhile goes to no other one until it is let go.
func TestPinnedProcessesKeepTheirNumber(t *testing.T) {
	// Its parent is another process than the one that pins it.
	command := exec.Command("/bin/sh", "-c", "sleep 1000 & echo $!; wait")
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	id := 0
	if _, err := fmt.Fscan(output, &id); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	defer syscall.Kill(id, syscall.SIGKILL)
	handle, err := openProcess(id)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Close(handle)
	pinned, letGo := make(chan error), make(chan struct{})
	go func() {
		onThread(func() {
			pinned <- pin(id)
			<-letGo
		})
	}()
	if err := <-pinned; err != nil {
		close(letGo)
		t.Skip(err)
	}
	if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// It has ended, and stays.
	for state := ""; state != "Z"; {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat")
		if err != nil {
			t.Fatal(err)
		}
		state = strings.Fields(string(text))[2]
	}
	if !exists(handle) {
		t.Error("the number is free")
	}
	close(letGo)
	// The parent waits for it.
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if exists(handle) {
		t.Error("the number is still taken")
	}
}

//go:build !macos_rehearsal

package helper

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// scheduleNormally is from linux/sched.h.
const scheduleNormally = 0

// resetScheduling lets this process run where and as often as the first one: a caller may have left it one busy processor, and
// only what others don't use of that. Others wait for it where it holds a lock. A container may forbid it, in which case a process
// that waits for too long ends the one that it waits for.
func resetScheduling() {
	processors, normal := [128]byte{}, int32(0)
	length, _, failure := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 1, uintptr(len(processors)),
		uintptr(unsafe.Pointer(&processors[0])))
	// Twice, for a thread that another one made meanwhile.
	for round := 0; round < 2; round++ {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		for _, each := range threads {
			id, err := strconv.Atoi(each.Name())
			if err != nil {
				continue
			}
			_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETSCHEDULER, uintptr(id), scheduleNormally,
				uintptr(unsafe.Pointer(&normal)))
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, 0)
			if failure == 0 {
				_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(id), length,
					uintptr(unsafe.Pointer(&processors[0])))
			}
		}
	}
}

//go:build !macos_rehearsal

package helper

import (
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// maxReplaced is how often others may replace the file in replacedWithin; then another program insists on its own.
	maxReplaced    = 10
	replacedWithin = time.Minute
	// renewedAfter is the shortest time after which the same contents come from a renewed lease, and not from a program that insists.
	renewedAfter = time.Second
	// firstWait is how long the file of a program that insists stays in place; twice as long each time, up to longestWait.
	firstWait, longestWait = time.Second, 30 * time.Second
)

// clock is the time, which tests advance themselves.
type clock interface {
	now() time.Time
	after(wait time.Duration, act func()) (cancel func())
}

type realClock struct{}

func (realClock) now() time.Time { return time.Now() }

func (realClock) after(wait time.Duration, act func()) (cancel func()) {
	timer := time.AfterFunc(wait, act)
	return func() { timer.Stop() }
}

// guard keeps the file according to the claims. It takes the file back at once, or later and later from a program that
// insists on its own, and reports the change in both directions.
type guard struct {
	file     resolvConf
	clock    clock
	onChange func(applied bool)
	access   sync.Mutex
	isOver   bool
	replaced []time.Time
	// last is the newest file of another program, without comments.
	last   string
	lastAt time.Time
	// wait is 0 unless a program insists, or the file can't be written.
	wait time.Duration
	// cancelRetry is nil unless a retry is due; cancelRecovery, unless the program that insists may have given up.
	cancelRetry, cancelRecovery func()
}

// guard keeps the file according to the claims until stop is called.
func (r resolvConf) guard(by clock, onChange func(applied bool)) (stop func(), err error) {
	g := &guard{file: r, clock: by, onChange: onChange}
	stopWatch, err := r.watch(func() { g.check(false) })
	if err != nil {
		return nil, err
	}
	return func() {
		g.stop()
		stopWatch()
	}, nil
}

func (g *guard) stop() {
	g.access.Lock()
	defer g.access.Unlock()
	g.isOver = true
	for _, cancel := range []func(){g.cancelRetry, g.cancelRecovery} {
		if cancel != nil {
			cancel()
		}
	}
}

// check takes the file back, unless another program insists on its own: then once isDue.
func (g *guard) check(isDue bool) {
	g.access.Lock()
	defer g.access.Unlock()
	if g.isOver {
		return
	}
	if isDue {
		g.cancelRetry = nil
	}
	before, after, err := g.file.settle(func(now foundFile) bool {
		return isDue || g.wait == 0 || now.isMine || g.isRenewed(now)
	})
	switch {
	case err == syscall.EWOULDBLOCK:
		// Another user's helper may be stopped while it holds the lock.
		g.retry(firstWait)
	case err != nil:
		reportProblem("guard-resolv-conf", err)
		g.slowDown()
		g.retry(g.wait)
	case !before.isMine && before != after:
		g.onReplaced(before)
	case !before.isMine && g.wait > 0:
		g.retry(g.wait)
	}
}

func (g *guard) isRenewed(now foundFile) bool {
	return withoutComments(now.text) == g.last && g.clock.now().Sub(g.lastAt) >= renewedAfter
}

func withoutComments(text string) string {
	lines := []string{}
	eachLine(text, func(words []string) {
		if words[0][0] != '#' && words[0][0] != ';' {
			lines = append(lines, strings.Join(words, " "))
		}
	})
	return strings.Join(lines, "\n")
}

func (g *guard) onReplaced(by foundFile) {
	now, isRenewed := g.clock.now(), g.isRenewed(by)
	g.last, g.lastAt = withoutComments(by.text), now
	if isRenewed {
		return
	}
	g.replaced = append(g.replaced, now)
	for now.Sub(g.replaced[0]) > replacedWithin {
		g.replaced = g.replaced[1:]
	}
	if g.wait > 0 || len(g.replaced) > maxReplaced {
		g.slowDown()
	}
}

func (g *guard) slowDown() {
	if g.wait == 0 {
		g.wait = firstWait
		g.onChange(false)
	} else if g.wait *= 2; g.wait > longestWait {
		g.wait = longestWait
	}
	if g.cancelRecovery != nil {
		g.cancelRecovery()
	}
	g.cancelRecovery = g.clock.after(replacedWithin, g.recover)
}

func (g *guard) retry(wait time.Duration) {
	if g.cancelRetry == nil {
		g.cancelRetry = g.clock.after(wait, func() { g.check(true) })
	}
}

// recover is called after a minute without a replacement.
func (g *guard) recover() {
	g.access.Lock()
	defer g.access.Unlock()
	if g.isOver {
		return
	}
	if now, err := g.file.current(); err != nil || !now.isMine {
		g.cancelRecovery = g.clock.after(replacedWithin, g.recover)
		return
	}
	g.wait, g.replaced, g.cancelRecovery = 0, nil, nil
	g.onChange(true)
}

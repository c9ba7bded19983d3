package filter

import "time"

// Pauses between two looks at devices of which the system tells: short ones as long as something may be pending, and long ones at rest,
// so that a computer isn't woken for nothing.
const (
	soon, late = time.Second, time.Minute
	// settling is how many looks follow a change: the system may tell of it before its table shows it.
	settling = 10
)

// Looks tells when to look again. Its zero value is at rest.
type Looks struct{ left int }

// Changed notes that the system has told of a change.
func (l *Looks) Changed() { l.left = settling }

// Looked notes that somebody has looked, and whether the rules have yet to follow what was there.
func (l *Looks) Looked(isPending bool) {
	if isPending {
		l.left = settling
	} else if l.left > 0 {
		l.left--
	}
}

// Pause is that before the next look.
func (l *Looks) Pause() time.Duration {
	if l.left > 0 {
		return soon
	}
	return late
}

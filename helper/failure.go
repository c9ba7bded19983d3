package helper

import (
	"context"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// refusal ends the helper before it has started anything, or says what it could not undo. Its words go to standard error.
type refusal struct {
	word, reason string
	// cause, if not nil, tells at which step it failed, and why.
	cause error
}

func (r refusal) Error() string {
	text := r.word + " " + r.reason
	for _, each := range causeWords(r.cause) {
		text += " " + each
	}
	return text
}

func (r refusal) Unwrap() error { return r.cause }

// failed reports a reason, which is one of the fixed words in docs/helper.md.
func failed(reason string) error { return refusal{word: "failed", reason: reason} }

// failedBy reports a reason with the step that failed, and why. A step that the cause names is nearer to it.
func failedBy(reason, step string, cause error) error {
	return refusal{"failed", reason, at(step, cause)}
}

// refused names the directive or block that is not allowed. The rest of the line may be secret.
func refused(name string) error { return refusal{word: "refused", reason: printableName(name)} }

func printableName(text string) string {
	name := []byte{}
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' || len(name) == 40 {
			break
		}
		name = append(name, char)
	}
	if len(name) == 0 {
		return "empty"
	}
	return string(name)
}

// refusalOf returns the message for an error. The reason of an unknown error is "unexpected".
func refusalOf(err error) refusal {
	found := refusal{}
	if errors.As(err, &found) {
		return found
	}
	return refusal{"failed", "unexpected", at("other", err)}
}

// errRefused is the answer of a program that does not do what it was asked.
var errRefused = cause("refused")

// reportProblem reports a failure after which the helper goes on.
func reportProblem(step string, err error) {
	if err != nil {
		sendMessage(append([]any{"problem"}, anyOf(causeWords(at(step, err)))...)...)
	}
}

func anyOf(words []string) []any {
	all := []any{}
	for _, each := range words {
		all = append(all, each)
	}
	return all
}

// stepError tells at which step something failed: a fixed word, or the name of a program of the system.
type stepError struct {
	step  string
	cause error
}

func (e stepError) Error() string { return e.step + ": " + e.cause.Error() }

func (e stepError) Unwrap() error { return e.cause }

// at names the step at which something failed; nil stays nil.
func at(step string, cause error) error {
	if cause == nil {
		return nil
	}
	return stepError{step, cause}
}

// cause is an error whose text may be sent: one fixed word, nothing that the helper has read.
type cause string

func (c cause) Error() string { return string(c) }

const (
	causeTimedOut = cause("timed-out")
	causeMissing  = cause("missing")
	// causeOfOthers means that others than root may change it, causeLeft that something could not be deleted.
	causeOfOthers = cause("of-others")
	causeLeft     = cause("left")
	causeTaken    = cause("taken")
	causeNotInUse = cause("not-in-use")
	causeTooMuch  = cause("too-much-output")
)

// causeWords returns the innermost step of an error, and after it why it failed, if that has a fixed word: never a text of the
// system's, which may quote what a caller or a server has sent.
func causeWords(err error) []string {
	step, why := "", ""
	for each := err; each != nil; each = errors.Unwrap(each) {
		switch found := each.(type) {
		case stepError:
			step = found.step
		case refusal:
			why = found.reason
		case cause:
			why = string(found)
		case syscall.Errno:
			why = errnoName(found)
		}
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		why = string(causeTimedOut)
	case errors.Is(err, context.Canceled):
		why = "cancelled"
	}
	switch {
	case step == "":
		return nil
	case why == "":
		return []string{step}
	}
	return []string{step, why}
}

// wordFor returns one word for an error.
func wordFor(err error) string {
	words := causeWords(at("failed", err))
	return words[len(words)-1]
}

func errnoName(number syscall.Errno) string {
	if name, isKnown := errnoNames[number]; isKnown {
		return name
	}
	return "errno-" + strconv.Itoa(int(number))
}

// errnoNames are those that Linux and macOS both have.
var errnoNames = map[syscall.Errno]string{
	syscall.E2BIG:           "E2BIG",
	syscall.EACCES:          "EACCES",
	syscall.EADDRINUSE:      "EADDRINUSE",
	syscall.EADDRNOTAVAIL:   "EADDRNOTAVAIL",
	syscall.EAFNOSUPPORT:    "EAFNOSUPPORT",
	syscall.EAGAIN:          "EAGAIN",
	syscall.EALREADY:        "EALREADY",
	syscall.EBADF:           "EBADF",
	syscall.EBADMSG:         "EBADMSG",
	syscall.EBUSY:           "EBUSY",
	syscall.ECANCELED:       "ECANCELED",
	syscall.ECHILD:          "ECHILD",
	syscall.ECONNABORTED:    "ECONNABORTED",
	syscall.ECONNREFUSED:    "ECONNREFUSED",
	syscall.ECONNRESET:      "ECONNRESET",
	syscall.EDEADLK:         "EDEADLK",
	syscall.EDESTADDRREQ:    "EDESTADDRREQ",
	syscall.EDOM:            "EDOM",
	syscall.EDQUOT:          "EDQUOT",
	syscall.EEXIST:          "EEXIST",
	syscall.EFAULT:          "EFAULT",
	syscall.EFBIG:           "EFBIG",
	syscall.EHOSTDOWN:       "EHOSTDOWN",
	syscall.EHOSTUNREACH:    "EHOSTUNREACH",
	syscall.EIDRM:           "EIDRM",
	syscall.EILSEQ:          "EILSEQ",
	syscall.EINPROGRESS:     "EINPROGRESS",
	syscall.EINTR:           "EINTR",
	syscall.EINVAL:          "EINVAL",
	syscall.EIO:             "EIO",
	syscall.EISCONN:         "EISCONN",
	syscall.EISDIR:          "EISDIR",
	syscall.ELOOP:           "ELOOP",
	syscall.EMFILE:          "EMFILE",
	syscall.EMLINK:          "EMLINK",
	syscall.EMSGSIZE:        "EMSGSIZE",
	syscall.ENAMETOOLONG:    "ENAMETOOLONG",
	syscall.ENETDOWN:        "ENETDOWN",
	syscall.ENETRESET:       "ENETRESET",
	syscall.ENETUNREACH:     "ENETUNREACH",
	syscall.ENFILE:          "ENFILE",
	syscall.ENOBUFS:         "ENOBUFS",
	syscall.ENODEV:          "ENODEV",
	syscall.ENOENT:          "ENOENT",
	syscall.ENOEXEC:         "ENOEXEC",
	syscall.ENOLCK:          "ENOLCK",
	syscall.ENOMEM:          "ENOMEM",
	syscall.ENOPROTOOPT:     "ENOPROTOOPT",
	syscall.ENOSPC:          "ENOSPC",
	syscall.ENOSYS:          "ENOSYS",
	syscall.ENOTBLK:         "ENOTBLK",
	syscall.ENOTCONN:        "ENOTCONN",
	syscall.ENOTDIR:         "ENOTDIR",
	syscall.ENOTEMPTY:       "ENOTEMPTY",
	syscall.ENOTSOCK:        "ENOTSOCK",
	syscall.ENOTTY:          "ENOTTY",
	syscall.ENXIO:           "ENXIO",
	syscall.EOPNOTSUPP:      "EOPNOTSUPP",
	syscall.EOVERFLOW:       "EOVERFLOW",
	syscall.EPERM:           "EPERM",
	syscall.EPFNOSUPPORT:    "EPFNOSUPPORT",
	syscall.EPIPE:           "EPIPE",
	syscall.EPROTO:          "EPROTO",
	syscall.EPROTONOSUPPORT: "EPROTONOSUPPORT",
	syscall.EPROTOTYPE:      "EPROTOTYPE",
	syscall.ERANGE:          "ERANGE",
	syscall.EROFS:           "EROFS",
	syscall.ESHUTDOWN:       "ESHUTDOWN",
	syscall.ESOCKTNOSUPPORT: "ESOCKTNOSUPPORT",
	syscall.ESPIPE:          "ESPIPE",
	syscall.ESRCH:           "ESRCH",
	syscall.ESTALE:          "ESTALE",
	syscall.ETIMEDOUT:       "ETIMEDOUT",
	syscall.ETXTBSY:         "ETXTBSY",
	syscall.EUSERS:          "EUSERS",
	syscall.EXDEV:           "EXDEV",
}

// undone reports the first of the failures to undo something.
func undone(failures ...error) error {
	for _, each := range failures {
		if each != nil {
			return failedBy("undo", "undo", each)
		}
	}
	return nil
}

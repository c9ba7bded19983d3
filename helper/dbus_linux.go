//go:build !macos_rehearsal

package helper

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	systemBus  = "/run/dbus/system_bus_socket"
	busTimeout = 3 * time.Second
	// maxBusPart exceeds the header and the body of every answer that the helper asks for.
	maxBusPart                   = 64 << 10
	busCall, busReturn, busError = 1, 2, 3
	// busNoAutoStart keeps the bus from starting a service that doesn't run.
	busNoAutoStart = 2
)

var (
	errBus = cause("not-understood")
)

// busMember is what a call goes to.
type busMember struct{ destination, path, interfaceName, member string }

// bus is a connection to the system's D-Bus.
type bus struct {
	socket io.ReadWriteCloser
	serial uint32
}

// openBus connects to a bus as the user of this process. All calls together may take busTimeout.
func openBus(path string) (*bus, error) {
	descriptor, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	limit := syscall.NsecToTimeval(int64(busTimeout))
	err = syscall.SetsockoptTimeval(descriptor, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &limit)
	if err == nil {
		err = syscall.Connect(descriptor, &syscall.SockaddrUnix{Name: path})
	}
	// Only a file of a descriptor that doesn't block has a deadline.
	if err == nil {
		err = syscall.SetNonblock(descriptor, true)
	}
	socket := os.NewFile(uintptr(descriptor), "bus")
	if err != nil {
		socket.Close()
		return nil, err
	}
	opened := &bus{socket: socket}
	if err = socket.SetDeadline(time.Now().Add(busTimeout)); err == nil {
		err = opened.greet()
	}
	if err != nil {
		socket.Close()
		return nil, err
	}
	return opened, nil
}

func (b *bus) close() { _ = b.socket.Close() }

// greet proves to the bus who asks, which the kernel tells it, and takes a name on it.
func (b *bus) greet() error {
	uid := hex.EncodeToString([]byte(strconv.Itoa(os.Geteuid())))
	if _, err := io.WriteString(b.socket, "\x00AUTH EXTERNAL "+uid+"\r\n"); err != nil {
		return err
	}
	line, char := []byte{}, [1]byte{}
	for !strings.HasSuffix(string(line), "\r\n") {
		if _, err := io.ReadFull(b.socket, char[:]); err != nil {
			return err
		}
		if line = append(line, char[0]); len(line) > 256 {
			return errBus
		}
	}
	if !strings.HasPrefix(string(line), "OK ") {
		return errBus
	}
	if _, err := io.WriteString(b.socket, "BEGIN\r\n"); err != nil {
		return err
	}
	_, err := b.call(busMember{"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"})
	return err
}

// call returns the first value of the answer: a text, a uint32, or nil. The arguments are texts and uint32.
func (b *bus) call(to busMember, arguments ...any) (any, error) {
	b.serial++
	if _, err := b.socket.Write(busCallOf(b.serial, to, arguments)); err != nil {
		return nil, err
	}
	// Others may come before, as many as they like: only the time is limited.
	for {
		message, err := readBusMessage(b.socket)
		if err != nil {
			return nil, err
		}
		if message.replyTo != b.serial {
			continue
		}
		switch message.kind {
		case busReturn:
			return message.first()
		case busError:
			return nil, errRefused
		}
	}
}

// --- Writing -----------------------------------------------------------------------------------------------------

type busWriter struct{ bytes []byte }

func (w *busWriter) align(to int) {
	for len(w.bytes)%to != 0 {
		w.bytes = append(w.bytes, 0)
	}
}

func (w *busWriter) number(value uint32) {
	w.align(4)
	w.bytes = binary.LittleEndian.AppendUint32(w.bytes, value)
}

func (w *busWriter) text(value string) {
	w.number(uint32(len(value)))
	w.bytes = append(append(w.bytes, value...), 0)
}

func (w *busWriter) signature(value string) {
	w.bytes = append(append(append(w.bytes, byte(len(value))), value...), 0)
}

// busCallOf returns the bytes of a call.
func busCallOf(serial uint32, to busMember, arguments []any) []byte {
	body, kinds := busWriter{}, ""
	for _, each := range arguments {
		switch value := each.(type) {
		case string:
			kinds += "s"
			body.text(value)
		case uint32:
			kinds += "u"
			body.number(value)
		}
	}
	fields := busWriter{}
	for _, each := range []struct {
		code byte
		kind string
		text string
	}{
		{1, "o", to.path}, {2, "s", to.interfaceName}, {3, "s", to.member}, {6, "s", to.destination}, {8, "g", kinds},
	} {
		fields.align(8)
		fields.bytes = append(fields.bytes, each.code)
		fields.signature(each.kind)
		if each.kind == "g" {
			fields.signature(each.text)
		} else {
			fields.text(each.text)
		}
	}
	message := busWriter{bytes: []byte{'l', busCall, busNoAutoStart, 1}}
	message.number(uint32(len(body.bytes)))
	message.number(serial)
	message.number(uint32(len(fields.bytes)))
	message.bytes = append(message.bytes, fields.bytes...)
	message.align(8)
	return append(message.bytes, body.bytes...)
}

// --- Reading -----------------------------------------------------------------------------------------------------

// busMessage is a message of the bus, as far as the helper reads it.
type busMessage struct {
	kind      byte
	replyTo   uint32
	signature string
	body      busReader
}

// busReader reads values from a part of a message, which starts at a multiple of 8.
type busReader struct {
	bytes []byte
	at    int
	order binary.ByteOrder
}

// readBusMessage reads one message. It passes over one that is longer than any answer, and makes no room for it: anybody may
// send a signal of any length.
func readBusMessage(in io.Reader) (busMessage, error) {
	head := [16]byte{}
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return busMessage{}, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 'B' {
		order = binary.BigEndian
	} else if head[0] != 'l' {
		return busMessage{}, errBus
	}
	bodySize, fieldsSize := order.Uint32(head[4:]), order.Uint32(head[12:])
	if head[3] != 1 {
		return busMessage{}, errBus
	}
	if bodySize > maxBusPart || fieldsSize > maxBusPart {
		_, err := io.CopyN(io.Discard, in, (int64(fieldsSize)+7)/8*8+int64(bodySize))
		return busMessage{}, err
	}
	fields, body := make([]byte, (fieldsSize+7)/8*8), make([]byte, bodySize)
	if _, err := io.ReadFull(in, fields); err != nil {
		return busMessage{}, err
	}
	if _, err := io.ReadFull(in, body); err != nil {
		return busMessage{}, err
	}
	message := busMessage{kind: head[1], body: busReader{bytes: body, order: order}}
	for reader := (&busReader{bytes: fields[:fieldsSize], order: order}); reader.align(8) && reader.at < len(reader.bytes); {
		code := reader.bytes[reader.at]
		reader.at++
		value, err := reader.variant()
		if err != nil {
			return busMessage{}, err
		}
		switch code {
		case 5:
			message.replyTo, _ = value.(uint32)
		case 8:
			message.signature, _ = value.(string)
		}
	}
	return message, nil
}

// first returns the first value of the body.
func (m *busMessage) first() (any, error) {
	if m.signature == "" {
		return nil, nil
	}
	return m.body.value(m.signature[:1])
}

// align returns false if the part ends before.
func (r *busReader) align(to int) bool {
	r.at = (r.at + to - 1) / to * to
	return r.at <= len(r.bytes)
}

func (r *busReader) take(size int) ([]byte, error) {
	if size < 0 || size > len(r.bytes)-r.at {
		return nil, errBus
	}
	value := r.bytes[r.at : r.at+size]
	r.at += size
	return value, nil
}

func (r *busReader) number() (uint32, error) {
	if !r.align(4) {
		return 0, errBus
	}
	value, err := r.take(4)
	if err != nil {
		return 0, err
	}
	return r.order.Uint32(value), nil
}

// textOf reads a text of this size and the zero after it.
func (r *busReader) textOf(size uint32) (string, error) {
	if size > maxBusPart {
		return "", errBus
	}
	value, err := r.take(int(size) + 1)
	if err != nil || strings.IndexByte(string(value), 0) != int(size) {
		return "", errBus
	}
	return string(value[:size]), nil
}

func (r *busReader) variant() (any, error) {
	kind, err := r.value("g")
	if err != nil {
		return nil, err
	}
	// None within another: no answer has any, and they could be as deep as the message is long.
	if kind == "v" {
		return nil, errBus
	}
	return r.value(kind.(string))
}

// value reads a value of the types that headers and the helper's answers consist of.
func (r *busReader) value(kind string) (any, error) {
	switch kind {
	case "u":
		return r.number()
	case "s", "o":
		size, err := r.number()
		if err != nil {
			return nil, err
		}
		return r.textOf(size)
	case "g":
		size, err := r.take(1)
		if err != nil {
			return nil, err
		}
		return r.textOf(uint32(size[0]))
	case "v":
		return r.variant()
	}
	return nil, errBus
}

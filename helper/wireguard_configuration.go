package helper

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// configurationSocket is a connection to WireGuard in user space.
type configurationSocket interface {
	io.ReadWriteCloser
	SetDeadline(time.Time) error
}

// userspaceDevice speaks WireGuard's cross-platform configuration protocol with the program.
type userspaceDevice struct {
	socket configurationSocket
	access sync.Mutex
	// answer is the memory for answers, which may hold the private key.
	answer [maxOutput]byte
}

func (d *userspaceDevice) configure(asked *wireGuardRequest, endpoint netip.AddrPort, mark uint32) error {
	defer wipe(asked.privateKey[:])
	if err := d.setKey("private_key=", asked.privateKey); err != nil {
		return err
	}
	if err := d.exchange([]byte(fmt.Sprintf("set=1\nfwmark=%d\nlisten_port=%d\n\n", mark, asked.listenPort)), nil); err != nil {
		return err
	}
	return d.setPeer(asked, endpoint)
}

func (d *userspaceDevice) setPeer(asked *wireGuardRequest, endpoint netip.AddrPort) error {
	replacing := fmt.Sprintf("replace_peers=true\npublic_key=%x\n", asked.peer)
	if asked.sharedKey != nil {
		if err := d.setKey(replacing+"preshared_key=", asked.sharedKey); err != nil {
			return err
		}
		replacing = fmt.Sprintf("public_key=%x\n", asked.peer)
	}
	rest := strings.Builder{}
	fmt.Fprintf(&rest, "set=1\n%sendpoint=%s\npersistent_keepalive_interval=%d\nreplace_allowed_ips=true\n",
		replacing, endpoint, asked.keepalive)
	for _, each := range asked.allowed {
		fmt.Fprintf(&rest, "allowed_ip=%s\n", each)
	}
	rest.WriteString("\n")
	return d.exchange([]byte(rest.String()), nil)
}

// setKey sends a key in memory that is overwritten afterwards.
func (d *userspaceDevice) setKey(before string, key *wireGuardKey) error {
	const after = "\n\n"
	before = "set=1\n" + before
	text := make([]byte, len(before)+2*keyBytes+len(after))
	defer wipe(text)
	at := copy(text, before)
	at += hex.Encode(text[at:], key[:])
	copy(text[at:], after)
	return d.exchange(text, nil)
}

func (d *userspaceDevice) setEndpoint(peer wireGuardKey, endpoint netip.AddrPort) error {
	return d.exchange([]byte(fmt.Sprintf("set=1\npublic_key=%x\nupdate_only=true\nendpoint=%s\n\n", peer, endpoint)), nil)
}

func (d *userspaceDevice) counters() (counters, error) {
	found := counters{}
	err := d.exchange([]byte("get=1\n\n"), func(answer []byte) (err error) {
		found, err = parseCounters(answer)
		return err
	})
	return found, err
}

func parseCounters(answer []byte) (counters, error) {
	seconds, nanoseconds, found := int64(0), int64(0), counters{}
	var err error
	for _, line := range bytes.Split(answer, []byte("\n")) {
		key, value, _ := bytes.Cut(line, []byte("="))
		failure := error(nil)
		switch string(key) {
		case "last_handshake_time_sec":
			seconds, failure = strconv.ParseInt(string(value), 10, 64)
		case "last_handshake_time_nsec":
			nanoseconds, failure = strconv.ParseInt(string(value), 10, 64)
		case "rx_bytes":
			found.received, failure = strconv.ParseUint(string(value), 10, 64)
		case "tx_bytes":
			found.sent, failure = strconv.ParseUint(string(value), 10, 64)
		}
		if failure != nil {
			err = failure
		}
	}
	if seconds > 0 {
		found.handshake = time.Unix(seconds, nanoseconds)
	}
	return found, err
}

var successText = []byte("errno=0\n\n")

// exchange sends a request, and passes on the answer, which is overwritten afterwards.
func (d *userspaceDevice) exchange(request []byte, use func(answer []byte) error) error {
	d.access.Lock()
	defer d.access.Unlock()
	if err := d.socket.SetDeadline(time.Now().Add(toolTimeout)); err != nil {
		return err
	}
	if _, err := d.socket.Write(request); err != nil {
		return err
	}
	length := 0
	defer func() { wipe(d.answer[:length]) }()
	for length < len(d.answer) {
		more, err := d.socket.Read(d.answer[length:])
		length += more
		answer := d.answer[:length]
		switch {
		case bytes.HasSuffix(answer, successText):
			if use == nil {
				return nil
			}
			return use(answer)
		case bytes.HasSuffix(answer, []byte("\n\n")):
			return errRefused
		case err != nil:
			return err
		}
	}
	return causeTooMuch
}

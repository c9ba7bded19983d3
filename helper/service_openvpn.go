package helper

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
)

// maxBlockRemotes limits the servers of a request, and maxBlockServers their addresses, each of which takes rules of the firewall.
const maxBlockRemotes, maxBlockServers = 64, 64

// openVPNBlock is the kill switch of a service around an OpenVPN that something else runs: that program alone reaches its servers, and
// everything else its device alone. It is there before OpenVPN starts, and stays when it has ended.
type openVPNBlock struct {
	serviceSession
	servers []Server
	// isFailing is true since letting the device pass has failed.
	isFailing bool
	// over is closed at the end, by the first that ends it.
	over   chan struct{}
	ending sync.Once
}

// run reads a request, and returns the exit status once its client has ended it.
func (o *openVPNBlock) run(lines *lineReader) (int, error) {
	o.over = make(chan struct{})
	err := o.start(lines)
	if err == nil {
		o.stay(o)
	}
	return 0, o.close(err)
}

func (o *openVPNBlock) start(lines *lineReader) (err error) {
	if o.header, err = readHeader(lines); err != nil {
		return err
	}
	if !o.header.killSwitch {
		return failed("header")
	}
	remotes, err := readBlockRemotes(lines)
	if err != nil {
		return err
	}
	o.hear(lines)
	found, err := o.lookUp(remotes)
	if o.during.Err() != nil {
		// Nobody waits for the kill switch any more.
		return failed("incomplete")
	}
	if err != nil {
		return err
	}
	// It may call back from now on.
	o.commands.Lock()
	defer o.commands.Unlock()
	err = o.system.LetOpenVPN(func() (goOn bool) {
		o.ifRunning(func() { goOn = o.renew() })
		return goOn
	})
	if errors.Is(err, ErrNoOpenVPN) || errors.Is(err, ErrOpenVPNOfOthers) {
		return err
	}
	if err != nil {
		return failedBy("openvpn", "find-openvpn", err)
	}
	if err := o.block(); err != nil {
		return err
	}
	sendMessage("permitted", strings.Join(found, " "))
	sendMessage("kill-switch on")
	return nil
}

// readBlockRemotes reads the servers of a request. There is nothing secret in it.
func readBlockRemotes(lines *lineReader) ([]remote, error) {
	remotes := []remote{}
	for {
		line, err := lines.next()
		if err != nil {
			return nil, err
		}
		word, words, _ := strings.Cut(line, " ")
		switch {
		case line == "#END" && len(remotes) > 0:
			return remotes, nil
		case line == "local-network block":
			// The kill switch does.
		case word == "remote" && len(remotes) < maxBlockRemotes:
			read, err := parseRemote(words)
			isTransport := strings.Contains(" udp udp4 udp6 tcp tcp4 tcp6 ", " "+read.protocol+" ")
			if err != nil || read.port == 0 || !isTransport || strings.Count(words, " ") != 2 {
				return nil, refused(word)
			}
			remotes = append(remotes, read)
		case word == "remote" || line == "#END":
			return nil, refused("remote")
		default:
			return nil, refused("unknown")
		}
	}
}

// lookUp finds the servers' addresses before the kill switch changes how names are looked up. It returns each as the client is to write
// it: the number of the server in the request, and an address. A server that isn't found is left out, unless none is.
func (o *openVPNBlock) lookUp(remotes []remote) (found []string, err error) {
	known, failure := o.addressesOf(remotes), error(nil)
	each := maxBlockServers / len(remotes)
	if each > maxAddresses {
		each = maxAddresses
	}
	for index, one := range remotes {
		addresses := []netip.Addr{one.host.address}
		if name := one.host.name; name != "" {
			addresses = known[name].addresses
			if failure == nil {
				failure = known[name].err
			}
		}
		count := 0
		for _, address := range addresses {
			if strings.HasSuffix(one.protocol, "6") && address.Is4() || strings.HasSuffix(one.protocol, "4") && address.Is6() || count == each {
				continue
			}
			count++
			o.permit(Server{Address: netip.AddrPortFrom(address, one.port), TCP: strings.HasPrefix(one.protocol, "tcp")})
			found = append(found, fmt.Sprintf("%d=%s", index, address))
		}
	}
	if len(found) == 0 {
		if failure == nil {
			failure = cause("no-address")
		}
		return nil, failedBy("unresolved", "look-up", failure)
	}
	return found, nil
}

type answer struct {
	name      domainName
	addresses []netip.Addr
	err       error
}

// addressesOf looks up all names at once: behind a kill switch that is up, each may take all the time.
func (o *openVPNBlock) addressesOf(remotes []remote) map[domainName]answer {
	limit, cancel := o.forNames()
	defer cancel()
	known, answers := map[domainName]answer{}, make(chan answer)
	for _, one := range remotes {
		name := one.host.name
		if _, isAsked := known[name]; name == "" || isAsked {
			continue
		}
		known[name] = answer{}
		go func() {
			addresses, err := o.system.LookUp(limit, string(name))
			if err != nil {
				addresses = nil
			}
			answers <- answer{name, addresses, err}
		}()
	}
	for count := len(known); count > 0; count-- {
		each := <-answers
		known[each.name] = each
	}
	return known
}

func (o *openVPNBlock) permit(server Server) {
	for _, each := range o.servers {
		if each == server {
			return
		}
	}
	o.servers = append(o.servers, server)
}

func (o *openVPNBlock) block() error {
	if err := o.system.Block(o.servers, Blocked{Everything: true}); err != nil {
		return failedBy("kill-switch", "add-rules", err)
	}
	return nil
}

// renew lets the device pass that has come, and none that has gone. A kill switch that was lifted stays so, and needs no other call.
func (o *openVPNBlock) renew() (goOn bool) {
	o.reportIfLifted()
	if !o.header.killSwitch {
		return false
	}
	err := o.block()
	if !o.isFailing {
		// The system calls back until it succeeds.
		reportProblem("permit", err)
	}
	o.isFailing = err != nil
	return true
}

func (o *openVPNBlock) look() { o.reportIfLifted() }

func (o *openVPNBlock) ended() <-chan struct{} { return o.over }

func (o *openVPNBlock) stop(int) { o.finish(0) }

func (o *openVPNBlock) finish(int, ...any) { o.ending.Do(func() { close(o.over) }) }

func (o *openVPNBlock) obey(string) { sendMessage("unknown-command") }

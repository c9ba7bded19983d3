package helper

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

// remote is a server of the profile. A port of 0 and an empty protocol mean the defaults of the configuration.
type remote struct {
	host     host
	port     uint16
	protocol string
	// options are its own lines in a block `<connection>`, each with its line end.
	options string
	isBlock bool
	// mark is that of the packets to the server, with which the kill switch knows them. Without one, all of the user's
	// programs may send there, unless `from`, the port of one socket, is not 0. macOS has no marks: there, it is the user of the
	// programs that send there, if that isn't root.
	mark uint32
	from uint16
}

func (r remote) String() string {
	text := "remote " + r.host.String()
	if r.port != 0 {
		text += " " + strconv.Itoa(int(r.port))
	}
	if r.protocol != "" {
		text += " " + r.protocol
	}
	if r.isBlock {
		return "<connection>\n" + text + "\n" + r.options + "</connection>"
	}
	return text
}

// host is either an address or a name.
type host struct {
	address netip.Addr
	name    domainName
}

func (h host) String() string {
	if h.address.IsValid() {
		return h.address.String()
	}
	return string(h.name)
}

// domainName is a name whose labels no program can mistake for an option, a path or an address.
type domainName string

// consistsOf reports whether a text is not empty and consists of letters, digits and these characters.
func consistsOf(text, others string) bool {
	for _, char := range []byte(text) {
		isLetter := char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z'
		if !isLetter && (char < '0' || char > '9') && !strings.ContainsRune(others, rune(char)) {
			return false
		}
	}
	return text != ""
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// parseDomainName follows RFC 1123, but allows underscores.
func parseDomainName(text string) (domainName, error) {
	labels := strings.Split(strings.TrimSuffix(text, "."), ".")
	for _, each := range labels {
		if len(each) > 63 || !consistsOf(each, "_-") || each[0] == '-' || each[len(each)-1] == '-' {
			return "", errors.New("not a domain name")
		}
	}
	// A last label of digits would be a misspelt address, which programs complete in different ways.
	if len(text) > 253 || isNumber(labels[len(labels)-1]) {
		return "", errors.New("not a domain name")
	}
	return domainName(text), nil
}

func parseAddress(text string) (netip.Addr, error) {
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		return netip.Addr{}, errors.New("not an address")
	}
	return address.Unmap(), nil
}

func parsePort(text string) (uint16, error) {
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return 0, errors.New("not a port")
	}
	return uint16(port), nil
}

func parseRemote(arguments string) (remote, error) {
	words := strings.Split(arguments, " ")
	parsed := remote{}
	address, err := parseAddress(words[0])
	if err == nil {
		parsed.host.address = address
	} else if parsed.host.name, err = parseDomainName(words[0]); err != nil {
		return remote{}, err
	}
	if len(words) > 1 {
		if parsed.port, err = parsePort(words[1]); err != nil {
			return remote{}, err
		}
	}
	if len(words) > 2 {
		// The expression of `remote` allows only certain words here.
		parsed.protocol = words[2]
	}
	return parsed, nil
}

// includes reports whether all of the wanted are among those that are there.
func includes[T comparable](there, wanted []T) bool {
	set := map[T]bool{}
	for _, each := range there {
		set[each] = true
	}
	for _, each := range wanted {
		if !set[each] {
			return false
		}
	}
	return true
}

// someOf refuses an empty list of addresses.
func someOf(found []netip.Addr) ([]netip.Addr, error) {
	if len(found) == 0 {
		return nil, cause("no-address")
	}
	return found, nil
}

//go:build !windows

package helper

import (
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const (
	// maxDirective is the length of line that OpenVPN reads at once; it would take the rest for a second line.
	maxDirective = 253
	maxRemotes   = 64
)

//go:embed allowed-directives.json
var allowedDirectives string

// allowList holds the directives that may be passed to OpenVPN, from the file that the app reads too: their names, and
// a regular expression for all of their arguments.
type allowList struct {
	expressions map[string]string
	patterns    map[string]*regexp.Regexp
}

// readAllowList reads the file by its quotes: a JSON decoder would take a seventh of a millisecond before OpenVPN starts. A test
// compares the result with that of a JSON decoder.
func readAllowList() *allowList {
	list := allowList{map[string]string{}, map[string]*regexp.Regexp{}}
	kept := false
	// A name with what is between quotes before it and behind it, and an expression if that is a colon.
	for words := strings.Split(allowedDirectives, `"`); len(words) > 3; words = words[2:] {
		switch strings.TrimSpace(words[2]) {
		case ": {":
			kept = words[1] == "keep" || words[1] == "keepOnLinux" || words[1] == "rewrite"
		case ":":
			if kept {
				list.expressions[words[1]] = words[3]
			}
			words = words[2:]
		}
	}
	return &list
}

// text is what an expression calls `%text%`: one word, in quotes only if it needs them.
const text = `(?:[` + bare + `]+|"(?:` + quoted + `)*(?:[^"\\` + "`" + `$\p{Cc}` + bare + `]|\\["\\])(?:` + quoted + `)*")`
const bare = `A-Za-z0-9._@*:/=+,!?[\]-`
const quoted = `[^"\\` + "`" + `$\p{Cc}]|\\["\\]`

// inConnection holds the directives that a block `<connection>` may contain.
var inConnection = map[string]bool{
	"remote": true, "float": true, "tun-mtu": true, "link-mtu": true, "fragment": true, "mssfix": true, "mtu-disc": true,
	"explicit-exit-notify": true,
}

// allows reports whether a directive with these arguments may be passed to OpenVPN, written as OpenVPN reads them.
func (l *allowList) allows(name, arguments string) bool {
	expression, known := l.expressions[name]
	if !known {
		return false
	}
	if regexp.QuoteMeta(expression) == expression {
		return arguments == expression
	}
	if l.patterns[name] == nil {
		// Without `\A`, which takes as long to compile as all the rest.
		compiled, err := regexp.Compile(`(?:` + strings.ReplaceAll(expression, "%text%", text) + `)\z`)
		if err != nil {
			return false
		}
		l.patterns[name] = compiled
	}
	// It finds the first match, so one that begins later means that the whole text is none.
	found := l.patterns[name].FindStringIndex(arguments)
	return found != nil && found[0] == 0
}

// forced holds the directives that a configuration may contain, and that the helper writes itself.
var forced = map[string]bool{
	"client": true, "tls-client": true, "pull": true, "dev": true, "dev-type": true, "persist-tun": true,
	"nobind": true, "remote-cert-tls": true,
}

// configuration is a completely parsed configuration for OpenVPN.
type configuration struct {
	// blocksLocal is true if the local networks must not stay outside a full tunnel.
	blocksLocal bool
	directives  []directive
	blocks      []block
	proxy       *proxy
	// Defaults for a remote without a port or protocol.
	defaultPort     uint16
	defaultProtocol string
}

// directive is one line: a name, and arguments that match its expression. A remote is parsed further.
type directive struct {
	text   string
	remote *remote
}

// proxy is an HTTP proxy on the way to all remotes. The app alone names one: no profile may.
type proxy struct {
	host host
	port uint16
	// A user and a password, if the proxy wants them.
	login []string
}

const (
	proxyDirective = "http-proxy"
	proxyBlock     = "http-proxy-user-pass"
	// OpenVPN cuts off what is longer.
	maxLogin = 127
)

// parseProxy reads the arguments of `http-proxy`: a host, a port, and `auto` if a login follows.
func parseProxy(arguments string) (*proxy, error) {
	words := strings.Split(arguments, " ")
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "auto" {
		return nil, errors.New("not a proxy")
	}
	parsed, err := parseRemote(words[0] + " " + words[1])
	return &proxy{host: parsed.host, port: parsed.port}, err
}

// readLogin reads the block with the user and the password. OpenVPN takes a line that begins like its end for the end, also
// after spaces, and what follows for directives.
func readLogin(lines *lineReader) ([]string, error) {
	login := []string{}
	for range [2]int{} {
		line, err := lines.next()
		if err != nil {
			return nil, err
		}
		isPrintable := strings.IndexFunc(line, func(char rune) bool { return char < ' ' || char > '~' }) < 0
		if line == "" || len(line) > maxLogin || line[0] == '<' || line[0] == ' ' || !isPrintable {
			return nil, refused(proxyBlock)
		}
		login = append(login, line)
	}
	if line, err := lines.next(); err != nil || line != "</"+proxyBlock+">" {
		return nil, refused(proxyBlock)
	}
	return login, nil
}

func (p *proxy) write(out *strings.Builder) {
	if p == nil {
		return
	}
	fmt.Fprintf(out, "%s %s %d", proxyDirective, p.host, p.port)
	if p.login != nil {
		fmt.Fprintf(out, " auto\n<%s>\n%s\n%s\n</%s>", proxyBlock, p.login[0], p.login[1], proxyBlock)
	}
	out.WriteString("\n")
}

// block is an inline file: decoded PEM texts of one kind.
type block struct {
	name  string
	kind  blockKind
	texts [][]byte
}

type blockKind struct {
	label string
	// hexadecimal is true for an OpenVPN static key of 256 bytes; other kinds are base64.
	hexadecimal bool
	several     bool
}

const staticKeyBytes = 256

var blockKinds = map[string]blockKind{
	"ca":           {label: "CERTIFICATE", several: true},
	"cert":         {label: "CERTIFICATE", several: true},
	"key":          {label: "PRIVATE KEY"},
	"tls-crypt":    {label: "OpenVPN Static key V1", hexadecimal: true},
	"tls-auth":     {label: "OpenVPN Static key V1", hexadecimal: true},
	"tls-crypt-v2": {label: "OpenVPN tls-crypt-v2 client key"},
}

// write encodes the block from its decoded bytes.
func (b block) write(out *strings.Builder) {
	fmt.Fprintf(out, "<%s>\n", b.name)
	for _, bytes := range b.texts {
		text, width := base64.StdEncoding.EncodeToString(bytes), 64
		if b.kind.hexadecimal {
			text, width = hex.EncodeToString(bytes), 32
		}
		fmt.Fprintf(out, "-----BEGIN %s-----\n", b.kind.label)
		for ; len(text) > width; text = text[width:] {
			out.WriteString(text[:width] + "\n")
		}
		fmt.Fprintf(out, "%s\n-----END %s-----\n", text, b.kind.label)
	}
	fmt.Fprintf(out, "</%s>\n", b.name)
}

// write prints the configuration for OpenVPN. The blocks come last, so that a truncated text is not valid.
func (c configuration) write(deviceOption string) string {
	out := strings.Builder{}
	for _, line := range []string{"client", deviceOption, "dev-type tun", "persist-tun", "nobind", "remote-cert-tls server"} {
		out.WriteString(line + "\n")
	}
	// First, because what precedes a block `<connection>` holds for it too.
	c.proxy.write(&out)
	for _, each := range c.directives {
		if each.remote != nil {
			out.WriteString(each.remote.String() + "\n")
		} else {
			out.WriteString(each.text + "\n")
		}
	}
	for _, each := range c.blocks {
		each.write(&out)
	}
	return out.String()
}

func readConfiguration(lines *lineReader) (configuration, error) {
	list := readAllowList()
	read := configuration{defaultPort: 1194, defaultProtocol: "udp"}
	seen := map[string]bool{}
	remotes := 0
	for {
		line, err := lines.next()
		if err != nil {
			return configuration{}, err
		}
		if line == "#END" {
			break
		}
		if line == "local-network block" {
			read.blocksLocal = true
			continue
		}
		if line == "<connection>" {
			next, err := readConnection(lines, list)
			if err != nil {
				return configuration{}, err
			}
			if remotes++; remotes > maxRemotes {
				return configuration{}, refused("connection")
			}
			read.directives = append(read.directives, directive{remote: &next})
			continue
		}
		if strings.HasPrefix(line, "<") {
			name := strings.TrimSuffix(line[1:], ">")
			if line == "<"+proxyBlock+">" && read.proxy != nil && read.proxy.login == nil {
				if read.proxy.login, err = readLogin(lines); err != nil {
					return configuration{}, err
				}
				continue
			}
			kind, known := blockKinds[name]
			if !known || seen[name] || line != "<"+name+">" {
				return configuration{}, refused(line)
			}
			seen[name] = true
			next, err := readBlock(lines, name, kind)
			if err != nil {
				return configuration{}, err
			}
			read.blocks = append(read.blocks, next)
			continue
		}
		if strings.HasPrefix(line, proxyDirective+" ") && read.proxy == nil {
			if read.proxy, err = parseProxy(line[len(proxyDirective)+1:]); err != nil {
				return configuration{}, refused(line)
			}
			continue
		}
		name, arguments, err := list.parse(line)
		if err != nil {
			return configuration{}, err
		}
		next := directive{text: line}
		switch name {
		case "remote":
			parsed, err := parseRemote(arguments)
			if remotes++; err != nil || remotes > maxRemotes {
				return configuration{}, refused(line)
			}
			next = directive{remote: &parsed}
		case "port", "rport":
			if read.defaultPort, err = parsePort(arguments); err != nil {
				return configuration{}, refused(line)
			}
		case "proto":
			read.defaultProtocol = arguments
		}
		if !forced[name] {
			read.directives = append(read.directives, next)
		}
	}
	if remotes == 0 {
		return configuration{}, refused("remote")
	}
	return read, nil
}

// parse splits a line into the name of a directive and its arguments, which it checks.
func (l *allowList) parse(line string) (name, arguments string, err error) {
	name, arguments, found := strings.Cut(line, " ")
	if len(line) > maxDirective || found && arguments == "" || !l.allows(name, arguments) {
		return "", "", refused(line)
	}
	return name, arguments, nil
}

// readConnection reads a block `<connection>` behind its first line: a remote, and its own options.
func readConnection(lines *lineReader, list *allowList) (remote, error) {
	read := remote{}
	for {
		line, err := lines.next()
		if err != nil {
			return remote{}, err
		}
		if line == "</connection>" && read.isBlock {
			return read, nil
		}
		name, arguments, err := list.parse(line)
		if err != nil || !inConnection[name] || (name == "remote") == read.isBlock {
			return remote{}, refused(line)
		}
		if name != "remote" {
			read.options += line + "\n"
		} else if read, err = parseRemote(arguments); err != nil {
			return remote{}, refused(line)
		}
		read.isBlock = true
	}
}

func readBlock(lines *lineReader, name string, kind blockKind) (block, error) {
	read := block{name: name, kind: kind}
	begin, end, close := "-----BEGIN "+kind.label+"-----", "-----END "+kind.label+"-----", "</"+name+">"
	for {
		line, err := lines.next()
		if err != nil {
			return block{}, err
		}
		if line == close && len(read.texts) > 0 {
			return read, nil
		}
		if line != begin || len(read.texts) > 0 && !kind.several {
			return block{}, refused(name)
		}
		text := strings.Builder{}
		for {
			line, err := lines.next()
			if err != nil {
				return block{}, err
			}
			if line == end {
				break
			}
			// Refuse anything but base64 and hexadecimal before reading more.
			if len(line) > 64 || !consistsOf(line, "+/=") {
				return block{}, refused(name)
			}
			text.WriteString(line)
		}
		bytes, err := kind.decode(text.String())
		if err != nil {
			return block{}, refused(name)
		}
		read.texts = append(read.texts, bytes)
	}
}

func (k blockKind) decode(text string) ([]byte, error) {
	if k.hexadecimal {
		bytes, err := hex.DecodeString(text)
		if err == nil && len(bytes) != staticKeyBytes {
			err = errors.New("not a static key")
		}
		return bytes, err
	}
	bytes, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil && len(bytes) == 0 {
		err = errors.New("an empty text")
	}
	return bytes, err
}

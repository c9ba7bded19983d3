//go:build !windows

package helper

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const (
	testKey  = "QCGBDqCDmGpmGAmoXNuN4w4N1TTmsMTOvHWQ0OeRRFk="
	testPeer = "ZG91YmxlY2hlY2tlZC4uLi4uLi4uLi4uLi4uLi4uLi4="
)

const harmlessWireGuard = "private-key " + testKey + "\npeer " + testPeer + "\naddress 10.88.0.2/24\n" +
	"endpoint 192.0.2.1 51820\nallowed 10.99.0.0/16\n"

func readWireGuard(text string) (*wireGuardRequest, error) {
	return readWireGuardRequest(newLineReader(strings.NewReader(text)))
}

func TestReadWireGuardRequest(t *testing.T) {
	read, err := readWireGuard("keepalive 7\nmtu 1400\naddress fd88::2/64\n" + harmlessWireGuard +
		"allowed 10.99.3.4/16\nallowed ::/0\n#END\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.99.0.0/16"), netip.MustParsePrefix("::/0")}
	if !reflect.DeepEqual(read.allowed, want) || read.keepalive != 7 || read.mtu != 1400 || !read.isFull() {
		t.Errorf("%+v", read)
	}
	if read, err = readWireGuard(harmlessWireGuard + "#END\n"); err != nil || read.keepalive != 25 || read.isFull() {
		t.Errorf("%+v, %v", read, err)
	}
	read, err = readWireGuard(strings.Replace(harmlessWireGuard, "192.0.2.1", "127.0.0.1", 1) +
		"listen-port 4000\nproxy proxy.example.org 443 61234\n#END\n")
	if err != nil || read.server().host.name != "proxy.example.org" || read.listenPort != 4000 || read.server().from != 61234 {
		t.Errorf("%+v, %v", read, err)
	}
}

func TestAddressesInTurn(t *testing.T) {
	for _, each := range []struct{ found, prefer, want string }{
		{"2001:db8::1 2001:db8::2 192.0.2.1 192.0.2.2", "", "2001:db8::1 192.0.2.1 2001:db8::2 192.0.2.2"},
		{"192.0.2.1 192.0.2.2 192.0.2.3 2001:db8::1", "", "192.0.2.1 2001:db8::1 192.0.2.2 192.0.2.3"},
		{"2001:db8::1 2001:db8::2 192.0.2.1", "192.0.2.1", "192.0.2.1 2001:db8::1 2001:db8::2"},
		{"2001:db8::1 192.0.2.1", "192.0.2.9", "2001:db8::1 192.0.2.1"},
	} {
		addresses := []netip.Addr{}
		for _, word := range strings.Fields(each.found) {
			addresses = append(addresses, netip.MustParseAddr(word))
		}
		prefer, _ := netip.ParseAddr(each.prefer)
		if got := strings.Trim(fmt.Sprint(inTurn(addresses, prefer)), "[]"); got != each.want {
			t.Errorf("%s: got %s, want %s", each.found, got, each.want)
		}
	}
}

// refusedWireGuardTexts returns requests with the errors for them. The fuzzer starts from them as well.
func refusedWireGuardTexts() map[string]string {
	without := func(line string) string {
		return regexp.MustCompile(`(?m)^`+line+` .*\n`).ReplaceAllString(harmlessWireGuard, "") + "#END\n"
	}
	and := func(line string) string { return harmlessWireGuard + line + "\n#END\n" }
	instead := func(line string) string {
		name, _, _ := strings.Cut(line, " ")
		return without(name)[:len(without(name))-len("#END\n")] + line + "\n#END\n"
	}
	zeros := strings.Repeat("A", 43) + "="
	return map[string]string{
		harmlessWireGuard:            "failed incomplete",
		without("private-key"):       "refused private-key",
		without("address"):           "refused address",
		without("peer"):              "refused peer",
		without("endpoint"):          "refused endpoint",
		without("allowed"):           "refused allowed",
		and(testKey):                 "refused unknown",
		and("PostUp touch /x"):       "refused unknown",
		and("#END x"):                "refused unknown",
		and(""):                      "refused unknown",
		and("peer " + testPeer):      "refused peer",
		and("keepalive 65536"):       "refused keepalive",
		and("keepalive +7"):          "refused keepalive",
		and("keepalive"):             "refused keepalive",
		and("mtu 575"):               "refused mtu",
		and("mtu 1501"):              "refused mtu",
		and("listen-port 4000"):      "refused listen-port",
		and("proxy a.example 1 any"): "refused listen-port",
		and("listen-port 4000\nproxy a.example 443"):                                      "refused proxy",
		and("listen-port 4000\nproxy 127.0.0.1 443 any"):                                  "refused proxy",
		and("listen-port 4000\nproxy a.example 443 0"):                                    "refused proxy",
		and("listen-port 4000\nproxy a.example 443 61234"):                                "refused endpoint",
		and("address 10.88.1.2/24"):                                                       "refused address",
		and("address fd88::2/64\nmtu 1279"):                                               "refused mtu",
		instead("private-key " + zeros):                                                   "refused private-key",
		instead("private-key " + testKey[:43] + "\t"):                                     "refused unprintable",
		instead("private-key " + testKey[:42] + "l="):                                     "refused private-key",
		instead("private-key " + testKey + testKey):                                       "refused private-key",
		instead("private-key  " + testKey):                                                "refused private-key",
		and("shared-key " + zeros):                                                        "refused shared-key",
		and("shared-key " + testKey + "\nshared-key " + testKey):                          "refused shared-key",
		instead("peer " + testPeer[:40]):                                                  "refused peer",
		instead("address 10.88.0.2"):                                                      "refused address",
		instead("address 127.0.0.1/8"):                                                    "refused address",
		instead("address 224.0.0.1/4"):                                                    "refused address",
		instead("address ::/0"):                                                           "refused address",
		instead("address ::ffff:10.88.0.2/120"):                                           "refused address",
		instead("address fe80::1%eth0/64"):                                                "refused address",
		instead("endpoint 192.0.2.1"):                                                     "refused endpoint",
		instead("endpoint 192.0.2.1 0"):                                                   "refused endpoint",
		instead("endpoint 192.0.2.1 1 udp"):                                               "refused endpoint",
		instead("endpoint 127.0.0.1 51820"):                                               "refused endpoint",
		instead("endpoint ::1 51820"):                                                     "refused endpoint",
		instead("endpoint ::ffff:127.0.0.1 51820"):                                        "refused endpoint",
		instead("endpoint 224.0.0.1 51820"):                                               "refused endpoint",
		instead("endpoint 255.255.255.255 51820"):                                         "refused endpoint",
		instead("endpoint 0.0.0.0 51820"):                                                 "refused endpoint",
		instead("endpoint a;id 51820"):                                                    "refused endpoint",
		strings.Replace(harmlessWireGuard, "address ", "address 64.0.0.9/7\naddress ", 1): "refused address",
		strings.Replace(harmlessWireGuard, "address ", "address fd88::2/31\naddress ", 1): "refused address",
		instead("allowed 127.0.0.0/8"):                                                    "refused allowed",
		instead("allowed 127.1.2.3/32"):                                                   "refused allowed",
		instead("allowed ::1/128"):                                                        "refused allowed",
		instead("allowed 239.0.0.0/8"):                                                    "refused allowed",
		instead("allowed ff02::/16"):                                                      "refused allowed",
		instead("allowed 10.0.0.0/33"):                                                    "refused allowed",
		instead("allowed ::ffff:0.0.0.0/96"):                                              "refused allowed",
		instead(strings.Repeat("allowed ::/0\n", 5001)):                                   "refused allowed",
		instead("allowed ::/0\n" + strings.Repeat("x", maxBytes)):                         "failed too-large",
	}
}

func TestReadWireGuardRequestRefuses(t *testing.T) {
	for text, want := range refusedWireGuardTexts() {
		if _, err := readWireGuard(text); err == nil || err.Error() != want {
			t.Errorf("%.120q: got %v, want %s", text[len(text)-min(len(text), 120):], err, want)
		}
	}
	// The longest prefixes fit within the limit of a request.
	many := strings.Builder{}
	for index := 0; index < maxAllowed; index++ {
		fmt.Fprintf(&many, "allowed 2001:db8:aaaa:bbbb:cccc:dddd:eeee:%04x/128\n", index)
	}
	if read, err := readWireGuard(strings.Replace(harmlessWireGuard, "allowed 10.99.0.0/16\n", many.String(), 1) + "#END\n"); err != nil || len(read.allowed) != maxAllowed {
		t.Error(err)
	}
}

// What the app writes for a text is accepted as it is (main/tunnel/wireguard/texts.test.ts).
func TestReadWireGuardRequestOfEachText(t *testing.T) {
	names, err := filepath.Glob("../main/tunnel/wireguard/texts/*.expected")
	if err != nil || len(names) < 40 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		request, _, isAccepted := strings.Cut(string(text), "\n\n")
		if strings.HasPrefix(request, "refused ") || !isAccepted {
			continue
		}
		if _, err := readWireGuard(request + "\nprivate-key " + testKey + "\n#END\n"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The memory of the reader is the helper's only copy of the line with the key.
func TestReadWireGuardRequestForgetsTheKey(t *testing.T) {
	lines := newLineReader(io.MultiReader(strings.NewReader(harmlessWireGuard+"#END\nst"), strings.NewReader("ate\n")))
	read, err := readWireGuardRequest(lines)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(lines.from.memory, []byte(testKey[:12])) {
		t.Error("the key is still there")
	}
	if next, err := lines.next(); err != nil || next != "state" {
		t.Error(next, err)
	}
	if *read.privateKey == (wireGuardKey{}) {
		t.Error("the key was overwritten too early")
	}
	read, err = readWireGuard("shared-key " + testKey + "\n" + harmlessWireGuard + "#END\n")
	if err != nil || *read.sharedKey != *read.privateKey {
		t.Fatal(err)
	}
	if read.forgetKeys(); *read.privateKey != (wireGuardKey{}) || *read.sharedKey != (wireGuardKey{}) {
		t.Error("a key is still there")
	}
}

func FuzzReadWireGuardRequest(f *testing.F) {
	f.Add(harmlessWireGuard + "#END\n")
	f.Add(strings.Replace(harmlessWireGuard, "192.0.2.1", "127.0.0.1", 1) + "listen-port 1\nproxy a.example 443\nmtu 1280\nkeepalive 0\n#END\n")
	for text := range refusedWireGuardTexts() {
		// The two that are too long are slow to change.
		if len(text) < 1000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := readWireGuard(text)
		if err != nil {
			// Only names of lines, so no value is ever passed on.
			if !regexp.MustCompile(`\A(failed (incomplete|too-large)|refused [a-z-]{3,11})\z`).MatchString(err.Error()) {
				t.Fatalf("%q", err)
			}
			return
		}
		for _, each := range append(read.allowed, read.addresses...) {
			if again, err := netip.ParsePrefix(each.String()); err != nil || again != each || isNeverRouted(each) {
				t.Fatal(each)
			}
		}
		if read.proxy == nil && read.endpoint.host.address.IsValid() && !mayBeServer(read.endpoint.host.address) {
			t.Fatal(read.endpoint)
		}
	})
}

func TestPlanRoutes(t *testing.T) {
	server := func(address string) []remote { return []remote{{host: host{address: netip.MustParseAddr(address)}}} }
	for _, each := range []struct {
		allowed, server, want string
	}{
		{"10.99.0.0/16 fd99::/64", "192.0.2.1", "main [10.99.0.0/16 fd99::/64] table [] 128 false []"},
		// Nothing of a tunnel that takes most traffic is in the main table, where others' routes come first.
		{"0.0.0.0/0", "192.0.2.1", "main [] table [0.0.0.0/0] 128 true [4 6]"},
		{"0.0.0.0/0 ::/0 10.0.0.0/8", "192.0.2.1", "main [] table [0.0.0.0/0 ::/0 10.0.0.0/8] 128 true [4 6]"},
		{"0.0.0.0/1 128.0.0.0/1", "192.0.2.1", "main [] table [0.0.0.0/1 128.0.0.0/1] 128 true [4 6]"},
		{"0.0.0.0/1 10.0.0.0/8", "192.0.2.1", "main [] table [0.0.0.0/1 10.0.0.0/8] 128 false [4]"},
		{"10.0.0.0/8 192.0.2.0/24 192.0.0.0/16", "192.0.2.1", "main [10.0.0.0/8] table [192.0.2.0/24 192.0.0.0/16] 16 false [4]"},
		{"2001:db8::/32", "2001:db8::1", "main [] table [2001:db8::/32] 32 false [6]"},
	} {
		asked := &wireGuardRequest{}
		for _, prefix := range strings.Fields(each.allowed) {
			asked.allowed = append(asked.allowed, netip.MustParsePrefix(prefix))
		}
		plan := planRoutes(asked, server(each.server))
		got := fmt.Sprint("main ", plan.main, " table ", plan.table, " ", plan.suppress, " ", plan.full, " ", plan.families())
		if got != each.want {
			t.Errorf("%s: got %s, want %s", each.allowed, got, each.want)
		}
	}
}

func TestJournalOfWireGuard(t *testing.T) {
	rules := []policyRule{
		{family: 4, priority: 32765, table: 0x3000, notMark: 0x3000, suppress: -1},
		{family: 4, priority: 32381, table: 254, mark: 0x3000, suppress: -1},
		{family: 4, priority: 32381, table: 254, dhcp: true, suppress: -1},
		{
			family: 4, priority: 32381, table: 254, suppress: -1,
			from: netip.MustParseAddr("10.0.0.2"), gateway: netip.MustParseAddr("10.0.0.1"),
		},
		{family: 6, priority: 32763, table: 254, suppress: -1, to: netip.MustParseAddrPort("[2001:db8::1]:443"), fromPort: 61234, user: 1000},
	}
	written, err := createJournal(t.TempDir(), "cw1t")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"number", "device", "program 7 99", "firewall", "table 12288", "apps 4096", "apps 254", "apps 12288", "rule " + rules[0].String(), "rule " + rules[1].String(),
		"rule " + rules[2].String(), "rule " + rules[3].String(), "rule " + rules[4].String(),
		"table 254", "rule 4 1 2", "rule 4 x 254 0 0 0 0 0 -", "dns resolvectl",
	} {
		if err := written.write("%s", line); err != nil {
			t.Fatal(err)
		}
	}
	got, err := written.read()
	want := record{
		program: 7, startedAt: "99", dnsWays: []string{"resolvectl"},
		wireGuard: wireGuardRecord{device: true, rules: rules, table: 0x3000, number: true, firewall: true, apps: 0x1000},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Code of others would run with root's rights.
func TestHelperImportsTheStandardLibraryAlone(t *testing.T) {
	if text, err := os.ReadFile("go.mod"); err != nil || strings.Contains(string(text), "require") {
		t.Error(string(text), err)
	}
	for _, system := range []string{"linux", "darwin"} {
		command := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
		command.Env = append(os.Environ(), "GOOS="+system)
		if output, err := command.Output(); err != nil || strings.TrimSpace(string(output)) != "causeway-helper" {
			t.Errorf("%s: %s, %v", system, output, err)
		}
	}
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

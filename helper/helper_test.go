//go:build !windows

package helper

import (
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

func read(text string) (configuration, error) {
	lines := newLineReader(strings.NewReader(text))
	if _, err := readHeader(lines); err != nil {
		return configuration{}, err
	}
	return readConfiguration(lines)
}

const harmless = "kill-switch off\ndns off\nclient\nremote 192.0.2.1 1194 udp\n"

func TestReadRequestRoundTrip(t *testing.T) {
	asked, err := read(harmless + "dev tun7\nport 443\nremote VPN.example.org\nremote ::ffff:192.0.2.9 1\nping 10\n" +
		"<ca>\n-----BEGIN CERTIFICATE-----\nAAAA\nAAAA\n-----END CERTIFICATE-----\n</ca>\n#END\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "client\ndev cw1t\ndev-type tun\npersist-tun\nnobind\nremote-cert-tls server\n" +
		"remote 192.0.2.1 1194 udp\nport 443\nremote VPN.example.org\nremote 192.0.2.9 1\nping 10\n" +
		"<ca>\n-----BEGIN CERTIFICATE-----\nAAAAAAAA\n-----END CERTIFICATE-----\n</ca>\n"
	if got := asked.write("dev cw1t"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestReadRequestKeepsConnectionsAndQuotes(t *testing.T) {
	lines := "verify-x509-name \"C=DE, CN=K\u00f6ln \\\"1\\\"\" subject\n" +
		"<connection>\nremote a.example 443 tcp\n</connection>\n" +
		"<connection>\nremote 192.0.2.2 1194 udp\nfragment 1300\nmssfix\n</connection>\n"
	asked, err := read("kill-switch off\ndns off\n" + lines + "#END\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := asked.write("dev cw1t"); !strings.HasSuffix(got, "server\n"+lines) {
		t.Errorf("got:\n%s", got)
	}
	if each := asked.directives[2].remote; each == nil || each.port != 1194 {
		t.Errorf("got %v", each)
	}
}

func TestReadRequestWithProxy(t *testing.T) {
	for given, want := range map[string]string{
		"http-proxy 192.0.2.7 3128\n": "http-proxy 192.0.2.7 3128\n",
		"http-proxy proxy.example.org 3128 auto\n<http-proxy-user-pass>\nuser\npass <word>\n</http-proxy-user-pass>\n": "http-proxy proxy.example.org 3128 auto\n" +
			"<http-proxy-user-pass>\nuser\npass <word>\n</http-proxy-user-pass>\n",
	} {
		asked, err := read(harmless + given + "#END\n")
		if err != nil {
			t.Fatalf("%q: %v", given, err)
		}
		if got := asked.write("dev cw1t"); !strings.Contains(got, "server\n"+want+"remote ") {
			t.Errorf("got:\n%s\nwant before the servers:\n%s", got, want)
		}
	}
}

func TestReadRequestRefusesProxies(t *testing.T) {
	const proxy = harmless + "http-proxy proxy.example.org 3128 auto\n<http-proxy-user-pass>\n"
	for text, want := range map[string]string{
		harmless + "http-proxy proxy.example.org\n#END\n":                             "refused http-proxy",
		harmless + "http-proxy proxy.example.org 0\n#END\n":                           "refused http-proxy",
		harmless + "http-proxy 1.2.3 80\n#END\n":                                      "refused http-proxy",
		harmless + "http-proxy proxy.example.org 80 /etc/shadow\n#END\n":              "refused http-proxy",
		harmless + "http-proxy proxy.example.org 80 auto ntlm\n#END\n":                "refused http-proxy",
		harmless + "http-proxy proxy.example.org 80\nhttp-proxy b.example 80\n#END\n": "refused http-proxy",
		harmless + "<http-proxy-user-pass>\na\nb\n</http-proxy-user-pass>\n#END\n":    "refused <http-proxy-user-pass>",
		proxy + "</http-proxy-user-pass>\nup /x\n</http-proxy-user-pass>\n#END\n":     "refused http-proxy-user-pass",
		proxy + "user\n </http-proxy-user-pass>\n</http-proxy-user-pass>\n#END\n":     "refused http-proxy-user-pass",
		proxy + "user\n</http-proxy-user-pass>\n#END\n":                               "refused http-proxy-user-pass",
		proxy + "user\nsecret\nup /x\n</http-proxy-user-pass>\n#END\n":                "refused http-proxy-user-pass",
		proxy + "user\n" + strings.Repeat("x", 128) + "\n</http-proxy-user-pass>\n":   "refused http-proxy-user-pass",
		proxy + "user\n\n</http-proxy-user-pass>\n":                                   "refused http-proxy-user-pass",
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%.120q: got %v, want %s", text, err, want)
		}
	}
}

func TestReadRequestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		harmless + "<connection>\n</connection>\n#END\n":                              "refused </connection>",
		harmless + "<connection>\nmssfix\nremote a 1 udp\n</connection>\n#END\n":      "refused mssfix",
		harmless + "<connection>\nremote a 1 udp\nup /x\n</connection>\n#END\n":       "refused up",
		harmless + "<connection>\nremote a 1 udp\nping 1\n</connection>\n#END\n":      "refused ping",
		harmless + "<connection>\nremote a 1 udp\nremote b\n</connection>\n#END\n":    "refused remote",
		harmless + "<connection>\nremote a:b\n</connection>\n#END\n":                  "refused remote",
		harmless + "<connection>\nremote a 1 udp\n<ca>\n</ca>\n</connection>\n#END\n": "refused <ca>",
		harmless + "<connection>\nremote a 1 udp\n":                                   "failed incomplete",
		harmless + "verify-x509-name \"a\"\n#END\n":                                   "refused verify-x509-name",
		harmless + "verify-x509-name \"a b\n#END\n":                                   "refused verify-x509-name",
		harmless + "verify-x509-name \"a b\" \"c d\"\n#END\n":                         "refused verify-x509-name",
		harmless + "verify-x509-name \"a $(b)\"\n#END\n":                              "refused verify-x509-name",
		harmless + "verify-x509-name \"a\u0085b\"\n#END\n":                            "refused unprintable",
		harmless + "verify-x509-name \"a b\xff\"\n#END\n":                             "refused unprintable",
		harmless + "setenv LD_PRELOAD /x\n#END\n":                                     "refused setenv",
		harmless + "comp-lzo yes\n#END\n":                                             "refused comp-lzo",
		harmless + "compress lz4\n#END\n":                                             "refused compress",
		"":                                                                            "failed incomplete",
		"kill-switch maybe\n":                                                         "failed header",
		"kill-switch on\ndns\n":                                                       "failed header",
		harmless:                                                                      "failed incomplete",
		harmless + "ping 1":                                                           "failed incomplete",
		"kill-switch off\ndns off\n#END\n":                                            "refused remote",
		harmless + "plugin /x\n#END\n":                                                "refused plugin",
		harmless + "ping  1\n#END\n":                                                  "refused ping",
		harmless + " ping 1\n#END\n":                                                  "refused empty",
		harmless + "ping 1 \n#END\n":                                                  "refused ping",
		harmless + "\n#END\n":                                                         "refused empty",
		harmless + "ping\t1\n#END\n":                                                  "refused unprintable",
		harmless + "remote a 0\n#END\n":                                               "refused remote",
		harmless + "remote a 65536\n#END\n":                                           "refused remote",
		harmless + "remote a 1194;include\"/etc/shadow\";#\n#END\n":                   "refused remote",
		harmless + "remote 1.2.3\n#END\n":                                             "refused remote",
		harmless + "remote a:b\n#END\n":                                               "refused remote",
		harmless + "remote fe80::1%eth0\n#END\n":                                      "refused remote",
		harmless + "<up>\n</up>\n#END\n":                                              "refused <up>",
		harmless + "<ca>\n</ca>\n#END\n":                                              "refused ca",
		harmless + "<ca>\n-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n</ca>\n#END\n":                  "refused ca",
		harmless + "<ca>\n-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n</ca>\n#END\n":             "refused ca",
		harmless + "<tls-auth>\n-----BEGIN OpenVPN Static key V1-----\nab\n-----END OpenVPN Static key V1-----\n": "refused tls-auth",
		harmless + strings.Repeat("ping 1\n", maxLines):                                                           "failed too-large",
		harmless + strings.Repeat("x", maxBytes):                                                                  "failed too-large",
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%.80q: got %v, want %s", text, err, want)
		}
	}
}

func TestAllowListIsReadWhole(t *testing.T) {
	list := readAllowList()
	file := struct {
		Keep, KeepOnLinux, KeepOnWindows, Rewrite, Interpret map[string]string
		Inline, Connection, Drop                             []string
	}{}
	decoder := json.NewDecoder(strings.NewReader(allowedDirectives))
	// An unknown kind of directive must not be overlooked.
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, section := range []map[string]string{file.Keep, file.KeepOnLinux, file.Rewrite} {
		for name, expression := range section {
			want[name] = expression
		}
	}
	if !reflect.DeepEqual(list.expressions, want) {
		t.Errorf("got %q, want %q", list.expressions, want)
	}
	for name, expression := range list.expressions {
		if _, err := regexp.Compile(expression); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	names := map[string]bool{}
	for _, name := range file.Inline {
		names[name] = true
	}
	for name := range blockKinds {
		if !names[name] {
			t.Errorf("%s is not on the list", name)
		}
		delete(names, name)
	}
	if len(names) > 0 {
		t.Errorf("not known here: %v", names)
	}
	written := map[string]bool{"remote": true}
	for _, name := range file.Connection {
		_, keeps := file.Keep[name]
		_, keepsHere := file.KeepOnLinux[name]
		if keeps || keepsHere {
			written[name] = true
		}
	}
	if !reflect.DeepEqual(inConnection, written) {
		t.Errorf("got %v in a connection, want %v", inConnection, written)
	}
	for name := range forced {
		if _, known := file.Rewrite[name]; !known {
			t.Errorf("%s is not on the list", name)
		}
	}
}

func TestAllowsOnlyWholeArguments(t *testing.T) {
	list := readAllowList()
	for _, each := range []struct {
		name, arguments string
		want            bool
	}{
		{"ping", "10", true},
		{"ping", "10 x", false},
		{"ping", "10;x", false},
		{"ping", "10\n", false},
		{"ping", "10\nup /x", false},
		{"ping", "x 10", false},
		{"ping", "x\n10", false},
		{"ping", "", false},
		// An alternative is anchored like the others.
		{"topology", "subnet", true},
		{"topology", "subnets", false},
		{"topology", "xp2p", false},
		{"client", "", true},
		{"client", "x", false},
		{"remote-cert-tls", "server", true},
		{"remote-cert-tls", "client server", false},
		{"Ping", "10", false},
		{"", "", false},
		{"up", "/x", false},
	} {
		// Twice, because a compiled expression is kept.
		for range [2]int{} {
			if got := list.allows(each.name, each.arguments); got != each.want {
				t.Errorf("%q %q: %t", each.name, each.arguments, got)
			}
		}
	}
}

func TestAllowsWhatTheWholeExpressionMatches(t *testing.T) {
	list := readAllowList()
	texts := []string{
		"", "no", "10", "10 20", "1.2 or-highest", "AES-256-GCM:?AES-128-GCM", "a 443 tcp", "a 65536", "10.0.0.0 255.0.0.0 default 1",
		"def1 ipv6", "DNS 10.0.0.1", "server 0 address 10.0.0.1", "C=DE subject", `"a b" name`, "UV_A b", "server", "TCP_NODELAY",
	}
	for name, expression := range list.expressions {
		whole := regexp.MustCompile(`\A(?:` + strings.ReplaceAll(expression, "%text%", text) + `)\z`)
		for _, each := range texts {
			for _, arguments := range []string{each, each + " " + each, "; " + each, each + ";", each + "\n", "\n" + each} {
				if got, want := list.allows(name, arguments), whole.MatchString(arguments); got != want {
					t.Errorf("%q %q: got %t, want %t", name, arguments, got, want)
				}
			}
		}
	}
}

// Checks that any accepted input is written as lines that the parser accepts again with the same meaning.
func FuzzReadRequest(f *testing.F) {
	f.Add(harmless + "#END\n")
	f.Add(harmless + "<ca>\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n</ca>\nping 10\n#END\n")
	f.Add(harmless + "verify-x509-name a name\n<connection>\nup /x\n</connection>\n#END\n")
	f.Add(harmless + "<connection>\nremote a 443 tcp\nmssfix 1300\n</connection>\n#END\n")
	f.Add(harmless + "verify-x509-name \"C=DE, CN=K\u00f6ln \\\"1\\\"\" subject\nsetenv UV_A b\n#END\n")
	f.Add(harmless + "remote a 1194;include\"/etc/shadow\";#\n#END\n")
	f.Fuzz(func(t *testing.T, text string) {
		asked, err := read(text)
		if err != nil {
			if !regexp.MustCompile(`\A(refused|failed) [!-~]{1,40}\z`).MatchString(err.Error()) {
				t.Fatalf("%q", err)
			}
			return
		}
		written := asked.write("dev tun")
		if !regexp.MustCompile(`\A[^\x00-\x09\x0b-\x1f\x7f]*\z`).MatchString(written) {
			t.Fatalf("%q", written)
		}
		again, err := read("kill-switch off\ndns off\n" + written + "#END\n")
		if err != nil || again.write("dev tun") != written {
			t.Fatalf("%v\n%s", err, written)
		}
	})
}

func FuzzParseNameServers(f *testing.F) {
	f.Add("192.0.2.53,2001:db8::53 .,corp.example")
	f.Add("192.0.2.53 -x")
	f.Fuzz(func(t *testing.T, text string) {
		wanted, err := parseNameServers(text)
		if err != nil {
			return
		}
		for _, each := range wanted.servers {
			if !each.IsValid() || each.Zone() != "" {
				t.Fatal(each)
			}
		}
		for _, each := range wanted.domains {
			if strings.HasPrefix(string(each), "-") || strings.ContainsAny(string(each), " /\n\"~") {
				t.Fatal(each)
			}
		}
	})
}

func TestParseNameServers(t *testing.T) {
	wanted, err := parseNameServers("192.0.2.53,2001:db8::53 .,corp.example")
	servers := []netip.Addr{netip.MustParseAddr("192.0.2.53"), netip.MustParseAddr("2001:db8::53")}
	if err != nil || !reflect.DeepEqual(wanted, nameServers{servers: servers, domains: []domainName{"corp.example"}, every: true}) {
		t.Error(wanted, err)
	}
	for _, text := range []string{
		"", ",", "192.0.2.53,", "192.0.2.53 ", "192.0.2.53 -x", "192.0.2.53 a b", "192.0.2.53 a/b", "fe80::1%eth0",
		"127.0.0.53", "::1", "::ffff:127.0.0.1", "192.0.2.53,127.0.0.1", "169.254.0.53", "fe80::53", "0.0.0.0", "0.0.0.53", "::", "224.0.0.251",
		"ff02::fb", "255.255.255.255",
		"192.0.2.53 ~a", "-h", strings.Repeat("192.0.2.53,", 16) + "192.0.2.53",
	} {
		if wanted, err := parseNameServers(text); err == nil {
			t.Errorf("%q: %v", text, wanted)
		}
	}
}

func TestReadCaller(t *testing.T) {
	for _, each := range []struct {
		pkexec, sudo string
		want         caller
	}{{"", "", caller{}}, {"1000", "", caller{1000, true}}, {"", "1000", caller{1000, false}}, {"0", "", caller{0, true}}} {
		if got, err := readCaller(each.pkexec, each.sudo); err != nil || got != each.want {
			t.Error(each, got, err)
		}
	}
	for _, each := range [][2]string{{"1000", "1000"}, {"-1", ""}, {"4294967295", ""}, {"01", ""}, {"1 ", ""}, {"", "x"}} {
		if got, err := readCaller(each[0], each[1]); err == nil {
			t.Error(each, got)
		}
	}
}

func TestReleaseAllRequiresAdministrator(t *testing.T) {
	if err := releaseAll(caller{uid: 1000, isSeated: true}); err == nil || err.Error() != "failed not-administrator" {
		t.Error(err)
	}
}

func mustRoute(t *testing.T, prefix, gateway, metric string) route {
	t.Helper()
	parsed, err := parseRoute(prefix, gateway, metric)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// A server may push `route 0.0.0.0 0.0.0.0 net_gateway`, which names the computer's own default route.
func TestLeftoverExcludesRoutesOfOthers(t *testing.T) {
	server := mustRoute(t, "198.51.100.7/32", "192.0.2.1", "0")
	had := mustRoute(t, "203.0.113.0/24", "192.0.2.1", "0")
	read := record{
		had: []route{mustRoute(t, "0.0.0.0/0", "192.0.2.1", "100"), had},
		added: []route{
			mustRoute(t, "0.0.0.0/0", "192.0.2.1", "0"), server, had, mustRoute(t, "10.9.0.0/16", "192.0.2.1", "0"),
		},
	}
	now := []route{
		mustRoute(t, "0.0.0.0/0", "192.0.2.1", "0"), mustRoute(t, "0.0.0.0/0", "192.0.2.1", "20100"), server, had,
		// Added by another program in the meantime.
		mustRoute(t, "10.9.0.0/16", "192.0.2.1", "50"),
	}
	if left := leftover(read, now); !reflect.DeepEqual(left, []route{now[0], server}) {
		t.Error(left)
	}
	// The only default route stays, whoever added it.
	if left := leftover(read, []route{now[0], server}); !reflect.DeepEqual(left, []route{server}) {
		t.Error(left)
	}
}

func TestJournalSkipsUnknownLines(t *testing.T) {
	folder := t.TempDir()
	written, err := createJournal(folder, "cw1t")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"had 0.0.0.0/0 192.0.2.1 100", "program 7 99", "dns resolvectl", "added 192.0.2.9/32 192.0.2.1 0", "added x y z", "program 8 ",
		"dns resolvectl", "existed 192.0.2.8/32 192.0.2.1 0"} {
		if err := written.write("%s", line); err != nil {
			t.Fatal(err)
		}
	}
	got, err := written.read()
	want := record{
		program: 7, startedAt: "99", dnsWays: []string{"resolvectl"},
		had:   []route{mustRoute(t, "0.0.0.0/0", "192.0.2.1", "100"), mustRoute(t, "192.0.2.8/32", "192.0.2.1", "0")},
		added: []route{mustRoute(t, "192.0.2.9/32", "192.0.2.1", "0")},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Error(got, err)
	}
	if _, err := createJournal(folder, "cw1t"); err == nil {
		t.Error("a journal was made twice")
	}
	if err := written.remove(); err != nil {
		t.Error(err)
	}
	if files, _ := os.ReadDir(folder); len(files) > 0 {
		t.Error(files)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(folder, "cw2t")); err != nil {
		t.Fatal(err)
	}
	if _, err := createJournal(folder, "cw2t"); err == nil {
		t.Error("a link was followed")
	}
}

func TestRunToolHidesErrorOutput(t *testing.T) {
	output, err := runTool(tool{program: "/bin/sh", arguments: []string{"-c", "echo out; echo secret >&2; exit 3"}})
	if err == nil || output != "" || strings.Contains(err.Error(), "secret") {
		t.Error(output, err)
	}
	output, err = runTool(tool{program: "/usr/bin/env"})
	if err != nil || output != "" {
		t.Errorf("it has an environment: %q, %v", output, err)
	}
}

// A program that runs as the user may print any amount, even if it exits normally.
func TestRunToolRefusesTooMuchOutput(t *testing.T) {
	for _, script := range []string{
		"trap '' PIPE; head -c 2000000 /dev/zero 2>&-; exit 0",
		"trap '' PIPE; while :; do printf '%01000d' 0; done 2>&-",
	} {
		output, err := runTool(tool{program: "/bin/sh", arguments: []string{"-c", script}, timeout: time.Minute})
		if err == nil || output != "" {
			t.Errorf("%s: %d bytes, %v", script, len(output), err)
		}
	}
}

// announcement returns the line of OpenVPN's log for a route past the tunnel.
func announcement(index int) string {
	if runtime.GOOS == "darwin" || stateFolder != "/run/causeway" {
		return fmt.Sprintf("/sbin/route add -net 10.%d.%d.0 192.0.2.1 255.255.255.0\n", index/256, index%256)
	}
	return fmt.Sprintf("net_route_v4_add: 10.%d.%d.0/24 via 192.0.2.1 dev [NULL] table 0 metric -1\n", index/256, index%256)
}

// A server may push any number of routes, or the file system of the journal may be full. If the log were no longer read
// then, OpenVPN would stall, and the routes that it had announced would stay for ever.
func TestRelayKillsOpenVPNAndRecordsWhatItAnnounced(t *testing.T) {
	full := func(written *journal) {
		// What follows a part of a line has to be understood all the same.
		if _, err := written.file.WriteString("added 10.9."); err != nil {
			t.Fatal(err)
		}
		written.file.Close()
		written.file, _ = os.Open(written.path)
	}
	for name, each := range map[string]struct {
		prepare   func(*journal)
		announced int
	}{
		"too many routes": {func(*journal) {}, maxRoutes + 1000},
		"a full journal":  {full, 1000},
	} {
		written, err := createJournal(t.TempDir(), "cw1t")
		if err != nil {
			t.Fatal(err)
		}
		each.prepare(written)
		log := strings.Builder{}
		for index := 0; index < each.announced; index++ {
			log.WriteString(announcement(index))
		}
		announced := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(announced, []byte(log.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		logs, logsIn, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		command := exec.Command("/bin/sh", "-c", `cat "$0"; exec cat`, announced)
		waiting, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		command.Stdout = logsIn
		filter, err := newLogFilter()
		if err != nil {
			t.Fatal(err)
		}
		running, err := launch(command, nil)
		if err != nil {
			t.Fatal(err)
		}
		logsIn.Close()
		logOutput = io.Discard
		(&openVPN{journal: written, process: running, filter: filter}).relay(logs)
		logOutput = os.Stdout
		waiting.Close()
		if !running.endsWithin(time.Minute) || !running.status.Signaled() {
			t.Error(name, "did not kill OpenVPN")
		}
		read, err := written.read()
		if err != nil || len(read.added) == 0 || len(read.added) > each.announced {
			t.Error(name, len(read.added), err)
		}
		for index, added := range read.added {
			if added.prefix.String() != fmt.Sprintf("10.%d.%d.0/24", index/256, index%256) {
				t.Fatal(name, index, added)
			}
		}
		if rest, _ := io.ReadAll(logs); len(rest) > 0 {
			t.Error(name, len(rest), "bytes are unread")
		}
	}
}

func TestLockWithinGivesUp(t *testing.T) {
	path := t.TempDir()
	holder, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := lockWithin(holder, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := lockWithin(other, time.Millisecond); err == nil {
		t.Error("two have the lock")
	}
}

func TestNoteDNSRecordsEachProgramOnce(t *testing.T) {
	written, err := createJournal(t.TempDir(), "cw1t")
	if err != nil {
		t.Fatal(err)
	}
	asked := &tunnel{journal: written, notedDNS: map[string]bool{}}
	for _, program := range []string{"resolvectl", "resolvconf", "resolvectl"} {
		if err := asked.noteDNS(program); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(written.path); string(text) != "dns resolvectl\ndns resolvconf\n" {
		t.Error(string(text), err)
	}
}

func TestHelp(t *testing.T) {
	if status, err := command([]string{"--help"}); status != 0 || err != nil {
		t.Fatal(status, err)
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenVPNContactsOnlyWhatTheKillSwitchPermits(t *testing.T) {
	named := func(address string) *remote {
		return &remote{host: host{address: netip.MustParseAddr(address)}, port: 1194, protocol: "udp"}
	}
	asked := func() *openVPN {
		return &openVPN{configuration: configuration{
			directives: []directive{{remote: named("192.0.2.1")}, {text: "verb 3"}, {remote: named("192.0.2.2")}},
		}}
	}
	texts := func(o *openVPN) (all []string) {
		for _, each := range o.configuration.directives {
			if each.remote != nil {
				all = append(all, each.remote.host.String())
			} else {
				all = append(all, each.text)
			}
		}
		return all
	}
	run := &tunnel{header: header{killSwitch: true}}
	o := asked()
	remotes, err := o.resolve(run)
	do(t, err)
	expect(t, len(remotes), 2)
	expect(t, texts(o), []string{"verb 3", "192.0.2.1", "192.0.2.2"})
	// With a proxy, that alone.
	o = asked()
	o.configuration.proxy = &proxy{host: host{address: netip.MustParseAddr("192.0.2.8")}, port: 8080}
	remotes, err = o.resolve(run)
	do(t, err)
	expect(t, remotes[0].host, "192.0.2.8")
	expect(t, len(remotes), 1)
	expect(t, texts(o), []string{"192.0.2.1", "verb 3", "192.0.2.2"})
	remotes, err = asked().resolve(&tunnel{})
	do(t, err)
	expect(t, len(remotes), 0)
}

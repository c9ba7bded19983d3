//go:build !windows

package helper

import (
	"context"
	"encoding/json"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

// decide does what OpenVPN does with a pushed option: it skips leading spaces, and the first filter that it begins with
// decides.
func decide(t *testing.T, option string) string {
	t.Helper()
	options := ownOptions()
	for index, each := range options {
		if each == "--pull-filter" && strings.HasPrefix(strings.TrimLeft(option, " \t"), options[index+2]) {
			return options[index+1]
		}
	}
	return "accept"
}

func TestPushedOptions(t *testing.T) {
	for option, want := range map[string]string{
		"push-continuation 2":             "accept",
		"route 10.0.0.0 255.0.0.0":        "accept",
		"  route 10.0.0.0 255.0.0.0":      "accept",
		"redirect-gateway":                "accept",
		"redirect-gateway def1":           "accept",
		"ifconfig 10.0.0.2 255.255.255.0": "accept",
		"dhcp-option DNS 10.0.0.53":       "accept",
		"cipher AES-256-GCM":              "accept",
		"protocol-flags cc-exit tls-ekm":  "accept",
		"tun-mtu 1400":                    "accept",
		"auth-token SESS_ID_AT_x":         "accept",
		"explicit-exit-notify":            "accept",
		"compress stub-v2":                "accept",
		"compress":                        "accept",
		"comp-lzo no":                     "accept",
		"compress lz4-v2":                 "reject",
		"compress  stub":                  "reject",
		"compress \"lz4\"":                "reject",
		"comp-lzo":                        "reject",
		"comp-lzo adaptive":               "reject",
		"verb 0":                          "ignore",
		"mute 1":                          "ignore",
		"errors-to-stderr":                "ignore",
		"ifconfig-noexec":                 "ignore",
		"bind-dev eth0":                   "ignore",
		"setenv-safe A b":                 "ignore",
		"echo x":                          "ignore",
		"no-such-option":                  "ignore",
		"dns-updown force":                "ignore",
		"":                                "ignore",
	} {
		if got := decide(t, option); got != want {
			t.Errorf("%q: got %s, want %s", option, got, want)
		}
	}
	for _, name := range []string{"verb", "mute", "route", "redirect-gateway", "errors-to-stderr"} {
		for _, quoted := range []string{`"` + name + `"`, "'" + name + "'", `\` + name, "\t\"" + name + `"`, `  '` + name + `'`} {
			if got := decide(t, quoted+" 0"); got != "ignore" {
				t.Errorf("%q: got %s", quoted, got)
			}
		}
	}
	for _, option := range []string{"verb\t0", "route\t10.0.0.0"} {
		if got := decide(t, option); got != "ignore" {
			t.Errorf("%q: got %s", option, got)
		}
	}
}

func TestOwnOptionsDisableScripts(t *testing.T) {
	options := ownOptions()
	all := strings.Join(options, " ")
	for _, want := range []string{"--script-security 1", "--ignore-unknown-option dns-updown --dns-updown disable", "--verb 3"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing in %s", want, all)
		}
	}
	if last := options[len(options)-3:]; strings.Join(last, "|") != "--pull-filter|ignore|" {
		t.Error(last)
	}
}

func TestPushedOptionsAreReadLikeJSON(t *testing.T) {
	filters := [][3]string{}
	if err := json.Unmarshal([]byte(pushedOptions), &filters); err != nil {
		t.Fatal(err)
	}
	want := []string{}
	for _, each := range filters {
		want = append(want, "--pull-filter", each[0], each[1])
	}
	options := ownOptions()
	if got := options[len(options)-len(want):]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// OpenVPN waits for its configuration while the helper prepares. If the helper is killed meanwhile, there is none.
func TestOpenVPNEndsWithoutConfiguration(t *testing.T) {
	program, err := systemProgram("openvpn")
	if err != nil {
		t.Skip("no OpenVPN")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	output, err := exec.CommandContext(ctx, program, openVPNOptions("cw1t", firstNumber)...).Output()
	if err == nil || ctx.Err() != nil || !strings.Contains(string(output), "Options error") {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestLogFilterRemovesKeyMaterial(t *testing.T) {
	filter, err := newLogFilter()
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"Master Encrypt (cipher, AES-256-GCM): 01234567 89abcdef 01234567 89abcdef 0123":          "Master Encrypt (cipher, AES-256-GCM): [removed]",
		"PUSH: Received control message: 'PUSH_REPLY,auth-token abc,peer-id 0'\n":                 "PUSH: Received control message: 'PUSH_REPLY,auth-token [removed],peer-id 0'\n",
		"PUSH: Received control message: 'PUSH_REPLY,peer-id 0,\"auth-token\" a'b c'\n":           "PUSH: Received control message: 'PUSH_REPLY,peer-id 0,\"auth-token [removed]'\n",
		"Pushed option removed by filter: 'echo password x'\n":                                    "Pushed option removed by filter: 'echo [removed]\n",
		"Pushed option removed by filter: '\"auth-token\" x'":                                     "Pushed option removed by filter: ' [removed]",
		"Pushed option rejected by filter: 'compress lz4'. Restarting.\n":                         "Pushed option rejected by filter: 'compress [removed]\n",
		strings.Repeat("A", 64) + "\n":                                                            "[removed]\n",
		"Options error: Unrecognized option in stdin:9: " + strings.Repeat("A", 64) + " (2.6.14)": "Options error: Unrecognized option in stdin:9: [removed] (2.6.14)",
		"key: " + strings.Repeat("0a", 32):                                                        "key: [removed]",
	} {
		if got := filter.clean(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{
		"TLS: Initial packet from [AF_INET]192.0.2.1:1194, sid=01234567 89abcdef\n",
		"VERIFY OK: depth=0, CN=vpn.example.org\n",
		"PUSH: Received control message: 'PUSH_REPLY,route 10.0.0.0 255.0.0.0,ifconfig-ipv6 2001:db8::1000/64 2001:db8::1'\n",
		announcement(7),
	} {
		if got := filter.clean(line); got != line {
			t.Errorf("%q: got %q", line, got)
		}
	}
}

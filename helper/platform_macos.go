//go:build darwin || macos_rehearsal

// On macOS there are no capabilities, so OpenVPN runs as root. With the build tag macos_rehearsal this runs on Linux, for
// tests with stand-ins for the programs of macOS.
package helper

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	stateFolder      = "/var/run/causeway"
	descriptorFolder = "/dev/fd"
)

func ownProgram() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

// openVPNEnvironment holds only the loader's folders for what is missing elsewhere. Its own list has /usr/local/lib, which
// belongs to a user on many computers.
var openVPNEnvironment = []string{
	"DYLD_FALLBACK_LIBRARY_PATH=/usr/lib",
	"DYLD_FALLBACK_FRAMEWORK_PATH=/System/Library/Frameworks",
}

// findOpenVPN returns an OpenVPN that only root may change, with all libraries that it loads. A Homebrew installation
// belongs to a user, and any program of that user could become root through it.
func findOpenVPN() (string, error) {
	found := "no-openvpn"
	for _, path := range []string{
		"/opt/local/sbin/openvpn", "/opt/local/sbin/openvpn2", "/usr/local/sbin/openvpn", "/opt/homebrew/sbin/openvpn",
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if isRoots(path) && requireRootsProgram(path) == nil {
			return path, nil
		}
		found = "openvpn-of-others"
	}
	return "", failed(found)
}

// isRoots reports whether only root may change a file and every folder above it, and none of them is a link.
func isRoots(path string) bool {
	for ; ; path = filepath.Dir(path) {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&os.ModeSymlink != 0 || !belongsToRoot(info) {
			return false
		}
		if path == "/" {
			return true
		}
	}
}

// deviceDirective only asks for a tunnel; platformOptions names the device.
func deviceDirective(device) string { return "dev tun" }

const (
	firstInterface = 1000
	// interfaceCount keeps the numbers within the 16 bits that the kernel stores.
	interfaceCount = 30_000
)

// interfaceOf returns the network interface of a tunnel, which the rules of the kill switch have to name before OpenVPN
// creates it. The system gives other programs the lowest free number, so this one stays free, also after a crash that
// leaves the rules in place. OpenVPN refuses to start if the interface exists.
func interfaceOf(name device) string { return fmt.Sprintf("utun%d", interfaceNumber(name)) }

func interfaceNumber(name device) int {
	id, _ := strconv.Atoi(strings.Trim(string(name), "cwt"))
	return firstInterface + id%interfaceCount
}

// platformOptions names the interface, and distinguishes this OpenVPN from others in a list of processes.
func platformOptions(name device, _ uint32) []string {
	return []string{"--dev-node", interfaceOf(name), "--setenv", "causeway", string(name)}
}

var killSwitchOptions = []string{}

func hasDevice(device) bool { return true }

func unblockSignals() error { return nil }

func endWithHelper(*syscall.SysProcAttr, syscall.Signal) {}

// helpersWith returns the helper of a journal, as far as its name shows: nothing tells who else has a file open, or holds its lock.
func helpersWith(path string) map[int]bool {
	name, err := parseDevice(filepath.Base(path))
	program, missing := systemProgram("ps")
	if err != nil || missing != nil {
		return nil
	}
	id, err := strconv.Atoi(strings.Trim(string(name), "cwt"))
	if err != nil || id <= 1 {
		return nil
	}
	output, err := runTool(tool{program: program, arguments: []string{"-o", "comm=", "-p", strconv.Itoa(id)}})
	if err != nil || !strings.HasSuffix(strings.TrimSpace(output), "causeway-helper") {
		return nil
	}
	return map[int]bool{id: true}
}

func processStart(id int) string {
	program, err := systemProgram("ps")
	if err != nil {
		return ""
	}
	output, err := runTool(tool{program: program, arguments: []string{"-o", "stat=,lstart=", "-p", strconv.Itoa(id)}})
	fields := strings.Fields(output)
	if err != nil || len(fields) < 2 || strings.HasPrefix(fields[0], "Z") {
		return ""
	}
	return strings.Join(fields[1:], "_")
}

// --- Name servers ------------------------------------------------------------------------------------------------

func dnsWays() []string { return []string{"scutil"} }

func whyNot(string) error { return nil }

func expectedWay() (by string, separates bool) { return "scutil", true }

func guardDNS(string, func(bool)) (stop func(), err error) { return func() {}, nil }

// watchDNS says when another program has removed or replaced the servers, and when they are there again.
func watchDNS(by string, wanted nameServers, say func(bool)) (stop func()) {
	isThere := true
	return repeatedly(func() {
		program, err := systemProgram(by)
		if err != nil {
			return
		}
		output, err := runTool(tool{program: program, input: "show " + dnsKey(ownDevice()) + "\n"})
		if is := strings.Contains(output, wanted.servers[0].String()); err == nil && is != isThere {
			isThere = is
			say(is)
		}
	})
}

func repairDNS() error { return nil }

func dnsKey(name device) string {
	return fmt.Sprintf("State:/Network/Service/org.causeway.%s/DNS", name)
}

func applyDNS(until context.Context, name device, by string, wanted nameServers) (separates bool, err error) {
	program, err := systemProgram(by)
	if err != nil {
		return false, err
	}
	if _, err := runTool(tool{program: program, input: scutilCommands(name, wanted), until: until}); err != nil {
		return false, err
	}
	// scutil always exits with status 0, so query the result.
	output, err := runTool(tool{program: program, input: "show " + dnsKey(name) + "\n"})
	if err == nil && !strings.Contains(output, wanted.servers[0].String()) {
		err = at("scutil", errNobodyAsks)
	}
	return true, err
}

func scutilCommands(name device, wanted nameServers) string {
	out := strings.Builder{}
	out.WriteString("d.init\nd.add ServerAddresses *")
	for _, each := range wanted.servers {
		fmt.Fprintf(&out, " %s", each)
	}
	domains := ""
	for _, each := range wanted.domains {
		domains += " " + string(each)
	}
	answers := domains
	if wanted.every {
		answers = ` ""`
	}
	fmt.Fprintf(&out, "\nd.add SupplementalMatchDomains *%s\n", answers)
	if domains != "" {
		fmt.Fprintf(&out, "d.add SearchDomains *%s\n", domains)
	}
	fmt.Fprintf(&out, "set %s\n", dnsKey(name))
	return out.String()
}

func revertDNS(name device, by string) error {
	if program, err := systemProgram(by); err == nil {
		// The key may not exist.
		_, _ = runTool(tool{program: program, input: "remove " + dnsKey(name) + "\n"})
	}
	return nil
}

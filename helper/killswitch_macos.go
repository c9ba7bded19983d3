//go:build darwin || macos_rehearsal

package helper

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pf evaluates the anchors below com.apple, which Apple's /etc/pf.conf names. Those of other programs there are left
// alone.
const (
	systemAnchor = "com.apple/*"
	tokenFile    = "pf-token"
)

func anchorOf(uid uint32) string {
	return "com.apple/org.causeway." + strconv.FormatUint(uint64(uid), 10)
}

// lookAgain is the time between two looks at what the system tells nobody of.
const lookAgain = 10 * time.Second

// liftedLooks is how often the kill switch has to be found lifted, with these pauses in between: whoever reloads pf's rules takes them,
// or pf itself, away for a moment.
const (
	liftedLooks = 3
	liftedPause = 2 * time.Second
)

// tellsOfDeletions is false because pf tells nobody of changes.
const tellsOfDeletions = false

// watchFirewall calls back again and again instead.
func watchFirewall(look func()) (stop func()) { return repeatedly(look) }

// repeatedly calls `look` until the returned function is called.
func repeatedly(look func()) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(lookAgain)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				look()
			}
		}
	}()
	return func() { close(done) }
}

// killSwitchHolds reports whether pf applies the user's rules: somebody may have deleted them, or what evaluates them, or
// disabled pf.
func killSwitchHolds(uid uint32) (bool, error) {
	pfctl, err := systemProgram("pfctl")
	if err != nil {
		return false, err
	}
	main, err := runTool(tool{program: pfctl, arguments: []string{"-s", "rules"}})
	if err != nil {
		return false, err
	}
	status, err := runTool(tool{program: pfctl, arguments: []string{"-s", "info"}})
	if err != nil {
		return false, err
	}
	rules, err := rulesOf(pfctl, uid)
	if err != nil && !strings.HasPrefix(wordFor(err), "exit-") {
		// One without rules may be an error of pfctl, but not this one.
		return false, err
	}
	return evaluatesAnchors(main) && saysEnabled(status) && areLoaded(rules, uid, len(rules)), nil
}

func findFirewall() (string, error) {
	pfctl, err := systemProgram("pfctl")
	if err != nil {
		return "", failed("no-pf")
	}
	return pfctl, nil
}

// blockTraffic replaces the user's rules in one transaction, and makes sure that pf applies them.
func blockTraffic(pfctl string, uid uint32, name device, remotes []remote, _ *apps) error {
	main, err := runTool(tool{program: pfctl, arguments: []string{"-s", "rules"}})
	if err != nil {
		return failedBy("pf", "list-rules", err)
	}
	if !evaluatesAnchors(main) {
		return failed("pf-anchor")
	}
	was, err := killSwitchIsUp(uid)
	if err != nil {
		return failedBy("pf", "list-rules", err)
	}
	wasEnabled := isEnabled(pfctl)
	if err := loadRules(pfctl, uid, killSwitchRules(uid, interfaceOf(name), remotes), was && wasEnabled); err != nil {
		if !was {
			// Nothing is connected that an incomplete kill switch would protect.
			reportProblem("delete-rules", allowTraffic(pfctl, uid))
		}
		return failedBy("pf", "add-rules", err)
	}
	return nil
}

// loadRules replaces the user's rules; wasUp is true if pf applied some before.
func loadRules(pfctl string, uid uint32, rules []string, wasUp bool) error {
	// The optimizer would merge rules, and those loaded could not be counted.
	arguments := []string{"-a", anchorOf(uid), "-o", "none", "-f", "-"}
	input := strings.Join(rules, "\n") + "\n"
	if _, err := runTool(tool{program: pfctl, arguments: arguments, input: input}); err != nil {
		return err
	}
	if err := holdFirewall(pfctl, uid); err != nil {
		return err
	}
	loaded, err := rulesOf(pfctl, uid)
	if err != nil || !areLoaded(loaded, uid, len(rules)) {
		return at("add-rules", cause("not-loaded"))
	}
	if !isEnabled(pfctl) {
		return at("hold-firewall", causeNotInUse)
	}
	if wasUp {
		return nil
	}
	// A packet of a connection for which an earlier rule kept state passes without any rule. No rule of the kill switch
	// keeps state, so none comes about while it is up.
	_, err = runTool(tool{program: pfctl, arguments: []string{"-F", "states"}})
	return err
}

func isEnabled(pfctl string) bool {
	status, err := runTool(tool{program: pfctl, arguments: []string{"-s", "info"}})
	return err == nil && saysEnabled(status)
}

func saysEnabled(status string) bool { return strings.HasPrefix(status, "Status: Enabled") }

// evaluatesAnchors reports whether pf's main rules, as pfctl lists them, contain Apple's anchors, unconditionally. Another
// firewall may have replaced them.
func evaluatesAnchors(listed string) bool {
	for _, line := range strings.Split(listed, "\n") {
		if strings.TrimSpace(line) == `anchor "`+systemAnchor+`" all` {
			return true
		}
	}
	return false
}

// killSwitchRules returns rules for TCP and UDP, because pf knows no owner of other packets: each marks what may pass,
// and the last ones block the rest of the user's, and of the program for WireGuard, which may only contact its server. The others are not quick, so that rules of an administrator after them can still
// block the packet: whoever asks for a kill switch chooses the servers. None keeps state, which would let packets pass
// on other interfaces too.
func killSwitchRules(uid uint32, tunnel string, remotes []remote) []string {
	rules := []string{}
	add := func(user uint32, format string, values ...any) {
		rules = append(rules, fmt.Sprintf("pass out %s user %d tag causeway no state", fmt.Sprintf(format, values...), user))
	}
	for _, protocol := range []string{"tcp", "udp"} {
		add(uid, "on lo0 proto %s all", protocol)
		add(uid, "on %s proto %s all", tunnel, protocol)
	}
	senders := []uint32{}
	for _, each := range remotes {
		from := "any"
		if each.from != 0 {
			from = fmt.Sprintf("any port = %d", each.from)
		}
		// Without such a user, it is for OpenVPN, which is root's.
		if each.mark != 0 || uid == 0 {
			add(each.mark, "%s proto %s from %s to %s port = %d",
				familyOf(each.host.address), each.protocol[:3], from, each.host.address, each.port)
		}
		if each.mark != 0 && each.mark != uid && !includes(senders, []uint32{each.mark}) {
			senders = append(senders, each.mark)
		}
	}
	if uid == 0 {
		// Only for root, as who the programs that configure interfaces run. Any program may use low ports.
		add(uid, "inet proto udp from any port = 68 to any port = 67")
		add(uid, "inet6 proto udp from any port = 546 to any port = 547")
	}
	for _, each := range append(senders, uid) {
		for _, protocol := range []string{"tcp", "udp"} {
			rules = append(rules, fmt.Sprintf("block drop out quick proto %s all user %d ! tagged causeway", protocol, each))
		}
	}
	return rules
}

func familyOf(address netip.Addr) string {
	if address.Is6() {
		return "inet6"
	}
	return "inet"
}

func rulesOf(pfctl string, uid uint32) ([]string, error) {
	output, err := runTool(tool{program: pfctl, arguments: []string{"-a", anchorOf(uid), "-s", "rules"}})
	if err != nil {
		return nil, err
	}
	rules := []string{}
	for _, line := range strings.Split(output, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			rules = append(rules, line)
		}
	}
	return rules, nil
}

// areLoaded checks rules as pfctl lists them: their number, and that the last two block the user's traffic.
func areLoaded(listed []string, uid uint32, count int) bool {
	if len(listed) != count || count < 2 {
		return false
	}
	for index, protocol := range []string{"tcp", "udp"} {
		line := listed[count-2+index] + " "
		if !strings.HasPrefix(line, "block drop out quick proto "+protocol+" ") ||
			!strings.Contains(line, fmt.Sprintf(" user = %d ", uid)) {
			return false
		}
	}
	return true
}

// holdFirewall takes a reference to pf, which keeps it enabled, and then gives the previous one back, so that there is
// always one. If this process is killed before it has written the new one down, pf only stays enabled.
func holdFirewall(pfctl string, uid uint32) error {
	before, _ := os.ReadFile(folderOf(uid) + "/" + tokenFile)
	output, err := runTool(tool{program: pfctl, arguments: []string{"-E"}, errorOutput: true})
	if err != nil {
		return err
	}
	token, err := parseToken(output)
	if err != nil {
		return err
	}
	if err := os.WriteFile(folderOf(uid)+"/"+tokenFile, []byte(token), 0o600); err != nil {
		return err
	}
	letGo(pfctl, string(before))
	return nil
}

// parseToken reads the reference in the output of `pfctl -E`, in the line `Token : 1234`.
func parseToken(output string) (string, error) {
	for _, line := range strings.Split(output, "\n") {
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == "Token" && words[1] == ":" {
			number, err := strconv.ParseUint(words[2], 10, 64)
			return strconv.FormatUint(number, 10), err
		}
	}
	return "", at("hold-firewall", cause("not-understood"))
}

// letGo gives a reference back. It may be gone already, if somebody has disabled pf.
func letGo(pfctl, token string) {
	if number, err := strconv.ParseUint(token, 10, 64); err == nil {
		_, _ = runTool(tool{program: pfctl, arguments: []string{"-X", strconv.FormatUint(number, 10)}})
	}
}

// killSwitchIsUp reports whether the user's anchor has rules. One without rules may be an error of pfctl.
func killSwitchIsUp(uid uint32) (bool, error) {
	pfctl, err := systemProgram("pfctl")
	if err != nil {
		return false, nil
	}
	rules, err := rulesOf(pfctl, uid)
	return err == nil && len(rules) > 0, nil
}

func allowTraffic(pfctl string, uid uint32) error {
	if _, err := runTool(tool{program: pfctl, arguments: []string{"-a", anchorOf(uid), "-F", "rules"}}); err != nil {
		return err
	}
	// An anchor without rules does not exist any more, which may be an error.
	if rules, err := rulesOf(pfctl, uid); err == nil && len(rules) > 0 {
		return at("delete-rules", causeLeft)
	}
	path := folderOf(uid) + "/" + tokenFile
	token, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	// First, because the system may use the number of a reference again.
	if err := os.Remove(path); err != nil {
		return err
	}
	letGo(pfctl, string(token))
	return nil
}

// lookUp returns the addresses of a name, or why there are none.
func lookUp(t *tunnel, name domainName, limit time.Duration) ([]netip.Addr, error) {
	program, err := systemProgram("dscacheutil")
	if err != nil {
		return nil, err
	}
	output, err := runTool(tool{
		program: program, arguments: []string{"-q", "host", "-a", "name", string(name)},
		user: &syscall.Credential{Uid: t.caller.uid, Gid: t.group}, timeout: limit, until: t.wanted,
	})
	if err != nil {
		return nil, err
	}
	return someOf(listedAddresses(output))
}

// listedAddresses reads the output of dscacheutil. The addresses of IPv4 come first, because dscacheutil does not order
// them by what the network can reach.
func listedAddresses(output string) []netip.Addr {
	found := []netip.Addr{}
	for _, label := range []string{"ip_address:", "ipv6_address:"} {
		found = append(found, parseAddresses(output, func(words []string) string {
			if len(words) != 2 || words[0] != label {
				return ""
			}
			return words[1]
		})...)
	}
	return found
}

//go:build !windows

package helper

import (
	"errors"
	"net/netip"
	"os"
	"strings"
	"time"
)

const (
	// killSwitchMark names a file in the user's folder with the devices that the kill switch may permit. Everybody may
	// read it: to the user's programs, which may not ask the firewall, it says that the kill switch is up.
	killSwitchMark = "kill-switch"
	// maxPermitted limits that file, which grows with each start that is killed before its rules are up.
	maxPermitted = 64
)

// lockTimeout exceeds the time that the programs of the firewall may take. A test shortens it.
var lockTimeout = 3 * toolTimeout

// lockKillSwitch keeps a user's rules and mark consistent until the returned folder is closed.
func lockKillSwitch(uid uint32) (*os.File, error) { return lockShared(folderOf(uid)) }

// raiseKillSwitch blocks the user's traffic except through the tunnel, to the servers, and what a network needs to come
// up; docs/helper.md lists what it does not cover. It stores the addresses of the servers with these names, which only
// `resolve` looks up. An existing kill switch is replaced without a gap. Nothing lowers it until the caller closes the
// returned file, which may be nil.
func raiseKillSwitch(t *tunnel, resolve func() ([]remote, error)) (*os.File, error) {
	uid, name := t.caller.uid, t.device
	firewall, err := findFirewall()
	if err != nil {
		return nil, err
	}
	// Before new ones are written, so that only one set exists however many requests there are.
	if err := forgetNames(uid, t.vpn.names()...); err != nil {
		return nil, err
	}
	remotes, err := resolve()
	if err != nil {
		return nil, err
	}
	held, err := lockKillSwitch(uid)
	if err != nil {
		return nil, failedBy("records", "lock-records", err)
	}
	// Until the new rules are up, the previous ones permit theirs.
	devices, err := permittedDevices(uid)
	if err == nil && len(devices) == maxPermitted {
		err = failedBy("records", "note-kill-switch", cause("too-many"))
	}
	if err != nil {
		return held, err
	}
	if err := notePermitted(uid, append(devices, name)); err != nil {
		return held, err
	}
	step("kill-switch-noted")
	if err := t.replaceRules(firewall, remotes); err != nil {
		if len(devices) == 0 {
			reportProblem("forget-kill-switch", forgetUnraised(uid))
		}
		return held, err
	}
	step("kill-switch-up")
	return held, notePermitted(uid, []device{name})
}

// replaceRules has the firewall block. Rules for apps are there before those for everything give way to them, and go after the
// opposite: nothing is let pass in between.
func (t *tunnel) replaceRules(firewall string, remotes []remote) error {
	if err := t.apps.prepareBlock(firewall); err != nil {
		return failedBy("kill-switch", "add-apps", err)
	}
	step("kill-switch-apps")
	if err := blockTraffic(firewall, t.caller.uid, t.device, remotes, t.apps); err != nil {
		return err
	}
	if err := t.apps.finishBlock(firewall, t.caller.uid); err != nil {
		return failedBy("kill-switch", "delete-apps", err)
	}
	return nil
}

// forgetUnraised removes the record of a kill switch that the firewall refused, of which programs would believe that it is up while
// the network is down. A firewall that can't say so may have rules of it.
func forgetUnraised(uid uint32) error {
	if up, err := killSwitchIsUp(uid); up || err != nil {
		return err
	}
	return forgetKillSwitch(uid)
}

// permitRemotes replaces the servers that a tunnel's kill switch permits, unless it was lifted meanwhile.
func permitRemotes(uid uint32, name device, remotes []remote, listed *apps) error {
	firewall, err := findFirewall()
	if err != nil {
		return err
	}
	held, err := lockKillSwitch(uid)
	if err != nil {
		return err
	}
	defer held.Close()
	devices, err := permittedDevices(uid)
	if err != nil || len(devices) != 1 || devices[0] != name {
		return err
	}
	return blockTraffic(firewall, uid, name, remotes, listed)
}

// permit has the kill switch, if it is up, let these servers pass instead of the ones before.
func (t *tunnel) permit(remotes []remote) bool {
	if !t.header.killSwitch {
		return true
	}
	err := permitRemotes(t.caller.uid, t.device, remotes, t.apps)
	reportProblem("permit", err)
	return err == nil
}

// wasRaised reports whether there may be a kill switch, without asking the firewall.
func wasRaised(uid uint32) bool {
	_, err := os.Lstat(folderOf(uid) + "/" + killSwitchMark)
	return err == nil
}

// permittedDevices returns the devices through which a user's kill switch may let traffic pass. It reads root's own
// record: the firewall takes longer to list rules the more connections that user has, and its time limit would let one
// user keep all others from connecting.
func permittedDevices(uid uint32) ([]device, error) {
	text, err := os.ReadFile(folderOf(uid) + "/" + killSwitchMark)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, failedBy("records", "read-kill-switch", err)
	}
	devices := []device{}
	for _, word := range strings.Fields(string(text)) {
		name, err := parseDevice(word)
		if err != nil {
			return nil, failedBy("records", "read-kill-switch", err)
		}
		devices = append(devices, name)
	}
	return devices, nil
}

// notePermitted replaces the record in one step, so that a reader never gets part of it.
func notePermitted(uid uint32, devices []device) error {
	text := ""
	for _, name := range devices {
		text += string(name) + "\n"
	}
	path := folderOf(uid) + "/" + killSwitchMark
	err := os.WriteFile(path+".new", []byte(text), 0o644)
	if err == nil {
		err = os.Chmod(path+".new", 0o644)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return failedBy("records", "note-kill-switch", err)
	}
	return nil
}

// requireOwnDevice refuses a device through which another user's kill switch lets traffic pass: one that is still up
// after its tunnel has ended, if the name of that tunnel's device is reused.
func requireOwnDevice(uid uint32, name device) error {
	others, err := otherUsers(uid)
	if err != nil {
		return err
	}
	for _, other := range others {
		devices, err := permittedDevices(other)
		if err != nil {
			return err
		}
		for _, permitted := range devices {
			if interfaceOf(permitted) == interfaceOf(name) {
				return failedBy("device", "choose-device", causeTaken)
			}
		}
	}
	return nil
}

// lowerKillSwitch returns whether a kill switch was up. It also deletes the stored server addresses. If the firewall
// cannot say what was up, it lifts everything and returns an error, never that there was nothing.
func lowerKillSwitch(uid uint32) (bool, error) {
	held, err := lockKillSwitch(uid)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, failedBy("records", "lock-records", err)
	}
	defer held.Close()
	was, unknown := killSwitchIsUp(uid)
	if was || unknown != nil || wasRaised(uid) {
		firewall, err := findFirewall()
		if err != nil {
			return false, err
		}
		if err := allowTraffic(firewall, uid); err != nil {
			return false, failedBy("kill-switch", "delete-rules", err)
		}
	}
	if unknown != nil {
		return false, failedBy("kill-switch", "find-rules", unknown)
	}
	return was, forgetKillSwitch(uid)
}

// reportIfLifted sends a message if something other than this tunnel has lifted its kill switch, and removes the mark that it is up.
func (t *tunnel) reportIfLifted() {
	t.reportIfStaysLifted(func() bool {
		select {
		case <-t.running.Done():
			return false
		case <-time.After(liftedPause):
			return true
		}
	})
}

// reportIfStaysLifted does so if the kill switch doesn't hold after any of the pauses either: a program that reloads the rules of the
// firewall takes them away for a moment. Commands go on meanwhile.
func (t *tunnel) reportIfStaysLifted(pause func() bool) {
	isRaised := false
	t.ifRunning(func() { isRaised = t.header.killSwitch })
	if !isRaised {
		return
	}
	for look := 1; look < liftedLooks; look++ {
		if holds, err := killSwitchHolds(t.caller.uid); holds || err != nil || !pause() {
			return
		}
	}
	isLifted, err := forgetIfLifted(t.caller.uid)
	if !isLifted {
		reportProblem("forget-kill-switch", err)
		return
	}
	t.ifRunning(func() {
		if !t.header.killSwitch {
			// A command has released it meanwhile.
			return
		}
		t.header.killSwitch = false
		sendMessage("kill-switch lifted")
		if err != nil {
			sendMessage("kill-switch failed")
			reportProblem("forget-kill-switch", err)
		}
	})
}

// forgetIfLifted removes the record of a kill switch that doesn't hold. Nobody raises one meanwhile: a tunnel that takes over would
// lose its own rules.
func forgetIfLifted(uid uint32) (isLifted bool, err error) {
	held, err := lockKillSwitch(uid)
	if err != nil {
		return false, at("lock-records", err)
	}
	defer held.Close()
	if holds, err := killSwitchHolds(uid); holds || err != nil {
		return false, nil
	}
	return true, forgetKillSwitch(uid)
}

// forgetKillSwitch removes the record of a kill switch that doesn't hold, the stored addresses of its servers, and what it has for apps,
// which would go on blocking them. The caller holds its lock.
func forgetKillSwitch(uid uint32) error {
	var none *apps
	if err := none.finishBlock("", uid); err != nil {
		return failedBy("kill-switch", "delete-apps", err)
	}
	if err := removeReplaced(folderOf(uid) + "/" + killSwitchMark); err != nil {
		return failedBy("records", "forget-kill-switch", err)
	}
	return forgetNames(uid)
}

// resolveRemotes returns the servers with addresses, ports and protocols, in the order of the configuration; with a proxy,
// the proxy alone, because only it is contacted.
func resolveRemotes(t *tunnel, asked configuration, mark uint32) ([]remote, error) {
	resolved, failure := []remote{}, error(nil)
	giveUpAt := time.Now().Add(2 * nameTimeout)
	if asked.proxy != nil {
		asked.directives = []directive{{remote: &remote{host: asked.proxy.host, port: asked.proxy.port, protocol: "tcp"}}}
	}
	for _, each := range asked.directives {
		if each.remote == nil {
			continue
		}
		one := *each.remote
		one.mark = mark
		if one.port == 0 {
			one.port = asked.defaultPort
		}
		if one.protocol == "" {
			one.protocol = asked.defaultProtocol
		}
		addresses, err := addressesOf(t, one.host, time.Until(giveUpAt))
		if err != nil {
			failure = err
		}
		for _, address := range addresses {
			if strings.Contains(one.protocol, "6") && address.Is4() || strings.Contains(one.protocol, "4") && address.Is6() {
				continue
			}
			one.host = host{address: address}
			resolved = append(resolved, one)
		}
	}
	if len(resolved) == 0 {
		return nil, failedBy("unresolved", "look-up", failure)
	}
	return resolved, nil
}

// nameTimeout is the time limit for one name; all names together may take twice as long.
const nameTimeout = 10 * time.Second

// addressesOf resolves a name like OpenVPN would, with the user's rights only. If there is no answer, perhaps because
// of an earlier kill switch, it returns the last one.
func addressesOf(t *tunnel, server host, timeLeft time.Duration) ([]netip.Addr, error) {
	if server.address.IsValid() {
		return []netip.Addr{server.address}, nil
	}
	path := folderOf(t.caller.uid) + "/name." + string(server.name)
	if timeLeft > nameTimeout {
		timeLeft = nameTimeout
	}
	failure := error(causeTimedOut)
	if timeLeft > 0 {
		found, err := lookUp(t, server.name, timeLeft)
		if failure = err; err == nil {
			text := strings.Builder{}
			for _, each := range found {
				text.WriteString(each.String() + "\n")
			}
			// Without the file, the next start resolves the name again.
			reportProblem("note-name", os.WriteFile(path, []byte(text.String()), 0o600))
			return found, nil
		}
	}
	last, err := os.ReadFile(path)
	if err != nil || t.wanted.Err() != nil {
		return nil, failure
	}
	return parseAddresses(string(last), func(words []string) string { return words[0] }), nil
}

// parseAddresses reads an address from each line that has one by `field`, which returns an empty text for others.
func parseAddresses(output string, field func(words []string) string) []netip.Addr {
	found := []netip.Addr{}
	for _, line := range strings.Split(output, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || len(found) == maxAddresses {
			continue
		}
		if address, err := parseAddress(field(words)); err == nil {
			found = append(found, address)
		}
	}
	return found
}

// forgetNames deletes the stored addresses of all servers except those with these names.
func forgetNames(uid uint32, but ...domainName) error {
	kept := map[string]bool{}
	for _, each := range but {
		kept["name."+string(each)] = true
	}
	files, err := os.ReadDir(folderOf(uid))
	if err != nil {
		return failedBy("records", "forget-names", err)
	}
	for _, each := range files {
		if strings.HasPrefix(each.Name(), "name.") && !kept[each.Name()] {
			if err := os.Remove(folderOf(uid) + "/" + each.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
				return failedBy("records", "forget-names", err)
			}
		}
	}
	return nil
}

package main

import (
	"errors"
	"net/netip"
	"os"
	"strings"
	"time"
)

const (
	killSwitchMark = "kill-switch"
	// lockTimeout exceeds the time that the programs of the firewall may take.
	lockTimeout = 3 * toolTimeout
)

// lockKillSwitch keeps a user's rules and mark consistent until the returned folder is closed.
func lockKillSwitch(uid uint32) (*os.File, error) {
	folder, err := os.Open(folderOf(uid))
	if err != nil {
		return nil, err
	}
	if err := lockWithin(folder, lockTimeout); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// raiseKillSwitch blocks the user's traffic except through the tunnel, to the servers of the configuration, and what a
// network needs to come up; docs/helper.md lists what it does not cover. It replaces the servers' names by addresses,
// so that OpenVPN contacts only what the rules permit. An existing kill switch is replaced without a gap. Nothing
// lowers it until the caller closes the returned file, which may be nil.
func raiseKillSwitch(uid, gid uint32, name device, asked *configuration) (*os.File, error) {
	firewall, err := findFirewall()
	if err != nil {
		return nil, err
	}
	// Before new ones are written, so that only one set exists however many requests there are.
	if err := forgetNames(uid, *asked); err != nil {
		return nil, err
	}
	remotes, err := resolveRemotes(uid, gid, *asked)
	if err != nil {
		return nil, err
	}
	held, err := lockKillSwitch(uid)
	if err != nil {
		return nil, failed("records")
	}
	if err := os.WriteFile(folderOf(uid)+"/"+killSwitchMark, nil, 0o600); err != nil {
		return held, failed("records")
	}
	step("kill-switch-noted")
	if err := blockTraffic(firewall, uid, name, remotes); err != nil {
		return held, err
	}
	step("kill-switch-up")
	resolved := []directive{}
	for index := range remotes {
		resolved = append(resolved, directive{remote: &remotes[index]})
	}
	for _, each := range asked.directives {
		if each.remote == nil {
			resolved = append(resolved, each)
		}
	}
	asked.directives = resolved
	return held, nil
}

// wasRaised tells whether there may be a kill switch, without starting a program.
func wasRaised(uid uint32) bool {
	_, err := os.Lstat(folderOf(uid) + "/" + killSwitchMark)
	return err == nil
}

// requireOwnDevice refuses a device through which another user's kill switch lets traffic pass: one that is still up
// after its tunnel has ended, if the name of that tunnel's device comes round again.
func requireOwnDevice(uid uint32, name device) error {
	folders, err := os.ReadDir(stateFolder)
	if err != nil {
		return failed("records")
	}
	for _, each := range folders {
		other, err := parseUID(each.Name())
		if err != nil || other == uid || !wasRaised(other) {
			continue
		}
		if permits, err := killSwitchPermits(other, name); err != nil || permits {
			return failed("device")
		}
	}
	return nil
}

// lowerKillSwitch returns whether a kill switch was up. It also deletes the stored server addresses.
func lowerKillSwitch(uid uint32) (bool, error) {
	held, err := lockKillSwitch(uid)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, failed("records")
	}
	defer held.Close()
	was := killSwitchIsUp(uid)
	firewall, err := findFirewall()
	if err != nil && wasRaised(uid) {
		return false, err
	} else if was || wasRaised(uid) {
		if err := allowTraffic(firewall, uid); err != nil {
			return false, failed("kill-switch")
		}
	}
	if err := os.Remove(folderOf(uid) + "/" + killSwitchMark); err != nil && !errors.Is(err, os.ErrNotExist) {
		return was, failed("records")
	}
	return was, forgetNames(uid, configuration{})
}

// resolveRemotes returns the servers with addresses, ports and protocols, in the order of the configuration.
func resolveRemotes(uid, gid uint32, asked configuration) ([]remote, error) {
	resolved := []remote{}
	giveUpAt := time.Now().Add(2 * nameTimeout)
	for _, each := range asked.directives {
		if each.remote == nil {
			continue
		}
		one := *each.remote
		if one.port == 0 {
			one.port = asked.defaultPort
		}
		if one.protocol == "" {
			one.protocol = asked.defaultProtocol
		}
		for _, address := range addressesOf(uid, gid, one.host, time.Until(giveUpAt)) {
			if strings.Contains(one.protocol, "6") && address.Is4() || strings.Contains(one.protocol, "4") && address.Is6() {
				continue
			}
			one.host = host{address: address}
			resolved = append(resolved, one)
		}
	}
	if len(resolved) == 0 {
		return nil, failed("unresolved")
	}
	return resolved, nil
}

// nameTimeout is the time limit for one name; all names together may take twice as long.
const nameTimeout = 10 * time.Second

// addressesOf resolves a name like OpenVPN would, with the user's rights only. If there is no answer, perhaps because
// of an earlier kill switch, it returns the last one.
func addressesOf(uid, gid uint32, server host, timeLeft time.Duration) []netip.Addr {
	if server.address.IsValid() {
		return []netip.Addr{server.address}
	}
	path := folderOf(uid) + "/name." + string(server.name)
	if timeLeft > nameTimeout {
		timeLeft = nameTimeout
	}
	if timeLeft > 0 {
		if found := lookUp(uid, gid, server.name, timeLeft); len(found) > 0 {
			text := strings.Builder{}
			for _, each := range found {
				text.WriteString(each.String() + "\n")
			}
			// Without the file, the next start resolves the name again.
			_ = os.WriteFile(path, []byte(text.String()), 0o600)
			return found
		}
	}
	last, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return parseAddresses(string(last), func(words []string) string { return words[0] })
}

const maxAddresses = 8

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

// forgetNames deletes the stored addresses of all servers except those in a configuration.
func forgetNames(uid uint32, but configuration) error {
	kept := map[string]bool{}
	for _, each := range but.directives {
		if each.remote != nil {
			kept["name."+string(each.remote.host.name)] = true
		}
	}
	files, err := os.ReadDir(folderOf(uid))
	if err != nil {
		return failed("records")
	}
	for _, each := range files {
		if strings.HasPrefix(each.Name(), "name.") && !kept[each.Name()] {
			if err := os.Remove(folderOf(uid) + "/" + each.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
				return failed("records")
			}
		}
	}
	return nil
}

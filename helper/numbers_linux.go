//go:build !macos_rehearsal

package helper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	// numbersFile names the file with the numbers of all tunnels: device, number, and the old value of the setting for
	// those that changed it.
	numbersFile = "numbers"
	maxNumbers  = maxTables
	// rulesPerNumber is the count of priorities that a tunnel's table may use.
	rulesPerNumber = 3
	markSetting    = "/proc/sys/net/ipv4/conf/all/src_valid_mark"
	noSetting      = "-"
)

// reservedNumber is the mark of a tunnel's own packets, and its routing table.
type reservedNumber struct {
	name   device
	number uint32
	// setting is the value that src_valid_mark had before the first tunnel changed it.
	setting string
}

// withNumbers reads the file, and writes what `change` returns, while no other helper does.
func withNumbers(change func([]reservedNumber) ([]reservedNumber, error)) error {
	folder, err := lockShared(stateFolder)
	if err != nil {
		return err
	}
	defer folder.Close()
	path := filepath.Join(stateFolder, numbersFile)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	numbers, err := change(parseNumbers(string(text)))
	if err != nil {
		return err
	}
	if len(numbers) == 0 {
		return removeReplaced(path)
	}
	out := strings.Builder{}
	for _, each := range numbers {
		fmt.Fprintf(&out, "%s %d %s\n", each.name, each.number, each.setting)
	}
	if err := os.WriteFile(path+".new", []byte(out.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func parseNumbers(text string) []reservedNumber {
	numbers := []reservedNumber{}
	for _, line := range strings.Split(text, "\n") {
		words := strings.Split(line, " ")
		if len(words) != 3 {
			continue
		}
		name, err := parseDevice(words[0])
		number, failure := strconv.ParseUint(words[1], 10, 32)
		if err == nil && failure == nil && (words[2] == noSetting || isNumber(words[2])) {
			numbers = append(numbers, reservedNumber{name, uint32(number), words[2]})
		}
	}
	return numbers
}

// reserveNumber chooses a number that no rule and no table of the computer uses, and returns it with the highest priority
// that its rules may have. Rules of a higher number come first, so it is higher than those of the tunnels that are there already: the
// newest one has the traffic. Nobody else reserves one meanwhile, nor before `begin` has returned, which may refuse it.
func reserveNumber(socket *netlinkSocket, name device, begin func() error) (number, priority uint32, err error) {
	err = withNumbers(func(numbers []reservedNumber) ([]reservedNumber, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		taken, main, newest := map[uint32]bool{}, uint32(0), uint32(0)
		for _, each := range numbers {
			taken[each.number] = true
			if each.number >= firstNumber+newest {
				newest = each.number - firstNumber + 1
			}
		}
		for _, family := range []int{4, 6} {
			rules, err := socket.rules(family)
			if err != nil {
				return nil, err
			}
			for _, each := range rules {
				taken[each.table], taken[each.mark] = true, true
				if each.table == mainTable && each.isPlain && (main == 0 || each.priority < main) {
					main = each.priority
				}
			}
		}
		if main <= (rulesPerNumber+2)*maxNumbers {
			return nil, cause("no-main-rule")
		}
		for count := uint32(0); count < maxNumbers; count++ {
			// Above the newest one, and once there is nothing left, from the first one on.
			index := (newest + count) % maxNumbers
			number, priority = firstNumber+index, main-1-maxNumbers-rulesPerNumber*index
			if taken[number] || isOthersMark(firstOutsideMark+index) {
				continue
			}
			used := 0
			for _, family := range []int{4, 6} {
				routes, err := socket.routesOf(family, number)
				if err != nil {
					return nil, err
				}
				used += len(routes)
			}
			if used == 0 {
				return append(numbers, reservedNumber{name, number, noSetting}), nil
			}
		}
		return nil, cause("none-free")
	})
	return number, priority, err
}

// isOthersMark reports whether the mark of a tunnel's apps outside would be sing-box's, or passMark.
func isOthersMark(mark uint32) bool { return mark == 0x2023 || mark == 0x2024 || mark == passMark }

const mainTable = 254

// ownPriority returns the priority of the rules that come before the tables of all tunnels, from that of the table's own.
//
//	main-1 - 4*128 - i        fwmark N lookup main, and DHCP (full tunnels); the apps outside
//	main-1 - 128 - 3*i - 2    a ProxyGuard server
//	main-1 - 128 - 3*i - 1    the computer's more specific routes (split tunnels whose networks hold the server)
//	main-1 - 128 - 3*i        not fwmark N lookup N
//	main-1 - i                all but the apps inside (networkPriority)
//
// So no tunnel takes the packets of another one to its server, whichever came first.
func ownPriority(number, priority uint32) uint32 {
	index := number - firstNumber
	return priority + rulesPerNumber*index - rulesPerNumber*maxNumbers - index
}

// networkPriority returns the priority of the rule for the traffic that a tunnel for listed apps alone leaves to the network: after
// the tables of all tunnels, of which another user's may want it.
func networkPriority(number, priority uint32) uint32 {
	index := number - firstNumber
	return priority + rulesPerNumber*index + maxNumbers - index
}

// acceptMarks makes the reverse path filter look at marks, and notes the old value for the last tunnel that needs it.
func acceptMarks(name device) error {
	old := ""
	err := withNumbers(func(numbers []reservedNumber) ([]reservedNumber, error) {
		for _, each := range numbers {
			if each.setting != noSetting {
				old = each.setting
			}
		}
		if old == "" {
			text, err := os.ReadFile(markSetting)
			if err != nil {
				return nil, err
			}
			old = strings.TrimSpace(string(text))
		}
		for index := range numbers {
			if numbers[index].name == name {
				numbers[index].setting = old
			}
		}
		return numbers, nil
	})
	if err != nil {
		return err
	}
	step("setting")
	return writeSetting("1")
}

// writeSetting changes nothing if the value is that already: the file may be read-only in a container.
func writeSetting(value string) error {
	now, err := os.ReadFile(markSetting)
	if err == nil && strings.TrimSpace(string(now)) == value {
		return nil
	}
	return os.WriteFile(markSetting, []byte(value), 0)
}

// releaseNumber gives a tunnel's number back. The last tunnel that needs the setting restores it.
func releaseNumber(name device) error {
	return withNumbers(func(numbers []reservedNumber) ([]reservedNumber, error) {
		old, kept, needed := noSetting, []reservedNumber{}, false
		for _, each := range numbers {
			if each.name == name {
				old = each.setting
				continue
			}
			kept = append(kept, each)
			needed = needed || each.setting != noSetting
		}
		if old != noSetting && !needed {
			if err := writeSetting(old); err != nil {
				return nil, err
			}
		}
		return kept, nil
	})
}

// hasStrictFilter reports whether a device drops packets whose answers would leave through another one.
func hasStrictFilter() bool {
	files, _ := filepath.Glob("/proc/sys/net/ipv4/conf/*/rp_filter")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(text)) == "1" {
			return true
		}
	}
	return false
}

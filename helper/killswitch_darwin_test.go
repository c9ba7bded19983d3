//go:build !windows

package helper

import (
	"os"
	"strings"
	"testing"
)

// The user of these tests exists on no Mac, so that nobody's traffic is blocked.
const nobodysID = 4_000_000_123

func onMacAsRoot(t *testing.T) string {
	if os.Geteuid() != 0 {
		t.Skip("pf answers root only")
	}
	pfctl, err := findFirewall()
	if err != nil {
		t.Fatal(err)
	}
	return pfctl
}

func TestPfctlPrintsTheRulesAsExpected(t *testing.T) {
	pfctl := onMacAsRoot(t)
	rules := killSwitchRules(nobodysID, "utun1007", servers)
	output, err := runTool(tool{
		program: pfctl, arguments: []string{"-n", "-v", "-o", "none", "-f", "-"}, input: strings.Join(rules, "\n") + "\n",
	})
	if err != nil || !areLoaded(strings.Split(strings.TrimSpace(output), "\n"), nobodysID, len(rules)) {
		t.Error(err, output)
	}
}

func TestKillSwitchGoesUpAndDownWithPf(t *testing.T) {
	pfctl := onMacAsRoot(t)
	if _, err := makeFolder(nobodysID); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folderOf(nobodysID))
	for _, name := range []device{"cw7t", "cw8t"} {
		if err := blockTraffic(pfctl, nobodysID, name, servers, nil); err != nil {
			t.Fatal(err)
		}
	}
	if up, err := killSwitchIsUp(nobodysID); !up || err != nil {
		t.Error("it is not up", err)
	}
	if err := allowTraffic(pfctl, nobodysID); err != nil {
		t.Error(err)
	}
	if up, err := killSwitchIsUp(nobodysID); up || err != nil {
		t.Error("it is still up", err)
	}
	if _, err := os.Stat(folderOf(nobodysID) + "/" + tokenFile); !os.IsNotExist(err) {
		t.Error("the reference to pf is left", err)
	}
}

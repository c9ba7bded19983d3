//go:build !macos_rehearsal

package helper

import (
	"os"
	"path/filepath"
	"testing"
)

// Each system's list of groups, its mounts, and where the helper finds its group.
var groupSystems = map[string]struct {
	groups, mounts string
	found          map[string][2]string
}{
	"version 2": {
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/app.scope\n",
		"30 20 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
		map[string][2]string{"": {
			"/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/app.scope",
		}},
	},
	"both versions": {
		"4:cpu,cpuacct:/user.slice\n1:name=systemd:/user.slice/session-3.scope\n0::/user.slice/session-3.scope\n",
		"31 20 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" +
			"32 20 0:28 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n" +
			"33 20 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
		map[string][2]string{
			"":             {"/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/user.slice/session-3.scope"},
			"name=systemd": {"/sys/fs/cgroup/systemd", "/sys/fs/cgroup/systemd/user.slice/session-3.scope"},
			"cpu,cpuacct":  {"/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct/user.slice"},
		},
	},
	"a container that shows only its own groups": {
		"0::/docker/c1/app\n",
		"30 20 0:26 /docker/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
		map[string][2]string{"": {"/sys/fs/cgroup", "/sys/fs/cgroup/app"}},
	},
	"a process outside of its namespace": {
		"0::/../other\n", "30 20 0:26 /.. /mnt rw - cgroup2 cgroup2 rw\n31 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		map[string][2]string{"": {"/mnt", "/mnt/other"}},
	},
	"a container without groups": {"0::/\n", "", map[string][2]string{"": {"", ""}}},
	"a mount that another one hides": {
		"0::/app\n", "30 20 0:26 / /hidden rw - cgroup2 cgroup2 rw\n31 20 0:26 / /groups rw - cgroup2 cgroup2 rw\n",
		map[string][2]string{"": {"/groups", "/groups/app"}},
	},
}

func TestFindGroup(t *testing.T) {
	for name, system := range groupSystems {
		hierarchies := parseHierarchies(system.groups)
		if len(hierarchies) != len(system.found) {
			t.Error(name, hierarchies)
		}
		for _, each := range hierarchies {
			top, own := each.find(system.mounts, func(path string) bool { return path != "/hidden" })
			if wanted := system.found[each.name]; wanted != [2]string{top, own} {
				t.Error(name, top, own, wanted)
			}
		}
	}
}

func TestMayBeStopped(t *testing.T) {
	top := t.TempDir()
	roots, persons := filepath.Join(top, "system.slice/a.service"), filepath.Join(top, "person/app")
	for _, group := range []string{roots, persons} {
		if err := os.MkdirAll(group, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, each := range []string{group, filepath.Dir(group)} {
			if err := os.WriteFile(filepath.Join(each, "cgroup.procs"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if os.Geteuid() != 0 {
		// All of it belongs to another than root.
		if !(hierarchy{"", "/system.slice/a.service"}).mayBeStopped(caller{}, top, roots) {
			t.Error("a group of a user")
		}
		return
	}
	if err := os.Chown(filepath.Dir(persons), 1000, 1000); err != nil {
		t.Fatal(err)
	}
	for _, each := range []struct {
		hierarchy hierarchy
		uid       uint32
		own       string
		wanted    bool
	}{
		{hierarchy{"", "/system.slice/a.service"}, 0, roots, false},
		{hierarchy{"", "/system.slice/a.service"}, 1000, roots, true},
		{hierarchy{"name=systemd", "/system.slice/a.service"}, 1000, roots, true},
		{hierarchy{"pids", "/system.slice/a.service"}, 1000, roots, false},
		{hierarchy{"freezer", "/person/app"}, 1000, persons, true},
		{hierarchy{"", "/person/app"}, 0, persons, true},
		{hierarchy{"", "/user.slice/user-0.slice/session-1.scope"}, 0, roots, true},
	} {
		if each.hierarchy.mayBeStopped(caller{uid: each.uid}, top, each.own) != each.wanted {
			t.Error(each)
		}
	}
}

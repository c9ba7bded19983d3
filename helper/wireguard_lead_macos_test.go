//go:build darwin || macos_rehearsal

package helper

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// standInRoutes stands in for netstat and route: FOLDER/routes has the lines of `netstat -rn`.
const standInRoutes = `#!/bin/sh
case "$0" in */netstat) cat FOLDER/routes; exit;; esac
refused=; for word; do case $word in -reject) refused=R;; -blackhole) refused=B;; esac; done
verb=$2; shift 2
case "$1 $3" in
  "-net -netmask") to=$2 mask=$4 via=$6;;
  "-net "*) to=$2 mask=$4 via=$3;;
  "-inet6 "*) to=$2/$4 via=$5; [ "$via" != -interface ] || via=$6;;
esac
case $mask in 128.0.0.0) to=$to/1;; 255.255.0.0) to=$to/16;; 255.255.255.255) to=$to/32;; esac
case $verb in
  add) device=$via; case $via in utun*) ;; *) device=en0;; esac
    echo "$to $via UGS$refused $device" >>FOLDER/routes;;
  delete) grep -v "^$to " FOLDER/routes >FOLDER/rest; mv FOLDER/rest FOLDER/routes;;
esac
`

// onMac returns a router of a tunnel for these prefixes, on a computer with these routes, and a function that reads its routes.
func onMac(t *testing.T, allowed []string, lines ...string) (router *macosRouter, routes func() string) {
	t.Helper()
	folder, before := t.TempDir(), systemFolders
	t.Cleanup(func() { systemFolders = before })
	systemFolders = []string{folder}
	for _, name := range []string{"netstat", "route"} {
		writeFile(t, filepath.Join(folder, name), strings.ReplaceAll(standInRoutes, "FOLDER", folder), 0o755)
	}
	writeFile(t, filepath.Join(folder, "routes"), strings.Join(lines, "\n")+"\n", 0o600)
	file, err := os.Create(filepath.Join(folder, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	made, err := newWireGuard()
	if err != nil {
		t.Fatal(err)
	}
	w := made.(*wireGuard)
	w.routes.run = &tunnel{device: "cw7t", journal: &journal{file: file, path: file.Name(), device: "cw7t"}}
	w.asked = &wireGuardRequest{}
	for _, each := range allowed {
		w.asked.allowed = append(w.asked.allowed, netip.MustParsePrefix(each))
	}
	w.servers = []remote{{host: host{address: netip.MustParseAddr("192.0.2.1")}, port: 51820, protocol: "udp"}}
	w.plan = planRoutes(w.asked, w.servers)
	return w.routes, func() string {
		text, err := os.ReadFile(filepath.Join(folder, "routes"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

const ethernetDefault = "default 192.168.1.1 UGScg en0"

var everywhere = []string{"0.0.0.0/0", "::/0"}

func TestATunnelForEverythingDoesNotStartBesideAnotherOne(t *testing.T) {
	for name, lines := range map[string][]string{
		"both halves":      {ethernetDefault, "0/1 10.8.0.1 UGSc utun4", "128.0/1 10.8.0.1 UGSc utun4"},
		"one half":         {ethernetDefault, "128.0/1 10.8.0.1 UGSc utun4"},
		"a half of IPv6":   {ethernetDefault, "8000::/1 fe80::1%utun4 UGSc utun4"},
		"one that refuses": {ethernetDefault, "0/1 127.0.0.1 UGSR lo0"},
	} {
		router, _ := onMac(t, everywhere, lines...)
		_, err := router.lead()
		if err == nil || refusalOf(err).Error() != "failed route add-route taken" {
			t.Errorf("%s: %v", name, err)
		}
	}
	router, routes := onMac(t, everywhere, ethernetDefault)
	if _, err := router.lead(); err != nil || !strings.Contains(routes(), "128.0.0.0/1 utun1007") {
		t.Error(err, routes())
	}
	// A network of the organization's stays where it is.
	router, _ = onMac(t, append([]string{"10.99.0.0/16"}, everywhere...), ethernetDefault, "10.99/16 192.168.1.2 UGSc en0")
	if _, err := router.lead(); err != nil {
		t.Error(err)
	}
}

func TestAFamilyIsRefusedOrTheTunnelDoesNotStart(t *testing.T) {
	ipv4 := []string{"0.0.0.0/0"}
	for name, lines := range map[string][]string{
		"both halves of another VPN": {"::/1 fe80::1%utun4 UGSc utun4", "8000::/1 fe80::1%utun4 UGSc utun4"},
		"one half of another VPN":    {"8000::/1 fe80::1%utun4 UGSc utun4"},
	} {
		router, _ := onMac(t, ipv4, append(lines, ethernetDefault)...)
		if _, err := router.lead(); err == nil || refusalOf(err).Error() != "failed route add-route taken" {
			t.Errorf("%s: %v", name, err)
		}
	}
	router, routes := onMac(t, ipv4, ethernetDefault, "::/1 ::1 UGSR lo0")
	if _, err := router.lead(); err != nil {
		t.Fatal(err)
	}
	if strings.Count(routes(), "\n::/1 ") != 1 || !strings.Contains(routes(), "8000::/1 ::1 UGSR") {
		t.Error(routes())
	}
	listed := func() []listedRoute { return listedOf(t, strings.Split(strings.TrimSpace(routes()), "\n")...) }
	if router.lacksRoute(listed()) {
		t.Error("a route is missing")
	}
	// Without it, the family is open, whoever has added it.
	if err := changeRoute("delete", router.refusedByOthers[0]); err != nil {
		t.Fatal(err)
	}
	if !router.lacksRoute(listed()) {
		t.Error("does not notice that the family is open")
	}
}

func TestTheComputersOwnRouteToTheServerStays(t *testing.T) {
	alone := []string{"192.0.2.1/32", "10.99.0.0/16"}
	const own = "192.0.2.1/32 192.168.1.9 UGSc en0"
	router, routes := onMac(t, alone, ethernetDefault, own)
	if _, err := router.lead(); err != nil {
		t.Fatal(err)
	}
	// What follows a change of the network.
	for range [2]struct{}{} {
		listed, err := listRoutes()
		if err != nil {
			t.Fatal(err)
		}
		if err := router.follow(listed); err != nil {
			t.Fatal(err)
		}
	}
	if err := router.reach(netip.MustParseAddr("192.0.2.2")); err != nil {
		t.Fatal(err)
	}
	if strings.Count(routes(), own) != 1 {
		t.Error(routes())
	}
	noted, err := os.ReadFile(router.run.journal.path)
	if err != nil || strings.Count(string(noted), "had 192.0.2.1/32 192.168.1.9 -1\n") != 1 || strings.Contains(string(noted), "added 192.0.2.1/32") {
		t.Error(string(noted), err)
	}
	// One that leads elsewhere isn't taken for the way past the tunnel.
	router, _ = onMac(t, alone, ethernetDefault)
	router.server = netip.MustParseAddr("192.0.2.1")
	wanted := route{prefix: single(router.server), gateway: netip.MustParseAddr("192.168.1.1"), metric: -1}
	if _, err := router.addPast(listedOf(t, own), wanted); err != causeTaken {
		t.Error(err)
	}
}

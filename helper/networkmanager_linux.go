//go:build !macos_rehearsal

package helper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// networkManager sets DNS servers through NetworkManager: a file with its global DNS configuration in a folder that
// lives in memory, and the order to read it, over D-Bus. The file holds for all networks that the computer joins, and
// is gone after a restart of the computer. NetworkManager writes what is set over D-Bus alone to the disk, and changes
// of a connection would end with it, and take OpenVPN's routes with them.
type networkManager struct {
	socket string
	// folder is NetworkManager's own in memory.
	folder string
	file   resolvConf
}

var systemNetworkManager = networkManager{systemBus, "/run/NetworkManager", systemResolvConf}

const (
	networkManagerName = "org.freedesktop.NetworkManager"
	networkManagerPath = "/org/freedesktop/NetworkManager"
	// reloadConfiguration is the flag with which NetworkManager reads its files again, and applies DNS settings.
	reloadConfiguration = uint32(1)
)

// errNotRunning means that there is nobody to tell: a NetworkManager that starts reads its files.
var errNotRunning = cause("not-running")

// connect makes a connection to the bus, and makes sure that root's NetworkManager answers.
func (n networkManager) connect() (*bus, error) {
	connected, err := openBus(n.socket)
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, errNotRunning
	} else if err != nil {
		return nil, err
	}
	const itself = "org.freedesktop.DBus"
	user, err := connected.call(busMember{itself, "/org/freedesktop/DBus", itself, "GetConnectionUnixUser"}, networkManagerName)
	if err == nil && user == uint32(0) {
		return connected, nil
	}
	connected.close()
	if err == nil || errors.Is(err, errRefused) {
		err = errNotRunning
	}
	return nil, err
}

// manages returns how NetworkManager passes on DNS servers: `default` writes them to resolv.conf; with others a local
// resolver asks them. It is empty if it leaves DNS to others, or does not run.
func (n networkManager) manages() string {
	connected, err := n.connect()
	if err != nil {
		return ""
	}
	defer connected.close()
	property := func(name string) string {
		to := busMember{networkManagerName, networkManagerPath + "/DnsManager", "org.freedesktop.DBus.Properties", "Get"}
		value, err := connected.call(to, networkManagerName+".DnsManager", name)
		text, ok := value.(string)
		if err != nil || !ok {
			return "none"
		}
		return text
	}
	mode, writer := property("Mode"), property("RcManager")
	if mode == "none" || writer == "none" || writer == "unmanaged" || writer == "immutable" {
		return ""
	}
	return mode
}

func (n networkManager) reload() error {
	connected, err := n.connect()
	if err != nil {
		return err
	}
	defer connected.close()
	_, err = connected.call(busMember{networkManagerName, networkManagerPath, networkManagerName, "Reload"}, reloadConfiguration)
	return err
}

func (n networkManager) files(name device) string {
	return filepath.Join(n.folder, "conf.d", "zz-causeway-*-"+string(name)+".conf")
}

// set asks only these servers, and for a part of the domains the network's after them, unless no others may be asked.
func (n networkManager) set(name device, wanted nameServers) error {
	mode := n.manages()
	if mode == "" {
		return causeNotInUse
	}
	folder := filepath.Join(n.folder, "conf.d")
	for _, each := range []string{n.folder, folder} {
		if err := os.Mkdir(each, 0o755); err == nil {
			_ = os.Chmod(each, 0o755)
		}
		if info, err := os.Lstat(each); err != nil || !info.IsDir() || !isOwn(info) || info.Mode().Perm()&0o022 != 0 {
			return causeOfOthers
		}
	}
	earlier, err := filepath.Glob(n.files(name))
	if err != nil {
		return err
	}
	network, domains := n.ofNetwork(mode, earlier, wanted)
	text := wanted.forNetworkManager(network, domains)
	// Of several tunnels the last one's file wins, which comes last by its name.
	path := filepath.Join(folder, fmt.Sprintf("zz-causeway-%020d-%s.conf", sinceStart(), name))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	step("network-manager-file")
	for _, each := range earlier {
		if err := remove(each); err != nil {
			return err
		}
	}
	if err := n.reload(); err != nil {
		return err
	}
	for end := time.Now().Add(busTimeout); ; time.Sleep(20 * time.Millisecond) {
		if n.file.lists(wanted.servers, wanted.exclusive) || mode != "default" && n.file.isLocal() {
			return nil
		}
		if time.Now().After(end) {
			return causeTimedOut
		}
	}
}

// ofNetwork returns the servers and domains of the network, which come after the tunnel's unless no others may be asked. While a
// tunnel's file is in force, NetworkManager names them nowhere, also after a change of the network.
func (n networkManager) ofNetwork(mode string, earlier []string, wanted nameServers) (netAddresses, []domainName) {
	if mode != "default" && n.file.isLocal() {
		// NetworkManager's own resolver would ask itself.
		return nil, domainsIn(n.file.others())
	}
	if len(earlier) > 0 && wanted.exclusive {
		return n.networkIn(earlier[0]), nil
	}
	n.withdraw(earlier)
	if others, err := filepath.Glob(n.files("*")); err == nil && len(others) > 0 {
		return n.networkIn(others[len(others)-1]), nil
	}
	return n.file.ofNetwork()
}

// withdraw takes a tunnel's files out of force, until NetworkManager has written the network's servers or the time is over.
func (n networkManager) withdraw(files []string) {
	before := n.file.others()
	for _, each := range files {
		_ = os.Remove(each)
	}
	if len(files) == 0 || n.reload() != nil {
		return
	}
	for end := time.Now().Add(busTimeout); n.file.others() == before && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
}

// networkComment precedes the network's servers in the helper's file, for a later change.
const networkComment = "# network="

func (w nameServers) forNetworkManager(network netAddresses, domains []domainName) string {
	servers, searched := w.mergedWithNetwork(network, domains)
	return fmt.Sprintf("%s%s\n[global-dns]\nsearches=%s\n[global-dns-domain-*]\nservers=%s\n",
		networkComment, network, joinedNames(searched, ","), servers)
}

func (n networkManager) networkIn(path string) netAddresses {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return parseNetAddresses(strings.TrimPrefix(line, networkComment))
}

// repair deletes the files of tunnels whose helper has ended, and tells NetworkManager. It returns whether there were any.
func (n networkManager) repair(hasHelper func(device) bool) (changed bool, err error) {
	files, err := filepath.Glob(n.files("*"))
	if err != nil {
		return false, err
	}
	for _, each := range files {
		_, text, _ := strings.Cut(strings.TrimPrefix(filepath.Base(each), "zz-causeway-"), "-")
		name, err := parseDevice(strings.TrimSuffix(text, ".conf"))
		if err != nil || hasHelper(name) {
			continue
		}
		if err := n.undo(name); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// undo deletes the files of a tunnel. It reloads NetworkManager even if there were none: a helper may have been killed in between.
func (n networkManager) undo(name device) error {
	files, err := filepath.Glob(n.files(name))
	if err != nil {
		return err
	}
	for _, each := range files {
		if err := os.Remove(each); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	step("network-manager-removed")
	if err := n.reload(); err != nil && !errors.Is(err, errNotRunning) {
		return err
	}
	return nil
}

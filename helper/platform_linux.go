//go:build !macos_rehearsal

package helper

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

const (
	stateFolder      = "/run/causeway"
	descriptorFolder = "/proc/self/fd"
	capNetAdmin      = 12
)

func ownProgram() string { return "/proc/self/exe" }

// openVPNEnvironment is empty, so no variable names libraries.
var openVPNEnvironment = []string{}

// findOpenVPN returns an OpenVPN that only root may change, with all libraries that it loads. Anybody who may change one
// of them would get its right.
func findOpenVPN() (string, error) {
	path, err := systemProgram("openvpn")
	if err != nil {
		return "", failed("no-openvpn")
	}
	if err := requireRootsProgram(path); err != nil {
		return "", failedBy("openvpn-of-others", "check-program", err)
	}
	return path, nil
}

func deviceDirective(name device) string { return "dev " + string(name) }

// platformOptions mark the packets of OpenVPN's sockets. Only a program with a right over the network (CAP_NET_ADMIN or
// CAP_NET_RAW) can set a mark, so that others of the same user cannot send to the servers.
func platformOptions(_ device, mark uint32) []string {
	return []string{"--mark", strconv.FormatUint(uint64(mark), 10)}
}

// killSwitchOptions keep the data channel out of the kernel (DCO), whose module for OpenVPN 2.6 sends packets without the
// mark. OpenVPN 2.5 has no DCO.
var killSwitchOptions = []string{"--ignore-unknown-option", "disable-dco", "--disable-dco"}

func hasDevice(name device) bool {
	devices, err := os.ReadFile("/proc/net/dev")
	// If this is unknown, OpenVPN gets the time to clean up.
	return err != nil || strings.Contains(string(devices), string(name)+":")
}

// serve is for macOS. On Linux, polkit starts the helper.
func serve(caller) (int, error) { return 0, failed("usage") }

// --- Rights ------------------------------------------------------------------------------------------------------

// From linux/prctl.h.
const (
	prCapBsetDrop  = 24
	prSetNoNewPriv = 38
	sigSetMask     = 2
)

func unblockSignals() error {
	none := uint64(0)
	_, _, err := syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, sigSetMask, uintptr(unsafe.Pointer(&none)), 0, 8, 0, 0)
	if err != 0 {
		return err
	}
	return nil
}

// endWithHelper makes the kernel send a signal to the command when the helper dies.
func endWithHelper(attributes *syscall.SysProcAttr, signal syscall.Signal) {
	attributes.Pdeathsig = signal
}

// asUser completes the attributes of a command that runs as this user with CAP_NET_ADMIN, cannot gain any other right,
// and ends with the helper. The returned function must run on the thread that starts the command.
func asUser(attributes *syscall.SysProcAttr, uid, gid uint32) func() error {
	endWithHelper(attributes, syscall.SIGTERM)
	if uid != 0 {
		attributes.Credential = &syscall.Credential{Uid: uid, Gid: gid}
		attributes.AmbientCaps = []uintptr{capNetAdmin}
	}
	return func() error {
		for capability := uintptr(0); ; capability++ {
			if capability == capNetAdmin {
				continue
			}
			_, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, prCapBsetDrop, capability, 0, 0, 0, 0)
			if err == syscall.EINVAL && capability > capNetAdmin {
				// The last capability that this kernel knows has been dropped.
				break
			} else if err != 0 {
				return err
			}
		}
		if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPriv, 1, 0, 0, 0, 0); err != 0 {
			return err
		}
		return nil
	}
}

// helpersWith returns the helpers that have a file open, and whether they hold its lock: the kernel lists that of each descriptor.
func helpersWith(path string) map[int]bool {
	helpers := map[int]bool{}
	wanted, err := os.Stat(path)
	if err != nil {
		return nil
	}
	programs, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, each := range programs {
		// Also a helper whose file an upgrade has replaced.
		program, err := os.Readlink(each)
		if err != nil || filepath.Base(strings.TrimSuffix(program, " (deleted)")) != "causeway-helper" {
			continue
		}
		process := filepath.Dir(each)
		id, err := strconv.Atoi(filepath.Base(process))
		if err != nil || id == os.Getpid() {
			continue
		}
		opened, _ := filepath.Glob(process + "/fd/*")
		for _, descriptor := range opened {
			if found, err := os.Stat(descriptor); err == nil && os.SameFile(found, wanted) {
				state, _ := os.ReadFile(filepath.Join(process, "fdinfo", filepath.Base(descriptor)))
				helpers[id] = helpers[id] || strings.Contains(string(state), "\nlock:")
			}
		}
	}
	return helpers
}

// processStart returns a start time, which distinguishes a process from a later one with the same id. It is empty if
// there is no such process, or only a zombie.
func processStart(id int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return ""
	}
	// The name is in brackets and may contain anything; the state follows, and the start time is the 22nd field.
	end := strings.LastIndexByte(string(text), ')')
	fields := strings.Fields(string(text[end+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	return fields[19]
}

// --- Routes ------------------------------------------------------------------------------------------------------

// currentRoutes returns the routes of the main table.
func currentRoutes() ([]route, error) {
	names, err := deviceNames()
	if err != nil {
		return nil, err
	}
	routes := []route{}
	err = readNetlink(syscall.RTM_GETROUTE, syscall.RTM_NEWROUTE, syscall.SizeofRtMsg,
		func(data []byte, attributes []syscall.NetlinkRouteAttr) {
			if each, ok := routeOf((*syscall.RtMsg)(unsafe.Pointer(&data[0])), attributes, names); ok {
				routes = append(routes, each)
			}
		})
	return routes, err
}

// deviceNames returns the names of the network devices by their index.
func deviceNames() (map[uint32]string, error) {
	names := map[uint32]string{}
	err := readNetlink(syscall.RTM_GETLINK, syscall.RTM_NEWLINK, syscall.SizeofIfInfomsg,
		func(data []byte, attributes []syscall.NetlinkRouteAttr) {
			for _, each := range attributes {
				if each.Attr.Type == syscall.IFLA_IFNAME {
					index := (*syscall.IfInfomsg)(unsafe.Pointer(&data[0])).Index
					names[uint32(index)] = strings.TrimRight(string(each.Value), "\x00")
				}
			}
		})
	return names, err
}

// readNetlink asks the kernel for a list, and passes on each message of a kind that has at least this size.
func readNetlink(question, kind uint16, size int, use func([]byte, []syscall.NetlinkRouteAttr)) error {
	socket, err := openNetlink(syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer socket.close()
	var failure error
	err = socket.ask(question, syscall.NLM_F_DUMP, make([]byte, size), func(answered uint16, data []byte) {
		if answered != kind || len(data) < size {
			return
		}
		message := syscall.NetlinkMessage{Header: syscall.NlMsghdr{Type: kind}, Data: data}
		attributes, err := syscall.ParseNetlinkRouteAttr(&message)
		if err != nil {
			failure = err
			return
		}
		use(data, attributes)
	})
	if err == nil {
		err = failure
	}
	return err
}

func routeOf(head *syscall.RtMsg, attributes []syscall.NetlinkRouteAttr, names map[uint32]string) (route, bool) {
	if head.Table != syscall.RT_TABLE_MAIN || head.Type != syscall.RTN_UNICAST {
		return route{}, false
	}
	destination := netip.IPv4Unspecified()
	if head.Family == syscall.AF_INET6 {
		destination = netip.IPv6Unspecified()
	}
	found := route{}
	for _, each := range attributes {
		switch each.Attr.Type {
		case syscall.RTA_DST:
			destination, _ = netip.AddrFromSlice(each.Value)
		case syscall.RTA_GATEWAY:
			found.gateway, _ = netip.AddrFromSlice(each.Value)
		case syscall.RTA_OIF:
			if len(each.Value) == 4 {
				found.via = names[nativeOrder.Uint32(each.Value)]
			}
		case syscall.RTA_PRIORITY:
			if len(each.Value) == 4 {
				found.metric = int(nativeOrder.Uint32(each.Value))
			}
		}
	}
	found.prefix = netip.PrefixFrom(destination, int(head.Dst_len))
	return found, (found.gateway.IsValid() || found.via != "") && found.prefix.IsValid()
}

var nativeOrder = func() binary.ByteOrder {
	one := uint16(1)
	if *(*byte)(unsafe.Pointer(&one)) == 1 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}()

// parseAnnouncedRoute reads the line that OpenVPN logs before it adds a route past its device, or deletes a default
// route. It returns `added` or `deleted`, or an empty text for other lines.
func parseAnnouncedRoute(line string) (string, route) {
	if !strings.HasPrefix(line, "net_route_v") {
		return "", route{}
	}
	words := strings.Split(line, " ")
	if len(words) < 5 || words[2] != "via" {
		return "", route{}
	}
	change := map[string]string{
		"net_route_v4_add:": "added", "net_route_v6_add:": "added",
		"net_route_v4_del:": "deleted", "net_route_v6_del:": "deleted",
	}[words[0]]
	nextHop := words[3]
	if (nextHop == "0.0.0.0" || nextHop == "::") && words[4] == "dev" && len(words) > 5 {
		// OpenVPN names no device when it deletes the default route.
		nextHop = devicePrefix + strings.TrimPrefix(words[5], "[NULL]")
	}
	parsed, err := parseRoute(words[1], nextHop, words[len(words)-1])
	if err != nil || change == "deleted" && parsed.prefix.Bits() > 0 {
		return "", route{}
	}
	// OpenVPN passes on no other metric to the kernel.
	if parsed.metric <= 0 {
		parsed.metric = defaultMetric(parsed.prefix)
	}
	return change, parsed
}

// defaultMetric returns the metric of a route that was added without one.
func defaultMetric(prefix netip.Prefix) int {
	if prefix.Addr().Is6() {
		return 1024
	}
	return 0
}

// routeExisted recognizes the line that OpenVPN logs if an announced route already existed, whoever added it.
func routeExisted(line string) bool {
	return strings.HasPrefix(line, "sitnl_send: rtnl: generic error (-17)")
}

// changeRoutes adds or deletes (`add`, `del`) routes with one program: one for each took 17 s for 4,000 routes. It goes on
// after an error.
func changeRoutes(change string, routes []route) error {
	program, err := systemProgram("ip")
	if err != nil {
		return err
	}
	lines := strings.Builder{}
	for _, each := range routes {
		nextHop := ""
		if each.gateway.IsValid() {
			nextHop = "via " + each.gateway.String() + " "
		}
		if each.via != "" {
			nextHop += "dev " + each.via + " "
		}
		fmt.Fprintf(&lines, "route %s %s %smetric %d\n", change, each.prefix, nextHop, each.metric)
	}
	_, err = runTool(tool{program: program, arguments: []string{"-force", "-batch", "-"}, input: lines.String()})
	return err
}

//go:build darwin || macos_rehearsal

package helper

import (
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
)

// macosRouter is the network of macOS (wireGuardRouter). It has no marks: the tunnel's own packets leave past it by a route to
// their server alone, which follows the computer's own routes.
type macosRouter struct {
	core    *wireGuardCore
	run     *tunnel
	program string
	// changes tells of changes of the network, which watching follows.
	changes  *os.File
	watching sync.WaitGroup
	// access is held for what follows.
	access sync.Mutex
	isOver bool
	// planned holds what is to be routed through the device, inside what is, and refused those that refuse a family that the tunnel
	// doesn't carry; refusedByOthers, the computer's own that do so already.
	planned, inside          []netip.Prefix
	refused, refusedByOthers []route
	// had holds those of the computer's routes that are in the journal.
	had map[route]bool
	// server is what the tunnel's own packets are sent to, and past the routes past the tunnel that this tunnel has added.
	server netip.Addr
	past   map[netip.Addr]route
}

func (r *macosRouter) device() string { return interfaceOf(r.run.device) }

// makeDevice has the program run with the device, whose MTU only root may set.
func (r *macosRouter) makeDevice() (wireGuardDevice, error) {
	made, err := r.core.startProgram(r.run, r.program)
	if err != nil {
		return nil, err
	}
	if err := r.setMTU(int(r.core.mtu.Load())); err != nil {
		return nil, failedBy("device", "set-mtu", err)
	}
	return made, nil
}

func (r *macosRouter) configure(words ...string) error {
	program, err := systemProgram("ifconfig")
	if err == nil {
		_, err = runTool(tool{program: program, arguments: append([]string{r.device()}, words...)})
	}
	return err
}

func (r *macosRouter) addAddress(address netip.Prefix) error {
	if address.Addr().Is6() {
		return r.configure("inet6", address.String(), "alias")
	}
	// The other end of the device has the same address.
	return r.configure("inet", address.String(), address.Addr().String(), "alias")
}

// setUp also begins to listen for changes, so that none is missed.
func (r *macosRouter) setUp() (err error) {
	if r.changes, err = openChanges(); err != nil {
		return at("subscribe", err)
	}
	if err = r.configure("up"); err == nil {
		step("up")
	}
	return err
}

func (r *macosRouter) setMTU(mtu int) error { return r.configure("mtu", strconv.Itoa(mtu)) }

// way asks the computer's own routes, whatever this tunnel has added.
func (r *macosRouter) way(to netip.Addr) error {
	_, err := r.ownWay(to)
	return err
}

func (r *macosRouter) pathMTU(to netip.Addr) (int, error) {
	way, err := r.ownWay(to)
	if err != nil {
		return 0, err
	}
	found, err := net.InterfaceByName(way.device)
	if err != nil {
		return 0, err
	}
	return found.MTU, nil
}

func (r *macosRouter) ownWay(to netip.Addr) (listedRoute, error) {
	routes, err := listRoutes()
	if err != nil {
		return listedRoute{}, err
	}
	r.access.Lock()
	defer r.access.Unlock()
	way, ok := r.bestOf(routes, to)
	if !ok {
		return listedRoute{}, errNoWay
	}
	return way, nil
}

// bestOf returns the route that the system would use for an address without this tunnel's.
func (r *macosRouter) bestOf(routes []listedRoute, to netip.Addr) (best listedRoute, ok bool) {
	for _, each := range routes {
		if each.isScoped() || each.device == r.device() || r.isOwn(each.route) || !each.prefix.Contains(to) {
			continue
		}
		if !ok || each.prefix.Bits() > best.prefix.Bits() {
			best, ok = each, true
		}
	}
	return best, ok && !best.refuses()
}

func (r *macosRouter) isOwn(listed route) bool {
	for _, each := range r.past {
		if withoutZone(each).masked() == listed.masked() {
			return true
		}
	}
	for _, each := range r.refused {
		if each.masked() == listed.masked() {
			return true
		}
	}
	return false
}

// statistics reads the row of the link in the output of netstat.
func (r *macosRouter) statistics() (statistics, bool) {
	program, err := systemProgram("netstat")
	if err != nil {
		return statistics{}, false
	}
	output, err := runTool(tool{program: program, arguments: []string{"-ibn", "-I", r.device()}})
	if err != nil {
		return statistics{}, false
	}
	return parseStatistics(output, r.device())
}

// parseStatistics reads `Name Mtu Network [Address] Ipkts Ierrs Ibytes Opkts Oerrs Obytes Coll`. The row of the link has no
// address if the device has none.
func parseStatistics(output, device string) (statistics, bool) {
	const columns = 7
	for _, line := range strings.Split(output, "\n") {
		words := strings.Fields(line)
		if len(words) < 3+columns || words[0] != device || !strings.HasPrefix(words[2], "<Link#") {
			continue
		}
		numbers := [columns]uint64{}
		for index, word := range words[len(words)-columns:] {
			var err error
			if numbers[index], err = strconv.ParseUint(word, 10, 64); err != nil {
				return statistics{}, false
			}
		}
		return statistics{inPackets: numbers[0], inBytes: numbers[2], outPackets: numbers[3], lost: numbers[4]}, true
	}
	return statistics{}, false
}

func (r *macosRouter) openPing(to netip.Addr) (pinger, error) { return openPing(r.device(), to) }

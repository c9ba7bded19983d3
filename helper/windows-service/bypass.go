//go:build windows

package main

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/sys/windows"
)

var errNoWay = errors.New("no way")

// way is how packets get to an address past the tunnel.
type way struct {
	// luid is the number of the interface, index its other one.
	luid    uint64
	index   uint32
	nextHop netip.Addr
	mtu     int
}

// bypass leads an address past the tunnel over the way that it has now, and the one before no longer.
func bypass(to netip.Addr, over way) error {
	text, err := noted(stateBypass)
	if err != nil {
		return err
	}
	next := fmt.Sprintf("%s %d %s", to, over.luid, over.nextHop)
	if text == next {
		return nil
	}
	if text != "" {
		if err := undoBypass(text); err != nil {
			return err
		}
	}
	if err := note(stateBypass, next); err != nil {
		return err
	}
	err = addRoute(to, over)
	if errors.Is(err, windows.ERROR_OBJECT_ALREADY_EXISTS) {
		// Somebody else's, which stays.
		return forget(stateBypass)
	}
	return err
}

// bypassRoute is a route to one address past the tunnel.
type bypassRoute struct {
	to   netip.Addr
	over way
}

// notedBypass returns the one that the record names, or one without an address.
func notedBypass() (bypassRoute, error) {
	text, err := noted(stateBypass)
	if err != nil || text == "" {
		return bypassRoute{}, err
	}
	return parseBypass(text)
}

func parseBypass(text string) (found bypassRoute, err error) {
	words := strings.Split(text, " ")
	if len(words) != 3 {
		return bypassRoute{}, windows.ERROR_INVALID_DATA
	}
	if found.to, err = netip.ParseAddr(words[0]); err != nil {
		return bypassRoute{}, err
	}
	if found.over.luid, err = strconv.ParseUint(words[1], 10, 64); err != nil {
		return bypassRoute{}, err
	}
	found.over.nextHop, err = netip.ParseAddr(words[2])
	return found, err
}

// undoBypass deletes the route of a record.
func undoBypass(text string) error {
	found, err := parseBypass(text)
	if err != nil {
		return err
	}
	return deleteRoute(found.to, found.over)
}

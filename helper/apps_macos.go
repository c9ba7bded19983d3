//go:build darwin || macos_rehearsal

package helper

import "net/netip"

// apps doesn't exist on macOS: pf can't tell the programs of a user apart.
type apps struct{ own ownGroups }

type ownGroups struct{}

func (ownGroups) move(string) (string, error) { return "refused", nil }

func removeGroups(uint32) error { return nil }

func newApps(*tunnel, appsRequest) (*apps, error) { return nil, refused("apps") }

func (*apps) begin() error                           { return nil }
func (*apps) restore() error                         { return nil }
func (*apps) end()                                   {}
func (*apps) listed() string                         { return "" }
func (*apps) add(groupPath) (string, error)          { return "", nil }
func (*apps) remove(groupPath) (string, error)       { return "", nil }
func (*apps) useNetworkNames(string) (string, error) { return "", nil }
func (*apps) useNames([]netip.Addr) error            { return nil }
func (*apps) prepareBlock(string) error              { return nil }
func (*apps) finishBlock(string, uint32) error       { return nil }

// ownRules doesn't exist on macOS, where pf has rules for the kill switch alone.
type ownRules struct{}

func (ownRules) restore(device) error { return nil }

func keepApps(caller) error { return failed("not-supported") }

//go:build windows && !causeway_model

package main

import (
	"unsafe"

	"causeway-service/filter"
	"golang.org/x/sys/windows"
)

// Keys of what is in the platform. Those of filters have the set in the second part, and count in their last two bytes.
var (
	providerKey  = windows.GUID{Data1: 0x2b9c3a5e, Data2: 0x1e0e, Data3: 0x4d58, Data4: [8]byte{0x8a, 0x3d, 0x5f, 0x11, 0x60, 0x7e, 0x9d, 0x01}}
	sublayerKeys = map[ruleSet]windows.GUID{
		killSwitchRules: {Data1: 0x2b9c3a5e, Data2: 0x1e0e, Data3: 0x4d58, Data4: [8]byte{0x8a, 0x3d, 0x5f, 0x11, 0x60, 0x7e, 0x9d, 0x02}},
		tunnelRules:     {Data1: 0x2b9c3a5e, Data2: 0x1e0e, Data3: 0x4d58, Data4: [8]byte{0x8a, 0x3d, 0x5f, 0x11, 0x60, 0x7e, 0x9d, 0x03}},
	}
)

const (
	// maxFilters exceeds what the rules of a tunnel need: those for private networks, and for as many servers as there may be.
	maxFilters = 256
)

// layerRule is what becomes one filter.
type layerRule struct {
	layer windows.GUID
	rule  filter.Rule
}

// filtersOf returns the filters of rules, in the order of their indexes.
func filtersOf(rules []filter.Rule) []layerRule {
	all := []layerRule{}
	for _, rule := range rules {
		for _, each := range layers {
			if each.ipv6 && rule.IPv6 || !each.ipv6 && rule.IPv4 {
				all = append(all, layerRule{each.key, rule})
			}
		}
	}
	return all
}

func actionOf(rule filter.Rule) uint32 {
	if rule.Permit {
		return actionPermit
	}
	return actionBlock
}

func filterKey(which ruleSet, index int) windows.GUID {
	return windows.GUID{
		Data1: 0x2b9c3a5e, Data2: 0x1e0e + uint16(which), Data3: 0x4d59,
		Data4: [8]byte{0x8a, 0x3d, 0x5f, 0x11, 0x60, 0x7e, byte(index >> 8), byte(index)},
	}
}

// newSession returns one whose transactions wait for those of others, but not for ever: a program that keeps one open would keep the
// kill switch from going up or down, and the service from ending.
func newSession(name *uint16) *session {
	const milliseconds = 5000
	return &session{display: displayData{name: name}, timeout: milliseconds}
}

// deleteEach deletes filters by their index, all that may be there: somebody else may have deleted some of them.
func deleteEach(remove func(index int) error) error {
	for index := 0; index < maxFilters; index++ {
		if err := remove(index); err != nil && err != errFilterNotFound {
			return err
		}
	}
	return nil
}

// areThere reports whether all filters are there, and do what they are for.
func areThere(filters []layerRule, find func(index int) (layer windows.GUID, action uint32, err error)) (bool, error) {
	for index, each := range filters {
		switch layer, action, err := find(index); {
		case err == errFilterNotFound:
			return false, nil
		case err != nil:
			return false, err
		case layer != each.layer || action != actionOf(each.rule):
			return false, nil
		}
	}
	return true, nil
}

// From fwpmu.h and winerror.h.
var (
	layers = []struct {
		key  windows.GUID
		ipv6 bool
	}{
		{windows.GUID{Data1: 0xc38d57d1, Data2: 0x05a7, Data3: 0x4c33, Data4: [8]byte{0x90, 0x4f, 0x7f, 0xbc, 0xee, 0xe6, 0x0e, 0x82}}, false},
		{windows.GUID{Data1: 0xe1cd9fe7, Data2: 0xf4b5, Data3: 0x4273, Data4: [8]byte{0x96, 0xc0, 0x59, 0x2e, 0x48, 0x7b, 0x86, 0x50}}, false},
		{windows.GUID{Data1: 0x4a72393b, Data2: 0x319f, Data3: 0x44bc, Data4: [8]byte{0x84, 0xc3, 0xba, 0x54, 0xdc, 0xb3, 0xb6, 0xb4}}, true},
		{windows.GUID{Data1: 0xa3b42c97, Data2: 0x9f04, Data3: 0x4672, Data4: [8]byte{0xb8, 0x7e, 0xce, 0xe9, 0xc4, 0x83, 0x25, 0x7f}}, true},
	}
	interfaceField  = windows.GUID{Data1: 0x4cd62a49, Data2: 0x59c3, Data3: 0x4969, Data4: [8]byte{0xb7, 0xf3, 0xbd, 0xa5, 0xd3, 0x28, 0x90, 0xa4}}
	addressField    = windows.GUID{Data1: 0xb235ae9a, Data2: 0x1d64, Data3: 0x49b8, Data4: [8]byte{0xa4, 0x4c, 0x5f, 0xf3, 0xd9, 0x09, 0x50, 0x45}}
	protocolField   = windows.GUID{Data1: 0x3971ef2b, Data2: 0x623e, Data3: 0x4f9a, Data4: [8]byte{0x8c, 0xb1, 0x6e, 0x79, 0xb8, 0x06, 0xb9, 0xa7}}
	localPortField  = windows.GUID{Data1: 0x0c1ba1af, Data2: 0x5765, Data3: 0x453f, Data4: [8]byte{0xaf, 0x22, 0xa8, 0xf7, 0x91, 0xac, 0x77, 0x5b}}
	remotePortField = windows.GUID{Data1: 0xc35a604d, Data2: 0xd22b, Data3: 0x4e1a, Data4: [8]byte{0x91, 0xb4, 0x68, 0xf6, 0x74, 0xee, 0x67, 0x4b}}
	programField    = windows.GUID{Data1: 0xd78e1e87, Data2: 0x8644, Data3: 0x4ea5, Data4: [8]byte{0x94, 0x37, 0xd8, 0x09, 0xec, 0xef, 0xc9, 0x71}}
	flagsField      = windows.GUID{Data1: 0x632ce23b, Data2: 0x5167, Data3: 0x435c, Data4: [8]byte{0x86, 0xd7, 0xe9, 0x03, 0x68, 0x4a, 0xa8, 0x0c}}
)

const (
	errFilterNotFound   = windows.Errno(0x80320003)
	errProviderNotFound = windows.Errno(0x80320005)
	errSublayerNotFound = windows.Errno(0x80320007)
	errExists           = windows.Errno(0x80320009)
	errInUse            = windows.Errno(0x8032000a)

	typeUint8, typeUint16, typeUint32, typeUint64 = 1, 2, 3, 4
	typeBlob, typeIPv4, typeIPv6                  = 12, 256, 257
	matchEqual, matchAllFlags                     = 0, 6
	isLoopback                                    = 1
	actionBlock, actionPermit                     = 0x1001, 0x1002
	authenticationWinNT                           = 10
	highestSublayer                               = 0xffff
)

// Structures of fwpmtypes.h and fwptypes.h for 64 bits.
type (
	displayData struct{ name, description *uint16 }
	byteBlob    struct {
		size uint32
		data *byte
	}
	value struct {
		kind uint32
		// content is a number, or the address of what is longer.
		content uintptr
	}
	condition struct {
		field windows.GUID
		match uint32
		value value
	}
	session struct {
		key                     windows.GUID
		display                 displayData
		flags, timeout, process uint32
		sid                     *windows.SID
		user                    *uint16
		kernelMode              uint32
	}
	provider struct {
		key     windows.GUID
		display displayData
		flags   uint32
		data    byteBlob
		service *uint16
	}
	sublayer struct {
		key      windows.GUID
		display  displayData
		flags    uint32
		provider *windows.GUID
		data     byteBlob
		weight   uint16
	}
	filterEntry struct {
		key             windows.GUID
		display         displayData
		flags           uint32
		provider        *windows.GUID
		data            byteBlob
		layer, under    windows.GUID
		weight          value
		count           uint32
		conditions      *condition
		action          uint32
		actionKind      windows.GUID
		_               [4]byte
		context         windows.GUID
		reserved        *windows.GUID
		id              uint64
		effectiveWeight value
	}
	addressMask struct{ address, mask uint32 }
	addressBits struct {
		address [16]byte
		bits    uint8
	}
)

// The sizes that Windows has.
var (
	_ [200]byte = [unsafe.Sizeof(filterEntry{})]byte{}
	_ [40]byte  = [unsafe.Sizeof(condition{})]byte{}
	_ [72]byte  = [unsafe.Sizeof(session{})]byte{}
	_ [72]byte  = [unsafe.Sizeof(sublayer{})]byte{}
	_ [64]byte  = [unsafe.Sizeof(provider{})]byte{}
)

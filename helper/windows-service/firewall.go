//go:build windows && !causeway_model

package main

import (
	"net/netip"
	"os"
	"runtime"
	"unsafe"

	"causeway-service/filter"
	"golang.org/x/sys/windows"
)

// windowsFirewall keeps rules in the Windows Filtering Platform. They end with clear, or when Windows restarts, not with the
// process that set them: neither a crash nor a killed service lets anything pass.
type windowsFirewall struct{}

func newFirewall() firewall { return windowsFirewall{} }

var fwpuclnt = windows.NewLazySystemDLL("fwpuclnt.dll")

// platform is an open transaction of the Windows Filtering Platform.
type platform struct {
	handle uintptr
	pinned runtime.Pinner
}

// call calls a function of the platform. The directive keeps what the arguments point to in place.
//
//go:uintptrescapes
func call(name string, arguments ...uintptr) error {
	function := fwpuclnt.NewProc(name)
	if err := function.Find(); err != nil {
		return err
	}
	if code, _, _ := function.Call(arguments...); code != 0 {
		return windows.Errno(uint32(code))
	}
	return nil
}

// change makes changes that take effect all at once, or not at all.
func change(do func(*platform) error) error {
	p, err := openPlatform()
	if err != nil {
		return err
	}
	defer p.close()
	if err := call("FwpmTransactionBegin0", p.handle, 0); err != nil {
		return err
	}
	if err := do(p); err != nil {
		// Closing ends it, too.
		_ = call("FwpmTransactionAbort0", p.handle)
		return err
	}
	return call("FwpmTransactionCommit0", p.handle)
}

func openPlatform() (*platform, error) {
	p := &platform{}
	name, err := windows.UTF16PtrFromString("Causeway")
	if err != nil {
		return nil, err
	}
	opened := newSession(name)
	p.pinned.Pin(name)
	p.pinned.Pin(opened)
	if err := call("FwpmEngineOpen0", 0, authenticationWinNT, 0, uintptr(unsafe.Pointer(opened)), uintptr(unsafe.Pointer(&p.handle))); err != nil {
		p.pinned.Unpin()
		return nil, err
	}
	return p, nil
}

func (p *platform) close() {
	_ = call("FwpmEngineClose0", p.handle)
	p.pinned.Unpin()
}

func (windowsFirewall) set(which ruleSet, rules []filter.Rule) error {
	return change(func(p *platform) error {
		if err := p.deleteFilters(which); err != nil {
			return err
		}
		if err := p.addSublayer(which); err != nil {
			return err
		}
		for index, each := range filtersOf(rules) {
			if index == maxFilters {
				return windows.ERROR_NOT_ENOUGH_QUOTA
			}
			if err := p.addFilter(which, index, each.layer, each.rule); err != nil {
				return err
			}
		}
		return nil
	})
}

func (windowsFirewall) clear(which ruleSet) error {
	return change(func(p *platform) error {
		if err := p.deleteFilters(which); err != nil {
			return err
		}
		under, by := sublayerKeys[which], providerKey
		if err := call("FwpmSubLayerDeleteByKey0", p.handle, uintptr(unsafe.Pointer(&under))); err != nil && err != errSublayerNotFound {
			return err
		}
		// The other set may need it.
		err := call("FwpmProviderDeleteByKey0", p.handle, uintptr(unsafe.Pointer(&by)))
		if err == errProviderNotFound || err == errInUse {
			return nil
		}
		return err
	})
}

func (windowsFirewall) begins(which ruleSet, rules []filter.Rule) (bool, error) {
	if len(rules) == 0 {
		return true, nil
	}
	p, err := openPlatform()
	if err != nil {
		return false, err
	}
	defer p.close()
	return areThere(filtersOf(rules), func(index int) (layer windows.GUID, action uint32, err error) {
		key, found := filterKey(which, index), (*filterEntry)(nil)
		if err := call("FwpmFilterGetByKey0", p.handle, uintptr(unsafe.Pointer(&key)), uintptr(unsafe.Pointer(&found))); err != nil {
			return layer, 0, err
		}
		layer, action = found.layer, found.action
		// It returns nothing.
		_, _, _ = fwpuclnt.NewProc("FwpmFreeMemory0").Call(uintptr(unsafe.Pointer(&found)))
		return layer, action, nil
	})
}

// deleteFilters deletes those from before.
func (p *platform) deleteFilters(which ruleSet) error {
	return deleteEach(func(index int) error {
		key := filterKey(which, index)
		return call("FwpmFilterDeleteByKey0", p.handle, uintptr(unsafe.Pointer(&key)))
	})
}

func (p *platform) addSublayer(which ruleSet) error {
	name, err := windows.UTF16PtrFromString("Causeway")
	if err != nil {
		return err
	}
	by := &provider{key: providerKey, display: displayData{name: name}}
	owner := &by.key
	under := &sublayer{key: sublayerKeys[which], display: displayData{name: name}, provider: owner, weight: highestSublayer}
	for _, each := range []any{name, by, under} {
		p.pinned.Pin(each)
	}
	if err := call("FwpmProviderAdd0", p.handle, uintptr(unsafe.Pointer(by)), 0); err != nil && err != errExists {
		return err
	}
	if err := call("FwpmSubLayerAdd0", p.handle, uintptr(unsafe.Pointer(under)), 0); err != nil && err != errExists {
		return err
	}
	return nil
}

func (p *platform) addFilter(which ruleSet, index int, layer windows.GUID, rule filter.Rule) error {
	conditions, free, err := p.conditionsOf(rule)
	if err != nil {
		return err
	}
	defer free()
	name, err := windows.UTF16PtrFromString("Causeway")
	if err != nil {
		return err
	}
	by := providerKey
	entry := &filterEntry{
		key: filterKey(which, index), display: displayData{name: name}, provider: &by, layer: layer, under: sublayerKeys[which],
		weight: value{typeUint8, uintptr(rule.Weight)}, count: uint32(len(conditions)), action: actionOf(rule),
	}
	for _, each := range []any{name, &by, entry} {
		p.pinned.Pin(each)
	}
	if len(conditions) > 0 {
		entry.conditions = &conditions[0]
		p.pinned.Pin(entry.conditions)
	}
	return call("FwpmFilterAdd0", p.handle, uintptr(unsafe.Pointer(entry)), 0, 0)
}

// conditionsOf returns the conditions of a rule, all of which have to be met. The returned function frees what Windows allocated.
func (p *platform) conditionsOf(rule filter.Rule) (all []condition, free func(), err error) {
	free = func() {}
	add := func(field windows.GUID, match uint32, kind uint32, content uintptr) {
		all = append(all, condition{field, match, value{kind, content}})
	}
	if rule.Loopback {
		add(flagsField, matchAllFlags, typeUint32, isLoopback)
	}
	if rule.Interface != 0 {
		number := new(uint64)
		*number = rule.Interface
		p.pinned.Pin(number)
		add(interfaceField, matchEqual, typeUint64, uintptr(unsafe.Pointer(number)))
	}
	if rule.Protocol != 0 {
		add(protocolField, matchEqual, typeUint8, uintptr(rule.Protocol))
	}
	if rule.Remote.IsValid() {
		kind, content := p.addressOf(rule.Remote)
		add(addressField, matchEqual, kind, content)
	}
	if rule.RemotePort != 0 {
		add(remotePortField, matchEqual, typeUint16, uintptr(rule.RemotePort))
	}
	if rule.LocalPort != 0 {
		add(localPortField, matchEqual, typeUint16, uintptr(rule.LocalPort))
	}
	if rule.Type != 0 {
		// Windows has the type of ICMP in the place of the port.
		add(localPortField, matchEqual, typeUint16, uintptr(rule.Type))
	}
	if rule.Own {
		identity, err := programOf(rule)
		if err != nil {
			return nil, free, err
		}
		free = func() { _, _, _ = fwpuclnt.NewProc("FwpmFreeMemory0").Call(uintptr(unsafe.Pointer(&identity))) }
		add(programField, matchEqual, typeBlob, identity)
	}
	return all, free, nil
}

// addressOf returns an address with its length, in memory that stays in place.
func (p *platform) addressOf(prefix netip.Prefix) (kind uint32, content uintptr) {
	if prefix.Addr().Is4() {
		bytes := prefix.Addr().As4()
		of := &addressMask{mask: ^uint32(0) << (32 - prefix.Bits())}
		for _, each := range bytes {
			of.address = of.address<<8 | uint32(each)
		}
		p.pinned.Pin(of)
		return typeIPv4, uintptr(unsafe.Pointer(of))
	}
	of := &addressBits{prefix.Addr().As16(), uint8(prefix.Bits())}
	p.pinned.Pin(of)
	return typeIPv6, uintptr(unsafe.Pointer(of))
}

// programOf returns what the platform knows the program of a rule by, which it has allocated.
func programOf(rule filter.Rule) (uintptr, error) {
	program, err := rule.Program, error(nil)
	if program == "" {
		program, err = os.Executable()
	}
	if err != nil {
		return 0, err
	}
	path, err := windows.UTF16PtrFromString(program)
	if err != nil {
		return 0, err
	}
	identity := uintptr(0)
	err = call("FwpmGetAppIdFromFileName0", uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&identity)))
	return identity, err
}

//go:build windows

package main

import (
	"errors"
	"net/netip"
	"strings"
	"unsafe"

	"causeway-helper"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

const (
	// nameRules is where Windows keeps its table of name resolution (NRPT) for rules that no group policy sets.
	nameRules = `SYSTEM\CurrentControlSet\Services\Dnscache\Parameters\DnsPolicyConfig`
	// policyRules is where group policies keep theirs. With that key, also an empty one, Windows ignores all others.
	policyRules = `SOFTWARE\Policies\Microsoft\Windows NT\DNSClient\DnsPolicyConfig`
	// maxRuleNames is how many names Windows takes in one rule.
	maxRuleNames = 50
	// From the specification of the table [MS-GPNRPT].
	genericServers = 0x8
	ruleVersion    = 1
)

// ownNameRules are the keys of Causeway's rule. One is in force while the other one is written.
var ownNameRules = [2]string{`{9f7a2c53-7a0a-4a42-9a53-c1bb2a1b4d6e}`, `{9f7a2c53-7a0a-4a42-9a53-c1bb2a1b4d6f}`}

var (
	createKey = advapi32.NewProc("RegCreateKeyExW")
	dnsapi    = windows.NewLazySystemDLL("dnsapi.dll")
	flush     = dnsapi.NewProc("DnsFlushResolverCache")
)

// setNameRules has Windows ask these servers for the names in the domains, or for all names. It asks no other server for them.
// The rule is in memory alone: nothing of it is left after a restart of the computer.
func setNameRules(servers []netip.Addr, domains []string, every bool) error {
	names := []string{}
	for _, each := range domains {
		names = append(names, "."+strings.TrimSuffix(each, "."))
	}
	if every {
		names = []string{"."}
	}
	if len(names) == 0 || len(names) > maxRuleNames {
		return windows.ERROR_INVALID_PARAMETER
	}
	if err := requireNoPolicy(); err != nil {
		return err
	}
	if err := note(stateNames, "yes"); err != nil {
		return err
	}
	next, last := ownNameRules[0], ownNameRules[1]
	if has, err := hasNameRule(next); err != nil {
		return err
	} else if has {
		next, last = last, next
	}
	if err := writeNameRule(next, names, servers); err != nil {
		// The one before stays in force.
		return errors.Join(err, deleteNameRule(next))
	}
	return errors.Join(deleteNameRule(last), renewNames())
}

func requireNoPolicy() error {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, policyRules, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err == nil {
		key.Close()
		err = helper.ErrNamePolicy
	}
	return err
}

func writeNameRule(rule string, names []string, servers []netip.Addr) error {
	// Perhaps a part of one.
	if err := deleteNameRule(rule); err != nil {
		return err
	}
	key, err := createVolatile(nameRules + `\` + rule)
	if err != nil {
		return err
	}
	defer key.Close()
	texts := []string{}
	for _, each := range servers {
		texts = append(texts, each.String())
	}
	return errors.Join(
		key.SetDWordValue("Version", ruleVersion),
		key.SetStringsValue("Name", names),
		key.SetStringValue("GenericDNSServers", strings.Join(texts, "; ")),
		// Last: a rule without it does nothing.
		key.SetDWordValue("ConfigOptions", genericServers),
	)
}

func hasNameRule(rule string) (bool, error) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, nameRules+`\`+rule, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer key.Close()
	_, _, err = key.GetIntegerValue("ConfigOptions")
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func deleteNameRule(rule string) error {
	err := registry.DeleteKey(registry.LOCAL_MACHINE, nameRules+`\`+rule)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

// clearNameRules deletes the rules, and has the resolver forget them: the record stays until it has.
func clearNameRules() error {
	text, err := noted(stateNames)
	if err != nil || text == "" {
		return err
	}
	err = errors.Join(deleteNameRule(ownNameRules[0]), deleteNameRule(ownNameRules[1]), renewNames())
	if err != nil {
		return err
	}
	return forget(stateNames)
}

// renewNames is replaced by tests.
var renewNames = renewResolver

// renewResolver has Windows' resolver read the table again, and forget the answers of other servers.
func renewResolver() error {
	manager, err := windows.OpenSCManager(nil, nil, windows.SC_MANAGER_CONNECT)
	if err != nil {
		return err
	}
	defer windows.CloseServiceHandle(manager)
	name, err := windows.UTF16PtrFromString("Dnscache")
	if err != nil {
		return err
	}
	resolver, err := windows.OpenService(manager, name, windows.SERVICE_PAUSE_CONTINUE)
	if errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST) {
		// Wine has none.
		return nil
	}
	if err != nil {
		return err
	}
	defer windows.CloseServiceHandle(resolver)
	status := windows.SERVICE_STATUS{}
	err = windows.ControlService(resolver, windows.SERVICE_CONTROL_PARAMCHANGE, &status)
	if err == nil && flush.Find() == nil {
		_, _, _ = flush.Call()
	}
	return err
}

// createVolatile creates a key that ends with the session of Windows. Those above it stay.
func createVolatile(path string) (registry.Key, error) {
	above, _, err := registry.CreateKey(registry.LOCAL_MACHINE, path[:strings.LastIndexByte(path, '\\')], registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return 0, err
	}
	above.Close()
	text, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	const volatile = 1
	key := windows.Handle(0)
	code, _, _ := createKey.Call(uintptr(registry.LOCAL_MACHINE), uintptr(unsafe.Pointer(text)), 0, 0, volatile,
		uintptr(registry.ALL_ACCESS), 0, uintptr(unsafe.Pointer(&key)), 0)
	if code != 0 {
		return 0, windows.Errno(code)
	}
	return registry.Key(key), nil
}

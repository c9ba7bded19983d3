//go:build windows && !causeway_model

package main

import (
	"errors"
	"slices"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
	"golang.zx2c4.com/wireguard/windows/tunnel/winipcfg"
)

// networkClass lists the network devices of this computer, each in a key of four digits. Only administrators may change it.
const networkClass = `SYSTEM\CurrentControlSet\Control\Class\{4D36E972-E325-11CE-BFC1-08002BE10318}`

// openVPNDrivers are those whose devices OpenVPN looks for (its src/openvpn/tun.c) with what the client asks of it. Its driver for the data
// channel (DCO) sends the packets to the server by itself, not as OpenVPN's program, and devices of Wintun are other programs' as well.
var openVPNDrivers = []string{"tap0901", `root\tap0901`}

// openVPNDevices returns the numbers of those that are up.
func openVPNDevices() ([]uint64, error) {
	class, err := registry.OpenKey(registry.LOCAL_MACHINE, networkClass, registry.ENUMERATE_SUB_KEYS|registry.WOW64_64KEY)
	if err != nil {
		return nil, err
	}
	defer class.Close()
	names, err := class.ReadSubKeyNames(-1)
	if err != nil {
		return nil, err
	}
	up := []uint64{}
	for _, name := range names {
		luid, err := openVPNDevice(class, name)
		if err != nil {
			// Of another kind, or one that is just being removed.
			continue
		}
		if row, err := luid.Interface(); err == nil && row.OperStatus == winipcfg.IfOperStatusUp {
			up = append(up, uint64(luid))
		}
	}
	return up, nil
}

var errOtherDriver = errors.New("not a device of OpenVPN")

func openVPNDevice(class registry.Key, name string) (winipcfg.LUID, error) {
	key, err := registry.OpenKey(class, name, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return 0, err
	}
	defer key.Close()
	driver, _, err := key.GetStringValue("ComponentId")
	if err != nil {
		return 0, err
	}
	if !slices.Contains(openVPNDrivers, driver) {
		return 0, errOtherDriver
	}
	text, _, err := key.GetStringValue("NetCfgInstanceId")
	if err != nil {
		return 0, err
	}
	guid, err := windows.GUIDFromString(text)
	if err != nil {
		return 0, err
	}
	return winipcfg.LUIDFromGUID(&guid)
}

// onDeviceChange calls back after each change of the computer's network devices, and of their addresses and routes, which OpenVPN sets once its
// device is up. Stop waits for the threads of Windows, which must not wait for whoever stops.
func onDeviceChange(changed func()) (stop func(), err error) {
	devices, err := winipcfg.RegisterInterfaceChangeCallback(func(winipcfg.MibNotificationType, *winipcfg.MibIPInterfaceRow) { changed() })
	if err != nil {
		return nil, err
	}
	addresses, err := winipcfg.RegisterUnicastAddressChangeCallback(func(winipcfg.MibNotificationType, *winipcfg.MibUnicastIPAddressRow) { changed() })
	if err != nil {
		_ = devices.Unregister()
		return nil, err
	}
	routes, err := winipcfg.RegisterRouteChangeCallback(func(winipcfg.MibNotificationType, *winipcfg.MibIPforwardRow2) { changed() })
	if err != nil {
		_ = addresses.Unregister()
		_ = devices.Unregister()
		return nil, err
	}
	return func() {
		_ = routes.Unregister()
		_ = addresses.Unregister()
		_ = devices.Unregister()
	}, nil
}

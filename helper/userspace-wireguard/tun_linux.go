package main

import (
	"encoding/binary"
	"errors"
	"os"
	"syscall"
	"unsafe"

	"golang.zx2c4.com/wireguard/tun"
)

// From linux/rtnetlink.h.
const linkGroup = 1 // RTMGRP_LINK

// watchedTun is a device whose changes the kernel announces. The library's own asks every second, too, for devices in other
// network namespaces: a wake-up each second of a tunnel at rest.
type watchedTun struct {
	tun.Device
	changes *os.File
	events  chan tun.Event
}

// isUpAtOnce is false: the helper sets the device up once it is configured.
const isUpAtOnce = false

func openTun(descriptor, mtu int) (tun.Device, error) {
	opened, name, err := tun.CreateUnmonitoredTUNFromFD(descriptor)
	if err != nil {
		return nil, err
	}
	index, err := setMTU(name, mtu)
	if err != nil {
		return nil, err
	}
	changes, err := subscribe()
	if err != nil {
		return nil, err
	}
	watched := &watchedTun{Device: opened, changes: changes, events: make(chan tun.Event, 5)}
	go watched.watch(index)
	return watched, nil
}

func (w *watchedTun) Events() <-chan tun.Event { return w.events }

func (w *watchedTun) Close() error { return errors.Join(w.changes.Close(), w.Device.Close()) }

// setMTU returns the index of the device.
func setMTU(name string, mtu int) (int32, error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(socket)
	request := [40]byte{}
	value := request[syscall.IFNAMSIZ:]
	copy(request[:syscall.IFNAMSIZ-1], name)
	binary.NativeEndian.PutUint32(value, uint32(mtu))
	for _, call := range []uintptr{syscall.SIOCSIFMTU, syscall.SIOCGIFINDEX} {
		if _, _, number := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), call, uintptr(unsafe.Pointer(&request))); number != 0 {
			return 0, number
		}
	}
	return int32(binary.NativeEndian.Uint32(value)), nil
}

// subscribe returns a socket with the changes of the network's devices from now on.
func subscribe() (*os.File, error) {
	const kind = syscall.SOCK_RAW | syscall.SOCK_CLOEXEC | syscall.SOCK_NONBLOCK
	socket, err := syscall.Socket(syscall.AF_NETLINK, kind, syscall.NETLINK_ROUTE)
	if err != nil {
		return nil, err
	}
	if err := syscall.Bind(socket, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: linkGroup}); err != nil {
		syscall.Close(socket)
		return nil, err
	}
	return os.NewFile(uintptr(socket), "changes"), nil
}

// watch passes on the changes of one device until the socket is closed. The end of the device is an error of reading it.
func (w *watchedTun) watch(index int32) {
	defer close(w.events)
	memory := make([]byte, 1<<16)
	for {
		length, err := w.changes.Read(memory)
		if errors.Is(err, syscall.ENOBUFS) {
			// Messages are lost. The next ones have the device's state again.
			continue
		}
		if err != nil {
			return
		}
		messages, err := syscall.ParseNetlinkMessage(memory[:length])
		if err != nil {
			continue
		}
		for _, each := range messages {
			if each.Header.Type != syscall.RTM_NEWLINK || len(each.Data) < syscall.SizeofIfInfomsg {
				continue
			}
			link := (*syscall.IfInfomsg)(unsafe.Pointer(&each.Data[0]))
			if link.Index != index {
				continue
			}
			event := tun.Event(tun.EventMTUUpdate | tun.EventDown)
			if link.Flags&syscall.IFF_RUNNING != 0 {
				event = tun.EventMTUUpdate | tun.EventUp
			}
			w.events <- event
		}
	}
}

package helper

import "syscall"

func bindToDevice(socket, _ int, device string) error { return syscall.BindToDevice(socket, device) }

package filter

import "testing"

func TestOnlyTheTunnelsDeviceIsTaken(t *testing.T) {
	devices := NewDevices([]uint64{4})
	for index, each := range []struct {
		up   []uint64
		want uint64
	}{
		{[]uint64{4}, 0},
		{[]uint64{4, 7}, 7},
		{[]uint64{4, 5, 7}, 7},
		{[]uint64{5}, 5},
		{nil, 0},
		// It belonged to another OpenVPN, and has been free since.
		{[]uint64{4}, 4},
		{[]uint64{7}, 7},
	} {
		if got := devices.Update(each.up); got != each.want {
			t.Error(index, got)
		}
	}
	// One that another OpenVPN has all the time is never that of the tunnel.
	devices = NewDevices([]uint64{4})
	for _, up := range [][]uint64{{4}, {4, 7}, {4}} {
		if got := devices.Update(up); got == 4 {
			t.Error(up, got)
		}
	}
}

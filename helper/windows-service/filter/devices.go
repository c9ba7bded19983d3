package filter

import "slices"

// Devices tells which of the devices that OpenVPN may use is that of the tunnel. Another OpenVPN may have one already.
type Devices struct {
	// others hold those that were up when the kill switch came, and haven't been down since.
	others []uint64
	found  uint64
}

// NewDevices takes the devices that are up before OpenVPN starts.
func NewDevices(up []uint64) *Devices { return &Devices{others: up} }

// Update takes those that are up now, and returns that of the tunnel: the first that has come up, until it goes; 0 without one.
func (d *Devices) Update(up []uint64) uint64 {
	d.others = slices.DeleteFunc(slices.Clone(d.others), func(each uint64) bool { return !slices.Contains(up, each) })
	if slices.Contains(up, d.found) {
		return d.found
	}
	d.found = 0
	for _, each := range up {
		if d.found == 0 && !slices.Contains(d.others, each) {
			d.found = each
		}
	}
	return d.found
}

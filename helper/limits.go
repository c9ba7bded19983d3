package helper

import "time"

const (
	// maxBytes and maxLines limit a request.
	maxBytes = 262144
	maxLines = 10000
	// toolTimeout limits the time of a program of the system.
	toolTimeout = 5 * time.Second
	// maxOutput exceeds the output of any tool; a program that runs as the user might print any amount.
	maxOutput = 1 << 20
	// maxQueued limits the commands that wait for another one.
	maxQueued = 64
	// maxAddresses limits the addresses of a name.
	maxAddresses = 8
	// askAgain is the time after which a request to end is repeated, because OpenVPN loses signals while it starts.
	askAgain = 300 * time.Millisecond
)

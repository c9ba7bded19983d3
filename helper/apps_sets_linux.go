//go:build !macos_rehearsal

package helper

import (
	"encoding/binary"
	"sort"
	"syscall"
)

// From linux/netfilter/nfnetlink.h and nf_tables.h.
const (
	nftBatchBegin   = 0x10
	nftBatchEnd     = 0x11
	nftSubsystem    = 10
	nftNewElements  = nftSubsystem<<8 | 12
	nftGetElements  = nftSubsystem<<8 | 13
	nftDelElements  = nftSubsystem<<8 | 14
	nftElementTable = 1
	nftElementSet   = 2
	nftElementList  = 3
	nftListElement  = 1
	nftElementKey   = 1
	nftDataValue    = 1
)

// groupSet is what a set of a table in nftables is to hold.
type groupSet struct {
	table, set string
	groups     map[uint64]groupPath
}

// replaceSets replaces the contents of all sets at once. The kernel takes the ids of groups here; nft would take paths alone, below a
// fixed folder, and could meet another group there by then.
func replaceSets(sets []groupSet) error {
	if len(sets) == 0 {
		return nil
	}
	socket, err := openNetlink(netlinkNetfilter)
	if err != nil {
		return at("set-groups", err)
	}
	defer socket.close()
	return at("set-groups", socket.transact(setMessages(sets)))
}

// setMessages empties each set, and fills it again.
func setMessages(sets []groupSet) []message {
	messages := []message{}
	for _, each := range sets {
		names := setNames(each.table, each.set)
		messages = append(messages, message{nftDelElements, 0, names})
		ids := []uint64{}
		for id := range each.groups {
			ids = append(ids, id)
		}
		sort.Slice(ids, func(one, other int) bool { return ids[one] < ids[other] })
		elements := []byte{}
		for _, id := range ids {
			elements = append(elements, element(id)...)
		}
		if len(ids) > 0 {
			messages = append(messages, message{nftNewElements, syscall.NLM_F_CREATE, joined(names, nested(nftElementList, elements))})
		}
	}
	return messages
}

// setNames is the head of each message about the elements of a set.
func setNames(table, set string) []byte {
	return joined([]byte{familyInet, 0, 0, 0}, attribute(nftElementTable, zeroEnded(table)), attribute(nftElementSet, zeroEnded(set)))
}

// element returns a group as an element of a set.
func element(id uint64) []byte {
	key := make([]byte, 8)
	nativeOrder.PutUint64(key, id)
	return nested(nftListElement, nested(nftElementKey, attribute(nftDataValue, key)))
}

// transact has nftables carry out all messages or none.
func (s *netlinkSocket) transact(messages []message) error {
	subsystem := make([]byte, 4)
	binary.BigEndian.PutUint16(subsystem[2:], nftSubsystem)
	// The kernel acknowledges neither of the outer two before Linux 6.10.
	all := []message{{nftBatchBegin, 0, subsystem}}
	for _, each := range messages {
		all = append(all, message{each.kind, each.flags | syscall.NLM_F_ACK, each.body})
	}
	begin, err := s.send(append(all, message{nftBatchEnd, 0, subsystem}), 0)
	if err != nil {
		return err
	}
	for waiting := len(messages); waiting > 0; {
		answers, err := s.receive()
		if err != nil {
			return err
		}
		for _, each := range answers {
			if each.Header.Type != syscall.NLMSG_ERROR || each.Header.Seq < begin || len(each.Data) < 4 {
				continue
			}
			if number := -int32(nativeOrder.Uint32(each.Data)); number != 0 {
				return syscall.Errno(number)
			}
			waiting--
		}
	}
	return nil
}

//go:build windows && !causeway_model

package main

import (
	"testing"

	"golang.org/x/sys/windows"
)

func TestTransactionsWaitAFewSeconds(t *testing.T) {
	if limit := newSession(nil).timeout; limit == 0 || limit > 10_000 {
		t.Error(limit)
	}
}

func TestFiltersAreDeletedBehindAGap(t *testing.T) {
	there := map[int]bool{0: true, 2: true, 40: true, maxFilters - 1: true}
	remove := func(index int) error {
		if !there[index] {
			return errFilterNotFound
		}
		delete(there, index)
		return nil
	}
	if err := deleteEach(remove); err != nil || len(there) > 0 {
		t.Error(err, there)
	}
	if err := deleteEach(func(int) error { return windows.ERROR_ACCESS_DENIED }); err != windows.ERROR_ACCESS_DENIED {
		t.Error(err)
	}
}

func TestAKillSwitchWithoutOneOfItsBlocksIsNotUp(t *testing.T) {
	for missing := -1; missing < blockFilters; missing++ {
		up, err := areThere(func(index int) error {
			if index == missing {
				return errFilterNotFound
			}
			return nil
		})
		if up != (missing == -1) || err != nil {
			t.Error(missing, up, err)
		}
	}
	if _, err := areThere(func(int) error { return windows.ERROR_ACCESS_DENIED }); err == nil {
		t.Error("took an error for an answer")
	}
}

func TestFilterKeysDiffer(t *testing.T) {
	seen := map[windows.GUID]bool{}
	for _, which := range []ruleSet{killSwitchRules, tunnelRules} {
		for index := 0; index < maxFilters; index++ {
			key := filterKey(which, index)
			if seen[key] {
				t.Fatal(which, index)
			}
			seen[key] = true
		}
	}
}

//go:build windows && !causeway_model

package main

import (
	"testing"

	"causeway-helper"
	"causeway-service/filter"
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

func TestABlockWithoutOneOfItsFiltersIsNotUp(t *testing.T) {
	for what, count := range map[helper.Blocked]int{
		{Everything: true}: 4, {IPv6: true}: 2 + 3*2, {Local: true}: 9 * 2, {Local: true, IPv6: true}: 2 + 9*2,
	} {
		filters := filtersOf(filter.Blocking(filter.Plan{Blocked: what}))
		if len(filters) != count {
			t.Error(what, len(filters))
		}
		find := func(index int) (windows.GUID, uint32, error) {
			return filters[index].layer, actionOf(filters[index].rule), nil
		}
		for missing := -1; missing < count; missing++ {
			up, err := areThere(filters, func(index int) (windows.GUID, uint32, error) {
				if index == missing {
					return windows.GUID{}, 0, errFilterNotFound
				}
				return find(index)
			})
			if up != (missing == -1) || err != nil {
				t.Error(what, missing, up, err)
			}
		}
		// Another one with the key of the last.
		for _, other := range []layerRule{{filters[0].layer, filters[count-1].rule}, {filters[count-1].layer, filter.Rule{Permit: !filters[count-1].rule.Permit}}} {
			up, err := areThere(filters, func(index int) (windows.GUID, uint32, error) {
				if index == count-1 {
					return other.layer, actionOf(other.rule), nil
				}
				return find(index)
			})
			if up || err != nil {
				t.Error(what, other, up, err)
			}
		}
		if _, err := areThere(filters, func(int) (windows.GUID, uint32, error) { return windows.GUID{}, 0, windows.ERROR_ACCESS_DENIED }); err == nil {
			t.Error("took an error for an answer")
		}
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

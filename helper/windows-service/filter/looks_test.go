package filter

import (
	"testing"
	"time"
)

func TestLooksAreRareAtRest(t *testing.T) {
	looks := Looks{}
	atRest := func(after string) {
		t.Helper()
		count := 0
		for ; looks.Pause() == soon && count <= settling; count++ {
			looks.Looked(false)
		}
		if count > settling || looks.Pause() < 30*time.Second {
			t.Error(after, count, looks.Pause())
		}
		looks.Looked(false)
		if looks.Pause() != late {
			t.Error(after, "looks soon again")
		}
	}
	atRest("from the start")
	for count := 0; count < settling-1; count++ {
		if looks.Changed(); looks.Pause() != soon {
			t.Error("a change is not looked after")
		}
		looks.Looked(false)
	}
	atRest("after changes")
	for count := 0; count < 3*settling; count++ {
		if looks.Looked(true); looks.Pause() != soon {
			t.Error("what is pending is not looked after")
		}
	}
	atRest("after what was pending")
}

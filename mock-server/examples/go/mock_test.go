package example

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"causeway.example.org/mock"
)

func TestMain(m *testing.M) { os.Exit(mock.Main(m, "--auto-approve")) }

func get(t *testing.T, url, token string) int {
	t.Helper()
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func TestAsksForTheDocumentOnce(t *testing.T) {
	t.Parallel()
	world := mock.World(t)
	if status := get(t, world.Instance()+"info.json", ""); status != 200 {
		t.Errorf("status %d", status)
	}
	world.Verify(t, mock.Match{Path: "/info.json"}, 1)
}

func TestSaysWhatCameNearest(t *testing.T) {
	t.Parallel()
	world := mock.World(t)
	get(t, world.Instance()+"info.json", "")
	match := mock.Match{Method: "POST", Path: "/info.json"}
	err := world.Call("POST", "/verify", map[string]any{"match": match}, nil)
	if err == nil || !strings.Contains(err.Error(), "GET /info.json (method: GET)") {
		t.Errorf("%v", err)
	}
}

func TestShowsThatTheServiceIsDown(t *testing.T) {
	t.Parallel()
	world := mock.World(t)
	world.Scenario(t, "content-down")
	if status := get(t, world.Origin+"/2.3/club", ""); status != 503 {
		t.Errorf("status %d", status)
	}
	world.Scenario(t)
	world.Fault(t, map[string]any{"times": 1, "fault": map[string]int{"status": 418}})
	if status := get(t, world.Origin+"/2.3/club", ""); status != 418 {
		t.Errorf("status %d", status)
	}
}

func TestLogsInAndMovesTheClock(t *testing.T) {
	t.Parallel()
	world := mock.World(t)
	token := world.LogIn(t, "anna")
	profiles := world.Origin + "/api/vpn/profile_list"
	if status := get(t, profiles, token); status != 200 {
		t.Errorf("status %d", status)
	}
	world.Advance(t, 365*24*time.Hour)
	if status := get(t, profiles, token); status != 401 {
		t.Errorf("status %d", status)
	}
	world.Verify(t, mock.Match{User: "anna"}, 2)
}

func TestNamesTheTunnelOfTheServer(t *testing.T) {
	t.Parallel()
	server, end, err := mock.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if mode := server.Tunnel(t)["mode"]; mode != "none" {
		t.Errorf("mode %v", mode)
	}
}

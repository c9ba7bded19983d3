// Package mock starts causeway-mock-server for tests and controls it.
//
// It needs Node and the package, installed with npm in the folder of the tests or above it, or its command in the
// environment variable CAUSEWAY_MOCK.
package mock

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Mock is a mock server, or a world of it: its addresses, and the calls that control it.
type Mock struct {
	Origin    string `json:"origin"`
	Control   string `json:"control"`
	Discovery struct {
		URL string `json:"url"`
		Key string `json:"key"`
	} `json:"discovery"`
	// CA is the file of the CA that clients must trust, with the option --tls.
	CA    string `json:"ca"`
	World string `json:"world"`
}

// Instance returns the address of the VPN instance, as a user types it.
func (m *Mock) Instance() string { return m.Origin + "/" }

// Attachments returns the base address of the attachments service. Those of the other services are Origin.
func (m *Mock) Attachments() string { return m.Origin + "/v2.0.0" }

// Match is what a request must be like, as in POST /_mock/verify: each part may be left out.
type Match struct {
	Method  string         `json:"method,omitempty"`
	Path    string         `json:"path,omitempty"`
	Query   map[string]any `json:"query,omitempty"`
	Headers map[string]any `json:"headers,omitempty"`
	Body    any            `json:"body,omitempty"`
	User    string         `json:"user,omitempty"`
}

// Refusal is the error of a control call that was refused.
type Refusal struct {
	Status  int
	Reason  string `json:"error"`
	Nearest []struct {
		Request struct {
			Method string `json:"method"`
			Path   string `json:"path"`
		} `json:"request"`
		Differences []string `json:"differences"`
	} `json:"nearest"`
}

// Error returns the reason, with the nearest misses of a verification.
func (r *Refusal) Error() string {
	lines := []string{r.Reason}
	for _, near := range r.Nearest {
		line := fmt.Sprintf("  %s %s", near.Request.Method, near.Request.Path)
		if len(near.Differences) > 0 {
			line += fmt.Sprintf(" (%s)", strings.Join(near.Differences, "; "))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Control calls never go through a proxy.
var client = &http.Client{Transport: &http.Transport{}}

// Call makes a control call, such as Call("PUT", "/user", map[string]string{"user": "anna"}, nil), and reads its answer.
func (m *Mock) Call(method, path string, body, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	// Over http, which control calls have beside https: no certificate can be in their way.
	url := strings.Replace(m.Control, "https:", "http:", 1) + path
	request, err := http.NewRequest(method, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	if body == nil {
		request.Body, request.ContentLength = http.NoBody, 0
	} else {
		request.Header.Set("content-type", "application/json")
	}
	request.Header.Set("accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		refusal := &Refusal{Status: response.StatusCode}
		if err := json.Unmarshal(text, refusal); err != nil {
			return fmt.Errorf("%s: %s", response.Status, text)
		}
		return refusal
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

func (m *Mock) must(t testing.TB, method, path string, body, answer any) {
	t.Helper()
	if err := m.Call(method, path, body, answer); err != nil {
		t.Fatal(err)
	}
}

// Reset goes back to the seed data.
func (m *Mock) Reset(t testing.TB) {
	t.Helper()
	m.must(t, "POST", "/reset", nil, nil)
}

// Scenario sets up these scenarios together, instead of those before; none ends them.
func (m *Mock) Scenario(t testing.TB, names ...string) {
	t.Helper()
	m.must(t, "POST", "/scenarios", map[string]any{"names": append([]string{}, names...)}, nil)
}

// Fault adds a fault, with the body of POST /_mock/faults.
func (m *Mock) Fault(t testing.TB, rule any) {
	t.Helper()
	m.must(t, "POST", "/faults", rule, nil)
}

// Advance moves the clock.
func (m *Mock) Advance(t testing.TB, by time.Duration) {
	t.Helper()
	m.must(t, "POST", "/clock", map[string]any{"advanceSeconds": int(by.Seconds())}, nil)
}

// LogIn logs in without a browser, and returns the access token.
func (m *Mock) LogIn(t testing.TB, user string) string {
	t.Helper()
	var tokens struct {
		AccessToken string `json:"accessToken"`
	}
	m.must(t, "POST", "/tokens", map[string]string{"user": user}, &tokens)
	return tokens.AccessToken
}

// Tunnel returns the state of the servers behind the profiles; only of a server with the option --tunnel.
func (m *Mock) Tunnel(t testing.TB) map[string]any {
	t.Helper()
	var state map[string]any
	m.must(t, "GET", "/tunnel", nil, &state)
	return state
}

// Verify fails the test unless so many requests match, and says what came nearest.
func (m *Mock) Verify(t testing.TB, match Match, times int) {
	t.Helper()
	err := m.Call("POST", "/verify", map[string]any{"match": match, "times": times}, nil)
	if err != nil {
		t.Error(err)
	}
}

// NewWorld returns a world of its own, on a port of its own, that lasts as long as the test.
func (m *Mock) NewWorld(t testing.TB) *Mock {
	t.Helper()
	world := &Mock{CA: m.CA}
	m.must(t, "POST", "/worlds", map[string]bool{"port": true}, world)
	t.Cleanup(func() { m.must(t, "DELETE", "/worlds/"+world.World, nil, nil) })
	return world
}

// Start starts a mock server with these options of its command. The second result ends it.
func Start(options ...string) (*Mock, func(), error) {
	// Never from the registry.
	words := []string{"npx", "--no-install", "causeway-mock-server"}
	if own := strings.Fields(os.Getenv("CAUSEWAY_MOCK")); len(own) > 0 {
		words = own
	}
	words = append(append(words, "--port", "0", "--json"), options...)
	command := exec.Command(words[0], words[1:]...)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := command.Start(); err != nil {
		return nil, nil, err
	}
	end := func() {
		// Windows has no signal for it; the mock ends with its parent.
		if command.Process.Signal(syscall.SIGTERM) != nil {
			_ = command.Process.Kill()
		}
		_ = command.Wait()
	}
	server := &Mock{}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, server)
	} else {
		err = errors.Join(errors.New("the mock server didn't start"), err)
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return server, end, nil
}

var shared *Mock

// Main runs the tests of a package with one mock server, and returns the exit status: os.Exit(mock.Main(m, "--auto-approve")).
func Main(m *testing.M, options ...string) int {
	server, end, err := Start(options...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer end()
	shared = server
	return m.Run()
}

// World returns a world of the server of Main for one test.
func World(t testing.TB) *Mock {
	t.Helper()
	return shared.NewWorld(t)
}

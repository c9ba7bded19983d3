package mock

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// A World is a mock of one test. Its fields are those of the answer of POST /_mock/worlds.
type World struct {
	Name    string `json:"world"`
	Origin  string `json:"origin"`
	Control string `json:"control"`
}

var server struct {
	Control string `json:"control"`
}

func TestMain(m *testing.M) {
	command := exec.Command("npx", "causeway-mock-server", "--port", "0", "--json", "--auto-approve")
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err == nil {
		line, _ := bufio.NewReader(output).ReadBytes('\n')
		err = json.Unmarshal(line, &server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	_ = command.Process.Signal(syscall.SIGTERM)
	_ = command.Wait()
	os.Exit(status)
}

// call makes a control call and returns its status and answer.
func call(t *testing.T, method, url string, body any) (int, []byte) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

// newWorld returns a mock that lasts as long as the test.
func newWorld(t *testing.T) World {
	t.Helper()
	_, answer := call(t, http.MethodPost, server.Control+"/worlds", map[string]string{})
	var world World
	if err := json.Unmarshal(answer, &world); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { call(t, http.MethodDelete, server.Control+"/worlds/"+world.Name, nil) })
	return world
}

func TestAsksForTheDocumentOnce(t *testing.T) {
	t.Parallel()
	mock := newWorld(t)
	response, err := http.Get(mock.Origin + "/info.json")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	expected := map[string]any{"match": map[string]string{"path": "/info.json"}, "times": 1}
	if status, answer := call(t, http.MethodPost, mock.Control+"/verify", expected); status != http.StatusOK {
		t.Errorf("%s", answer)
	}
}

func TestShowsThatTheServiceIsDown(t *testing.T) {
	t.Parallel()
	mock := newWorld(t)
	call(t, http.MethodPost, mock.Control+"/scenarios", map[string]any{"names": []string{"content-down"}})
	response, err := http.Get(mock.Origin + "/2.3/club")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d", response.StatusCode)
	}
}

import json
import subprocess
import urllib.error
import urllib.request

import pytest


def call(url, body=None, method="POST"):
    """Makes a control call. Raises urllib.error.HTTPError with the reason if it is refused."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


@pytest.fixture(scope="session")
def server():
    command = ["npx", "causeway-mock-server", "--port", "0", "--json", "--auto-approve"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    yield json.loads(process.stdout.readline())
    process.terminate()
    process.wait()


@pytest.fixture
def mock(server):
    """A mock for one test: a world of the server."""
    world = call(server["control"] + "/worlds", {})
    yield world
    call(f"{server['control']}/worlds/{world['world']}", method="DELETE")


def test_asks_for_the_document_once(mock):
    with urllib.request.urlopen(mock["origin"] + "/info.json") as response:
        assert response.status == 200
    call(mock["control"] + "/verify", {"match": {"path": "/info.json"}, "times": 1})


def test_says_what_came_nearest(mock):
    call(mock["control"] + "/scenarios/offline")
    with pytest.raises(urllib.error.HTTPError) as refused:
        call(mock["control"] + "/verify", {"match": {"path": "/info.json"}})
    assert json.load(refused.value)["matched"] == 0

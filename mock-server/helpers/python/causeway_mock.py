"""A pytest plug-in for causeway-mock-server.

It needs Node and the package, installed with npm in the folder of the tests or above it, or its command in the
environment variable CAUSEWAY_MOCK. Its fixture `mock` is a world of its own for each test. The server of all tests is
`mock_server`; override the fixture `mock_options` to start it with other options.
"""

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest

# Control calls never go through a proxy.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class MockRefusal(Exception):
    """A control call that was refused."""

    def __init__(self, status, answer):
        super().__init__(_reason(answer))
        self.status = status


def _reason(answer):
    """Returns the reason of a refusal, with the nearest misses of a verification."""
    lines = [answer.get("error", "")]
    for near in answer.get("nearest", []):
        request = near["request"]
        differences = "; ".join(near["differences"])
        lines.append(f"  {request['method']} {request['path']}" + (f" ({differences})" if differences else ""))
    return "\n".join(lines)


class Mock:
    """A mock server, or a world of it: its addresses, and the calls that control it."""

    def __init__(self, addresses):
        self.origin = addresses["origin"]
        self.instance = self.origin + "/"
        self.attachments = self.origin + "/v2.0.0"
        self.content = self.organizations = self.origin
        self.control = addresses["control"]
        self.discovery = addresses["discovery"]
        self.ca = addresses.get("ca")
        self._world = addresses.get("world")

    def call(self, method, path, body=None):
        """Makes a control call, such as `call("PUT", "/user", {"user": "anna"})`, and returns its answer."""
        # Over http, which control calls have beside https: no certificate can be in their way.
        url = self.control.replace("https:", "http:", 1) + path
        headers = {"accept": "application/json"}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["content-type"] = "application/json"
        try:
            with _opener.open(urllib.request.Request(url, data, headers, method=method)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise MockRefusal(error.code, json.load(error)) from None

    @contextlib.contextmanager
    def world(self):
        """A world of its own, on a port of its own, until the end of the `with` block."""
        world = Mock({"ca": self.ca, **self.call("POST", "/worlds", {"port": True})})
        try:
            yield world
        finally:
            self.call("DELETE", f"/worlds/{world._world}")

    def reset(self):
        self.call("POST", "/reset")

    def scenario(self, *names):
        """Sets up these scenarios together, instead of those before; none ends them."""
        self.call("POST", "/scenarios", {"names": names})

    def fault(self, **rule):
        """Adds a fault, such as `fault(match={"path": "/2.3/*"}, fault={"status": 503})`."""
        return self.call("POST", "/faults", rule)

    def advance(self, seconds):
        """Moves the clock."""
        self.call("POST", "/clock", {"advanceSeconds": seconds})

    def log_in(self, user="tester"):
        """Logs in without a browser, and returns the access token."""
        return self.call("POST", "/tokens", {"user": user})["accessToken"]

    def requests(self):
        """Returns the journal, newest last."""
        return self.call("GET", "/requests")

    def tunnel(self):
        """Returns the state of the servers behind the profiles; only of a server with the option --tunnel."""
        return self.call("GET", "/tunnel")

    def verify(self, times=None, **match):
        """Fails the test unless so many requests match (without `times`, at least one), and says what came nearest."""
        expected = {"match": match} if times is None else {"match": match, "times": times}
        try:
            self.call("POST", "/verify", expected)
        except MockRefusal as refusal:
            if refusal.status != 422:
                raise
            raise AssertionError(str(refusal)) from None


@contextlib.contextmanager
def start(*options):
    """A mock server with these options of its command, until the end of the `with` block."""
    own = os.environ.get("CAUSEWAY_MOCK")
    # Never from the registry.
    command = shlex.split(own) if own else [shutil.which("npx") or "npx", "--no-install", "causeway-mock-server"]
    process = subprocess.Popen([*command, "--port", "0", "--json", *options], stdout=subprocess.PIPE)
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"The mock server didn't start (exit status {process.wait()}).")
        yield Mock(json.loads(line))
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def mock_options():
    return ["--auto-approve"]


@pytest.fixture(scope="session")
def mock_server(mock_options):
    with start(*mock_options) as server:
        yield server


@pytest.fixture
def mock(mock_server):
    with mock_server.world() as world:
        yield world

import urllib.error
import urllib.request

import pytest


def get(url):
    with urllib.request.urlopen(url) as response:
        return response.status


def test_asks_for_the_document_once(mock):
    assert get(mock.instance + "info.json") == 200
    mock.verify(path="/info.json", times=1)


def test_says_what_came_nearest(mock):
    assert get(mock.instance + "info.json") == 200
    with pytest.raises(AssertionError, match=r"found 0(.|\n)*GET /info.json \(method: GET\)"):
        mock.verify(method="POST", path="/info.json", times=1)


def test_shows_that_the_service_is_down_and_works_again(mock):
    mock.scenario("content-down")
    with pytest.raises(urllib.error.HTTPError, match="503"):
        get(mock.content + "/2.3/club")
    mock.scenario()
    mock.fault(match={"path": "/2.3/club"}, times=1, fault={"status": 418})
    with pytest.raises(urllib.error.HTTPError, match="418"):
        get(mock.content + "/2.3/club")
    assert get(mock.content + "/2.3/club") == 200


def test_logs_in_and_moves_the_clock(mock):
    token = mock.log_in("anna")
    profiles = urllib.request.Request(
        mock.origin + "/api/vpn/profile_list", headers={"authorization": "Bearer " + token}
    )
    assert get(profiles) == 200
    mock.advance(365 * 86400)
    with pytest.raises(urllib.error.HTTPError, match="401"):
        get(profiles)
    mock.verify(user="anna", times=2)


def test_names_the_tunnel_of_the_server(mock_server):
    assert mock_server.tunnel()["mode"] == "none"

import http.client
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.tools.serving.client import Closed, Page, running
from tests.tools.waiting import TIMEOUT
from tools.serving.channel import WRONG_TOKEN, Message, Send
from tools.serving.files import read_site, site_file
from tools.serving.server import HOST, MOST_BYTES, CannotServe, LoopbackServer


class Echo:
    """A conversation that repeats what it hears, and fails when it is asked to."""

    closed = threading.Event()

    def __init__(self, send: Send) -> None:
        self.send = send
        send({"hello": True})

    def receive(self, message: Message) -> Message | None:
        if message.get("do") == "refuse":
            raise CannotServe("not <here>")
        if message.get("do") == "fail":
            raise ZeroDivisionError
        if message.get("do") == "burst":
            for number in range(100):
                self.send({"burst": number}, "one key")
            return None
        return {"heard": message.get("do")}

    def close(self) -> None:
        Echo.closed.set()


SITE = {"/": site_file("index.html", "<p>é"), "/a.js": site_file("a.js", "1")}


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with running(LoopbackServer(SITE, Echo)) as server:
        yield server


def get(
    server: LoopbackServer, path: str = "/", method: str = "GET", **headers: str
) -> "tuple[http.client.HTTPResponse, bytes]":
    connection = http.client.HTTPConnection(HOST, server.port, timeout=TIMEOUT)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_files_are_served_with_their_types_and_nothing_else_is(server: LoopbackServer) -> None:
    response, body = get(server)
    assert (response.status, body.decode()) == (200, "<p>é")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert get(server, "/a.js")[0].headers["Content-Type"].startswith("text/javascript")
    for path in ("/b.js", "/..%2f..%2fetc/passwd", "/../../etc/passwd", "//", "/a.js/"):
        assert get(server, path)[0].status == 404, path


def test_every_answer_forbids_what_our_pages_do_not_need(server: LoopbackServer) -> None:
    for path in ("/", "/missing"):
        headers = get(server, path)[0].headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'; ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Server" not in headers


def test_another_host_origin_or_method_is_refused(server: LoopbackServer) -> None:
    assert get(server, Host=f"localhost:{server.port}")[0].status == 200
    for host in ("evil.example", f"evil.example:{server.port}", HOST, f"{HOST}:1"):
        assert get(server, Host=host)[0].status == 403, host
    assert get(server, Origin=server.origin)[0].status == 200
    for origin in ("http://evil.example", "null", f"http://localhost:{server.port}"):
        assert get(server, Origin=origin)[0].status == 403, origin
    assert get(server, method="HEAD")[0].status == 200
    assert get(server, method="POST")[0].status == 403


def test_it_listens_on_the_loopback_interface_only(server: LoopbackServer) -> None:
    with socket.socket() as outside:
        outside.settimeout(1)
        assert outside.connect_ex(("127.0.0.2", server.port)) != 0


def test_a_page_with_the_token_is_answered(server: LoopbackServer) -> None:
    with Page(server.address) as page:
        assert page.receive() == {"hello": True}
        assert page.ask({"do": "x"}) == {"re": 1, "heard": "x"}


def test_a_page_without_the_token_or_from_elsewhere_is_not(server: LoopbackServer) -> None:
    for token in ("", "x", server.address.partition("=")[2][:-1]):
        with Page(server.address, token=token) as page:
            with pytest.raises(Closed) as closed:
                page.receive()
            assert closed.value.code == WRONG_TOKEN
    for origin in ("http://evil.example", "null", ""):
        with pytest.raises(Closed) as refused:
            Page(server.address, origin=origin)
        assert refused.value.code == 403


def test_servers_have_different_tokens() -> None:
    first, second = (LoopbackServer(SITE, Echo) for _ in range(2))
    tokens = {server.address.partition("#")[2] for server in (first, second)}
    assert len(tokens) == 2
    for server in (first, second):
        with running(server):
            pass


def test_a_mistake_of_the_user_is_an_answer_and_a_bug_is_logged(
    server: LoopbackServer, caplog: pytest.LogCaptureFixture
) -> None:
    with Page(server.address) as page:
        assert page.ask({"do": "refuse"}) == {"re": 1, "error": "not <here>"}
        assert page.ask({"do": "fail"})["error"].startswith("internal error")
        assert page.ask({"do": "x"})["heard"] == "x"
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("text", ["", "no json", "[1]", '"x"', "[" * 100_000, "1" * 5000])
def test_what_is_no_object_of_json_closes_the_connection(server: LoopbackServer, text: str) -> None:
    with Page(server.address) as page:
        page.receive()
        page.send_text(text)
        with pytest.raises(Closed) as closed:
            page.receive()
        assert closed.value.code == 4400


def test_a_message_that_is_too_long_closes_the_connection(server: LoopbackServer) -> None:
    with Page(server.address) as page:
        page.receive()
        with pytest.raises((Closed, OSError)):
            page.ask({"do": "x" * MOST_BYTES})


def test_a_conversation_ends_with_its_page(server: LoopbackServer) -> None:
    Echo.closed.clear()
    with Page(server.address) as page:
        page.receive()
    assert Echo.closed.wait(TIMEOUT)


def test_of_messages_with_one_key_the_last_one_always_arrives(server: LoopbackServer) -> None:
    with Page(server.address) as page:
        page.send({"id": 1, "do": "burst"})
        page.send({"id": 2, "do": "end"})
        heard: list[Any] = []
        while not heard or heard[-1].get("re") != 2:
            heard.append(page.receive())
    numbers = [message["burst"] for message in heard if "burst" in message]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 99


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"port {port}"):
            LoopbackServer(SITE, Echo, port=port)


def test_the_user_hears_when_the_server_answers() -> None:
    ready = threading.Event()
    with running(LoopbackServer(SITE, Echo, on_ready=ready.set)) as server:
        assert ready.wait(TIMEOUT)
        assert get(server)[0].status == 200


def test_a_site_is_read_from_a_package() -> None:
    site = read_site("tools.boards", "")
    assert set(site) == {"/boards.css"}
    assert site["/boards.css"].media_type.startswith("text/css")

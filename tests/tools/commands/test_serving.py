from collections.abc import Callable

import pytest

from tools.commands import serving
from tools.serving.channel import Conversation, Send


class Server:
    """A server that is ready and ends immediately."""

    address = "http://127.0.0.1:1/#token=secret"

    def __init__(
        self, site: object, converse: object, *, port: int, on_ready: Callable[[], None]
    ) -> None:
        self._on_ready = on_ready

    def run(self) -> None:
        self._on_ready()


def converse(send: Send) -> Conversation:
    raise AssertionError("nobody connects")


@pytest.mark.parametrize("no_browser", [False, True])
def test_a_page_is_opened_in_a_browser_unless_that_is_refused(
    no_browser: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(serving, "LoopbackServer", Server)
    monkeypatch.setattr("webbrowser.open", opened.append)
    serving.serve_page({}, converse, 0, no_browser=no_browser)
    assert opened == ([] if no_browser else [Server.address])
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (f"{Server.address}\n", "Ctrl-C ends the server.\n")

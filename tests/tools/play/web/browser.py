"""A real browser for tests: Chromium, driven by Playwright, on a page of a server of ours."""

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.programs import peer
from tests.tools import waiting
from tests.tools.serving.client import running
from tools.boards.picture import picture
from tools.play.session import PlaySession
from tools.play.snapshot import Phase, Snapshot
from tools.play.web.conversation import PageConversation
from tools.play.web.desk import Desk
from tools.play.web.face import Wishes, scene_of
from tools.play.web.site import site
from tools.serving.server import LoopbackServer

playwright: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TIMEOUT = 1000 * waiting.TIMEOUT
"""As Playwright counts, in milliseconds."""

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PHONE = {"width": 390, "height": 844}

_POINT = """place => {
    const svg = document.getElementById("board");
    const point = new DOMPoint(...place).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
}"""


@contextmanager
def browser() -> Iterator[Any]:
    """Start Chromium, or skip the test where it or Playwright is missing."""
    path = peer(next(filter(shutil.which, PROGRAMS), PROGRAMS[0]))
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield started
        finally:
            started.close()


@contextmanager
def serving(place: Path) -> Iterator["Table"]:
    """Serve a desk whose games are kept in a folder."""
    desk = Desk(place)
    server = LoopbackServer(site(), lambda send: PageConversation(desk, send))
    try:
        with running(server):
            yield Table(desk, server)
    finally:
        desk.close_all()


class Table:
    """A server with its desk, whose sessions a test can look into."""

    def __init__(self, desk: Desk, server: LoopbackServer) -> None:
        self.desk = desk
        self.server = server

    def session(self) -> PlaySession:
        """Return the game that was opened last."""
        return self.desk.session(str(self.desk.describe()[-1]["name"]))


class Tab:
    """A page in the browser, which fails a test if something went wrong in it."""

    def __init__(self, started: Any, address: str, **options: Any) -> None:
        self.context = started.new_context(accept_downloads=True, **options)
        self.context.set_default_timeout(TIMEOUT)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._listen)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        self.address = address
        self.flipped = False  # Whether the board has been turned.
        self.page.goto(address)

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def close(self) -> None:
        self.context.close()
        assert self.faults == []
        own = urlsplit(self.address).netloc
        strangers = [url for url in self.requests if urlsplit(url).netloc not in (own, "")]
        assert strangers == []

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def begin(self, game: str, **choices: str) -> None:
        """Begin a game by the form; choices are names of its fields and their values."""
        self.page.click("#home")
        self.page.click(f".card[data-game={game}]")
        for name, value in choices.items():
            self.page.select_option(f"dialog [name={name}]", value)
        self.page.click("dialog button.main")
        self.page.wait_for_selector("#board .ground *")
        self.page.wait_for_selector("#table:not([hidden])")

    def press(self, words: str) -> None:
        """Press a button by its words."""
        self.page.click(f"button:visible:text-is({words!r})")

    def spot(self, session: PlaySession, place: str) -> tuple[float, float]:
        """Return where a place is in the window."""
        wishes = Wishes(flipped=self.flipped)
        places = picture(scene_of(session.snapshot(), wishes)).places
        self.page.locator("#board").scroll_into_view_if_needed()
        x, y = self.page.evaluate(_POINT, list(places[place]))
        return x, y

    def click(self, session: PlaySession, *places: str) -> None:
        """Click on places of the board, one after the other."""
        for place in places:
            self.page.mouse.click(*self.spot(session, place))

    def wait_for(self, version: int) -> None:
        """Wait until the page shows a state that is at least so new."""
        self.page.wait_for_function(
            "version => Number(document.body.dataset.version) >= version", arg=version
        )

    def moves(self) -> list[str]:
        """Return the moves that the page lists."""
        texts: Sequence[str] = self.page.locator("#moves button").all_inner_texts()
        return [re.sub(r"^\d+\.\s*", "", text).strip() for text in texts]


def is_waiting(shown: Snapshot) -> bool:
    """Whether nothing happens before a person does something."""
    if shown.phase is Phase.SCORING:
        return shown.scoring is not None and shown.scoring.ready
    return shown.result is not None or bool(shown.legal) or shown.to_throw

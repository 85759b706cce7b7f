from pathlib import Path
from typing import Any

from tests.tools.report.cups import write_cup
from tests.tools.serving.client import Page, running
from tools.journal.journal import NAME
from tools.report.data import report_data
from tools.report.live import ReportConversation, Watch, news_between
from tools.report.page import site
from tools.serving.channel import Message
from tools.serving.server import LoopbackServer


def grow(folder: Path, lines: list[str], number: int) -> None:
    (folder / NAME).write_text("".join(lines[: number + 1]))


def cup(folder: Path, games: int = 12) -> list[str]:
    write_cup(folder, games=games)
    return (folder / NAME).read_text().splitlines(keepends=True)


def merged(games: dict[str, Any] | None, news: dict[str, Any]) -> dict[str, Any]:
    """Add news to what a page has, as static/games.js does."""
    fresh: dict[str, Any] = news["data"]["games"]
    if games is None or news["from"] == 0:
        return fresh
    whole = ("first", "second", "endings", "reasons", "openings", "setups")
    return {
        name: fresh[name] if name in whole else games[name][: news["from"]] + fresh[name]
        for name in games
    }


def test_a_page_receives_only_the_games_that_are_new(tmp_path: Path) -> None:
    lines = cup(tmp_path)
    grow(tmp_path, lines, 5)
    watch = Watch(tmp_path)
    received: list[Message] = []
    watch.join(lambda message, key="": received.append(message))
    assert not watch.look()
    grow(tmp_path, lines, 9)
    assert watch.look()
    assert [message["from"] for message in received] == [0, 5]
    assert len(received[1]["data"]["games"]["moves"]) == 4
    games = merged(merged(None, dict(received[0])), dict(received[1]))
    assert games == report_data(tmp_path)["games"]


def test_a_game_that_was_played_again_is_sent_again_with_all_behind_it(tmp_path: Path) -> None:
    before = report_data(write_cup(tmp_path / "one", games=6))
    after = report_data(write_cup(tmp_path / "other", games=6, seed=2))
    assert news_between(before, before)["from"] == 6
    assert news_between(before, after)["from"] == 0
    assert news_between(None, after)["from"] == 0


def test_a_report_begins_without_games(tmp_path: Path) -> None:
    lines = cup(tmp_path)
    grow(tmp_path, lines, 0)
    watch = Watch(tmp_path)
    received: list[Message] = []
    number = watch.join(lambda message, key="": received.append(message))
    assert received[0]["data"]["games"] is None
    grow(tmp_path, lines, 1)
    assert watch.look()
    assert received[1]["from"] == 0
    watch.leave(number)
    grow(tmp_path, lines, 2)
    assert watch.look()
    assert len(received) == 2


def test_a_server_sends_the_report_to_a_page_with_the_token_and_hears_nothing(
    tmp_path: Path,
) -> None:
    lines = cup(tmp_path)
    grow(tmp_path, lines, 4)
    watch = Watch(tmp_path)
    server = LoopbackServer(site(), lambda send: ReportConversation(watch, send))
    with running(server), Page(server.address) as page:
        first = page.receive()
        assert first["from"] == 0
        assert len(first["data"]["games"]["number"]) == 4
        assert page.ask({"op": "stop"}) == {"re": 1}
        grow(tmp_path, lines, 6)
        watch.look()
        assert page.receive()["from"] == 4
    assert (tmp_path / NAME).read_text() == "".join(lines[:7])

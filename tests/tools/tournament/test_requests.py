from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.tournament.requests import (
    delete,
    parse_settings,
    refuse_useless,
    take_requests,
    write_request,
)


def test_settings_are_whole_numbers() -> None:
    assert parse_settings(("jobs=2", "games=40")) == {"jobs": 2, "games": 40}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("speed=2", "expected games=N, rounds=N, jobs=N"),
        ("jobs", "expected a whole number above 0"),
        ("jobs=0", "expected a whole number above 0"),
        ("jobs=-1", "expected a whole number above 0"),
        ("games=3", "expected an even number of games"),
    ],
)
def test_other_settings_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidText, match=f"--set {text}: {message}"):
        parse_settings((text,))


def test_only_a_swiss_tournament_has_rounds_to_change() -> None:
    refuse_useless({"rounds": 3}, "swiss")
    with pytest.raises(InvalidText, match="--set rounds=3: a gauntlet has no such number"):
        refuse_useless({"rounds": 3}, "gauntlet")


def test_requests_are_taken_in_their_order_and_damaged_ones_are_deleted(tmp_path: Path) -> None:
    write_request(tmp_path, {"jobs": 2})
    write_request(tmp_path, {"jobs": 3, "games": 8})
    for number, text in enumerate(["[]", "{", '{"jobs": "many"}']):
        (tmp_path / f"request-{number}.json").write_text(text)
    requests = take_requests(tmp_path)
    assert [settings for _, settings in requests] == [{"jobs": 2}, {"jobs": 3, "games": 8}]
    for path, _ in requests:
        delete(path)
    assert list(tmp_path.iterdir()) == []

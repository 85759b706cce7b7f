from types import SimpleNamespace
from typing import cast

import pytest

from engines.core.game import Game
from engines.go.rules.text import make_rules
from protocols.ask.framed import FramedClient
from protocols.errors import CannotSay
from tools.roster.gtp_setup import place


def sent(setup: str, *known: str) -> list[str]:
    commands: list[str] = []
    fake = SimpleNamespace(
        known=lambda command: command in known, command=lambda text, deadline: commands.append(text)
    )
    place(cast(FramedClient, fake), Game(make_rules("", 5), setup), 0.0)
    return commands


def test_stones_are_played_or_set_in_one_command() -> None:
    assert sent("X4/5/5/5/4O b") == ["play b A5", "play w E1"]
    assert sent("X4/5/5/5/4O b", "set_position") == ["set_position b A5 w E1"]
    assert sent("5/5/5/5/5 b", "set_position") == []


def test_a_ko_cannot_be_said() -> None:
    with pytest.raises(CannotSay, match="a ko in a set-up"):
        sent("1XO2/X1XO1/1XO2/5/5 w ko=B4")

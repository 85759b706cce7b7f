import pytest

from protocols.errors import CannotSay
from tools.roster.abilities import check_game
from tools.roster.engines import resolve
from tools.roster.seats import Seat


def test_an_engine_is_asked_about_its_own_game_only() -> None:
    seat = Seat(resolve("neutron"))
    try:
        check_game(seat.client(), "neutron")
        with pytest.raises(CannotSay, match="plays neutron, not senet"):
            check_game(seat.client(), "senet")
        with pytest.raises(CannotSay, match="speaks line, go is asked in gtp"):
            check_game(seat.client(), "go")
    finally:
        seat.dismiss(1.0)

import sys
import time

import pytest

from engines import registry
from protocols.ask.connect import connect, within
from protocols.ask.engine import EngineSpec
from protocols.ask.line import LineClient
from protocols.errors import EngineError, EngineRefused
from tools.roster.engines import own_command

NEUTRON = own_command(registry.find("neutron"))


def test_a_deadline_is_in_the_future() -> None:
    before = time.monotonic()
    assert before + 10 <= within(10) <= time.monotonic() + 10


def test_a_command_is_started_and_its_protocol_detected() -> None:
    with connect(NEUTRON) as engine:
        assert (engine.name, engine.protocol) == ("quintet-neutron", "line")
        engine.new_game(within(10), variant="kraus")
        assert engine.genmove("w", within(60)).move


def test_options_and_commands_of_a_description_are_sent() -> None:
    spec = EngineSpec("mine", NEUTRON, options=(("level", "random"),), commands=("newgame kraus",))
    with connect(spec) as engine:
        assert isinstance(engine, LineClient)
        assert "random" in engine.command("option level", within(10))
        assert engine.process.name == "mine"


def test_the_engine_is_ended_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), connect(NEUTRON) as engine:
        raise ZeroDivisionError
    with pytest.raises(EngineError):
        engine.new_game(within(1))


def test_an_engine_that_refuses_its_option_is_ended() -> None:
    spec = EngineSpec("mine", NEUTRON, options=(("strength", "9"),))
    with pytest.raises(EngineRefused, match="strength"), connect(spec):
        pytest.fail("the option was accepted")


def test_a_program_that_cannot_be_started_is_an_error() -> None:
    with pytest.raises(EngineError, match="cannot start"), connect(["./no-such-program"]):
        pytest.fail("it was started")


def test_a_program_that_speaks_no_protocol_is_an_error() -> None:
    with pytest.raises(EngineError), connect([sys.executable, "-c", "pass"]):
        pytest.fail("it was greeted")

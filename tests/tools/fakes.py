"""Engines that misbehave on purpose, as the referee's tests seat them."""

import sys
from dataclasses import replace
from pathlib import Path

from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.terms.spec import GameSpec

ROOT = Path(__file__).parents[2]


def fake(temper: str, *more: str, seeded: bool = False) -> EngineSpec:
    """Return a fake engine; seeded, its moves depend on the game's seed."""
    command = (sys.executable, "-m", "tests.tools.fake_neutron", temper, *more)
    spec = EngineSpec(temper, command, protocol="line", game="neutron", folder=str(ROOT))
    return replace(spec, options=(("seed", "{seed}"),)) if seeded else spec


def game_spec(first: EngineSpec, second: EngineSpec, control: str = "60") -> GameSpec:
    """Return a game of Neutron between two engines."""
    clock = TimeControl.parse(control)
    return GameSpec("neutron", "", 0, (first, second), (clock, clock))

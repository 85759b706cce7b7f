"""The match that tells whether tuned values are better than those at the start."""

import shlex
from collections.abc import Sequence
from typing import Final

from tools.match.options import MatchOptions
from tools.statistics.spsa import Value
from tools.terms.spec import LAG, MOVE_TIMEOUT
from tools.tournament.tuning.plan import Knob, TuningSpec, Way, format_value
from tools.tournament.tuning.state import TuningState

_TEST: Final = "elo0=0,elo1=10"
_FLAGS: Final = (
    *("game", "size", "variant", "openings", "order", "plies", "komi", "handicap", "scoring"),
    *("arbiter", "resign", "draw", "mate", "exact", "max_plies"),
)
"""Options that a match has too, by their fields."""


def proof_words(options: MatchOptions, made: TuningSpec) -> dict[str, list[str]]:
    """Return the words of the match that are known before the run: engine, settings, terms."""
    engine = made.terms.engines[0]
    settings = [f"options.{name}={value}" for name, value in engine.options]
    settings += [f"environment.{name}={value}" for name, value in engine.environment]
    settings += [f"commands={line}" for line in engine.commands]
    if engine.folder:
        settings.append(f"folder={engine.folder}")
    if engine.protocol:
        settings.append(f"protocol={engine.protocol}")
    terms = ["--time", str(made.terms.controls[0])]
    for field in _FLAGS:
        value = made.terms.game if field == "game" else getattr(options, field)
        if value not in (None, "", 0):
            terms += [f"--{field.replace('_', '-')}", str(value)]
    for field, usual in (("lag", LAG), ("move_timeout", MOVE_TIMEOUT)):
        if getattr(options, field) != usual:
            terms += [f"--{field.replace('_', '-')}", f"{getattr(options, field):g}"]
    for field in ("movetime", "tables"):
        if getattr(options, field):
            terms.append(f"--{field}")
    return {"engine": [made.command], "settings": settings, "terms": terms}


def proof_line(state: TuningState) -> str:
    """Return the command of the match, with the values as they are now."""
    words = state.proof
    start = [knob.parameter.rounded(knob.parameter.start) for knob in state.knobs]
    now = list(state.spsa.settled().values())
    line = ["quintet", "match"]
    for name, values in (("tuned", now), ("before", start)):
        line += [_command(words["engine"][0], state.knobs, values), f"name={name}"]
        line += [*words["settings"], *_settings(state.knobs, values)]
    return shlex.join([*line, *words["terms"], "--sprt", _TEST])


def _command(command: str, knobs: Sequence[Knob], values: Sequence[Value]) -> str:
    more = [
        shlex.quote(knob.fill(value))
        for knob, value in zip(knobs, values, strict=True)
        if knob.way is Way.ARGUMENT
    ]
    return " ".join([command, *more])


def _settings(knobs: Sequence[Knob], values: Sequence[Value]) -> list[str]:
    settings = []
    for knob, value in zip(knobs, values, strict=True):
        if knob.way is Way.OPTION:
            settings.append(f"options.{knob.text}={format_value(value)}")
        elif knob.way is Way.COMMAND:
            settings.append(f"commands={knob.fill(value)}")
    return settings

"""The engine that is tuned, its values, and how it receives them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from protocols.ask.engine import EngineSpec
from tools.statistics.spsa import Parameter, Value
from tools.terms.seal import Seal, seal
from tools.terms.spec import MatchSpec

PLACEHOLDER: Final = "{}"


class Way(StrEnum):
    """How an engine receives a value: as an option, or in a text that holds `{}` for it."""

    OPTION = "option"
    ARGUMENT = "argument"  # A word of its command line.
    COMMAND = "command"  # A command that is sent before the first game.


@dataclass(frozen=True, slots=True)
class Knob:
    """A value to tune and the way to the engine; `text` is the option's name, or has `{}`."""

    parameter: Parameter
    way: Way
    text: str

    def turn(self, engine: EngineSpec, value: Value) -> EngineSpec:
        """Return an engine with a value."""
        match self.way:
            case Way.OPTION:
                options = dict(engine.options) | {self.text: format_value(value)}
                return replace(engine, options=tuple(options.items()))
            case Way.ARGUMENT:
                return replace(engine, command=(*engine.command, self.fill(value)))
            case Way.COMMAND:
                return replace(engine, commands=(*engine.commands, self.fill(value)))

    def fill(self, value: Value) -> str:
        """Return the text with a value in the place of `{}`."""
        return self.text.replace(PLACEHOLDER, format_value(value))

    def bound(self, *, high: bool) -> Value:
        """Return the highest or the lowest value."""
        value = self.parameter.high if high else self.parameter.low
        return self.parameter.rounded(value)


def format_value(value: Value) -> str:
    """Return a value as an engine reads it."""
    return str(value) if isinstance(value, int) else f"{value:.9g}"


def turned(engine: EngineSpec, knobs: Sequence[Knob], values: Sequence[Value]) -> EngineSpec:
    """Return an engine with all its values."""
    for knob, value in zip(knobs, values, strict=True):
        engine = knob.turn(engine, value)
    return engine


@dataclass(frozen=True, slots=True)
class TuningSpec:
    """A tuning run: the terms, with the engine on both sides, what is tuned, and how long.

    `command` is the engine as its user named it; `proof` are words of the match that will prove the
    values.
    """

    terms: MatchSpec
    knobs: tuple[Knob, ...]
    pairs: int
    command: str
    jobs: int = 1
    proof: Mapping[str, list[str]] = field(default_factory=dict)


def tuning_seal(spec: TuningSpec) -> Seal:
    """Return the settings that must stay the same during a run."""
    return {
        **seal(spec.terms),
        "pairs": spec.pairs,
        "values": [
            {**asdict(knob.parameter), "way": str(knob.way), "text": knob.text}
            for knob in spec.knobs
        ],
    }


def sealed_knobs(seal: Seal) -> tuple[Knob, ...]:
    """Return what a sealed run tunes; raises KeyError, TypeError or ValueError."""

    def knob(fields: Mapping[str, Any]) -> Knob:
        rest = {key: value for key, value in fields.items() if key not in ("way", "text")}
        return Knob(Parameter(**rest), Way(fields["way"]), fields["text"])

    return tuple(knob(fields) for fields in seal["values"])

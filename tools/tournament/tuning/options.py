"""The options of a tuning run as its user gives them, and the run that they describe."""

import shlex
from dataclasses import dataclass, replace

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tools.match.options import DEFAULT_TIME, Asker, MatchOptions, terms_spec, with_options
from tools.roster.sides import Side
from tools.tournament.tuning.plan import Knob, TuningSpec, Way


@dataclass(frozen=True, slots=True)
class TuningOptions(MatchOptions):
    """The options of `quintet tune`; `command` is the engine as its user named it."""

    pairs: int = 1
    sides: tuple[Side, ...] = ()
    command: tuple[str, ...] = ()
    knobs: tuple[Knob, ...] = ()


def tuning_spec(options: TuningOptions, ask: Asker | None = None) -> TuningSpec:
    """Return the run that options describe, still without seed and openings.

    `ask` starts the engine to learn its game. Raises InvalidText.
    """
    (side,) = options.sides
    usual = TimeControl.parse((options.times or (DEFAULT_TIME,))[0])
    control = side.time or usual
    engine = with_options(options, side).engine
    for knob in options.knobs:
        if knob.way is Way.OPTION and knob.text in dict(engine.options):
            raise InvalidText(f"{engine.label}: its option {knob.text} is set and tuned as well")
    # The names tell which side of the trial an engine plays.
    both = tuple(replace(engine, label=f"{engine.label} {sign}") for sign in ("plus", "minus"))
    terms = terms_spec(options, both, (control, control), ask)
    terms = replace(terms, games=2 * options.pairs)
    command = options.command[0] if len(options.command) == 1 else shlex.join(options.command)
    return TuningSpec(terms, options.knobs, options.pairs, command, options.jobs)

"""What `quintet match` asks of Go beyond what it asks of every game: counting and arbiter."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engines.core.game import InvalidText
from tools import go
from tools.count import AGREED
from tools.engines import resolve
from tools.spec import MatchSpec

CAP: Final = 3  # Moves a point, after which a game is counted as it stands.
_ARBITER: Final = "quintet-go"
_OPTIONS: Final = ("scoring", "arbiter")


def go_terms(spec: MatchSpec, given: Mapping[str, Any]) -> MatchSpec:
    """Complete a match of Go by what its user asked; raises InvalidText, also for other games."""
    rules: Any = spec.rules()
    if spec.game != go.NAME:
        for name in _OPTIONS:
            if given[name] is not None:
                raise InvalidText(f"--{name} is for Go; this is {spec.game}")
        return spec
    adjudication = spec.adjudication
    if not adjudication.most_plies:
        adjudication = replace(adjudication, most_plies=CAP * rules.width * rules.height)
    spec = replace(spec, adjudication=adjudication, scoring=given["scoring"] or AGREED)
    if spec.scoring != AGREED or not rules.rules.judged:
        if given["arbiter"] is not None:
            raise InvalidText("--arbiter: every stone counts as alive, so nobody is asked")
        return spec
    arbiter = resolve(given["arbiter"] or _ARBITER)
    return replace(spec, arbiter=replace(arbiter, label=f"arbiter {arbiter.label}"))

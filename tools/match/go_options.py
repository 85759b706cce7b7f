"""The options of a match that only Go has: komi, handicap, scoring and the arbiter."""

import re
from dataclasses import replace
from typing import Final

from engines.core.game import InvalidText
from engines.go.rules.text import GoRules, handicap_moves, parse_komi
from protocols.ask.detect import GtpClient
from tools.records.go import go_rules
from tools.roster.engines import resolve
from tools.terms import go
from tools.terms.scoring import AGREED
from tools.terms.spec import MatchSpec

MOVES_PER_POINT: Final = 3  # After so many moves per point of the board, a game is counted.
HANDICAP_KOMI: Final = 0.5
_ARBITER: Final = "quintet-go"


def refuse_go_options(game: str, **options: object) -> None:
    """Raise InvalidText if an option of Go was given for another game."""
    for name, value in options.items():
        if value is not None:
            raise InvalidText(f"--{name.replace('_', '-')} is for Go; this is {game}")


def go_terms(
    spec: MatchSpec,
    *,
    komi: str | None,
    handicap: str | None,
    scoring: str | None,
    arbiter: str | None,
    score_timeout: float | None,
    has_openings: bool,
) -> MatchSpec:
    """Complete a match of Go by the options that only Go has; raises InvalidText."""
    rules = go_rules(spec.rules())
    adjudication = spec.adjudication
    if not adjudication.most_plies:
        most_plies = MOVES_PER_POINT * rules.width * rules.height
        adjudication = replace(adjudication, most_plies=most_plies)
    spec = replace(spec, adjudication=adjudication, scoring=scoring or AGREED)
    if score_timeout is not None:
        spec = replace(spec, score_timeout=score_timeout)
    if handicap is not None and has_openings:
        raise InvalidText("--handicap and --openings do not go together")
    spec = _with_start(spec, rules, komi, handicap)
    if spec.scoring != AGREED or not rules.rules.judged:
        if arbiter is not None:
            raise InvalidText("--arbiter: every stone counts as alive, so no arbiter is asked")
        if score_timeout is not None:
            raise InvalidText("--score-timeout: every stone counts as alive, so no score is asked")
        return spec
    engine = resolve(arbiter or _ARBITER, GtpClient.protocol)
    return replace(spec, arbiter=replace(engine, label=f"arbiter {engine.label}"))


def _with_start(
    spec: MatchSpec, rules: GoRules, komi_text: str | None, handicap: str | None
) -> MatchSpec:
    """Return the match with the set-up that komi and handicap ask for."""
    komi = rules.rules.komi if handicap is None else HANDICAP_KOMI
    if komi_text is not None:
        komi = _half_points(komi_text)
    setup = f"komi={komi:g}"
    if handicap is None:
        return replace(spec, setup="" if komi == rules.rules.komi else setup)
    if match := re.fullmatch(r"free:(\d{1,3})", handicap):
        count, most = int(match[1]), rules.width * rules.height // 2
        if not 2 <= count <= most:
            raise InvalidText(f"--handicap {handicap}: expected free:2 to free:{most}")
        return replace(spec, setup=setup, free_handicap=count)
    if re.fullmatch(r"\d{1,3}", handicap):
        stones = handicap_moves(rules.width, rules.height, int(handicap))
        return replace(spec, setup=go.setup_handicap(rules, stones, komi))
    raise InvalidText(f"--handicap {handicap!r}: expected a number, or free:NUMBER")


def _half_points(text: str) -> float:
    komi = parse_komi(text)
    if 2 * komi != round(2 * komi):
        raise InvalidText(f"--komi {text}: expected whole or half points")
    return komi

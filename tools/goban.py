"""What `quintet match` asks of Go beyond what it asks of every game: handicap, komi, counting."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from engines.core.game import Game, InvalidText
from engines.go.rules import handicap_moves, parse_komi
from protocols.client import GtpClient
from protocols.errors import EngineRefused
from tools import go
from tools.count import AGREED
from tools.engines import resolve
from tools.seat import Crew, soon
from tools.spec import MatchSpec

CAP: Final = 3  # Moves a point, after which a game is counted as it stands.
HANDICAP_KOMI: Final = 0.5
_ARBITER: Final = "quintet-go"
_OPTIONS: Final = ("scoring", "arbiter", "komi", "handicap")


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
    spec = _with_start(spec, rules, given)
    if spec.scoring != AGREED or not rules.rules.judged:
        if given["arbiter"] is not None:
            raise InvalidText("--arbiter: every stone counts as alive, so nobody is asked")
        return spec
    arbiter = resolve(given["arbiter"] or _ARBITER, GtpClient.protocol)
    return replace(spec, arbiter=replace(arbiter, label=f"arbiter {arbiter.label}"))


def _with_start(spec: MatchSpec, rules: Any, given: Mapping[str, Any]) -> MatchSpec:
    handicap = given["handicap"]
    komi = rules.rules.komi if handicap is None else HANDICAP_KOMI
    if given["komi"] is not None:
        komi = _half_points(given["komi"])
    setup = f"komi={komi:g}"
    if handicap is None:
        return replace(spec, setup="" if komi == rules.rules.komi else setup)
    if given["openings"] is not None:
        raise InvalidText("--handicap and --openings do not go together")
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


def warnings(spec: MatchSpec, crew: Crew) -> Iterator[str]:
    """Yield which engines cannot be told the rules; they are running. Raises as a client does."""
    if spec.game != go.NAME:
        return
    rules: Any = spec.rules()
    name, told = go.settings(Game(rules))
    for engine in spec.engines:
        client = crew.seat(engine).client()
        if not isinstance(client, GtpClient):
            continue
        if client.tell_rules(soon(), name, told["rules"], told["kgs-rules"]):
            continue
        needed = "see that it plays by them"
        if client.name == "GNU Go":
            missing = [flag for flag in go.rules_flags(rules.rules) if flag not in engine.command]
            if not missing:
                continue
            needed = f"start it with {' '.join(missing)}"
        yield (
            f"warning: {engine.label} cannot be told the rules ({name}: {rules.rules.describe()}); "
            f"{needed}"
        )


def lack(spec: MatchSpec, crew: Crew) -> str:
    """Return which engine cannot do what this match needs, or nothing; they are running.

    Raises as a client does.
    """
    if spec.game != go.NAME:
        return ""
    _, told = go.settings(Game(spec.rules()))
    for engine in spec.engines if spec.arbiter is None else (*spec.engines, spec.arbiter):
        client = crew.seat(engine).client()
        if not isinstance(client, GtpClient):
            return f"{engine.label} speaks {client.protocol}, and Go is played in GTP"
        try:
            client.new_game(soon(), settings={"size": told["size"]})
        except EngineRefused as error:
            return f"{engine.label} cannot play on {told['size']}: {error}"
        wanted = ["final_status_list"] if engine is spec.arbiter else []
        if spec.free_handicap and engine is not spec.arbiter:
            wanted.append("place_free_handicap")
        for command in wanted:
            if not client.known(command):
                return f"{engine.label} does not know {command}"
    return ""

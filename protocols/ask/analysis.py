"""Moves with their values and with other moves beside them, where an engine gives several.

Go engines give them by the analyze commands of KataGo and Leela Zero, engines of USI by MultiPV.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from protocols.ask.contract import Client, Reply
from protocols.ask.gtp import GtpClient
from protocols.ask.score import Evaluation, Score, moves_of, whole
from protocols.ask.usi import UsiClient
from protocols.errors import CannotSay, EngineRefused

ANALYSES: Final = ("kata-genmove_analyze", "lz-genmove_analyze")
"""Commands that play a move after an analysis."""
_MULTIPV: Final = "MultiPV"
NEVER: Final = (
    "1000000"  # Centiseconds between two reports of an analysis, of which the last one counts.
)


def request_lines(client: Client, count: int, deadline: float) -> None:
    """Let an engine of USI give so many lines of play from now on, or as many as it can."""
    option = client.options.get(_MULTIPV) if isinstance(client, UsiClient) else None
    if option is not None and option.kind == "spin":
        most = count if option.most is None else option.most
        client.set_option(_MULTIPV, str(min(count, most)), deadline)


def suggest_move(client: Client, side: str, deadline: float) -> Reply:
    """Ask for a move without a clock, with several lines of play if the engine gives them."""
    if isinstance(client, GtpClient) and any(map(client.known, ANALYSES)):
        return analyse_move(client, side, deadline)
    return client.genmove(side, deadline)


def analyse_move(client: GtpClient, side: str, deadline: float) -> Reply:
    """Ask for a move with its evaluation; raises as `genmove` does, and CannotSay."""
    command = next((name for name in ANALYSES if client.known(name)), "")
    if not command:
        raise CannotSay(f"{client.name} cannot give a score with its move ({ANALYSES[0]})")
    begun = time.monotonic()
    lines = client.command(f"{command} {side} {NEVER}", deadline).splitlines()
    seconds = time.monotonic() - begun
    moves = [line.split() for line in lines if line.startswith("play ")]
    if not moves or len(moves[-1]) != 2:
        raise EngineRefused(command, "no line `play MOVE` in its answer")
    move = moves[-1][1]
    scale = 10_000 if command.startswith("lz") else 1
    found = [values for line in lines for values in _values(line) if _is_of(values, move)]
    evaluation = _evaluation(found[-1], scale) if found else Evaluation()
    others = tuple(_evaluation(values, scale) for values in _other_moves(lines, evaluation, move))
    move = move.lower() if move.lower() in ("pass", "resign") else move
    return Reply(move, seconds, evaluation, others=others)


def _other_moves(lines: Sequence[str], best: Evaluation, move: str) -> Iterator[Mapping[str, str]]:
    """Yield what the last report says about other moves than the best one, in their order."""
    reports = [line for line in lines if line.startswith("info ")]
    seen = {move.upper(), best.line.partition(" ")[0].upper()}
    valued = [values for line in reports[-1:] for values in _values(line) if _is_valued(values)]
    for values in sorted(valued, key=lambda values: whole(values.get("order", "")) or 0):
        if values.get("pv") and values.get("move", "").upper() not in seen:
            yield values


def _values(line: str) -> Iterator[Mapping[str, str]]:
    """Yield what a line of analysis says about each move."""
    for part in line.split("info ")[1:]:
        fields, _, line_of_play = part.partition(" pv ")
        words = fields.split()
        yield {**dict(zip(words[::2], words[1::2], strict=False)), "pv": line_of_play}


def _is_of(values: Mapping[str, str], move: str) -> bool:
    """Whether values are those of a move; an engine that resigns tells those of its best move."""
    resigned = move.lower() == "resign" and values.get("order") == "0"
    return (resigned or values.get("move", "").upper() == move.upper()) and _is_valued(values)


def _is_valued(values: Mapping[str, str]) -> bool:
    return values.get("winrate", "").replace(".", "", 1).isdecimal()


def _evaluation(values: Mapping[str, str], scale: int) -> Evaluation:
    chance = min(float(values["winrate"]) / scale, 1.0)
    words = f"est {chance:.10g}"
    if "scoreLead" in values:
        words += f" lead {values['scoreLead']}"
    line, _, _ = values["pv"].partition(" pvVisits ")
    nodes = whole(values.get("visits", ""))
    return Evaluation(Score.parse(words), moves_of(line), nodes=nodes)

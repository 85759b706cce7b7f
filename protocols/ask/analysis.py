"""Moves of Go engines with their values, by the analyze commands of KataGo and Leela Zero."""

import time
from collections.abc import Iterator, Mapping
from typing import Final

from protocols.ask.contract import Reply
from protocols.ask.gtp import GtpClient
from protocols.ask.score import Evaluation, Score, moves_of, whole
from protocols.errors import CannotSay, EngineRefused

ANALYSES: Final = ("kata-genmove_analyze", "lz-genmove_analyze")
"""Commands that play a move after an analysis."""
NEVER: Final = (
    "1000000"  # Centiseconds between two reports of an analysis, of which the last one counts.
)


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
    return Reply(move.lower() if move.lower() in ("pass", "resign") else move, seconds, evaluation)


def _values(line: str) -> Iterator[Mapping[str, str]]:
    """Yield what a line of analysis says about each move."""
    for part in line.split("info ")[1:]:
        fields, _, line_of_play = part.partition(" pv ")
        words = fields.split()
        yield {**dict(zip(words[::2], words[1::2], strict=False)), "pv": line_of_play}


def _is_of(values: Mapping[str, str], move: str) -> bool:
    """Whether values are those of a move; an engine that resigns tells those of its best move."""
    number = values.get("winrate", "").replace(".", "", 1)
    resigned = move.lower() == "resign" and values.get("order") == "0"
    return (resigned or values.get("move", "").upper() == move.upper()) and number.isdecimal()


def _evaluation(values: Mapping[str, str], scale: int) -> Evaluation:
    chance = min(float(values["winrate"]) / scale, 1.0)
    words = f"est {chance:.10g}"
    if "scoreLead" in values:
        words += f" lead {values['scoreLead']}"
    line, _, _ = values["pv"].partition(" pvVisits ")
    nodes = whole(values.get("visits", ""))
    return Evaluation(Score.parse(words), moves_of(line), nodes=nodes)

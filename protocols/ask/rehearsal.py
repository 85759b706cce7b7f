"""From the transcript of a game to the commands that put an engine back before one of its moves."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_BEGINNINGS: Final = ("boardsize", "rectangular_boardsize", "clear_board", "newgame", "isready")
"""A game begins with one of these commands; greeting and options come before."""

EVALUATIONS: Final = ("evaluation", "quintet-evaluation")
"""The commands that ask for the evaluation of the last move, in the line protocol and in GTP."""

Dialogue = Iterable[tuple[str, str]]
"""The lines of a trace: `>` marks a line that was sent, `<` a line that was received."""


class Rehearsal(NamedTuple):
    """The commands that lead an engine to a question again, and the commands that ask it.

    The preparation plays the engine's own earlier moves instead of asking for them again, because
    the engine might choose others.
    """

    preparation: tuple[str, ...]
    asked: tuple[str, ...]


def rehearse(dialogue: Dialogue, number: int) -> Rehearsal | None:
    """Return what led to the `number`-th question for a move, from 1; None if there is none."""
    lines = list(dialogue)
    sent = [text for mark, text in lines if mark == ">"]
    if any(text.partition(" ")[0] in ("usi", "isready") for text in sent):
        return _rehearse_usi(sent, number)
    return _rehearse_framed(lines, number)


def _rehearse_usi(sent: Iterable[str], number: int) -> Rehearsal | None:
    preparation: list[str] = []
    asked: list[str] = []
    for text in sent:
        word = text.partition(" ")[0]
        if word in ("isready", "usinewgame"):
            preparation.append(text)
        elif word == "position":
            asked = [text]
        elif word in ("go", "ponderhit"):
            asked.append(text)
            if not text.startswith("go ponder"):
                number -= 1
                if number == 0:
                    return Rehearsal(tuple(preparation), tuple(asked))
    return None


def _rehearse_framed(lines: Dialogue, number: int) -> Rehearsal | None:
    preparation: list[str] = []
    begun = False
    exchanges = list(_exchanges(lines))
    for index, (text, reply) in enumerate(exchanges):
        word, _, arguments = text.partition(" ")
        begun = begun or word in _BEGINNINGS
        if not begun:
            continue
        if word == "genmove":
            number -= 1
            if number == 0:
                following = exchanges[index + 1 : index + 2]
                rest = [text for text, _ in following if text in EVALUATIONS]
                return Rehearsal(tuple(preparation), (text, *rest))
            preparation.append(f"play {arguments} {reply.partition(' ')[2]}")
        elif word not in EVALUATIONS and reply.startswith("="):
            preparation.append(text)  # A refused command is left out: it changed nothing.
    return None


def _exchanges(lines: Dialogue) -> Iterator[tuple[str, str]]:
    """Yield each command without its number and the first line of its reply, empty if none."""
    commands: dict[str, str] = {}
    replies: dict[str, str] = {}
    for mark, text in lines:
        number, _, rest = text.partition(" ")
        if mark == ">":
            commands[number] = rest
        elif number[1:] in commands and number[:1] in ("=", "?"):
            replies.setdefault(number[1:], text.rstrip())
    for number, text in commands.items():
        yield text, replies.get(number, "")

"""From the transcript of a game to the commands that put an engine back before one of its moves."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_BEGINNINGS: Final = ("boardsize", "rectangular_boardsize", "clear_board", "newgame", "isready")
"""With one of these words a game begins; greeting and options come before."""

Dialogue = Iterable[tuple[str, str]]
"""Lines as a trace hears them: `>` and what was sent, `<` and what came."""


class Scene(NamedTuple):
    """What an engine was told since the beginning of a game, and what it was asked then.

    Its own earlier moves are told, not asked again: it might choose others.
    """

    told: tuple[str, ...]
    asked: tuple[str, ...]


def rehearse(dialogue: Dialogue, number: int) -> Scene | None:
    """Return what led to the `number`-th question for a move, from 1; None if it is not there."""
    lines = list(dialogue)
    sent = [text for mark, text in lines if mark == ">"]
    if any(text.partition(" ")[0] in ("usi", "isready") for text in sent):
        return _rehearse_usi(sent, number)
    return _rehearse_framed(lines, number)


def _rehearse_usi(sent: Iterable[str], number: int) -> Scene | None:
    told: list[str] = []
    asked: list[str] = []
    for text in sent:
        word = text.partition(" ")[0]
        if word in ("isready", "usinewgame"):
            told.append(text)
        elif word == "position":
            asked = [text]
        elif word in ("go", "ponderhit"):
            asked.append(text)
            if not text.startswith("go ponder"):
                number -= 1
                if number == 0:
                    return Scene(tuple(told), tuple(asked))
    return None


def _rehearse_framed(lines: Dialogue, number: int) -> Scene | None:
    told: list[str] = []
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
                rest = [
                    text for text, _ in exchanges[index + 1 : index + 2] if text == "evaluation"
                ]
                return Scene(tuple(told), (text, *rest))
            told.append(f"play {arguments} {reply.partition(' ')[2]}")
        elif word != "evaluation" and reply.startswith("="):  # A refused command changed nothing.
            told.append(text)
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

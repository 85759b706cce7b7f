"""From a snapshot to what the terminal writes about it: the board, moves, clocks and results."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Outcome, Rules, Side
from engines.senet.rules.track import steps_of
from tools.boards.scene import Scene
from tools.play.snapshot import ClockView, MoveView, Phase, PlayerState, RecordView, Snapshot
from tools.play.texts import describe_result, say, side_name
from tools.records.game import Verdict

_SQUARE: Final = {"go": r"[A-Ta-t]\d+", "senet": r"\d+", "shogi": r"[1-9][a-i]"}
_LINE: Final = 8  # Moves of the lines of a hint, behind the first one.
_BESIDE: Final = 60  # The columns of a terminal that has room beside the names of commands.
_USUAL_SQUARE: Final = r"[a-g][1-7]"


def scene_of(snapshot: Snapshot, targets: Sequence[str] = ()) -> Scene:
    """Return the scene of the shown position, with targets that are to be marked."""
    last = snapshot.last
    taken = () if last is None or snapshot.game == "senet" else last.taken
    marks = [(place, "cross") for place in taken] + [(place, "circle") for place in targets]
    return Scene(
        snapshot.game,
        snapshot.variant,
        snapshot.size,
        snapshot.setup,
        last="" if last is None else last.text,
        dead=snapshot.scoring.dead if snapshot.scoring is not None else (),
        marks=tuple(marks),
        check=snapshot.check,
    )


def targets_of(snapshot: Snapshot, origin: str) -> tuple[list[str], list[str]]:
    """Return the moves that a text begins, or that move the piece on it, and where they lead."""
    square = _SQUARE.get(snapshot.game, _USUAL_SQUARE)
    step = re.compile(rf"(?:^|/){re.escape(origin)}[-*]?({square}|off)?", re.IGNORECASE)
    moves, ends = [], []
    for move in snapshot.choices:
        if match := step.search(move):
            moves.append(move)
            ends += [match[1]] if match[1] else []
    return moves, list(dict.fromkeys(ends))


def describe_standing(rules: Rules[Any], position: Any, ending: Outcome | None = None) -> str:
    """Say who is to move in a position of a record, or how it ends the game.

    `ending` is one that only the moves before the position show.
    """
    if ending is not None:
        return describe_result(ending, Verdict.NATURAL, rules.sides)
    if rules.name == registry.GO and position.passes >= 2:
        return say("standing.over")  # Only a count of the dead stones tells who has won.
    if rules.name != registry.GO and (outcome := position.outcome()) is not None:
        return describe_result(outcome, Verdict.NATURAL, rules.sides)
    turn = position.turn
    if turn == CHANCE:
        return say("standing.throw", side=side_name(rules.sides[position.thrower]))
    side = side_name(rules.sides[turn])
    if throw := getattr(position, "throw", 0):
        return say("standing.thrown", side=side, throw=throw)
    return say("standing", side=side)


def describe_move(move: MoveView, snapshot: Snapshot) -> str:
    """Write a move with its number, its side, its time and its evaluation."""
    side = side_name(snapshot.sides[move.mover])
    if move.side == CHANCE:
        steps = steps_of(int(move.text))
        following = snapshot.moves[move.ply : move.ply + 1]
        lost = following[0].side == CHANCE if following else snapshot.throw_due
        key = "throw.none" if lost else "throw.one" if steps == 1 else "throw"
        return say(key, side=side, throw=move.text, steps=steps)
    text = say("move", number=move.ply, side=side, move=move.text)
    if move.seconds >= 0.05:
        text += f"  {move.seconds:.1f} s"
    if move.evaluation is not None and move.evaluation.share is not None:
        first = side_name(snapshot.sides[0])
        text += f"  {first} {100 * move.evaluation.share:.0f} %"
    return text


def describe_turn(snapshot: Snapshot) -> Iterator[str]:
    """Yield the lines below the board: whose turn it is, throws, checks and clocks."""
    if snapshot.result is None and snapshot.turn is not None:
        side = side_name(snapshot.sides[snapshot.turn])
        name = snapshot.players[snapshot.turn].name
        if snapshot.throw is not None:
            yield say("turn.thrown", side=side, name=name, throw=snapshot.throw)
        elif snapshot.throw_due:
            yield say("turn.throw", side=side, name=name)
        else:
            key = "turn.check" if snapshot.check else "turn"
            yield say(key, side=side, name=name)
    clocks = [
        f"{side_name(side)} {format_clock(clock)}"
        for side, clock in zip(snapshot.sides, snapshot.clocks, strict=True)
        if clock is not None
    ]
    if clocks:
        yield "   ".join(clocks)


def format_clock(clock: ClockView) -> str:
    """Write the time that is left, with the periods or stones that it is for."""
    minutes, seconds = divmod(int(clock.left), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    if clock.left < 10:
        text = f"{clock.left:.1f}"
    return f"{text} ({clock.periods})" if clock.periods else text


def describe_scoring(snapshot: Snapshot) -> str:
    """Say which stones count as dead, and what the count would be."""
    scoring = snapshot.scoring
    if scoring is None:
        return ""
    if not scoring.ready:
        return say("scoring.wait")
    dead = " ".join(scoring.dead) or say("scoring.none")
    black, white = f"{scoring.black:g}", f"{scoring.white:g}"
    return say("scoring", dead=dead, result=scoring.result, black=black, white=white)


def describe_branches(snapshot: Snapshot) -> str:
    """List the lines that continue the shown position, if there are several."""
    lines = [
        say("branch" if each.number else "branch.now", number=each.number, move=each.text)
        for each in snapshot.branches
    ]
    return say("branches", branches=", ".join(lines)) if lines else ""


def says_result(snapshot: Snapshot) -> bool:
    """Whether the words of a record at the shown position already say how the game ended."""
    if snapshot.result is None or snapshot.phase != Phase.STEPPING:
        return False
    who = snapshot.result.sentence.partition(":")[0]  # Such as `White wins`, as our records begin.
    return any(line.startswith(f"{who}:") for line in snapshot.comment.splitlines())


def describe_hints(snapshot: Snapshot) -> Iterator[str]:
    """Yield the lines of a hint with their values, if its engine gave several."""
    side = side_name(snapshot.sides[0])
    for number, hint in enumerate(snapshot.hints, 1):
        move, *moves = hint.line.split()
        rest = " ".join(moves[:_LINE])
        if hint.share is None:
            yield say("hint.line.bare", number=number, move=move, rest=rest).rstrip()
            continue
        share = f"{100 * hint.share:.0f}"
        yield say("hint.line", number=number, move=move, side=side, share=share, rest=rest).rstrip()


def describe_record(record: RecordView) -> Iterator[str]:
    """Yield the players and the headers of a record."""
    first, second = (name or "?" for name in record.players)
    yield say("record.players", first=first, second=second)
    for name, text in record.headers:
        yield say("record.header", name=name, text=text)


def prompt_of(snapshot: Snapshot) -> str:
    """Return what stands before the input line."""
    if snapshot.phase == Phase.OVER:
        return say("prompt.over")
    if snapshot.phase == Phase.SCORING:
        return say("prompt.scoring")
    if snapshot.phase == Phase.STEPPING:
        return say("prompt.stepping", ply=snapshot.ply, plies=snapshot.plies)
    assert snapshot.turn is not None
    side = side_name(snapshot.sides[snapshot.turn])
    if not snapshot.players[snapshot.turn].person:
        dead = snapshot.players[snapshot.turn].state == PlayerState.DEAD
        return say("prompt.dead" if dead else "prompt.thinking", side=side)
    return say("prompt.throw" if snapshot.to_throw else "prompt", side=side)


def how_to_begin(snapshot: Snapshot) -> str:
    """Say how moves are typed, and that `help` lists the commands."""
    if snapshot.phase == Phase.STEPPING:
        return say("begin.stepping")
    if not any(player.person for player in snapshot.players):
        return say("begin.watching")
    return say("begin", move=say(f"begin.{snapshot.game}"))


def described(usage: str, text: str, width: int) -> Iterator[str]:
    """Yield a command beside its description, or above it in a narrow terminal; 0 is any width."""
    if width and width < _BESIDE:
        yield f"  {usage}"
        yield from wrap(text, width, initial_indent="      ", subsequent_indent="      ")
        return
    first = f"  {usage:<18} "
    yield from wrap(
        text, width or len(first + text), initial_indent=first, subsequent_indent=" " * len(first)
    )


def columns(words: Sequence[str], width: int) -> Iterator[str]:
    """Yield words in columns of a page."""
    if not words:
        return
    wide = max(map(len, words)) + 2
    count = max((width - 2) // wide, 1)
    for start in range(0, len(words), count):
        row = words[start : start + count]
        yield "  " + "".join(f"{word:<{wide}}" for word in row).rstrip()


def is_dead(snapshot: Snapshot, side: Side) -> bool:
    """Whether the engine of a side has failed."""
    return snapshot.players[side].state == PlayerState.DEAD


def waits_for_engine(snapshot: Snapshot) -> bool:
    """Whether the next thing to happen is an engine's."""
    if snapshot.phase == Phase.SCORING:
        return snapshot.scoring is not None and not snapshot.scoring.ready
    if snapshot.phase != Phase.PLAYING or snapshot.turn is None:
        return False
    return not snapshot.players[snapshot.turn].person and not is_dead(snapshot, snapshot.turn)


def key_of(snapshot: Snapshot) -> object:
    """Return what of a snapshot is worth showing: all but the clocks."""
    return (
        snapshot.phase,
        snapshot.ply,
        snapshot.plies,
        snapshot.setup,
        snapshot.branches,
        snapshot.messages[-1:],
        snapshot.scoring,
        snapshot.result,
        tuple(player.state == PlayerState.DEAD for player in snapshot.players),
    )

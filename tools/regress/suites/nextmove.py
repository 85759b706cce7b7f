"""Read and write collections of next-move problems of ShogiHome, which are JSON.

The format is specified in specs/next-move-problem-format.md of ShogiHome, version 1.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from engines import __version__
from engines.core.game import IllegalMove, InvalidText
from tools.regress.reports.output import save
from tools.regress.suites.suite import InvalidTest, Problem, check, expand

SUFFIX: Final = ".json"
FORMAT: Final = "shogihome-next-move"
_GAME: Final = "shogi"
_VERSION: Final = 1


def read_problems(path: Path) -> list[Problem | InvalidTest]:
    """Read a collection; the names of the problems are their numbers. Raises InvalidText."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror or error}") from error
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise InvalidText(f"{path}: not JSON: {error}") from error
    except RecursionError as error:
        raise InvalidText(
            f"{path}: not a collection of next-move problems: nested too deeply"
        ) from error
    if not isinstance(tree, dict) or tree.get("format") != FORMAT:
        raise InvalidText(
            f'{path}: not a collection of next-move problems (expected "format": "{FORMAT}")'
        )
    version = tree.get("version")
    if version != _VERSION:
        raise InvalidText(f"{path}: version {version!r} of the format is unknown (known: 1)")
    problems = tree.get("problems")
    if not isinstance(problems, list) or not problems:
        raise InvalidText(f"{path}: no problems in it")
    lines = _lines(data)
    return [
        _read(problem, str(number), lines[number - 1] if number <= len(lines) else 1)
        for number, problem in enumerate(problems, 1)
    ]


def _lines(data: bytes) -> list[int]:
    """Return the line of each problem's position, if no two are on one line."""
    text = data.decode("utf-8-sig")
    return [text.count("\n", 0, match.start()) + 1 for match in re.finditer(r'"sfen"\s*:', text)]


def _read(problem: Any, name: str, line: int) -> Problem | InvalidTest:
    try:
        made = Problem(
            name,
            line,
            title=_title(problem.get("source", {})),
            game=_GAME,
            setup=str(problem["sfen"]).removeprefix("sfen "),
            accept=tuple(_accepted(problem["candidates"])),
            forbid=(str(problem["actualMove"]["usi"]),),
        )
        if not made.accept:
            raise InvalidText("it has no candidate")
        if made.forbid[0] in made.accept:
            made = _without_forbidden(made)
        check(made)
    except (KeyError, TypeError, AttributeError) as error:
        return InvalidTest(name, line, f"it breaks the format: {error!r}")
    except (InvalidText, IllegalMove) as error:
        return InvalidTest(name, line, str(error))
    return made


def _without_forbidden(problem: Problem) -> Problem:
    return Problem(
        problem.name,
        problem.line,
        title=problem.title,
        game=_GAME,
        setup=problem.setup,
        accept=problem.accept,
    )


def _accepted(candidates: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the right moves; the first candidate always is one."""
    for number, candidate in enumerate(candidates):
        if number == 0 or candidate.get("accepted", False) is True:
            yield str(candidate["usi"])


def _title(source: Mapping[str, Any]) -> str:
    players = [str(source.get(f"{side}Player") or "") for side in ("black", "white")]
    parts = [" - ".join(players) if any(players) else "", str(source.get("date") or "")]
    ply = source.get("ply")
    parts.append(f"move {ply}" if isinstance(ply, int) else "")
    return " ".join(" ".join(text for text in parts if text).split())


def write_problems(path: Path, problems: Sequence[Problem], title: str = "") -> int:
    """Write the problems that the format can hold, and return how many these are.

    It can hold problems of shogi that name a right move and a wrong move. Raises InvalidText.
    """
    made = [_write(problem) for problem in problems if _is_posable(problem)]
    if not made:
        raise InvalidText("no shogi problem has both a right and a wrong move")
    tree = {
        "format": FORMAT,
        "version": _VERSION,
        "metadata": {"title": title, "appVersion": f"quintet {__version__}"},
        "problems": made,
    }
    text = json.dumps(tree, ensure_ascii=False, indent=2) + "\n"
    save(path, text)
    return len(made)


def _is_posable(problem: Problem) -> bool:
    return problem.game == _GAME and bool(problem.accept) and bool(problem.forbid)


def _write(problem: Problem) -> dict[str, Any]:
    game = problem.start()
    board, turn, hands, _ = game.rules.setup(game.position).split()
    accept, forbid = expand(game, problem.accept), expand(game, problem.forbid)
    return {
        "sfen": f"{board} {turn} {hands} 1",
        "candidates": [{"usi": move, "accepted": True, "pv": [move]} for move in accept],
        "actualMove": {"usi": forbid[0]},
        "source": {"ply": len(problem.moves) + 1},
    }

"""Damaged records are annotated with all their moves, or refused."""

from pathlib import Path

import pytest

from engines.core.game import InvalidText
from protocols.ask.score import Evaluation, Score
from tests.mutants import mutants
from tools.annotate.judging import Thresholds, judge_moves
from tools.annotate.valuing import Value
from tools.annotate.variations import better_lines
from tools.annotate.writing import Annotation, annotate, target_suffix
from tools.records.diagrams import KNOWN
from tools.records.recorded import RecordedGame, read_games

FILES = sorted(path for path in Path("tests/data/records").iterdir() if path.suffix in KNOWN)
PIECES = [b"B[aa]W[bb]", b"(;", b";W[]", b"C[annotate: x]", b"AN[annotate: x]", b"\n", b"%TORYO\n"]
MUTANTS = 25


def texts(game: RecordedGame) -> list[tuple[int, str]]:
    return [(move.side, move.text) for move in game.moves]


def annotation(game: RecordedGame) -> Annotation:
    best = "7g7f" if game.game == "shogi" else "C3"
    said = Evaluation(Score(chance=0.6, lead=1.0), f"{best} 3c3d zz", 3, 4)
    values = {str(number): Value(number % 2, best, said) for number in range(len(game.moves) + 1)}
    moves = list(judge_moves(game.moves, values, Thresholds(), 1, 10_000, None))
    author = "engine, depth=1"
    return Annotation(game, values, moves, author, better_lines(game, moves, author, 3))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_damaged_record_is_annotated_or_refused(path: Path) -> None:
    done = 0
    for data in (path.read_bytes(), *mutants(path.read_bytes(), MUTANTS, PIECES)):
        try:
            games = read_games(path.name, data)
            made = [annotation(game) for game in games]
            written = annotate(data, path.suffix, made)
        except InvalidText:
            continue
        done += 1
        target = target_suffix(path.suffix)
        again = read_games(f"x{target}", written)
        assert [texts(game) for game in again] == [texts(game) for game in games]
        for game, annotated in zip(again, made, strict=True):
            assert len(game.variations) <= len(annotated.game.variations) + len(annotated.lines)
        assert annotate(written, target, made) == written
    assert done

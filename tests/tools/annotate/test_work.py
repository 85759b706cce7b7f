from pathlib import Path

from engines.core.timing import TimeControl
from tools.annotate.planning import AnnotateOptions
from tools.annotate.valuing import Value
from tools.annotate.work import AnnotatedFile, GameTask, Worker
from tools.records.recorded import read_games

SENET = b"(;GM[99]QG[senet];B[3:10-13];W[4:9-13])"


def values(data: bytes, options: AnnotateOptions, **known: Value) -> list[tuple[str, Value, bool]]:
    file = AnnotatedFile(Path("a.sgf"), Path("b.sgf"), games=read_games("a.sgf", data))
    notices: list[str] = []
    worker = Worker(None, TimeControl.parse("depth=1"), options, notices.append)
    try:
        return list(worker.values(GameTask(file, 0, {f"{k[1:]}": v for k, v in known.items()})))
    finally:
        worker.close()


def test_a_position_is_valued_before_and_after_each_throw() -> None:
    found = values(SENET, AnnotateOptions())
    assert [name for name, _, _ in found] == ["0", "1+", "1", "2+"]
    first, after, *_ = (value for _, value, _ in found)
    if first.best == "10-13":  # The engine's own choice is worth what it says.
        assert after.share(0) == first.share(0)


def test_known_values_are_not_asked_for_again() -> None:
    known = Value(0, "d1-d4")
    found = values(b"(;GM[13];W[d1-d4];B[c3-e3/b5-e2])", AnnotateOptions(last=1), p0=known)
    assert [(name, new) for name, _, new in found] == [("0", False), ("1", True)]
    assert found[0][1] is known


def test_only_the_positions_around_the_wanted_moves_are_valued() -> None:
    data = b"(;GM[13];W[d1-d4];B[c3-e3/b5-e2];W[e3-e4/c1-e3])"
    found = values(data, AnnotateOptions(first=3))
    assert [name for name, _, _ in found] == ["2", "3"]

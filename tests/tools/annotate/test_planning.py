from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.annotate.planning import (
    AnnotateOptions,
    CannotAnnotate,
    check_options,
    plan_files,
    read_engine,
)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.sgf", "a.annotated.sgf", "b.txt", "deep/c.USI", "deep/d.gib"):
        (folder / name).touch()
    return folder


def names(found: list[tuple[Path, Path]], start: Path) -> list[tuple[str, str]]:
    return [(a.relative_to(start).as_posix(), b.relative_to(start).as_posix()) for a, b in found]


def test_records_are_written_beside_the_originals(records: Path) -> None:
    assert names(plan_files([records], None), records) == [
        ("a.sgf", "a.annotated.sgf"),
        ("deep/c.USI", "deep/c.annotated.kifu"),
        ("deep/d.gib", "deep/d.annotated.sgf"),
    ]


def test_records_of_a_folder_keep_their_places(records: Path) -> None:
    out = records / "out"
    (out / "deep").mkdir(parents=True)
    (out / "deep/c.kifu").touch()  # Of an earlier run.
    assert names(plan_files([records, records / "deep/d.gib"], out), records) == [
        ("a.sgf", "out/a.sgf"),
        ("deep/c.USI", "out/deep/c.kifu"),
        ("deep/d.gib", "out/deep/d.sgf"),
        ("deep/d.gib", "out/d.sgf"),
    ]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotAnnotate, match=r"x\.sgf: no such file or folder"):
        plan_files([tmp_path / "x.sgf"], None)


def test_the_engine_has_the_settings_of_a_match() -> None:
    settings = ("name=deep", "time=depth=3", "options.level=2")
    engine, control = read_engine(AnnotateOptions("quintet-neutron", settings))
    assert engine is not None
    assert (engine.label, engine.options, str(control)) == (
        "deep",
        (("level", "2"),),
        "depth=3",
    )
    _, control = read_engine(AnnotateOptions("neutron", settings, control="nodes=5"))
    assert str(control) == "nodes=5"
    assert str(read_engine(AnnotateOptions())[1]) == "1/move"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (AnnotateOptions(settings=("name=x",)), "--set: it needs --engine"),
        (AnnotateOptions(control="600+5"), "expected a limit for each move"),
        (AnnotateOptions(control="soon"), "time control 'soon'"),
        (AnnotateOptions("neutron", ("colour=red",)), "no such setting: 'colour'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: AnnotateOptions, reason: str) -> None:
    with pytest.raises(InvalidText) as caught:
        read_engine(options)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (AnnotateOptions(first=9, last=2), "--from 9 --to 2: no move"),
        (AnnotateOptions(protocol="usi"), "--protocol: it needs --engine"),
    ],
)
def test_options_that_would_do_nothing_are_refused(options: AnnotateOptions, reason: str) -> None:
    check_options(AnnotateOptions(first=2, last=2))
    with pytest.raises(CannotAnnotate, match=reason):
        check_options(options)

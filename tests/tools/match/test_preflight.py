import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.programs import peer
from tests.tools.fakes import ROOT
from tests.tools.match.fake_games import fake, games, match
from tools.cli import main
from tools.match.preflight import EnginesUnfit, ask_game
from tools.roster.seats import ENGINE_POOL, EnginePool
from tools.roster.sides import read_side


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_who_takes_the_rules_is_not_warned_of(tmp_path: Path) -> None:
    one, other = fake("also=kgs-rules"), fake("A1", "also=kata-set-rules,kgs-rules")
    assert "warning" not in match(tmp_path, one=one, other=other).output


def test_who_refuses_the_rules_is(tmp_path: Path) -> None:
    refusing = fake("also=kata-set-rules,kgs-rules", "refuses=kata-set-rules,kgs-rules")
    result = match(tmp_path, one=refusing, other=fake("A1", "also=kgs-rules"))
    assert result.output.count("warning: ") == 1
    assert [game["verdict"] for game in games(tmp_path)] == ["natural"] * 2


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        ("", "--chinese-rules --positional-superko"),
        ("--chinese-rules", "start it with --positional-superko"),
        ("--chinese-rules --positional-superko", ""),
    ],
)
def test_gnu_go_is_warned_of_by_its_flags(tmp_path: Path, flags: str, missing: str) -> None:
    gnugo = f"{peer('gnugo')} --mode gtp --level 0 {flags}"
    result = match(tmp_path, "--max-plies", "4", one=gnugo, other=fake("A1", "also=kgs-rules"))
    assert missing in result.output
    assert ("warning" in result.output) == bool(missing)


def test_who_cannot_play_on_a_board_is_named_before_the_first_game(tmp_path: Path) -> None:
    gnugo = f"{peer('gnugo')} --mode gtp"
    result = match(tmp_path, "--size", "21", one=gnugo)
    assert result.exit_code == 2
    assert "cannot play on 21: boardsize 21: unacceptable size" in result.output


def test_an_arbiter_that_names_no_dead_is_refused_before_the_first_game(tmp_path: Path) -> None:
    result = match(tmp_path, "--scoring", "agreed", "--arbiter", fake())
    assert result.exit_code == 2
    assert "does not know final_status_list" in result.output


def test_who_cannot_place_a_handicap_is_named_before_the_first_game(tmp_path: Path) -> None:
    result = match(tmp_path, "--handicap", "free:2")
    assert result.exit_code == 2
    assert "does not know place_free_handicap" in result.output


def test_an_engine_is_asked_for_its_game(tmp_path: Path) -> None:
    engine = " ".join((sys.executable, "-m", "tests.tools.fake_neutron"))
    line = ["match", f"{engine} good", f"{engine} better", "--games", "1"]
    try:
        result = CliRunner().invoke(main, [*line, "--out", str(tmp_path / "out")])
    finally:
        ENGINE_POOL.close()
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Neutron: ")


@pytest.mark.parametrize(
    ("words", "game"), [(("protocol=gtp",), "go"), (("protocol=usi",), "shogi")]
)
def test_a_protocol_of_one_game_names_it(words: tuple[str, ...], game: str) -> None:
    module = "tests.tools.fake_go" if game == "go" else "engines.shogi"
    engine = read_side(f"{sys.executable} -m {module}", words).engine
    pool = EnginePool()
    try:
        assert ask_game(engine, pool) == game
    finally:
        pool.close()


def test_an_engine_that_plays_another_game_is_refused(tmp_path: Path) -> None:
    engine = " ".join((sys.executable, "-m", "tests.tools.fake_neutron", "good"))
    line = ["match", engine, "--game", "morris", "--out", str(tmp_path / "out")]
    try:
        result = CliRunner().invoke(main, line)
    finally:
        ENGINE_POOL.close()
    assert result.exit_code == 2
    assert f"{engine} plays neutron, not morris" in result.output
    assert not (tmp_path / "out").exists()


def test_an_engine_that_does_not_start_cannot_be_asked_for_its_game(tmp_path: Path) -> None:
    engine = shlex.join([sys.executable, "-c", "raise SystemExit('no weights')"])
    result = CliRunner().invoke(main, ["match", engine, "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "exited with code 1" in result.output
    assert "  stderr: no weights" in result.output
    assert "quintet check" not in result.output  # It would not start there either.


def test_what_came_instead_of_an_answer_is_quoted_with_advice(tmp_path: Path) -> None:
    code = "import sys\nfor line in sys.stdin: print('= ', flush=True); print(flush=True)"
    engine = shlex.join([sys.executable, "-c", code])
    for words in ((), ("protocol=gtp",)):
        line = ["match", engine, *words, "--game", "go", "--out", str(tmp_path / "out")]
        result = CliRunner().invoke(main, line)
        ENGINE_POOL.close()
        assert result.exit_code == 2
        assert "wrote '= ' where a reply to 1 'protocol_version' was due" in result.output
        assert "  to see the dialogue: quintet check " in result.output
        assert ("--protocol gtp" if words else "--protocol PROTOCOL") in result.output


@pytest.mark.slow
def test_the_user_is_told_what_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.roster.waiting.PATIENT", 0.05)
    code = "import sys\nfor line in sys.stdin: print('Welcome', flush=True)"
    engine = replace(read_side(shlex.join([sys.executable, "-c", code]), ()).engine, patience=2.0)
    notices: list[str] = []
    pool = EnginePool()
    with pytest.raises(EnginesUnfit) as caught:
        ask_game(engine, pool, notices.append)
    assert len(notices) == 1
    assert "waiting for the reply to '1 protocol_version' and " in notices[0]
    assert "it wrote 'Welcome' where a reply to 1 'protocol_version' was due; as USI, " in str(
        caught.value
    )
    assert "it wrote 'Welcome' where a reply to 'usi' was due" in str(caught.value)


def test_an_engine_with_the_fewest_commands_plays_a_match(tmp_path: Path) -> None:
    engine = f"{sys.executable} -m tests.tools.fake_minimal"
    line = ["match", engine, "neutron", "--games", "2", "--time", "60+1,nodes=5"]
    try:
        result = CliRunner().invoke(main, [*line, "--out", str(tmp_path / "out")])
    finally:
        ENGINE_POOL.close()
    assert result.exit_code == 0, result.output
    assert "\nclean\n" in result.stdout

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engines.core.game import Game, Outcome
from engines.core.timing import TimeControl
from engines.neutron.rules.text import make_rules
from protocols.ask.engine import EngineSpec
from protocols.ask.score import Evaluation, Score
from tools.commands.regress import regress
from tools.journal.events import game_event
from tools.journal.journal import Journal
from tools.match.match import Match
from tools.records.game import GameRecord, PlayedMove, Player, Verdict
from tools.regress.blunders import earlier_commands, find_blunders, propose
from tools.regress.suites.suite import Problem, parse_suite
from tools.terms.spec import MatchSpec

ROOT = Path(__file__).parents[3]
MEMORY = (sys.executable, "-m", "tests.tools.regress.fake_memory")


def line_of_play(choices: Sequence[int]) -> list[str]:
    """Return moves of Neutron, each by its place among the legal ones."""
    game = Game(make_rules())
    for choice in choices:
        game.push(list(game.position.legal_moves())[choice])
    return game.texts()


def record(moves: Sequence[str], scores: Sequence[str], time: str = "depth=2") -> GameRecord:
    control = TimeControl.parse(time)
    return GameRecord(
        game="neutron",
        variant="",
        number=1,
        players=(Player("one", "f", "1"), Player("two", "f", "1")),
        controls=(control, control),
        started="2026-11-18T10:00:00+00:00",
        moves=[
            PlayedMove(
                number % 2,
                move,
                0.2,
                None,
                Evaluation(Score.parse(score), depth=2),
            )
            for number, (move, score) in enumerate(zip(moves, scores, strict=True))
        ],
        outcome=Outcome(1, "neutron home"),
        verdict=Verdict.NATURAL,
        seed=77,
    )


def write(folder: Path, game: GameRecord) -> None:
    engines = tuple(
        EngineSpec(label, MEMORY, "line", "neutron", folder=str(ROOT)) for label in ("one", "two")
    )
    control = game.controls[0]
    spec = MatchSpec("neutron", "", 0, (engines[0], engines[1]), 1, (control, control))
    with Journal(folder) as journal:
        Match(spec, journal)
        journal.append(game_event(game))


def call(*words: str) -> Result:
    return CliRunner().invoke(regress, list(words), prog_name="quintet regress")


MOVES = line_of_play([0, 0, 0, 0, -1])


def test_a_loss_of_chances_between_two_own_moves_is_a_blunder(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.9", "est 0.5", "est 0.2", "est 0.45", "est 0.2"]))
    blunders = find_blunders(tmp_path)
    assert [(each.ply, each.before, each.after, each.number) for each in blunders] == [
        (1, 0.9, 0.2, 1)
    ]
    problem = propose(blunders[0])
    assert problem.title == "one expected 0.90, then 0.20"
    assert (problem.moves, problem.forbid, problem.seed) == ((), (MOVES[0],), 77)
    assert str(problem.control) == "depth=2"


def test_the_last_opinion_is_compared_with_the_end(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.5", "est 0.5", "est 0.5", "est 0.5", "exact win 3"]))
    assert [(each.ply, each.after) for each in find_blunders(tmp_path, 0.6)] == [(5, 0.0)]


def test_a_silent_engine_is_seen_with_its_opponents_eyes(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.9", "exact win 2", "", "", ""], "60"))
    (blunder,) = find_blunders(tmp_path)
    assert (blunder.ply, blunder.after) == (1, 0.0)
    assert str(propose(blunder).control) == "0.2/move"


def test_an_engine_that_repeats_its_blunder_needs_no_history(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.9", "", "est 0.2", "", "est 0.2"]))
    result = call("--from-journal", str(tmp_path))
    assert result.exit_code == 0, result.output
    (problem,) = parse_suite(result.stdout)
    assert isinstance(problem, Problem)
    assert problem.title.endswith("then 0.20, repeated when asked alone")
    assert problem.replay == ()


def test_what_an_engine_was_told_before_goes_along_where_it_takes_that(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.5", "", "est 0.5", "", "est 0.9"]))
    (tmp_path / "transcripts").mkdir()
    sent = ["1 name", "2 newgame default", "3 genmove w", "4 evaluation", f"5 play b {MOVES[1]}"]
    sent += ["6 genmove w", f"7 play b {MOVES[3]}", "8 genmove w", "9 quit"]
    text = "".join(f"0.1 > {line}\n0.2 < =\n" for line in sent)
    (tmp_path / "transcripts" / "neutron-0001-1.log").write_text(text, "utf-8")
    (blunder,) = find_blunders(tmp_path, 0.6)
    lines = (
        *("newgame default", "reg_genmove w", f"play w {MOVES[0]}", f"play b {MOVES[1]}"),
        *("reg_genmove w", f"play w {MOVES[2]}", f"play b {MOVES[3]}"),
    )
    assert earlier_commands(tmp_path, blunder, "line") == lines
    result = call("--from-journal", str(tmp_path), "--drop", "0.6")
    (problem,) = parse_suite(result.stdout)
    assert isinstance(problem, Problem)
    assert "repeated after the commands of the game" in problem.title
    assert problem.replay == lines


def test_an_engine_may_not_repeat_it_at_all(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.5", "", "est 0.5", "", "est 0.9"]))
    result = call("--from-journal", str(tmp_path), "--drop", "0.6")
    assert "not repeated (answered " in result.stdout


def test_gtp_and_usi_are_told_again_in_their_own_words(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.5", "", "est 0.9", "", "est 0.5"]))
    (tmp_path / "transcripts").mkdir()
    log = tmp_path / "transcripts" / "neutron-0001-1.log"
    blunder = next(each for each in find_blunders(tmp_path, 0.4) if each.ply == 3)
    sent = ("boardsize 5", "genmove b", "quintet-evaluation", "play w X", "genmove b")
    log.write_text("".join(f"1 > {n} {text}\n" for n, text in enumerate(sent)), "utf-8")
    assert earlier_commands(tmp_path, blunder, "gtp") == (
        *("boardsize 5", "genmove b", "undo", f"play b {MOVES[0]}", "play w X"),
    )
    log.write_text("1 > usi\n1 > go nodes 1\n1 > go ponder\n1 > stop\n1 > go nodes 1\n", "utf-8")
    assert earlier_commands(tmp_path, blunder, "usi") == ("go nodes 1", "go ponder", "stop")
    log.write_text("1 > usi\n", "utf-8")
    assert earlier_commands(tmp_path, blunder, "usi") == ()


def test_untried_problems_start_no_engine(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, ["est 0.9", "", "est 0.2", "", "est 0.2"]))
    target = tmp_path / "b.suite"
    result = call("--from-journal", str(tmp_path), "--untried", "--convert", str(target))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "1 problem\n")
    assert "expected 0.90, then 0.20\n" in target.read_text("utf-8")


def test_a_match_of_silent_engines_has_nothing_to_propose(tmp_path: Path) -> None:
    write(tmp_path, record(MOVES, [""] * 5))
    result = call("--from-journal", str(tmp_path))
    assert result.exit_code == 0
    assert "no engine of this match gave scores with its moves" in result.stderr


@pytest.mark.parametrize("text", ["", '{"event": "game"}\n'])
def test_a_folder_without_a_match_says_so(tmp_path: Path, text: str) -> None:
    if text:
        (tmp_path / "journal.jsonl").write_text(text, "utf-8")
    assert call("--from-journal", str(tmp_path)).exit_code == 2

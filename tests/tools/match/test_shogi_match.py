"""Games of shogi between engines that play scripted moves."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import Outcome
from engines.core.timing import TimeControl
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.rules.records.kif import read_kif
from engines.shogi.rules.records.record import Ending
from protocols.ask.engine import EngineSpec
from tests.engines.shogi.rules.records.test_peers import IN_CSA, JKF, TSSHOGI, ask, main_line
from tests.tools.fakes import ROOT
from tools.journal.events import game_event
from tools.journal.journal import Journal, read_journal
from tools.journal.verification import verify_match
from tools.match.match import Match
from tools.match.referee import play_game
from tools.match.runner import MatchRunner
from tools.match.workers import InlineExecutor
from tools.records.filing import write_record
from tools.records.game import GameRecord, Verdict
from tools.roster.seats import EnginePool
from tools.terms.adjudication import Adjudication
from tools.terms.openings import Opening
from tools.terms.spec import GameSpec, MatchSpec

CLOCK = TimeControl.parse("60")
# Black may declare: king and ten men beyond, 31 points.
ENTERED = "1+R1+R1K1+B+B/PPPPPPPPP/9/9/9/9/9/9/4k4 b GS 1"
ENTERED_WHITE = "4K4/9/9/9/9/9/9/ppppppppp/1+r1+r1k1+b+b w gs 1"


def scripted(label: str, *moves: str, ponder: bool = False) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.fake_shogi", *moves)
    return EngineSpec(label, command, "usi", "shogi", folder=str(ROOT), ponder=ponder)


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    pool = EnginePool()
    yield pool
    pool.close()


def play(
    pool: EnginePool,
    first: EngineSpec,
    second: EngineSpec,
    setup: str = "",
    *,
    variant: str = "",
    plies: int = 0,
) -> GameRecord:
    spec = GameSpec("shogi", variant, 0, (first, second), (CLOCK, CLOCK))
    spec = replace(spec, opening=Opening("", (), setup))
    return play_game(replace(spec, adjudication=Adjudication(most_plies=plies)), pool)


def test_a_declaration_that_holds_wins(pool: EnginePool) -> None:
    for setup, winner in ((ENTERED, 0), (ENTERED_WHITE, 1)):
        record = play(pool, scripted("a", "win"), scripted("b", "win"), setup)
        assert (record.verdict, record.outcome) == (
            Verdict.NATURAL,
            Outcome(winner, "declaration"),
        )
        assert read_kif(write_record(record, ("black", "white"))).ending() == Ending.DECLARATION


@pytest.mark.parametrize(
    ("setup", "variant"), [("", ""), (ENTERED, "no-declaration"), (ENTERED, "try")]
)
def test_a_false_declaration_loses_and_stands_beside_the_winner(
    pool: EnginePool, setup: str, variant: str
) -> None:
    record = play(pool, scripted("a", "win"), scripted("b", "8c8d"), setup, variant=variant)
    assert (record.verdict, record.outcome.winner, record.offence) == (Verdict.ILLEGAL, 1, "win")
    event = game_event(record)
    assert (event["winner"], event["verdict"], event["result"]) == (1, "illegal", "0-1")
    made = read_kif(write_record(record, ("black", "white")))
    assert made.ending() == Ending.FOUL_LOSS
    assert made.main_line()[-1].comments[0].startswith("illegal: illegal move win")


def test_a_declaration_that_nobody_claims_is_not_awarded(pool: EnginePool) -> None:
    record = play(pool, scripted("a", "4a5a"), scripted("b", "5i5h"), ENTERED, plies=2)
    assert record.verdict == Verdict.ADJUDICATION
    assert [move.text for move in record.moves] == ["4a5a", "5i5h"]


def test_the_fourth_occurrence_is_a_draw(pool: EnginePool) -> None:
    black = scripted("a", *["2h5h", "5h2h"] * 6)
    white = scripted("b", *["8b5b", "5b8b"] * 6)
    record = play(pool, black, white)
    assert record.outcome == Outcome(None, "repetition")
    assert len(record.moves) == 12


def test_perpetual_check_loses(pool: EnginePool) -> None:
    black = scripted("a", *["5e4e", "4e5e"] * 8)
    white = scripted("b", *["5a4a", "4a5a"] * 8)
    record = play(pool, black, white, "4k4/9/9/9/4R4/9/9/9/4K4 w - 1")
    assert (record.outcome.winner, record.outcome.reason) == (1, "perpetual check")
    assert read_kif(write_record(record, ("black", "white"))).ending() in (
        Ending.FOUL_LOSS,
        Ending.FOUL_WIN,
    )


def test_two_pawns_on_a_file_lose(pool: EnginePool) -> None:
    setup = "4k4/9/9/9/9/9/P8/9/4K4 b P 1"
    record = play(pool, scripted("a", "P*9e"), scripted("b"), setup)
    assert (record.verdict, record.offence, record.outcome.winner) == (Verdict.ILLEGAL, "P*9e", 1)


def test_who_ponders_is_told_only_legal_expectations(pool: EnginePool, tmp_path: Path) -> None:
    black = scripted("a", "7g7f/3c3d", "2g2f/9a9i", "1g1f/1c1d", ponder=True)
    white = scripted("b", "3c3d", "8c8d", "9c9d")
    spec = GameSpec("shogi", "", 0, (black, white), (CLOCK, CLOCK), transcripts=str(tmp_path))
    record = play_game(spec, pool)
    assert record.verdict == Verdict.RESIGN
    assert len(record.moves) == 6
    assert record.faults == (1, 0)
    log = (tmp_path / "shogi-0001-1.log").read_text().splitlines()
    sent = [line.split(" > ", 1)[1].split()[0] for line in log if " > " in line]
    # The first expectation comes true, the second is impossible, the third is another move.
    assert sent[sent.index("position") :] == [
        *("position", "go", "position", "go", "ponderhit", "position", "go"),
        *("position", "go", "stop", "position", "go", "gameover"),
    ]
    assert "setoption name USI_Ponder value true" in "\n".join(log)


def test_records_are_in_csa_by_option_and_verified_so(tmp_path: Path) -> None:
    engines = (scripted("a", "7g7f", "2g2f"), scripted("b", "3c3d", "win"))
    spec = MatchSpec("shogi", "", 0, engines, 2, (CLOCK, CLOCK), shogi_format="csa")
    with Journal(tmp_path) as journal:
        match = Match(spec, journal)
        assert len(list(MatchRunner(match, InlineExecutor).play())) == 2
        match.write_status()
    assert read_journal(tmp_path)[0]["records"] == "csa"
    made = read_csa((tmp_path / "shogi-0001.csa").read_bytes())
    assert made.moves() == ["7g7f", "3c3d", "2g2f"]
    assert "seed " in made.root.comments[0]
    assert list(verify_match(tmp_path, read_journal(tmp_path))) == []
    with Journal(tmp_path) as journal:
        Match(replace(spec, shogi_format="kif"), journal).restore_records()
    assert (tmp_path / "shogi-0001.kif").exists()


@pytest.mark.peer("tsshogi and json-kifu-format")
def test_peers_read_the_records_of_a_match_as_they_were_played(pool: EnginePool) -> None:
    games = [
        play(pool, scripted("a", "7g7f", "2g2f"), scripted("b", "3c3d", "8c8d")),
        play(pool, scripted("a", "7g7f", "win"), scripted("b", "3c3d")),
        play(pool, scripted("a", "win"), scripted("b"), ENTERED),
        play(pool, scripted("a", *["2h5h", "5h2h"] * 6), scripted("b", *["8b5b", "5b8b"] * 6)),
        play(pool, scripted("a", "7g7f"), scripted("b", "3c3d"), plies=2),
    ]
    for record in games:
        kif = write_record(record, ("black", "white"))
        csa = write_record(record, ("black", "white"), "csa")
        texts = {"kif": kif.decode("cp932"), "csa": csa.decode("utf-8")}
        ours = {"kif": read_kif(kif), "csa": read_csa(csa)}
        asked = [(peer, form) for peer in ("tsshogi", "jkf") for form in texts]
        replies = ask([{"peer": peer, "format": form, "text": texts[form]} for peer, form in asked])
        for (peer, form), reply in zip(asked, replies, strict=True):
            assert "error" not in reply, reply
            steps, moves = main_line(reply["tree"]), ours[form].moves()
            assert [step[0] for step in steps[: len(moves)]] == moves
            nodes = ours[form].main_line()
            assert [step[1] for step in steps[: len(moves)]] == [
                node.seconds or 0 for node in nodes[: len(moves)]
            ]
            ending = ours[form].ending()
            assert ending is not None
            if peer == "tsshogi" and ending in TSSHOGI:
                assert steps[len(moves)][0] == TSSHOGI[ending]
            elif peer == "jkf" and form == "kif" and ending in JKF:
                assert steps[len(moves)][0] in JKF[ending]
            elif peer == "jkf" and form == "csa" and ending in IN_CSA:
                assert steps[len(moves)][0] == IN_CSA[ending]
            if record.verdict == Verdict.ADJUDICATION:
                draw = {"kif": "JISHOGI", "csa": "HIKIWAKE"}
                known = draw if peer == "jkf" else {"kif": "impass", "csa": "draw"}
                assert steps[len(moves)][0] == known[form]
            text = json.dumps(steps, ensure_ascii=False)
            if len(steps) > len(moves):
                assert str(record.verdict) in text

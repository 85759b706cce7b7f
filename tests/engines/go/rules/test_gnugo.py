"""GNU Go as an independent judge of boards that leave nothing to judgement."""

import subprocess

import pytest

from tests.engines.go.talk import SETTLED
from tests.programs import own_program, peer


def replies(command: list[str], lines: list[str]) -> list[str]:
    done = subprocess.run(
        command,
        input="\n".join([*lines, "quit", ""]),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return [" ".join(sorted(part[1:].split())) for part in done.stdout.split("\n\n")][:-2]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_the_settled_board_is_scored_alike(rules: str) -> None:
    gnugo = [peer("gnugo"), "--mode", "gtp", f"--{rules}-rules"]
    lines = ["boardsize 9", "komi 6.5", *SETTLED, "final_score", "final_status_list dead"]
    theirs = replies(gnugo, lines)
    ours = replies(own_program("quintet-go"), [f"kata-set-rules {rules}", *lines])[1:]
    assert ours == theirs
    assert ours[-2:] == ["W+15.5", "B5 B6 G5 G6"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_handicap_is_paid_for_alike(rules: str) -> None:
    gnugo = [peer("gnugo"), "--mode", "gtp", f"--{rules}-rules"]
    lines = ["boardsize 9", "komi 0.5", "fixed_handicap 4"]
    lines += [f"play b {v}" for v in ("D3", "E3", "F3", "D7", "E7", "F7")]
    lines += ["final_score"]
    theirs = replies(gnugo, lines)
    ours = replies(own_program("quintet-go"), [f"kata-set-rules {rules}", *lines])[1:]
    assert ours == theirs


def test_fixed_handicaps_stand_alike() -> None:
    lines = []
    # Not 12: GNU Go takes the fourth line there, the standard only from 13 up.
    for size in (7, 8, 9, 11, 13, 14, 15, 18, 19):
        for count in range(2, 10 if size % 2 and size > 7 else 5):
            lines += [f"boardsize {size}", f"fixed_handicap {count}"]
    assert replies(own_program("quintet-go"), lines) == replies(
        [peer("gnugo"), "--mode", "gtp"], lines
    )

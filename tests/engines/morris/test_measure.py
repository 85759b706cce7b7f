import pytest

from engines.morris.board import COMPILED
from engines.morris.measure import Match, main


def test_a_pair_is_played_again_alike_and_told_from_the_first_level() -> None:
    def play(*levels: str) -> tuple[int, int]:
        first, second = levels
        match = Match((first, second), variant="", nodes=20_000, plies=2, seed=1)
        return match.play(0)

    assert play("2", "1") == play("2", "1")
    wins = [sum(play(*levels)) for levels in (("6", "1"), ("1", "6"))] if COMPILED else [1, -1]
    assert wins[0] > 0 > wins[1]


def test_the_command_tells_how_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    main(["2", "1", "--pairs", "1", "--nodes", "100", "--variant", "no-flying"])
    assert capsys.readouterr().out.startswith("2 games: won ")


@pytest.mark.parametrize(
    ("words", "why"),
    [(["11", "1"], "no such level: '11'"), (["2", "1", "--variant", "x"], "no such variant")],
)
def test_unknown_levels_and_variants_are_refused(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert why in capsys.readouterr().err

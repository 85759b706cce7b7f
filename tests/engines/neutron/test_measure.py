import pytest

from engines.core.game import InvalidText
from engines.neutron.measure import main, play_match


def test_a_match_against_itself_is_even() -> None:
    assert play_match("stubborn", "stubborn", 3) == (0.5, 0.0)


def test_the_better_player_gets_the_points() -> None:
    mean, error = play_match("3", "random", 6)
    assert mean > 0.7
    assert error < 0.15
    assert play_match("random", "3", 6)[0] < 0.3


def test_the_same_seeds_play_the_same_games() -> None:
    assert play_match("1", "random", 4, "kraus") == play_match("1", "random", 4, "kraus")


def test_unknown_players_and_variants_are_named() -> None:
    with pytest.raises(InvalidText, match="no such level: 'eleven'"):
        play_match("eleven", "1", 1)
    with pytest.raises(InvalidText, match="no such variant"):
        play_match("1", "2", 1, "pass")


def test_the_command_prints_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["match", "stubborn", "stubborn", "1", "kraus"])
    assert capsys.readouterr().out == "stubborn - stubborn: 50.0 +- 0.0 %, 2 games, kraus\n"
    for words in ([], ["what"], ["match", "1"]):
        with pytest.raises(SystemExit, match="ladder PAIRS"):
            main(words)

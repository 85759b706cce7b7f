from tools.statistics.likelihood import Model
from tools.statistics.results import Results
from tools.statistics.sprt import Sprt
from tools.statistics.summary import summarize


def test_no_results_say_nothing_about_strength() -> None:
    rows = dict(summarize(Sprt(0, 5), Results((0, 0, 0, 0, 0))))
    assert rows["games"] == "0 in 0 pairs: 0,0,0,0,0"
    assert "elo" not in rows
    assert rows["verdict"] == "none yet: no bound is reached"
    assert rows["to go"].startswith("on average ")


def test_a_decided_test_names_the_likelier_difference() -> None:
    rows = dict(summarize(Sprt(0, 50, paired=False), Results((10, 20, 200))))
    assert rows["verdict"] == "H1 accepted: nelo is rather 50 than 0"
    assert "to go" not in rows
    logistic = Sprt(0, 50, model=Model.LOGISTIC, paired=False)
    assert dict(summarize(logistic, Results((200, 20, 10))))["verdict"].startswith(
        "H0 accepted: elo"
    )


def test_games_that_ended_alike_have_no_normalized_elo() -> None:
    rows = dict(summarize(Sprt(0, 5, paired=False), Results((0, 0, 7))))
    assert rows["nelo"] == "unknown: all games ended alike"
    assert rows["score"] == "7 of 7 (100.00%)"

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.statistics.scale import HIGHEST_ELO, elo, expected_score


@given(st.floats(0.001, 0.999))
def test_elo_and_expected_score_are_inverse(score: float) -> None:
    assert expected_score(elo(score)) == pytest.approx(score, abs=1e-12)


def test_certain_scores_have_the_highest_elo() -> None:
    assert elo(1.0) == HIGHEST_ELO == pytest.approx(1199.826, abs=1e-3)
    assert elo(0.0) == pytest.approx(-HIGHEST_ELO)

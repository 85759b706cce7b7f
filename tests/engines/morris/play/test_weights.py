from engines.morris.play.weights import MATERIAL, MEN, load


def test_the_shipped_weights_know_that_more_men_are_better() -> None:
    weights = load()

    def worth(mine: int, theirs: int) -> int:
        return weights[MATERIAL + MEN * mine + theirs]

    assert worth(9, 7) > worth(9, 8) > worth(9, 9) > worth(8, 9) > worth(7, 9)

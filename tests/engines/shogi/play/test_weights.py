from engines.shogi.play.weights import SIZE, load


def test_the_shipped_weights_know_what_men_are_worth() -> None:
    weights = load()
    assert len(weights) == SIZE

    def worth(kind: int) -> float:
        places = weights[kind * 45 * 81 : (kind + 1) * 45 * 81]
        return sum(places) / len(places)

    pawn, silver, rook, dragon = worth(1), worth(4), worth(6), worth(14)
    assert 0 < pawn < silver < rook < dragon

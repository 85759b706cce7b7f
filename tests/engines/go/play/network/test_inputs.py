"""The scalar inputs of the network."""

from engines.go.play.network.inputs import scalars


def test_the_wave_of_komi_is_flat_where_a_draw_is_possible() -> None:
    def wave(komi: float, area: int) -> float:
        return scalars(komi, area, territory=False, passed=False, both_passed=False)[4]

    assert wave(7.0, 81) == wave(-7.0, 81) == wave(6.0, 64) == 0.0
    assert wave(7.5, 81) == wave(-6.5, 81) == 0.5
    assert wave(6.5, 81) == -0.5
    assert scalars(7.5, 81, territory=True, passed=True, both_passed=False)[:4] == [0.5, 1, 1, 0]

from protocols.ask.bench import round_trips


def test_round_trips_are_counted_and_take_time() -> None:
    result = round_trips(0.0)
    assert result.trips == 200
    assert min(result.cpu, result.wall, result.bare_cpu, result.bare_wall) > 0

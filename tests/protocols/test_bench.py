from protocols.bench import round_trips


def test_round_trips_are_counted_and_take_time() -> None:
    found = round_trips(0.0)
    assert found.trips == 200
    assert min(found.cpu, found.wall, found.bare_cpu, found.bare_wall) > 0

from dataclasses import replace
from pathlib import Path

from engines.core.game import FIRST
from tests.tools.journal.test_collection import THREE, between, journal
from tests.tools.match.matches import play, spec
from tools.journal.collection import Played, collect
from tools.journal.pool import make_pools


def cup(folder: str, *games: tuple[int, int, int | None], **engine: str) -> Played:
    """Return a folder with games of three engines: two of them, and who won; one may be changed."""
    records = []
    for number, (one, other, winner) in enumerate(games, 1):
        record = between(one, other, number, winner)
        players = tuple(replace(record.players[0], label="abc"[each]) for each in (one, other))
        engines = (one, other) if record.side == FIRST else (other, one)
        records.append(replace(record, engines=engines, players=(players[0], players[1])))
    played = collect(Path(folder), journal(THREE, *records))
    if not engine:
        return played
    first, *others = played.engines
    return replace(played, engines=(replace(first, **engine), *others))


def test_an_engine_that_is_built_alike_is_one_engine_whatever_its_label() -> None:
    one = cup("one", (0, 1, 0), (1, 2, 0))
    other = cup("other", (0, 2, 1), digest=one.engines[0].digest)
    (pool,) = make_pools([one, other])
    assert [engine.name for engine in pool.engines] == ["a", "b", "c"]
    assert [(game.engines, game.folder) for game in pool.games] == [
        ((0, 1), 0),
        ((1, 2), 0),
        ((0, 2), 1),
    ]
    assert pool.folders == (Path("one"), Path("other"))
    assert pool.title == "Neutron"


def test_another_build_version_or_time_is_another_engine_with_a_name_that_says_so() -> None:
    one = cup("one", (0, 1, 0))
    rebuilt = cup("rebuilt", (0, 1, 0), digest="0123456789abcdef")
    (pool,) = make_pools([one, rebuilt])
    assert [engine.name for engine in pool.engines] == [
        f"a [build {one.engines[0].digest[:8]}]",
        "b",
        "a [build 01234567]",
    ]
    newer = cup("newer", (0, 1, 0), version="2")
    (pool,) = make_pools([one, newer])
    assert pool.engines[2].name == "a [2]"
    slower = cup("slower", (0, 1, 0), time="600")
    (pool,) = make_pools([one, slower])
    assert [pool.engines[0].name, pool.engines[2].name] == ["a [60]", "a [600]"]
    (pool,) = make_pools([one, rebuilt, newer, slower], by_name=True)
    assert [engine.name for engine in pool.engines] == ["a", "b"]


def test_engines_that_several_things_tell_apart_name_all_of_them() -> None:
    folders = [
        cup("one", (0, 1, 0)),
        cup("two", (0, 1, 0), time="600"),
        cup("three", (0, 1, 0), digest="0123456789"),
        cup("four", (0, 1, 0), digest="0123456789", time="600"),
    ]
    (pool,) = make_pools(folders)
    names = [engine.name for engine in pool.engines]
    assert len(set(names)) == 5
    assert "a [600, build 01234567]" in names


def test_two_engines_of_one_match_stay_two_although_they_are_built_alike() -> None:
    played = cup("one", (0, 1, 0), digest="")
    first, second, third = played.engines
    same = replace(played, engines=(first, replace(first, label="twin"), third))
    (pool,) = make_pools([same])
    assert [engine.name for engine in pool.engines] == ["a", "twin"]
    assert second.label == "b"


def test_a_game_that_was_played_in_another_folder_already_is_repeated() -> None:
    one, again = cup("one", (0, 1, 0), (1, 2, 1)), cup("again", (0, 1, 0), (1, 2, 0))
    (pool,) = make_pools([one, again])
    assert [game.repeated for game in pool.games] == [False, False, True, False]
    assert pool.distinct == 3


def test_games_of_a_pair_stay_together_and_pairs_of_two_folders_apart() -> None:
    one, other = cup("one", (0, 1, 0), (1, 0, 0), (1, 2, 0)), cup("other", (0, 2, 0))
    (pool,) = make_pools([one, other])
    assert [game.pair for game in pool.games] == [0, 0, 1, 2]


def test_other_rules_and_sizes_make_other_pools(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    usual = cup("one", (0, 1, 0))
    kraus = replace(usual, seal={**usual.seal, "variant": "kraus"})
    large = replace(usual, seal={**usual.seal, "game": "go", "size": 19})
    pools = make_pools([usual, kraus, large, usual])
    assert [pool.title for pool in pools] == ["Neutron", "Neutron (kraus)", "Go 19x19"]
    assert [len(pool.folders) for pool in pools] == [2, 1, 1]

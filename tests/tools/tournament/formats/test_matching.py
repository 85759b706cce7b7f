import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.tournament.formats.matching import has_perfect_matching, maximum_matching


def graph(size: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    return [
        [other for other in range(size) if (one, other) in edges or (other, one) in edges]
        for one in range(size)
    ]


def brute(places: frozenset[int], edges: Sequence[tuple[int, int]]) -> int:
    """Return the size of the greatest matching by trying all."""
    sizes = [0]
    for number, (one, other) in enumerate(edges):
        if one in places and other in places:
            sizes.append(1 + brute(places - {one, other}, edges[number + 1 :]))
    return max(sizes)


def test_nobody_is_matched_in_an_empty_graph() -> None:
    assert has_perfect_matching([])
    assert not has_perfect_matching([[], []])


@pytest.mark.parametrize(
    ("size", "edges", "perfect"),
    [
        (3, [(0, 1), (1, 2), (0, 2)], False),
        # Two triangles with a bridge: only the bridge and one edge of each triangle match all.
        (6, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)], True),
        (4, [(0, 1), (0, 2), (0, 3)], False),
    ],
)
def test_odd_cycles_are_seen_through(
    size: int, edges: list[tuple[int, int]], perfect: bool
) -> None:
    assert has_perfect_matching(graph(size, edges)) is perfect


@given(
    st.integers(0, 7).flatmap(
        lambda size: st.tuples(
            st.just(size),
            st.sets(st.sampled_from(list(itertools.combinations(range(size), 2)) or [(0, 0)])),
        )
    )
)
def test_a_matching_is_valid_and_none_is_greater(made: tuple[int, set[tuple[int, int]]]) -> None:
    size, chosen = made
    edges = sorted(edge for edge in chosen if edge[0] != edge[1])
    partner = maximum_matching(graph(size, edges))
    for one, other in enumerate(partner):
        assert other == -1 or (partner[other] == one and tuple(sorted((one, other))) in edges)
    assert (size - partner.count(-1)) // 2 == brute(frozenset(range(size)), edges)

import pytest

from engines.morris.rules.board import COMPILED
from tests.engines.morris.solutions import Built, solve


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Solve the sectors with up to seven men, once for all tests; they only read the files."""
    if not COMPILED:
        pytest.skip("interpreted: the smallest sector takes minutes")
    place = tmp_path_factory.mktemp("tables")
    return place, solve(7, place)

from pathlib import Path

import pytest

from engines.senet.tables import sweep as module
from tests.engines.senet.solutions import solve

MEN = 2 if not module.__file__.endswith(".py") else 1


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Solve a few classes once for all tests; they only read the files."""
    directory = tmp_path_factory.mktemp("tables")
    solve(MEN, "", directory, samples=2000)
    return directory

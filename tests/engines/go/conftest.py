from collections.abc import Iterator

import pytest

from tests.engines.go.talk import SHARED, Session


@pytest.fixture
def gtp() -> Iterator[Session]:
    SHARED.forget()
    session = Session()
    session.does("boardsize 9")
    yield session
    session.close()

"""Tables of Nine Men's Morris, solved for the tests that look at them."""

from pathlib import Path

from engines.core.solving import SolvedPart, SolveRequest
from engines.morris.tables import store
from engines.morris.tables.solve import plan

MARK = store.fingerprint(flying=True, doubles=False)


Built = tuple[Path, list[SolvedPart]]


def solve(
    men: int, place: Path, *, variant: str = "", kind: str = "", samples: int = 300
) -> list[SolvedPart]:
    request = SolveRequest(men, variant, kind, place, 2, samples)
    return list(plan(request).run(lambda share, text: None))

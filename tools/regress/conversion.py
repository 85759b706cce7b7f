"""Problems written as another kind of file: our own suites, or ShogiHome's next-move problems."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engines.core.game import InvalidText
from tools.regress.reports.output import save
from tools.regress.selection import find_suites, read_file
from tools.regress.suites.nextmove import SUFFIX as JSON
from tools.regress.suites.nextmove import write_problems
from tools.regress.suites.suite import SUFFIX, Problem, write_suite
from tools.regress.tst.parsing import SUFFIX as TST


def convert_problems(suites: Sequence[Path], target: Path) -> tuple[int, int]:
    """Write the problems of all suites into one file of the kind that its suffix names.

    Returns how many problems were written, and how many the target cannot hold. Scripts of GTP
    commands (.tst) hold no problems and are skipped. Raises InvalidText.
    """
    if target.suffix.lower() not in (SUFFIX, JSON):
        raise InvalidText(f"{target} is neither {SUFFIX} nor {JSON}")
    files = [file for file in find_suites(suites).values() if file.suffix.lower() != TST]
    tests = [test for file in files for test in read_file(file)]
    problems = [test for test in tests if isinstance(test, Problem)]
    if target.suffix.lower() == JSON:
        written = write_problems(target, problems, target.stem)
    else:
        names = Counter(problem.name for problem in problems)
        if len(names) < len(problems):
            problems = [replace(each, name=str(n)) for n, each in enumerate(problems, 1)]
        save(target, write_suite(problems))
        written = len(problems)
    return written, len(tests) - written

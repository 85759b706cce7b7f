"""The declarations of hot modules fit their sources: a name that is not there types nothing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines

TOP = Path(str(engines.__file__)).parent
HOT = sorted(pxd for pxd in TOP.rglob("*.pxd") if pxd.with_suffix(".py").exists())
FUNCTION = re.compile(r"\s*(?:cdef|cpdef)\s+(?:inline\s+)?(?:[\w.]+(?:\[[^\]]*\])?\s+)*?(\w+)\(")
CLASS = re.compile(r"cdef class (\w+)")


def declared_locals(text: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each function with typed locals as a dotted name, and the names that are typed."""
    owner = ""
    names: set[str] = set()
    lines = iter(text.splitlines())
    for line in lines:
        if found := CLASS.match(line):
            owner = f"{found[1]}."
        elif line.strip().startswith("@cython.locals("):
            assert not names, f"typed locals twice: {names}"
            call = line.strip().removeprefix("@cython.")
            while call.count("(") > call.count(")"):
                call += next(lines)
            parsed = ast.parse(call, mode="eval").body
            assert isinstance(parsed, ast.Call)
            names = {str(keyword.arg) for keyword in parsed.keywords}
        elif names and (found := FUNCTION.match(line)):
            yield (owner if line[:1].isspace() else "") + found[1], names
            names = set()
    assert not names, f"typed locals without a function: {names}"


def local_names(source: str) -> dict[str, set[str]]:
    """Return the arguments and the assigned names of each function and method."""
    found: dict[str, set[str]] = {}
    top = ast.parse(source).body
    owned = [("", node) for node in top]
    owned += [
        (f"{kind.name}.", node)
        for kind in top
        if isinstance(kind, ast.ClassDef)
        for node in kind.body
    ]
    for owner, node in owned:
        if isinstance(node, ast.FunctionDef):
            inner = list(ast.walk(node))
            found[owner + node.name] = {part.arg for part in inner if isinstance(part, ast.arg)} | {
                part.id
                for part in inner
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
    return found


@pytest.mark.parametrize("pxd", HOT, ids=lambda path: path.relative_to(TOP).as_posix())
def test_every_typed_local_is_a_variable_of_its_function(pxd: Path) -> None:
    sources = local_names(pxd.with_suffix(".py").read_text(encoding="utf-8"))
    for function, names in declared_locals(pxd.read_text(encoding="utf-8")):
        assert function in sources
        assert not names - sources[function], function


def test_the_comparison_sees_a_name_that_is_gone() -> None:
    declared = "cdef class Tree:\n    @cython.locals(old=cython.int,\n        x='int[::1]')\n"
    declared += "    cpdef int walk(self, int x) except -1\n"
    source = "class Tree:\n    def walk(self, x):\n        new = x\n        return new\n"
    assert dict(declared_locals(declared)) == {"Tree.walk": {"old", "x"}}
    assert local_names(source) == {"Tree.walk": {"self", "x", "new"}}


def test_tests_that_need_compiled_code_say_so_by_the_mark() -> None:
    # The mark's reason excuses them where CI forbids to skip; a condition of their own does not.
    tests = sorted(Path(__file__).parent.rglob("*.py"))
    unmarked = re.compile(r"skipif\(\s*not (?:\w+\.)?(?:COMPILED|is_compiled\(\))")
    assert not [str(path) for path in tests if unmarked.search(path.read_text("utf-8"))]

"""The directions of the design: who may import whom."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("engines", "protocols", "tools")

if not (ROOT / "engines").is_dir():
    pytest.skip("the sources are elsewhere", allow_module_level=True)

SOURCES = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))
GAMES = {path.name for path in (ROOT / "engines").iterdir() if path.is_dir()} - {"core"}
# What each room of a game may not import from the rooms beside it.
CLOSED = {
    "rules": {"gtp", "play", "tables", "workshop"},
    "play": {"gtp", "workshop"},
    "tables": {"gtp", "workshop"},
    "gtp": {"workshop"},
}
# The rooms of tools/, the highest first; those of one floor do not import each other.
FLOORS = (
    {"__main__"},
    {"cli"},
    {"commands"},
    {"tournament", "play", "openings", "annotate", "regress", "check", "report", "bench"},
    {"match", "serving"},
    {"journal", "boards"},
    {"terms", "roster"},
    {"records", "statistics"},
)
FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(source: str, module: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module.split(".")[: -node.level])
            found |= {f"{base}.{node.module or ''}".strip(".")}
    return found


def fault(module: str, imported: str) -> str | None:
    """Return why a module must not import another, or None."""
    own, other = module.split("."), imported.split(".")
    if own[0] == "protocols":
        allowed = other[0] in sys.stdlib_module_names or other[0] == "protocols"
        return None if allowed else "protocols imports the standard library only"
    if own[0] == "tools" and other[0] == "click" and own[1] not in ("cli", "commands"):
        return "click belongs to the commands"
    if other[0] not in TOPS:
        return None
    if own[0] == other[0] == "tools" and own[1:2] != other[1:2] and len(own) > 1:
        above = FLOOR[own[1]] < FLOOR[other[1]]
        return None if above else f"{own[1]} does not stand above {other[1]}"
    if own[0] == "engines" and other[0] == "tools":
        return "an engine knows no tools"
    if own[0] == "engines" and other[0] == "protocols":
        allowed = own[-1] == "__main__" or module == "engines.program"
        allowed = allowed and other[1:2] == ["serve"]
        return None if allowed else "only a game's program may import protocols, and only serve"
    if own[0] == other[0] == "engines" and own[1:2] == other[1:2] and len(own) > 2 < len(other):
        closed = other[2] in CLOSED.get(own[2], ())
        return f"{own[2]} knows nothing of {other[2]}" if closed else None
    game = own[1] if own[0] == "engines" and len(own) > 1 else ""
    if game in GAMES and other[0] == "engines" and len(other) > 1:
        shared = other[1] in (game, "core", "__version__")
        shared = shared or (own[-1] == "__main__" and other[1] == "program")
        return None if shared else "a game imports the core and itself"
    if game == "core" and other[0] == "engines" and other[1:2] != ["core"]:
        return None if other[1:2] == ["__version__"] else "the core knows no game"
    if own[0] == "tools" and other[0] == "engines" and len(other) > 2:
        known = other[1] in ("core", "registry") or other[2] == "rules"
        return None if known else "tools call what the registry names"
    return None


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_imports_follow_the_design(path: Path) -> None:
    module = module_of(path)
    wrong = {
        imported: why
        for imported in imports_of(path.read_text(encoding="utf-8"), module)
        if (why := fault(module, imported))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("protocols.serve.gtp", "click"),
        ("protocols.serve.gtp", "engines.core.game"),
        ("engines.neutron.rules.text", "engines.morris.rules.text"),
        ("engines.neutron.rules.text", "engines.registry"),
        ("engines.neutron.rules.text", "engines.neutron.play.search"),
        ("engines.neutron.tables.book", "engines.neutron.workshop.author"),
        ("engines.neutron.play.search", "engines.neutron.workshop.author"),
        ("engines.neutron.play.search", "protocols.serve.gtp"),
        ("engines.neutron.play.search", "engines.program"),
        ("engines.neutron.__main__", "protocols.ask.line"),
        ("engines.program", "protocols.ask.line"),
        ("engines.registry", "protocols.serve.line"),
        ("engines.core.game", "engines.neutron.rules.text"),
        ("engines.go.__main__", "tools.match.runner"),
        ("tools.match.runner", "engines.neutron.play.search"),
        ("tools.match.runner", "tools.commands.match"),
        ("tools.match.runner", "click"),
        ("tools.terms.spec", "tools.roster.engines"),
        ("tools.records.game", "tools.terms.spec"),
    ],
)
def test_a_wrong_direction_is_noticed(module: str, imported: str) -> None:
    GAMES.update({"neutron", "morris", "go"})
    assert fault(module, imported)


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("protocols.serve.gtp", "re"),
        ("protocols.serve.line", "protocols.serve.gtp"),
        ("engines.neutron.__main__", "protocols.serve.line"),
        ("engines.neutron.__main__", "engines.program"),
        ("engines.program", "protocols.serve.line"),
        ("engines.neutron.rules.text", "engines.core.game"),
        ("engines.registry", "engines.neutron.rules.text"),
        ("tools.match.runner", "engines.registry"),
        ("tools.match.runner", "engines.core.search"),
        ("tools.cli", "click"),
    ],
)
def test_a_right_direction_passes(module: str, imported: str) -> None:
    assert fault(module, imported) is None

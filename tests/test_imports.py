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
THINKING = {"search", "evaluation", "levels", "solve", "train", "network", "playout", "mcts"}


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
    if other[0] not in TOPS:
        return None
    if own[0] == "engines" and other[0] == "tools":
        return "an engine knows no tools"
    if own[0] == "engines" and other[0] == "protocols" and own[-1] != "__main__":
        return "only a game's program may import protocols"
    game = own[1] if own[0] == "engines" and len(own) > 1 else ""
    if game in GAMES and other[0] == "engines" and len(other) > 1:
        shared = other[1] in (game, "core", "__version__")
        return None if shared else "a game imports the core and itself"
    if game == "core" and other[0] == "engines" and other[1:2] != ["core"]:
        return None if other[1:2] == ["__version__"] else "the core knows no game"
    if own[0] == "tools" and other[0] == "engines" and THINKING & set(other[2:3]):
        return None if other[1] == "core" else "tools call what the registry names"
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
        ("protocols.gtp", "click"),
        ("protocols.gtp", "engines.core.game"),
        ("engines.neutron.rules", "engines.morris.rules"),
        ("engines.neutron.rules", "engines.registry"),
        ("engines.neutron.search", "protocols.gtp"),
        ("engines.core.game", "engines.neutron.rules"),
        ("engines.go.__main__", "tools.match"),
        ("tools.match", "engines.neutron.search"),
    ],
)
def test_a_wrong_direction_is_noticed(module: str, imported: str) -> None:
    GAMES.update({"neutron", "morris", "go"})
    assert fault(module, imported)


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("protocols.gtp", "re"),
        ("protocols.line", "protocols.gtp"),
        ("engines.neutron.__main__", "protocols.line"),
        ("engines.neutron.rules", "engines.core.game"),
        ("engines.registry", "engines.neutron.rules"),
        ("tools.match", "engines.registry"),
        ("tools.match", "engines.core.search"),
        ("tools.cli", "click"),
    ],
)
def test_a_right_direction_passes(module: str, imported: str) -> None:
    assert fault(module, imported) is None

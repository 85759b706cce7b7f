"""The tables of modules in our READMEs name what is there, and nothing else."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("engines", "protocols", "tools")

if not (ROOT / "engines").is_dir():
    pytest.skip("the sources are elsewhere", allow_module_level=True)

READMES = sorted(
    path for top in TOPS for path in (ROOT / top).rglob("README.md") if path.parent.name != "data"
)
LARGEST_ROOM = 16  # Modules: a room should be small enough to keep in mind.
# One module per command is the plan there, and nobody has to know two commands at a time.
LARGER_ROOMS = {ROOT / "tools" / "commands"}
ROOMS = sorted({path.parent for top in TOPS for path in (ROOT / top).rglob("*.py")} - LARGER_ROOMS)


def modules_below(folder: Path) -> set[str]:
    """Return every module below a folder, up to deeper folders that have a table of their own."""
    others = [readme.parent for readme in READMES if folder in readme.parent.parents]
    return {
        path.relative_to(folder).with_suffix("").as_posix()
        for path in folder.rglob("*.py")
        if path.name != "__init__.py" and not any(other in path.parents for other in others)
    }


def modules_listed(readme: Path) -> list[tuple[str, bool]]:
    """Return the modules in the first cells of the table, and whether each is marked as hot."""
    section = (
        readme.read_text(encoding="utf-8").partition("\n## Modules\n")[2].partition("\n## ")[0]
    )
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [
        (name, star == "*") for cell in cells for name, star in re.findall(r"`(.+?)`(\*?)", cell)
    ]


@pytest.mark.parametrize("readme", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_table_of_modules_is_complete(readme: Path) -> None:
    listed = modules_listed(readme)
    names = [name for name, _ in listed]
    assert sorted(names) == sorted(modules_below(readme.parent))
    hot = {name for name, marked in listed if marked}
    assert hot == {name for name in names if (readme.parent / f"{name}.pxd").exists()}


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_can_be_kept_in_mind(room: Path) -> None:
    assert len([path for path in room.glob("*.py") if path.name != "__init__.py"]) <= LARGEST_ROOM

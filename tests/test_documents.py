"""Our documents: tables of modules name what is there, links lead somewhere, commands exist."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tools.cli import COMMANDS, main

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


DOCUMENTS = [
    *sorted(path for top in (".github", *TOPS) for path in (ROOT / top).rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md")),
]
FIRST_READ = 13_000  # Bytes of README.md: what one reads before one knows what to look for.


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if "://" in link:
            continue
        place, _, anchor = link.partition("#")
        target = (document.parent / place) if place else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_can_be_read_in_a_few_minutes() -> None:
    assert (ROOT / "README.md").stat().st_size <= FIRST_READ


def lines_of_commands(document: Path) -> Iterator[list[str]]:
    """Yield the words of each call of `quintet` in the blocks for a shell."""
    text = document.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:sh|powershell)\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            for part in line.partition("  #")[0].split(" | "):
                words = shlex.split(part, comments=True)
                if words[:1] == ["quintet"]:
                    yield words[1:]


def options_of(command: click.Command) -> set[str]:
    below = command.commands.values() if isinstance(command, click.Group) else ()
    own = [option for parameter in command.params for option in parameter.opts]
    return {"--help", *own, *(option for each in below for option in options_of(each))}


def test_commands_and_options_of_the_readme_exist() -> None:
    calls = list(lines_of_commands(ROOT / "README.md"))
    assert len(calls) > 20
    for words in calls:
        assert words[0] in COMMANDS, words
        command = main.get_command(click.Context(main), words[0])
        assert command is not None
        given = {word.partition("=")[0] for word in words[1:] if re.match(r"--\w", word)}
        assert given <= options_of(command), words


def test_the_table_of_commands_is_complete() -> None:
    text = (ROOT / "tools" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `quintet ([a-z]+)", text, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)

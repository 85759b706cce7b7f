"""Real dialogues with the real programs, replayed."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.programs import own_program

HERE = Path(__file__).resolve().parent
DOCUMENTS = [HERE.parent / "README.md", HERE.parent / "protocols" / "README.md"]
_BLOCK = re.compile(r"^```(?:console)?\n(\$ quintet-.*?)^```$", re.MULTILINE | re.DOTALL)


def dialogues() -> dict[str, str]:
    """Find the transcripts in their folder, and those that the documents show."""
    found = {path.stem: path.read_text() for path in sorted((HERE / "transcripts").glob("*.txt"))}
    for document in DOCUMENTS:
        if document.exists():
            blocks = _BLOCK.findall(document.read_text(encoding="utf-8"))
            place = f"{document.parent.name}-{document.stem}"
            found |= {f"{place}-{number}": block for number, block in enumerate(blocks, 1)}
    return found


def pattern(expected: str) -> str:
    """Return a regular expression in which `...` stands for anything within a line."""
    return ".*".join(re.escape(part) for part in expected.split("..."))


@pytest.mark.parametrize("dialogue", dialogues().values(), ids=dialogues().keys())
def test_a_dialogue_happens_again(dialogue: str) -> None:
    first, *lines = dialogue.split("\n")
    program, *arguments = first.removeprefix("$ ").split()
    said = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    expected = "\n".join(line for line in lines if not line.startswith("> ")).rstrip("\n")
    done = subprocess.run(
        [*own_program(program), *arguments],
        input=said,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    got = done.stdout.rstrip("\n").split("\n")
    wanted = expected.split("\n")
    for number, (line, model) in enumerate(zip(got, wanted, strict=False), 1):
        assert re.fullmatch(pattern(model), line), f"line {number}: {line!r}, expected {model!r}"
    assert len(got) == len(wanted)


def test_there_are_dialogues() -> None:
    assert len(dialogues()) > 3

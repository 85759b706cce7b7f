"""Our own programs, and other people's, as the tests start them."""

import os
import shutil
import sys
from pathlib import Path

import pytest

_GAMES = Path("/usr/games")

RECORDS = Path(os.environ.get("QUINTET_RECORDS") or "QUINTET_RECORDS-is-not-set")
"""The folder of game records that other programs wrote, with a folder for each format.

They are not ours to distribute, so `QUINTET_RECORDS` names the folder. Without it, tests that need
the records are skipped.
"""


def own_program(name: str) -> list[str]:
    """Return the argument list of one of our programs: the installed script, else its module."""
    script = shutil.which(name, path=str(Path(sys.executable).parent))
    if script is not None:
        return [script]
    module = "tools" if name == "quintet" else f"engines.{name.removeprefix('quintet-')}"
    return [sys.executable, "-P", "-m", module]


def peer(name: str) -> str:
    """Return the path of somebody else's program, or skip the test; CI fails instead."""
    found = shutil.which(name) or shutil.which(name, path=str(_GAMES))
    if found is None:
        if os.environ.get("QUINTET_PEERS") == "required":
            pytest.fail(f"{name} is required here and is not installed")
        pytest.skip(f"{name} is not installed")
    return found


def node_modules(*packages: str) -> Path:
    """Return the folder that holds these npm packages, or skip the test; CI fails instead.

    `QUINTET_NODE_MODULES` names it: `npm install --prefix DIR PACKAGE ...` fills DIR/node_modules.
    """
    peer("node")
    folder = Path(os.environ.get("QUINTET_NODE_MODULES", "node_modules"))
    missing = [package for package in packages if not (folder / package).is_dir()]
    if missing:
        told = f"{', '.join(missing)} not in {folder} (QUINTET_NODE_MODULES)"
        if os.environ.get("QUINTET_PEERS") == "required":
            pytest.fail(told)
        pytest.skip(told)
    return folder.resolve()


def gnugo_suites() -> Path:
    """Return the folder of GNU Go's regression suites, or skip the test; CI fails instead.

    `QUINTET_GNUGO` names it: `regression` in the source of GNU Go 3.8, which is not ours to ship.
    """
    folder = Path(os.environ.get("QUINTET_GNUGO", "gnugo-3.8/regression"))
    if not (folder / "reading.tst").is_file():
        told = f"GNU Go's suites are not in {folder} (QUINTET_GNUGO)"
        if os.environ.get("QUINTET_PEERS") == "required":
            pytest.fail(told)
        pytest.skip(told)
    return folder.resolve()

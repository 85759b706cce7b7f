"""The package as a user gets it: what it holds, what it imports, what it starts."""

import fnmatch
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from engines import __version__, registry
from tests.programs import own_program

PROGRAMS = [entry.program.removesuffix(".__main__") for entry in registry.GAMES.values()]
HEAVY = {"click", "numpy", "argparse", "asyncio", "multiprocessing", "rich", "sgfmill", "tomllib"}


def run(*command: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("package", ["engines", "protocols", "tools"])
def test_types_are_announced(package: str) -> None:
    assert resources.files(package).joinpath("py.typed").is_file()


def test_the_sources_of_hot_modules_are_installed() -> None:
    places = [Path(str(resources.files("engines"))), *[Path(p) for p in sys.path if p]]
    hot = [pxd for pxd in places[0].rglob("*.pxd") if pxd.with_suffix(".py").exists()]
    assert hot


def test_every_data_file_that_is_installed_can_be_read() -> None:
    engines = Path(str(resources.files("engines")))
    files = [path for path in engines.glob("*/data/*") if path.suffix != ".md"]
    assert {path.parts[-3] for path in files} >= {"go", "morris", "neutron", "senet"}
    assert all(path.read_bytes() for path in files)


@pytest.mark.parametrize("room", [("play", "web"), ("report",)], ids="/".join)
def test_the_boards_and_the_pages_are_installed(room: tuple[str, ...]) -> None:
    tools = resources.files("tools")
    assert ".board" in tools.joinpath("boards", "boards.css").read_text("utf-8")
    own = tools.joinpath(*room, "static")
    shared = [tools.joinpath("boards", "static"), tools.joinpath("serving", "static")]
    folders = [own, *shared, tools.joinpath("boards")]
    names = re.findall(r'(?:src|href)="/([^"]+)"', own.joinpath("index.html").read_text("utf-8"))
    for script in [file for folder in (own, *shared) for file in folder.iterdir()]:
        if script.name.endswith(".js"):
            text = script.read_text("utf-8")
            names += re.findall(r'(?:from |import\()"\./([^"]+)"', text)
    assert {"boards.css", "icon.svg", "shapes.js", "connection.js"} <= set(names)
    for name in names:
        assert any(folder.joinpath(name).is_file() for folder in folders), name


def test_every_data_file_of_the_checkout_is_packaged() -> None:
    root = Path(__file__).resolve().parents[1]
    if not (root / "engines").is_dir():
        pytest.skip("the checkout is elsewhere")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    for path in (root / "engines").glob("*/data/*"):
        name = f"data/{path.name}"
        packaged = any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
        assert packaged == (path.suffix != ".md"), name


@pytest.mark.skipif("QUINTET_SDIST" not in os.environ, reason="no sdist was named")
def test_the_sdist_holds_what_a_build_needs() -> None:
    with tarfile.open(os.environ["QUINTET_SDIST"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    installed = Path(str(resources.files("engines")))
    pxds = {
        f"engines/{path.relative_to(installed).as_posix()}" for path in installed.rglob("*.pxd")
    }
    assert pxds <= names
    assert {"setup.py", "pyproject.toml", "README.md", "LICENSE", "engines/py.typed"} <= names


@pytest.mark.parametrize("package", PROGRAMS)
def test_an_engine_imports_little_before_its_first_reply(package: str) -> None:
    probe = (
        "import sys, runpy\n"
        "sys.argv = ['engine']\n"
        f"try: runpy.run_module({package!r}, run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print('MODULES', *sys.modules)"
    )
    question = "usi\nquit\n" if "shogi" in package else "name\nquit\n"
    done = run(sys.executable, "-c", probe, stdin=question)
    assert done.stderr == ""
    modules = done.stdout.partition("MODULES")[2].split()
    assert "engines.core.version" in modules
    assert not HEAVY & set(modules)


@pytest.mark.parametrize("package", PROGRAMS)
def test_an_engine_tells_its_version_and_its_arguments(package: str) -> None:
    name = f"quintet-{package.rpartition('.')[2]}"
    told = run(*own_program(name), "--version")
    assert told.stdout.startswith(f"{name} {__version__} (")
    helped = run(*own_program(name), "--help")
    assert (told.returncode, helped.returncode) == (0, 0)
    assert {"--help", "--version", "--log", "--option"} <= set(
        helped.stdout.replace(",", " ").split()
    )


@pytest.mark.slow
@pytest.mark.parametrize("package", PROGRAMS)
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--frobnicate"], "unrecognized arguments"),
        (["--option", "level"], "expected NAME=VALUE"),
        (["--log", f"{__file__}/log"], "--log: "),
    ],
)
def test_a_wrong_argument_is_told(package: str, arguments: list[str], complaint: str) -> None:
    done = run(*own_program(f"quintet-{package.rpartition('.')[2]}"), *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("package", PROGRAMS)
def test_the_log_holds_the_dialogue(package: str, tmp_path: Path) -> None:
    log = tmp_path / "dialogue.log"
    question = "usi\nquit\n" if "shogi" in package else "name\nquit\n"
    run(*own_program(f"quintet-{package.rpartition('.')[2]}"), "--log", str(log), stdin=question)
    written = log.read_text()
    assert f"< {question.split()[0]}\n" in written
    assert " > " in written


def test_help_reads_without_importing_the_commands() -> None:
    done = run(*own_program("quintet"), "--help")
    assert done.returncode == 0
    assert {"match", "perft", "bench", "rules"} <= set(done.stdout.split())


def test_an_engine_starts_without_a_home() -> None:
    command = own_program(f"quintet-{next(iter(registry.GAMES))}")
    without = {
        key: value for key, value in os.environ.items() if key not in ("HOME", "USERPROFILE")
    }
    done = subprocess.run(
        command,
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=60,
        env=without,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

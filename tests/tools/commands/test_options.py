from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from tools.cli import COMMANDS, main
from tools.commands.options import Quantity, options_as, renamed


@dataclass(frozen=True, slots=True)
class Wishes:
    """Options of a command."""

    colour: str
    number: int = 1


def test_options_arrive_as_one_dataclass() -> None:
    @click.command()
    @click.option("--colour")
    @click.option("--number", type=int)
    @click.option("--loud", is_flag=True)
    @options_as(Wishes, "wishes")
    def command(wishes: Wishes, loud: bool) -> None:
        click.echo(f"{wishes} {loud}")

    result = CliRunner().invoke(command, ["--colour", "red", "--number", "3", "--loud"])
    assert result.output == "Wishes(colour='red', number=3) True\n"


def test_an_old_spelling_works_and_is_not_shown() -> None:
    @click.command()
    @renamed("--jobs", old=("--workers",), type=int, default=1)
    def command(jobs: int) -> None:
        click.echo(f"{jobs} jobs")

    for word in ("--jobs", "--workers"):
        assert CliRunner().invoke(command, [word, "3"]).output == "3 jobs\n"
    text = CliRunner().invoke(command, ["--help"]).output
    assert "--jobs" in text
    assert "--workers" not in text


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "11", "x"])
def test_a_quantity_is_finite_and_within_its_bounds(text: str) -> None:
    @click.command()
    @click.option("--share", type=Quantity(min=0, max=10))
    def command(share: float) -> None:
        click.echo(f"{share}")

    assert CliRunner().invoke(command, ["--share", text]).exit_code == 2
    assert CliRunner().invoke(command, ["--share", "2.5"]).output == "2.5\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_shows_no_bound_that_is_none(name: str) -> None:
    assert "None" not in CliRunner().invoke(main, [name, "--help"]).output


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("match", ("--jobs", "--concurrency")),
        ("regress", ("--time", "--limit")),
        ("check", ("--slowdown", "--patience")),
        ("check", ("--total-time", "--limit")),
        ("solve", ("--jobs", "--workers")),
        ("solve", ("--out", "--into")),
    ],
)
def test_renamed_options_of_our_commands_understand_the_old_words(
    name: str, words: tuple[str, str]
) -> None:
    assert name in COMMANDS
    new, old = (CliRunner().invoke(main, [name, word]).output for word in words)
    assert f"Option '{words[0]}' requires an argument" in new
    assert f"Option '{words[1]}' requires an argument" in old

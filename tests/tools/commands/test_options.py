import re
from collections.abc import Iterator
from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from tools.cli import COMMANDS, main
from tools.commands.options import options_as, renamed
from tools.commands.values import Quantity, Whole, Word


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


def walk(
    command: click.Command, parent: click.Context | None, name: str
) -> Iterator[click.Context]:
    """Yield the contexts of a command and of all below it."""
    context = click.Context(command, parent=parent, info_name=name)
    yield context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from walk(found, context, below)


OPTIONS = [
    pytest.param(context, option, id=f"{context.command_path} {option.opts[0]}")
    for context in walk(main, None, "quintet")
    for option in context.command.get_params(context)
    if isinstance(option, click.Option) and not option.hidden
]


@pytest.mark.parametrize(("context", "option"), OPTIONS)
def test_every_option_has_a_meaning_a_unit_and_a_default(
    context: click.Context, option: click.Option
) -> None:
    record = option.get_help_record(context)
    assert record is not None
    meaning = (option.help or "").partition("  [")[0]
    assert re.fullmatch(r"[A-Z`].*\.", meaning), meaning
    assert "None" not in record[1]
    if option.is_flag:
        assert option.default in (False, None) or option.flag_value is not None
    else:
        assert option.metavar or isinstance(option.type, click.Choice), "no unit"
        assert re.search(r"\[(default: \S|required)", record[1]), "no default"


@pytest.mark.parametrize(("context", "option"), OPTIONS)
def test_every_wrong_value_is_answered_with_what_was_expected(
    context: click.Context, option: click.Option
) -> None:
    plain = (click.IntRange, click.FloatRange, click.Choice, type(click.INT), type(click.FLOAT))
    assert isinstance(option.type, (Whole, Quantity, Word)) or not isinstance(option.type, plain)


CHOSEN = [
    pytest.param(context, argument, id=context.command_path)
    for context in walk(main, None, "quintet")
    for argument in context.command.get_params(context)
    if isinstance(argument, click.Argument) and isinstance(argument.type, Word)
]


@pytest.mark.parametrize(("context", "argument"), CHOSEN)
def test_the_choices_of_an_argument_are_described(
    context: click.Context, argument: click.Argument
) -> None:
    assert isinstance(argument.type, Word)
    described = set(re.findall(r"\w+", context.command.help or ""))
    assert set(argument.type.choices) <= described


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

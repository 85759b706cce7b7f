import click
import pytest
from click.testing import CliRunner

from protocols.ask.engine import LONGEST
from tools.commands.values import Quantity, Whole, Word

Kind = Whole | Quantity | Word


def answer(kind: Kind, text: str) -> str:
    @click.command()
    @click.option("--value", type=kind)
    def command(value: object) -> None:
        click.echo(f"{value}")

    return CliRunner().invoke(command, [f"--value={text}"]).output.splitlines()[-1]


def refusal(expected: str) -> str:
    return f"Error: Invalid value for '--value': expected {expected}"


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "11", "x"])
def test_a_quantity_is_finite_and_within_its_bounds(text: str) -> None:
    share = Quantity(min=0, max=10)
    assert answer(share, text) == refusal(f"a number from 0 to 10, not '{text}'")
    assert answer(share, "2.5") == "2.5"


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (Whole(), "x", "a whole number, not 'x'"),
        (Whole(min=1), "0", "a whole number of at least 1, not '0'"),
        (Whole(max=9), "10", "a whole number of at most 9, not '10'"),
        (Whole(2, 25), "1.5", "a whole number from 2 to 25, not '1.5'"),
        (Quantity(), "much", "a number, not 'much'"),
        (Quantity(min=0, min_open=True), "0", "a number above 0, not '0'"),
        (Quantity(min=0, max=1, min_open=True), "2", "a number above 0, at most 1, not '2'"),
        (Quantity(min=0.001, max=LONGEST), "0", "a number of at least 0.001, not '0'"),
        (Word(["go", "shogi"]), "shogl", "go or shogi, not 'shogl'; did you mean shogi?"),
        (Word(["go", "shogi"]), "chess", "go or shogi, not 'chess'"),
        (Word(["first", "second", "lot"]), "frist", None),
    ],
)
def test_an_error_says_what_was_expected(kind: Kind, text: str, expected: str | None) -> None:
    wanted = expected or "first, second or lot, not 'frist'; did you mean first?"
    assert answer(kind, text) == refusal(wanted)


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (Whole(), ""),
        (Whole(min=1), ""),
        (Whole(min=2), "at least 2"),
        (Whole(2, 25), "from 2 to 25"),
        (Quantity(min=0.001, max=LONGEST), ""),
        (Quantity(min=0.5, max=1), "from 0.5 to 1"),
    ],
)
def test_the_help_shows_bounds_that_tell_something(kind: Kind, shown: str) -> None:
    @click.command()
    @click.option("--value", type=kind, metavar="N", help="A value.")
    def command(value: object) -> None:
        click.echo(f"{value}")

    text = CliRunner().invoke(command, ["--help"]).output
    assert f"--value N  A value.{f'  [{shown}]' if shown else ''}\n" in text

import click
from click.testing import CliRunner

from tools.commands.sections import SectionedCommand, section


@click.command(cls=SectionedCommand)
@section("Clocks", click.option("--time", metavar="TC", help="Time control."))
@section("Output", click.option("--quiet", is_flag=True, help="Print less."))
@section("Clocks", click.option("--lag", metavar="SECONDS", help="Overrun."))
@click.option("--other", is_flag=True, help="Something else.")
def sectioned(time: str, quiet: bool, lag: str, other: bool) -> None:
    """Do something."""
    click.echo(f"{time} {quiet} {lag} {other}")


def test_options_stand_under_their_headings() -> None:
    text = CliRunner().invoke(sectioned, ["--help"]).output
    assert (
        text.partition("Do something.\n")[2].split()
        == (
            "Clocks: --time TC Time control. --lag SECONDS Overrun. Output: --quiet Print less. "
            "Options: --other Something else. -h --help Show this message and exit."
        )
        .replace("-h --help", "--help")
        .split()
    )


def test_sections_change_nothing_in_the_values() -> None:
    words = ["--lag", "2", "--time", "1/move", "--quiet"]
    assert CliRunner().invoke(sectioned, words).output == "1/move True 2 False\n"

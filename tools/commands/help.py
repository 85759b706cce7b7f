"""The command `quintet help`."""

import click
from click.shell_completion import CompletionItem

from engines import registry
from tools.commands.errors import CouldNotRun
from tools.commands.topics import TOPICS, Examples, Lines, Topic
from tools.roster.settings import suggestion


def _complete(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    topics = {name: topic.line for name, topic in TOPICS.items()}
    return [
        CompletionItem(name, help=line)
        for name, line in topics.items()
        if name.startswith(incomplete)
    ]


@click.command(name="help")
@click.argument("topic", required=False, shell_complete=_complete)
@click.pass_context
def help(context: click.Context, topic: str | None) -> None:  # noqa: A001  # As the command is.
    """Explain a TOPIC; without one, list the topics. The name of a command prints its --help."""
    formatter = context.make_formatter()
    if topic is None:
        formatter.write_text("quintet help TOPIC explains:")
        with formatter.indentation():
            formatter.write_dl([(name, each.line) for name, each in TOPICS.items()])
        formatter.write_paragraph()
        formatter.write_text(
            "quintet COMMAND --help explains a command, quintet --help lists them, and quintet "
            "rules GAME has the rules of a game."
        )
    elif topic in TOPICS:
        _write(formatter, TOPICS[topic])
    else:
        _write_command(context, topic)
        return
    click.echo(formatter.getvalue(), nl=False)


def _write(formatter: click.HelpFormatter, topic: Topic) -> None:
    formatter.write_text(topic.line)
    for part in topic.parts:
        formatter.write_paragraph()
        if isinstance(part, str):
            formatter.write_text(part)
            continue
        with formatter.indentation():
            if isinstance(part, Examples):
                formatter.write_dl(list(part.meanings.items()))
            elif isinstance(part, Lines):
                for line in part.lines:
                    formatter.write(f"  {line}\n")


def _write_command(context: click.Context, name: str) -> None:
    """Print the help of a command; raises CouldNotRun for a word that is none."""
    parent = context.parent
    group = parent.command if parent is not None else None
    assert isinstance(group, click.Group)
    assert parent is not None
    command = group.get_command(parent, name)
    if command is None:
        known = [*TOPICS, *group.list_commands(parent)]
        hint = suggestion(name, known) or f" (topics: {', '.join(TOPICS)})"
        if name in registry.GAMES:
            hint = f"; the rules of the game: quintet rules {name}"
        raise CouldNotRun(f"no such topic or command: {name!r}{hint}")
    click.echo(command.get_help(click.Context(command, info_name=name, parent=parent)))

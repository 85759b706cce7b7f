"""The error of a command that could not run."""

import click


class CouldNotRun(click.ClickException):
    """A message on stderr and exit status 2: the command has answered nothing."""

    exit_code = 2

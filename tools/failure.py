"""How a tool says that it could not run."""

import click


class CouldNotRun(click.ClickException):
    """A message on stderr and exit status 2: nothing was answered."""

    exit_code = 2

"""What is asked of a match's engines before its first game: that they start, and can do it."""

from collections.abc import Iterator

import click

from engines.core.timing import TimeControl
from protocols.client import Client, GtpClient, LineClient
from tools.goban import lack
from tools.seat import Crew
from tools.spec import MatchSpec


def fault(spec: MatchSpec, crew: Crew) -> str:
    """Start the engines; return all that keeps them from this match, a line each, or nothing."""
    arbiters = () if spec.arbiter is None else (spec.arbiter,)
    return crew.fault((*spec.engines, *arbiters)) or "\n".join(_lacks(spec, crew))


def _lacks(spec: MatchSpec, crew: Crew) -> Iterator[str]:
    clients = [crew.seat(engine).client() for engine in spec.engines]
    if is_given("movetime") and not any(client.protocol == "usi" for client in clients):
        spoken = " and ".join(dict.fromkeys(client.protocol for client in clients))
        yield f"--movetime is for engines that speak USI; these speak {spoken}"
    for engine, client, control in zip(spec.engines, clients, spec.controls, strict=True):
        if told := _unsayable(client, control):
            yield f"--time {control}: {engine.label} cannot be told {told}"
    if told := lack(spec, crew):
        yield told


def _unsayable(client: Client, control: TimeControl) -> str:
    """Return what an engine's protocol has no word for, and what to say instead."""
    hint = "; --time may be given twice, of the first engine and of the second"
    if isinstance(client, LineClient) and control.visits is not None:
        return f"a number of visits (expected nodes={control.visits}){hint}"
    if isinstance(client, GtpClient):
        if control.depth is not None:
            return f"a depth, for which GTP has no command{hint}"
        if (control.visits or control.nodes) and not client.known("kata-set-param"):
            return f"a number of visits (it does not know kata-set-param){hint}"
    return ""


def is_given(option: str) -> bool:
    """Whether the running command was given an option, be it with its default."""
    context = click.get_current_context(silent=True)
    if context is None:
        return False
    return context.get_parameter_source(option) is click.core.ParameterSource.COMMANDLINE

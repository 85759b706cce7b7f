"""The command `quintet check`."""

import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import click
from rich.console import Console
from rich.status import Status

from engines.core.game import InvalidText
from protocols.ask.detect import start
from protocols.ask.engine import EngineSpec
from protocols.child.process import Process
from protocols.errors import EngineError, EngineNonsense, EngineTimeout
from tools.check import report
from tools.check.probe import Probe
from tools.check.runner import PROBES, Checker, Grade, ProbeResult
from tools.commands.completing import complete_engine
from tools.commands.errors import CouldNotRun
from tools.commands.options import json_option, protocol_option, renamed
from tools.commands.sections import SectionedCommand, section
from tools.commands.values import Quantity, Word
from tools.roster.engines import resolve
from tools.roster.settings import PROTOCOLS

_DETECTION: Final = 60.0  # Seconds to detect the protocol of an engine.
_GRADES: Final = ("must", "should", "nice")


@click.command(cls=SectionedCommand)
@click.argument("engine", required=False, shell_complete=complete_engine)
@section(
    "Probes",
    protocol_option,
    click.option(
        "--only",
        metavar="ID,...",
        default="",
        help="Run only these probes; `x*` means all that begin with x.  [default: all]",
    ),
    click.option(
        "--least",
        type=Word(_GRADES),
        default="nice",
        show_default=True,
        help="Leave out probes that are less severe.",
    ),
    click.option("--list", "listing", is_flag=True, help="List the probes and exit."),
)
@section(
    "Clocks",
    renamed(
        "--slowdown",
        old=("--patience",),
        type=Quantity(min=0.01),
        metavar="FACTOR",
        default=1.0,
        show_default=True,
        help="Multiply all time limits by this factor, for a slow or busy machine.",
    ),
    renamed(
        "--total-time",
        old=("--limit",),
        type=Quantity(min=1),
        metavar="SECONDS",
        default=900.0,
        show_default=True,
        help="Do not begin another probe after this time.",
    ),
)
@section(
    "Output",
    click.option(
        "--verbose", is_flag=True, help="Show the exchange of every probe, not only of findings."
    ),
    json_option,
)
@click.pass_context
def check(
    context: click.Context,
    engine: str | None,
    protocol: str | None,
    listing: bool,
    only: str,
    least: str,
    verbose: bool,
    slowdown: float,
    total_time: float,
    as_json: bool,
) -> None:
    """Check whether ENGINE conforms to GTP, USI or the line protocol.

    ENGINE is one of our programs, a name from engines.toml, or a command line in quotes. Each
    probe says what a failure breaks; a finding comes with the exact exchange. Exit status: 0 every
    probe passed, 1 there are findings, 2 the engine could not be asked.
    """
    if listing:
        _list_probes(_meet(engine, protocol, slowdown)[0] if engine else protocol, as_json)
        return
    if engine is None:
        raise click.UsageError("expected an engine, as in `quintet check quintet-go`")
    began = time.monotonic()
    spec = _find(engine, protocol)
    spoken, called = _meet(engine, protocol, slowdown)
    probes = _choose(spoken, only, least)
    if not as_json:
        click.echo(f"{spec.label} ({called}), by {len(probes)} probes of {_protocol_name(spoken)}")
    results = []
    interrupted = False
    with Checker(spec, spoken, slowdown, total_time) as checker:
        try:
            for result in _shown(checker.run(probes), probes, as_json):
                results.append(result)
                _tell(result, as_json=as_json, whole=verbose)
        except KeyboardInterrupt:
            interrupted = True
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        about = {"engine": spec.label, "name": called, "protocol": spoken, "seconds": seconds}
        summary = report.summary_event(results, about | {"interrupted": interrupted})
        click.echo(json.dumps(summary))
    else:
        for line in report.summarize(results):
            click.echo(line)
    if interrupted:
        click.echo(f"interrupted after {len(results)} of {len(probes)} probes", err=True)
        context.exit(130)
    if any(result.grade in (Grade.FAIL, Grade.SKIPPED) for result in results):
        context.exit(1)


def _tell(result: ProbeResult, *, as_json: bool, whole: bool) -> None:
    """Print a result as soon as it is known."""
    if as_json:
        click.echo(json.dumps(report.event(result, whole=whole)))
    else:
        for line in report.describe(result, whole=whole):
            click.echo(line)
    sys.stdout.flush()


def _find(engine: str, protocol: str | None) -> EngineSpec:
    try:
        return resolve(engine, protocol)
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error


def _meet(engine: str, protocol: str | None, patience: float) -> tuple[str, str]:
    """Return the protocol and the name of an engine; raises CouldNotRun.

    If the protocol is given, an engine that cannot be greeted in it is what the probes are for.
    """
    spec = _find(engine, protocol)

    def launch() -> Process:
        return Process(spec.command, name=spec.label, cwd=spec.folder, env=dict(spec.environment))

    try:
        client = start(launch, time.monotonic() + _DETECTION * patience, spec.protocol or "")
    except (EngineNonsense, EngineTimeout) as error:
        if spec.protocol:
            return spec.protocol, "cannot be greeted"
        hint = f"give --protocol ({', '.join(PROTOCOLS)}) to run its probes and see the dialogue"
        raise CouldNotRun(f"{error}; {hint}") from error
    except EngineError as error:
        raise CouldNotRun(str(error)) from error
    client.close(1.0)
    return client.protocol, f"{client.name} {client.version}".strip()


def _protocol_name(protocol: str) -> str:
    return "the line protocol" if protocol == "line" else protocol.upper()


def _choose(protocol: str, only: str, least: str) -> Sequence[Probe]:
    """Return the selected probes; raises CouldNotRun for an unknown id."""
    every = PROBES[protocol]
    names = {probe.name for probe in every}
    chosen = set() if only else names
    for word in [word.strip() for word in only.split(",") if word.strip()]:
        matching = {name for name in names if _matches(name, word)}
        if not matching:
            close = [probe.name for probe in every if probe.name.startswith(word.split("-")[0])]
            hint = ", ".join(close) or f"see quintet check --list --protocol {protocol}"
            raise CouldNotRun(
                f"no such probe of {_protocol_name(protocol)}: {word!r} (known: {hint})"
            )
        chosen |= matching
    allowed = _GRADES[: _GRADES.index(least) + 1]
    probes = [probe for probe in every if probe.name in chosen and probe.severity in allowed]
    if not probes:
        raise CouldNotRun(f"--only {only} --least {least} leaves no probe")
    return probes


def _matches(name: str, word: str) -> bool:
    return name.startswith(word[:-1]) if word.endswith("*") else name == word


def _list_probes(protocol: str | None, as_json: bool) -> None:
    """Print the probes of one protocol, or of all."""
    total = 0
    for spoken in [protocol] if protocol else PROTOCOLS:
        if not as_json:
            click.echo(f"{_protocol_name(spoken)}: {len(PROBES[spoken])} probes")
        for probe in PROBES[spoken]:
            total += 1
            entry: dict[str, Any] = {
                "event": "probe",
                "protocol": spoken,
                "id": probe.name,
                "severity": str(probe.severity),
                "reason": probe.reason,
            }
            line = f"  {report.describe_probe(probe)}"
            click.echo(json.dumps(entry) if as_json else line)
    if as_json:
        click.echo(json.dumps({"event": "summary", "probes": total}))


def _shown(
    results: Iterator[ProbeResult], probes: Sequence[Probe], as_json: bool
) -> Iterator[ProbeResult]:
    """Yield the results; on a terminal, a line at the bottom names the current probe."""
    console = Console(stderr=True)
    with contextlib.ExitStack() as stack:
        status: Status | None = None
        if console.is_terminal and sys.stdout.isatty() and not as_json:
            status = stack.enter_context(console.status(""))
        for number, probe in enumerate(probes, 1):
            if status is not None:
                status.update(f"{number} of {len(probes)}: {probe.name}")
            yield next(results)

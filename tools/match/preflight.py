"""The checks before the first game of a match: that its engines start and can play it."""

from collections.abc import Callable, Iterator

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import Game
from engines.core.timing import TimeControl
from protocols.ask.detect import Client, GtpClient, LineClient
from protocols.ask.engine import EngineSpec
from protocols.errors import CannotSay, EngineError, EngineRefused
from tools.records.go import go_rules
from tools.roster.seats import EnginePool, OptionsRefused, describe_fault, reply_deadline
from tools.terms import go
from tools.terms.spec import MatchSpec


class EnginesUnfit(QuintetError):
    """The engines of a match do not start, or cannot play it; the text has a line per fault."""


Notice = Callable[[str], None]


def ask_game(engine: EngineSpec, pool: EnginePool, notice: Notice | None = None) -> str:
    """Start an engine and return the game that it plays, by its protocol or its own answer.

    Empty if it says none that we know. Raises EnginesUnfit, and ends all engines then.
    """
    try:
        client = pool.meet(engine, notice)
    except OptionsRefused as error:
        fault = str(error)
    except (EngineError, EngineRefused, CannotSay) as error:
        fault = describe_fault(engine, error)
    else:
        if isinstance(client, LineClient):
            return _answered_game(client)
        games = [
            name for name, entry in registry.GAMES.items() if entry.protocol == client.protocol
        ]
        return games[0] if len(games) == 1 else ""
    pool.close()
    raise EnginesUnfit(fault)


def _answered_game(client: LineClient) -> str:
    """Return the game that a line engine names; empty if it names none of ours."""
    try:
        game = client.command("game", reply_deadline()).strip()
    except EngineRefused:
        return ""
    return game if game in registry.GAMES else ""


def check_engines(
    spec: MatchSpec, pool: EnginePool, notice: Notice | None = None, *, movetime: bool = False
) -> None:
    """Start the engines of a match; raises EnginesUnfit, and ends them then.

    `notice` is called with a text if an engine is slow. `movetime` says that the user asked
    for `movetime`, which only USI engines understand.
    """
    arbiters = () if spec.arbiter is None else (spec.arbiter,)
    faults = pool.find_faults((*spec.engines, *arbiters), notice)
    if not faults:
        faults = "\n".join(_faults(spec, pool, movetime=movetime))
    if faults:
        pool.close()
        raise EnginesUnfit(faults)


def _faults(spec: MatchSpec, pool: EnginePool, *, movetime: bool) -> Iterator[str]:
    clients = [pool.seat(engine).client() for engine in spec.engines]
    if movetime and not any(client.protocol == "usi" for client in clients):
        spoken = " and ".join(dict.fromkeys(client.protocol for client in clients))
        yield f"--movetime is for engines that speak USI; these speak {spoken}"
    for engine, client, control in zip(spec.engines, clients, spec.controls, strict=True):
        if isinstance(client, LineClient) and (game := _answered_game(client)) not in (
            "",
            spec.game,
        ):
            yield f"{engine.label} plays {game}, not {spec.game}"
        if limit := _unsupported_limit(client, control):
            yield f"--time {control}: {engine.label} cannot be told {limit}"
    if spec.game == registry.GO and (fault := _go_fault(spec, pool)):
        yield fault


def _unsupported_limit(client: Client, control: TimeControl) -> str:
    """Name the limit that an engine's protocol cannot express, and what to give instead."""
    hint = "; --time may be given twice, of the first engine and of the second"
    if isinstance(client, LineClient) and control.visits is not None:
        return f"a number of visits (expected nodes={control.visits}){hint}"
    if isinstance(client, GtpClient):
        if control.depth is not None:
            return f"a depth, for which GTP has no command{hint}"
        if (control.visits or control.nodes) and not client.known("kata-set-param"):
            return f"a number of visits (it does not know kata-set-param){hint}"
    return ""


def _go_fault(spec: MatchSpec, pool: EnginePool) -> str:
    """Say which engine cannot do what this match of Go needs; empty if all can."""
    _, settings = go.settings(Game(go_rules(spec.rules())))
    for engine in spec.engines if spec.arbiter is None else (*spec.engines, spec.arbiter):
        client = pool.seat(engine).client()
        if not isinstance(client, GtpClient):
            return f"{engine.label} speaks {client.protocol}, and Go is played in GTP"
        try:
            client.new_game(reply_deadline(), settings={"size": settings["size"]})
        except EngineRefused as error:
            return f"{engine.label} cannot play on {settings['size']}: {error}"
        wanted = ["final_status_list"] if engine is spec.arbiter else []
        if spec.free_handicap and engine is not spec.arbiter:
            wanted.append("place_free_handicap")
        for command in wanted:
            if not client.known(command):
                return f"{engine.label} does not know {command}"
    return ""


def rules_warnings(spec: MatchSpec, pool: EnginePool) -> Iterator[str]:
    """Yield a warning for each engine of Go that does not accept a command for the rules.

    Raises EngineError and EngineRefused as a client does.
    """
    if spec.game != registry.GO:
        return
    rules = go_rules(spec.rules())
    name, settings = go.settings(Game(rules))
    for engine in spec.engines:
        client = pool.seat(engine).client()
        if not isinstance(client, GtpClient):
            continue
        if client.tell_rules(reply_deadline(), name, settings["rules"], settings["kgs-rules"]):
            continue
        advice = "make sure that it plays by them"
        if client.name == "GNU Go":
            missing = [flag for flag in go.gnugo_flags(rules.rules) if flag not in engine.command]
            if not missing:
                continue
            advice = f"start it with {' '.join(missing)}"
        yield (
            f"warning: {engine.label} cannot be told the rules ({name}: {rules.rules.describe()}); "
            f"{advice}"
        )

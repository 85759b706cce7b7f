"""The engine behind GTP: one game with its clocks and settings, and its search."""

import math
import random
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.timing import Clock, TimeControl
from engines.go.play.judge import DeadStoneJudge
from engines.go.play.levels import LEVELS, STRONGEST, choose
from engines.go.play.pace import allotted, spare, until
from engines.go.rules.board import EMPTY
from engines.go.rules.history import Position, format_margin
from engines.go.rules.ruleset import AREA, DEFAULT, RuleSet
from engines.go.rules.scoring import Score, chains
from engines.go.rules.text import GoRules, handicap_moves, star_points

if TYPE_CHECKING:
    from engines.go.play.search import Findings, Search

THINKING: Final = 1.0  # Seconds per move without a clock or another limit.
NAP: Final = 0.01  # Seconds between polls of `stop` by an analysis that has nothing left to search.
FIRST: Final = 10  # Visits before the first line of an analysis: clients hide moves with fewer.
HASTE: Final = 0.1  # With less time than this in seconds, a pass is not considered again.
CARE: Final = 5.0  # With less time than this in seconds, dead stones are not judged before a pass.

Stop = Callable[[], bool]


@dataclass(slots=True)
class Settings:
    """The settings of a user; `seconds` applies if neither a clock nor `visits` limits a move."""

    visits: int | None = None
    seconds: float = THINKING
    level: int = STRONGEST
    threads: int = 2
    seed: int | None = None
    ponder: bool = False
    resign: bool = True
    resign_below: float = 0.02  # The chance to win below which a game is hopeless.
    resign_after: int = 3  # Resign after so many hopeless moves in a row.
    net: Path | None = None
    exploration: float = 1.1
    urgency: float = 0.2
    name: str = ""  # The reply to the command `name`; empty for `Quintet Go`.


@dataclass(frozen=True, slots=True)
class AnalysisListener:
    """A function that receives the findings of a search when it begins, and then at intervals."""

    receive: "Callable[[Findings], None]"
    interval: float  # Seconds.
    owners: bool = False  # Whether to include the ownership after each move.


class Player:
    """Plays one game at a time; a method that raises an error has changed nothing."""

    def __init__(self, search: "Callable[[Settings], Search] | None" = None) -> None:
        self._make_search = search or _make_search
        self._search: Search | None = None
        self.settings = Settings()
        self.rules = GoRules(DEFAULT)
        self._komi: float | None = None
        self.position = self.rules.start()
        self._control = TimeControl()
        self._longest = 0.0
        self._clocks = (Clock(self._control), Clock(self._control))
        self._random = random.Random()
        self._hopeless = [0, 0]
        self._judged: tuple[object, Score, set[int]] | None = None
        self._pondering: threading.Thread | None = None
        self._rest = False
        self.last: Findings | None = None
        self.searched: list[tuple[int, int]] = []  # The moves before the last search.
        self.resigned: tuple[Findings, int] | None = None  # The last time, after so many moves.

    @property
    def search(self) -> "Search":
        """The search, created on first use because the network takes a while to load."""
        if self._search is None:
            self._search = self._make_search(self.settings)
        # Only a search by one thread is repeatable.
        self._search.threads = 1 if self.settings.seed is not None else self.settings.threads
        self._search.exploration = self.settings.exploration
        self._search.urgency = self.settings.urgency
        return self._search

    @property
    def komi(self) -> float:
        """The komi of the current game."""
        return self.position.komi

    def seed(self, seed: int | None) -> None:
        """Make searches and random choices repeatable; None makes them random again."""
        self.settings.seed = seed
        self._random = random.Random(seed)
        self.forget()

    def set_net(self, net: Path | None) -> None:
        """Use another network from now on; None means the one that is shipped."""
        self.settings.net = net
        self._search = None
        self._judged = None

    def forget(self) -> None:
        """Forget what searches found."""
        if self._search is not None:
            self._search.forget()
        self._judged = None

    def clear(self, width: int = 0, height: int = 0) -> None:
        """Clear the board and set its size if one is given; komi, rules and times are kept."""
        rules = GoRules(
            self.rules.rules, width or self.rules.width, height or width or self.rules.height
        )
        self.rules = rules
        self._restart(rules.start())

    def _restart(self, position: Position) -> None:
        if self._komi is not None:
            position.komi = self._komi
        self.position = position
        self._clocks = (Clock(self._control), Clock(self._control))
        self._hopeless = [0, 0]
        self.last = None
        self.forget()

    def set_komi(self, komi: float) -> None:
        """Set the komi of this game and of the following games."""
        self._komi = komi
        self.position.komi = komi
        self._judged = None

    def set_rules(self, rules: RuleSet) -> None:
        """Continue the game under other rules; a komi that was set explicitly is kept."""
        texts = GoRules(rules, self.rules.width, self.rules.height)
        position = self.position
        fresh = texts.start()
        fresh.board.credit(*position.first_captures())
        fresh.put(position.setup_stones(), position.first_turn())
        fresh.handicap = position.handicap
        fresh.komi = position.komi if self._komi is not None else rules.komi
        for colour, move in position.played:
            fresh.play_as(colour - 1, move)
        self.rules = texts
        self.position = fresh
        self.forget()

    def set_up(self, stones: Sequence[tuple[int, int]], turn: int, handicap: int = 0) -> None:
        """Put stones on the empty board; raises IllegalMove if one would be captured."""
        position = self.rules.start()
        if self.position.played or self.position.board.cells_copy() != bytes(position.area):
            raise IllegalMove("board not empty")
        position.put(stones, turn)
        for colour, move in stones:
            if position.board.cell(position.board.point(move)) != colour:
                raise IllegalMove(f"{self.rules.format_vertex(move)} would have no liberty")
        position.handicap = handicap
        self._restart(position)

    def take_over(self, rules: GoRules, position: Position) -> None:
        """Continue a game that was read from a record, with its komi."""
        self.rules = rules
        self._komi = position.komi
        self._restart(position)

    def place_handicap(self, count: int) -> list[int]:
        """Put a fixed handicap on the empty board and return its points."""
        moves = handicap_moves(self.rules.width, self.rules.height, count)
        self.set_up([(1, move) for move in moves], 1, count)
        return moves

    def play(self, turn: int, move: int) -> None:
        """Make a move of either side; repetitions are allowed, because records contain them."""
        board = self.position.board
        if move < board.area:
            text = self.rules.format_vertex(move)
            point = board.point(move)
            if board.cell(point) != EMPTY:
                raise IllegalMove(f"illegal move {text}: point is occupied")
            if point != board.ko and not board.is_legal(point, 1 + turn):
                raise IllegalMove(f"illegal move {text}: suicide")
        self.position.play_as(turn, move)

    def choose_handicap(self, count: int) -> list[int]:
        """Put a handicap on the empty board, on star points or else where the network would play.

        If there is no room for so many stones, fewer are put. Returns their points.
        """
        stars = len(star_points(self.rules.width, self.rules.height))
        if stars:
            return self.place_handicap(min(count, stars))
        trial = self.rules.start()
        moves: list[int] = []
        while len(moves) < min(count, max(2, trial.area // 3)):
            policy = self.search.look(trial, 1).policy
            moves.append(max((p, move) for move, p in policy if move < trial.area)[1])
            trial.play_as(0, moves[-1])
            trial.turn = 0
        self.set_up([(1, move) for move in moves], 1, len(moves))
        return moves

    def legal_moves(self, turn: int) -> list[int]:
        """List the moves of either side, including a pass, even after the end of the game."""
        position = self._position_for(turn)
        if position.passes < 2:
            return list(position.legal_moves())
        board = position.board
        free = (move for move in range(board.area) if board.is_legal(board.point(move), 1 + turn))
        return [*free, board.area]

    def undo(self, count: int = 1) -> None:
        """Take moves back; raises IllegalMove, and takes none back, if there are fewer."""
        if count > len(self.position.played):
            raise IllegalMove("cannot undo")
        for _ in range(count):
            self.position.undo()

    def set_control(self, control: TimeControl, longest: float = 0.0) -> None:
        """Give both sides a clock; an empty time control removes it.

        `longest` limits the seconds of each move unless it is 0.
        """
        self._control = control
        self._longest = longest
        self._clocks = (Clock(control), Clock(control))
        if control.kind:
            self.search.prepare(self.position)  # Before the clock of the first move runs.

    def clock(self, turn: int) -> Clock:
        """Return a side's clock."""
        return self._clocks[turn]

    def set_left(self, turn: int, seconds: float, periods: int) -> None:
        """Set a clock to what the controller says."""
        self._clocks[turn].set_left(seconds, periods)

    def generate(
        self,
        turn: int,
        stop: Stop,
        *,
        banned: Collection[int] = (),
        deeper: Sequence[tuple[int, int, int]] = (),
        cleanup: bool = False,
        resign: bool = True,
        listener: AnalysisListener | None = None,
    ) -> int | None:
        """Choose a move for a side without making it; None means resignation.

        With `cleanup`, do not pass while dead stones of the opponent are on the board.
        """
        began = time.monotonic()
        position = self._position_for(turn)
        clock = self._clocks[turn]
        visits, seconds = self._limits(turn, position)
        report = self._report_to(listener, stop, position, banned)

        def left() -> float:
            return spare(clock) - (time.monotonic() - began)

        if cleanup:
            cleanup = self._faces_dead(turn, stop, seconds)
            seconds = None if seconds is None else min(seconds, left())
        think = partial(
            self._think,
            position,
            report,
            visits=visits,
            banned=banned,
            deeper=deeper,
            cleanup=cleanup,
        )
        findings = hope = think(seconds=seconds)
        if findings.candidates[0].move == position.area and not cleanup:
            dead = self._dead_before_passing(position, findings, stop, left())
            if dead is not None:
                findings = think(
                    seconds=None if seconds is None else min(seconds, left()), dead=dead
                )
                # Do not resign a game that is won if the dead stones really are dead.
                hope = max(hope, findings, key=lambda one: one.candidates[0].win)
        clock.charge(time.monotonic() - began)
        self._keep(findings)
        if isinstance(report, _Reporter):
            report.report()
        if self._is_hopeless(turn, hope, position) and resign:
            self.resigned = findings, len(self.position.played)
            return None
        level = LEVELS[self.settings.level - 1]
        return choose(level, findings, position, self._random, banned)

    def _keep(self, findings: "Findings") -> None:
        self.last = findings
        self.searched = list(self.position.played)

    def _think(
        self,
        position: Position,
        stop: Stop,
        *,
        seconds: float | None,
        visits: int | None,
        banned: Collection[int],
        deeper: Sequence[tuple[int, int, int]],
        cleanup: bool,
        dead: Collection[int] | None = None,
    ) -> "Findings":
        """Search a position; with a time limit, end once no further visits can change the move."""
        if seconds is not None:
            stop = until(stop, self.search.decided, time.monotonic(), seconds)
        return self.search.think(
            position,
            stop=stop,
            seconds=seconds,
            visits=visits,
            banned=banned,
            deeper=deeper,
            dead=dead,
            cleanup=cleanup,
        )

    def _report_to(
        self,
        listener: "AnalysisListener | None",
        stop: Stop,
        position: Position,
        banned: Collection[int],
    ) -> Stop:
        """Return a `stop` that also reports to a listener, if there is one."""
        if listener is None:
            return stop
        owners = listener.owners
        return _Reporter(stop, lambda: self.search.now(position, banned, owners=owners), listener)

    def _limits(self, turn: int, position: Position) -> tuple[int | None, float | None]:
        """Return the visits and the seconds for a side's move."""
        settings = self.settings
        visits = LEVELS[settings.level - 1].visits or settings.visits
        seconds = settings.seconds if visits is None else None
        clock = self._clocks[turn]
        if clock.running:
            share = allotted(clock, position.area, len(position.played), self._longest)
            # A running clock overrides the default, but not a limit that the user chose.
            chosen = seconds is not None and seconds != THINKING
            seconds = min(settings.seconds, share) if chosen else share
        return visits, seconds

    def _dead_before_passing(
        self, position: Position, findings: "Findings", stop: Stop, left: float
    ) -> Collection[int] | None:
        """Return the stones to count as dead in a second search before a pass, or None.

        Under area counting, capturing dead stones costs nothing: if the game is won only because
        stones are dead, a search in which no stone is dead shows how to capture them. Under
        territory counting, capturing costs points: if a careful judgement finds other dead stones
        than the search did, search again with these. `left` is the time for it in seconds.
        """
        if not position.rules.judged or left < HASTE:
            return None
        sign = 1.0 if position.turn == 0 else -1.0
        if position.rules.scoring == AREA:
            standing = sign * position.count(set()).margin
            taken = sign * position.count(set(findings.dead)).margin
            return () if standing <= 0.0 < taken else None
        if left < CARE:
            return None
        due = time.monotonic() + left / 2
        dead = DeadStoneJudge(self.search).dead(position, lambda: stop() or time.monotonic() >= due)
        return dead if dead != set(findings.dead) else None

    def _faces_dead(self, turn: int, stop: Stop, seconds: float | None) -> bool:
        """Tell whether dead stones of the opponent are left; `seconds` is the time for the move.

        If a clock runs, this takes at most half of that time or an eighth of the clock's.
        """
        clock = self._clocks[turn]
        due = math.inf
        if clock.running and seconds is not None:
            due = time.monotonic() + max(seconds / 2, spare(clock) / 8)
        dead = self.judge(lambda: stop() or time.monotonic() >= due)[1]
        cells = self.position.board.cells_copy()
        return any(cells[move] == 2 - turn for move in dead)

    def _is_hopeless(self, turn: int, findings: "Findings", position: Position) -> bool:
        """Tell whether to resign: not in the opening, and only after several hopeless moves."""
        settings = self.settings
        bad = findings.candidates[0].win < settings.resign_below and findings.candidates[0].lead < 0
        late = len(position.played) > position.area // 5
        self._hopeless[turn] = self._hopeless[turn] + 1 if bad and late else 0
        return settings.resign and self._hopeless[turn] >= settings.resign_after

    def analyze(
        self,
        turn: int,
        stop: Stop,
        listener: AnalysisListener,
        *,
        banned: Collection[int] = (),
        deeper: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Search until `stop` says so; report the findings at the listener's interval."""
        position = self._position_for(turn)
        report = _Reporter(
            stop, lambda: self.search.now(position, banned, owners=listener.owners), listener
        )
        self._keep(self.search.think(position, stop=report, banned=banned, deeper=deeper))
        while not report():  # The tree is full, or there is nothing to search.
            time.sleep(NAP)
        if not report.reported:
            report.report()

    def ponder(self, stop: Stop) -> None:
        """If the settings say so, search in the background until `rest` is called."""
        if not self.settings.ponder or self.position.passes >= 2:
            return
        self.rest()
        self._rest = False
        search, position = self.search, self.position.copy()

        def work() -> None:
            search.think(position, stop=lambda: self._rest or stop())

        self._pondering = threading.Thread(target=work, name="ponder", daemon=True)
        self._pondering.start()

    def rest(self) -> None:
        """End the search in the background; its findings are kept."""
        if self._pondering is not None:
            self._rest = True
            self._pondering.join()
            self._pondering = None

    def _position_for(self, turn: int) -> Position:
        """Return the position with the given side to move."""
        if self.position.turn == turn:
            return self.position
        twin = self.position.copy()
        twin.turn = turn
        return twin

    def judge(self, stop: Stop = bool) -> tuple[Score, set[int]]:
        """Count the game as it stands; return the score and the dead stones.

        If stopped while still in doubt, return the likeliest result and do not keep it.
        """
        position = self.position
        board = position.board
        captured = board.black_captured, board.white_captured
        known = (position.key(), captured, position.komi, position.handicap)
        if self._judged is None or self._judged[0] != known:
            judge = DeadStoneJudge(self.search)
            dead = judge.dead(position, stop)
            if judge.hurried:
                return position.count(dead), dead
            self._judged = (known, position.count(dead), dead)
        return self._judged[1], self._judged[2]

    def _verdict(self, stop: Stop) -> tuple[Score, set[int]]:
        judged = self.judge(stop)
        if (
            self._judged is None or judged[0] is not self._judged[1]
        ):  # Doubtful results are not kept.
            raise InvalidText("cannot score: interrupted")
        return judged

    def result(self, stop: Stop = bool) -> str:
        """Return the score as GTP writes it, `B+3.5`, `W+77.0` or `0`; raises InvalidText."""
        margin = self._verdict(stop)[0].margin
        text = format_margin(margin)
        return text if "." in text or margin == 0 else f"{text}.0"

    def status(self, wanted: str, stop: Stop = bool) -> list[list[int]]:
        """List the chains that are `alive`, `dead` or `seki`; raises InvalidText."""
        score, dead = self._verdict(stop)

        def state(chain: list[int]) -> str:
            if chain[0] in dead:
                return "dead"
            return "seki" if chain[0] in score.seki else "alive"

        return [chain for chain in chains(self.position.board) if state(chain) == wanted]


class _Reporter:
    """A `stop` that also reports the findings at the interval of its listener."""

    def __init__(
        self, stop: Stop, look: "Callable[[], Findings]", listener: AnalysisListener
    ) -> None:
        self._stop = stop
        self._look = look
        self._listener = listener
        self._due = 0.0
        self.reported = False

    def __call__(self) -> bool:
        if self._stop():
            return True
        if (now := time.monotonic()) >= self._due:
            findings = self._look()
            if findings.visits >= FIRST:
                self._due = now + self._listener.interval
                self.reported = True
                self._listener.receive(findings)
        return False

    def report(self) -> None:
        """Report the findings now."""
        self.reported = True
        self._listener.receive(self._look())


def _make_search(settings: Settings) -> "Search":
    from engines.go.play.search import NET, Search

    return Search(settings.net or NET, settings.threads)


def parse_turn(text: str) -> int:
    """Parse a colour: 0 is Black and 1 White; raises InvalidText."""
    word = text.lower()
    if word in ("b", "black"):
        return 0
    if word in ("w", "white"):
        return 1
    raise InvalidText("invalid color")

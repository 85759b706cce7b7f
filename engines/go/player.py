"""The engine behind GTP: one game, its clocks and settings, its search."""

import math
import random
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.timing import Clock, TimeControl
from engines.go.board import EMPTY
from engines.go.history import Position, format_margin
from engines.go.judge import Judge
from engines.go.levels import LEVELS, STRONGEST, choose
from engines.go.pace import allotted, spare, until
from engines.go.rules import GoRules, handicap_moves, star_points
from engines.go.ruleset import AREA, DEFAULT, RuleSet
from engines.go.scoring import Score, chains

if TYPE_CHECKING:
    from engines.go.search import Findings, Search

THINKING: Final = 1.0  # Seconds a move where nobody has set a clock or a limit.
NAP: Final = 0.01  # Seconds between questions whether an analysis that found all may end.
FIRST: Final = 10  # Visits before the first line of an analysis: clients hide fewer.
HASTE: Final = 0.1  # Seconds without which nobody thinks again about a pass,
CARE: Final = 5.0  # and those that it may take to judge the dead.

Stop = Callable[[], bool]


@dataclass(slots=True)
class Settings:
    """What a user may choose; `seconds` counts where neither a clock nor `visits` does."""

    visits: int | None = None
    seconds: float = THINKING
    level: int = STRONGEST
    threads: int = 2
    seed: int | None = None
    ponder: bool = False
    resign: bool = True
    resign_below: float = 0.02  # A chance to win below which a game is hopeless,
    resign_after: int = 3  # if so many moves in a row were no better.
    net: Path | None = None


@dataclass(frozen=True, slots=True)
class Teller:
    """Who is told what a search knows: at once, and then every so many seconds."""

    tell: "Callable[[Findings], None]"
    interval: float
    owners: bool = False  # With the ownership behind each move.


class Player:
    """Plays one game at a time; what raises IllegalMove or InvalidText has changed nothing."""

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

    @property
    def search(self) -> "Search":
        """The search, made when first asked for: a network takes a while to load."""
        if self._search is None:
            self._search = self._make_search(self.settings)
        # Only one thread finds the same every time.
        self._search.threads = 1 if self.settings.seed is not None else self.settings.threads
        return self._search

    @property
    def komi(self) -> float:
        """The komi in force."""
        return self.position.komi

    def seed(self, seed: int | None) -> None:
        """Make searches and draws repeatable; None gives them back to chance."""
        self.settings.seed = seed
        self._random = random.Random(seed)
        self.forget()

    def set_net(self, net: Path | None) -> None:
        """Play with another network from now on; None is the one that ships."""
        self.settings.net = net
        self._search = None
        self._judged = None

    def forget(self) -> None:
        """Drop what searches found."""
        if self._search is not None:
            self._search.forget()
        self._judged = None

    def clear(self, width: int = 0, height: int = 0) -> None:
        """Empty the board, of a new size if one is given; komi, rules and times stay."""
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
        """Set the komi of this game and of those to come."""
        self._komi = komi
        self.position.komi = komi
        self._judged = None

    def set_rules(self, rules: RuleSet) -> None:
        """Go on under another rule set; the komi stays if it was ever set."""
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
        """Put stones on the empty board; raises IllegalMove where one would be captured."""
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
        """Go on with a game that was read; its komi is the one in force."""
        self.rules = rules
        self._komi = position.komi
        self._restart(position)

    def place_handicap(self, count: int) -> list[int]:
        """Put a fixed handicap on the empty board, and return where."""
        moves = handicap_moves(self.rules.width, self.rules.height, count)
        self.set_up([(1, move) for move in moves], 1, count)
        return moves

    def play(self, turn: int, move: int) -> None:
        """Make either side's move; repetitions are let through, for records hold them."""
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
        """Put a handicap on the empty board: on star points, else where the network would play.

        Where that are too many, fewer.
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
        """List what a side may do, a pass among it, whoever's turn it is, even in a game over."""
        position = self._as(turn)
        if position.passes < 2:
            return list(position.legal_moves())
        board = position.board
        free = (move for move in range(board.area) if board.is_legal(board.point(move), 1 + turn))
        return [*free, board.area]

    def undo(self, count: int = 1) -> None:
        """Take moves back, all of them or, refused, none."""
        if count > len(self.position.played):
            raise IllegalMove("cannot undo")
        for _ in range(count):
            self.position.undo()

    def set_control(self, control: TimeControl, longest: float = 0.0) -> None:
        """Give both sides a clock; an empty control takes it away.

        `longest` are the seconds that a move may take, 0 for any.
        """
        self._control = control
        self._longest = longest
        self._clocks = (Clock(control), Clock(control))
        if control.kind:
            self.search.prepare(self.position)  # Now, for from the first move on it costs time.

    def clock(self, turn: int) -> Clock:
        """Return a side's clock."""
        return self._clocks[turn]

    def set_left(self, turn: int, seconds: float, periods: int) -> None:
        """Believe the controller about a clock."""
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
        teller: Teller | None = None,
    ) -> int | None:
        """Choose a move for a side, without making it; None is resignation.

        With `cleanup` it does not pass while dead enemy stones are left.
        """
        began = time.monotonic()
        position = self._as(turn)
        clock = self._clocks[turn]
        visits, seconds = self._limits(turn, position)
        search = self.search
        report = stop
        if teller is not None:
            report = _Report(
                stop, lambda: search.now(position, banned, owners=teller.owners), teller
            )

        def think(seconds: float | None, dead: Collection[int] | None = None) -> "Findings":
            return search.think(
                position,
                stop=report
                if seconds is None
                else until(report, search.decided, time.monotonic(), seconds),
                seconds=seconds,
                visits=visits,
                banned=banned,
                deeper=deeper,
                dead=dead,
                cleanup=cleanup,
            )

        if cleanup:
            cleanup = self._faces_dead(turn, stop, seconds)
            if seconds is not None:
                seconds = min(seconds, spare(clock) - (time.monotonic() - began))
        found = hope = think(seconds)
        if found.candidates[0].move == position.area and not cleanup:
            left = spare(clock) - (time.monotonic() - began)
            dead = self._dead_before_passing(position, found, stop, left)
            if dead is not None:
                left = spare(clock) - (time.monotonic() - began)
                found = think(None if seconds is None else min(seconds, left), dead)
                # Nobody resigns a game that he wins if the dead are dead.
                hope = max(hope, found, key=lambda one: one.candidates[0].win)
        clock.charge(time.monotonic() - began)
        self.last = found
        if isinstance(report, _Report):
            report.tell()
        if self._is_hopeless(turn, hope, position) and resign:
            return None
        level = LEVELS[self.settings.level - 1]
        return choose(level, found, position, self._random, banned)

    def _limits(self, turn: int, position: Position) -> tuple[int | None, float | None]:
        """Return the visits and the seconds for a side's move."""
        settings = self.settings
        visits = LEVELS[settings.level - 1].visits or settings.visits
        seconds = settings.seconds if visits is None else None
        clock = self._clocks[turn]
        if clock.running:
            share = allotted(clock, position.area, len(position.played), self._longest)
            # Nobody chose the default: where a clock runs, the clock decides.
            chosen = seconds is not None and seconds != THINKING
            seconds = min(settings.seconds, share) if chosen else share
        return visits, seconds

    def _dead_before_passing(
        self, position: Position, found: "Findings", stop: Stop, left: float
    ) -> Collection[int] | None:
        """Return which stones are dead if two passes follow, where the search took others.

        Counting the area it costs nothing to take dead stones off where the game depends on
        them. Counting territory it does, and they are judged more carefully. `left` are the
        seconds that there are for it.
        """
        if not position.rules.judged or left < HASTE:
            return None
        sign = 1.0 if position.turn == 0 else -1.0
        if position.rules.scoring == AREA:
            standing = sign * position.count(set()).margin
            taken = sign * position.count(set(found.dead)).margin
            return () if standing <= 0.0 < taken else None
        if left < CARE:
            return None
        due = time.monotonic() + left / 2
        dead = Judge(self.search).dead(position, lambda: stop() or time.monotonic() >= due)
        return dead if dead != set(found.dead) else None

    def _faces_dead(self, turn: int, stop: Stop, seconds: float | None) -> bool:
        """Tell whether dead enemy stones are left; `seconds` are those of the move.

        A clock that runs gives it half of them, or an eighth of all that there are.
        """
        clock = self._clocks[turn]
        due = math.inf
        if clock.running and seconds is not None:
            due = time.monotonic() + max(seconds / 2, spare(clock) / 8)
        dead = self.judge(lambda: stop() or time.monotonic() >= due)[1]
        cells = self.position.board.cells_copy()
        return any(cells[move] == 2 - turn for move in dead)

    def _is_hopeless(self, turn: int, found: "Findings", position: Position) -> bool:
        """Tell whether to resign: never in the opening, nor after a single bad moment."""
        settings = self.settings
        bad = found.candidates[0].win < settings.resign_below and found.candidates[0].lead < 0
        late = len(position.played) > position.area // 5
        self._hopeless[turn] = self._hopeless[turn] + 1 if bad and late else 0
        return settings.resign and self._hopeless[turn] >= settings.resign_after

    def analyze(
        self,
        turn: int,
        stop: Stop,
        teller: Teller,
        *,
        banned: Collection[int] = (),
        deeper: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Think until told to stop; tell what is known at once and then every interval."""
        position = self._as(turn)
        report = _Report(
            stop, lambda: self.search.now(position, banned, owners=teller.owners), teller
        )
        self.last = self.search.think(position, stop=report, banned=banned, deeper=deeper)
        while not report():  # The tree is as large as it may be, or there is nothing to find.
            time.sleep(NAP)
        if not report.told:
            report.tell()

    def ponder(self, stop: Stop) -> None:
        """Go on thinking beside the conversation, if the settings say so, until `rest`."""
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
        """End the thinking beside the conversation; what it found stays."""
        if self._pondering is not None:
            self._rest = True
            self._pondering.join()
            self._pondering = None

    def _as(self, turn: int) -> Position:
        """Return the position with a side to move, whoever's turn it is."""
        if self.position.turn == turn:
            return self.position
        twin = self.position.copy()
        twin.turn = turn
        return twin

    def judge(self, stop: Stop = bool) -> tuple[Score, set[int]]:
        """Count the game as it stands, and return which stones are dead.

        Stopped while in doubt it tells what is likely, and forgets it.
        """
        position = self.position
        board = position.board
        captured = board.black_captured, board.white_captured
        known = (position.key(), captured, position.komi, position.handicap)
        if self._judged is None or self._judged[0] != known:
            judge = Judge(self.search)
            dead = judge.dead(position, stop)
            if judge.hurried:
                return position.count(dead), dead
            self._judged = (known, position.count(dead), dead)
        return self._judged[1], self._judged[2]

    def _verdict(self, stop: Stop) -> tuple[Score, set[int]]:
        told = self.judge(stop)
        if self._judged is None or told[0] is not self._judged[1]:  # What is sure is kept.
            raise InvalidText("cannot score: interrupted")
        return told

    def result(self, stop: Stop = bool) -> str:
        """Return the score as GTP writes it: `B+3.5`, `W+77.0`, `0`; raises if stopped in doubt."""
        margin = self._verdict(stop)[0].margin
        text = format_margin(margin)
        return text if "." in text or margin == 0 else f"{text}.0"

    def status(self, wanted: str, stop: Stop = bool) -> list[list[int]]:
        """List the chains that are `alive`, `dead` or in `seki`; raises if stopped in doubt."""
        score, dead = self._verdict(stop)

        def state(chain: list[int]) -> str:
            if chain[0] in dead:
                return "dead"
            return "seki" if chain[0] in score.seki else "alive"

        return [chain for chain in chains(self.position.board) if state(chain) == wanted]


class _Report:
    """A `stop` that also tells what is known when it is time."""

    def __init__(self, stop: Stop, know: "Callable[[], Findings]", teller: Teller) -> None:
        self._stop = stop
        self._know = know
        self._teller = teller
        self._due = 0.0
        self.told = False

    def __call__(self) -> bool:
        if self._stop():
            return True
        if (now := time.monotonic()) >= self._due:
            found = self._know()
            if found.visits >= FIRST:
                self._due = now + self._teller.interval
                self.told = True
                self._teller.tell(found)
        return False

    def tell(self) -> None:
        """Tell what is known, whatever the time."""
        self.told = True
        self._teller.tell(self._know())


def _make_search(settings: Settings) -> "Search":
    from engines.go.search import NET, Search

    return Search(settings.net or NET, settings.threads)


def parse_turn(text: str) -> int:
    """Read a colour: 0 Black, 1 White; raises InvalidText."""
    word = text.lower()
    if word in ("b", "black"):
        return 0
    if word in ("w", "white"):
        return 1
    raise InvalidText("invalid color")

"""The engine behind GTP: one game, its clocks and settings, its search."""

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.timing import Clock, TimeControl
from engines.go.board import EMPTY
from engines.go.history import Position, format_margin
from engines.go.rules import GoRules, handicap_moves
from engines.go.ruleset import DEFAULT, RuleSet
from engines.go.scoring import Score, chains, dead_stones

if TYPE_CHECKING:
    from engines.go.search import Candidate, Findings, Search

THINKING: Final = 1.0  # Seconds a move where nobody has set a clock or a limit.
JUDGING: Final = 100  # Visits over which ownership is averaged to find the dead.
HOPELESS: Final = 0.02  # A chance to win below which the engine resigns,
PATIENCE: Final = 3  # if so many of its moves in a row were no better.
STRONGEST: Final = 10
DECIDED: Final = 0.05  # Seconds between questions whether the search is decided.


class Player:
    """Plays one game at a time; what raises IllegalMove or InvalidText has changed nothing."""

    def __init__(self, search: "Callable[[], Search] | None" = None) -> None:
        self._make_search = search or _make_search
        self._search: Search | None = None
        self.rules = GoRules(DEFAULT)
        self._komi: float | None = None
        self.position = self.rules.start()
        self._control = TimeControl()
        self._clocks = (Clock(self._control), Clock(self._control))
        self.visits: int | None = None
        self.seconds = THINKING
        self.level = STRONGEST
        self.resigning = True
        self._random = random.Random()
        self._hopeless = 0
        self._judged: tuple[object, Score, set[int]] | None = None
        self.last: Findings | None = None

    @property
    def search(self) -> "Search":
        """The search, made when first asked for: a network takes a while to load."""
        if self._search is None:
            self._search = self._make_search()
        return self._search

    @property
    def komi(self) -> float:
        """The komi in force."""
        return self.position.komi

    def seed(self, seed: int | None) -> None:
        """Make what is left to chance repeatable; None makes it random again."""
        self._random = random.Random(seed)

    def forget(self) -> None:
        """Drop what searches found."""
        if self._search is not None:
            self._search.forget()
        self._judged = None

    def clear(self, width: int = 0, height: int = 0) -> None:
        """Empty the board, of a new size if one is given; komi, rules and times stay."""
        rules = GoRules(self.rules.rules, width or self.rules.width, height or self.rules.height)
        self.rules = rules
        self._restart(rules.start())

    def _restart(self, position: Position) -> None:
        if self._komi is not None:
            position.komi = self._komi
        self.position = position
        self._clocks = (Clock(self._control), Clock(self._control))
        self._hopeless = 0
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

    def undo(self, count: int = 1) -> None:
        """Take moves back, all of them or, refused, none."""
        if count > len(self.position.played):
            raise IllegalMove("cannot undo")
        for _ in range(count):
            self.position.undo()

    def set_control(self, control: TimeControl) -> None:
        """Give both sides a clock; an empty control takes it away."""
        self._control = control
        self._clocks = (Clock(control), Clock(control))

    def set_left(self, turn: int, seconds: float, periods: int) -> None:
        """Believe the controller about a clock."""
        self._clocks[turn].set_left(seconds, periods)

    def generate(
        self,
        turn: int,
        stop: Callable[[], bool],
        *,
        banned: Sequence[int] = (),
        cleanup: bool = False,
    ) -> int | None:
        """Choose a move for a side, without making it; None is resignation."""
        began = time.monotonic()
        position = self._as(turn)
        clock = self._clocks[turn]
        seconds: float | None = self.seconds if self.visits is None else None
        if clock.running:
            expected = max(position.area // 8, position.area // 2 - len(position.played) // 2)
            allotted = clock.allotment(expected)
            seconds = (
                allotted if seconds is None or self.seconds == THINKING else min(seconds, allotted)
            )
        weakened = self.level < STRONGEST
        visits = 1 + 2**self.level if weakened else self.visits
        stopping = stop if seconds is None else self._deciding(stop, began, seconds)
        found = self.search.think(
            position,
            stop=stopping,
            seconds=seconds,
            visits=visits,
            banned=banned,
            cleanup=cleanup,
        )
        self.last = found
        clock.charge(time.monotonic() - began)
        best = self._weaken(found.candidates) if weakened else found.candidates[0]
        hopeless = best.win < HOPELESS and len(position.played) > position.area // 5
        self._hopeless = self._hopeless + 1 if hopeless else 0
        if self.resigning and not cleanup and self._hopeless >= PATIENCE:
            return None
        return best.move

    def _deciding(
        self, stop: Callable[[], bool], began: float, seconds: float
    ) -> Callable[[], bool]:
        due = began + DECIDED

        def stopping() -> bool:
            nonlocal due
            now = time.monotonic()
            if now >= due:
                due = now + DECIDED
                spent = now - began
                if self.search.decided((seconds - spent) / spent):
                    return True
            return stop()

        return stopping

    def _weaken(self, candidates: "Sequence[Candidate]") -> "Candidate":
        """Choose among moves that lose little, the more freely the lower the level."""
        worst = 2.0 * (STRONGEST - self.level) / STRONGEST  # Points worse than the best.
        near = [one for one in candidates if one.lead >= candidates[0].lead - worst]
        weights = [max(one.visits, 1) ** (self.level / STRONGEST) for one in near]
        return self._random.choices(near, weights)[0]

    def analyze(
        self,
        turn: int,
        stop: Callable[[], bool],
        tell: "Callable[[Findings], None]",
        interval: float,
        *,
        banned: Sequence[int] = (),
    ) -> None:
        """Think until told to stop; tell what is known at once and then every interval."""
        position = self._as(turn)
        due = 0.0

        def stopping() -> bool:
            nonlocal due
            now = time.monotonic()
            if now >= due:
                found = self.search.now(position, banned)
                if found.visits >= 10 or due:
                    tell(found)
                    due = now + interval
            return stop()

        self.last = self.search.think(position, stop=stopping, banned=banned)
        if due == 0.0:
            tell(self.last)

    def _as(self, turn: int) -> Position:
        """Return the position with a side to move, whoever's turn it is."""
        if self.position.turn == turn:
            return self.position
        twin = self.position.copy()
        twin.turn = turn
        return twin

    def judge(self) -> tuple[Score, set[int]]:
        """Count the game as it stands, and return which stones are dead."""
        position = self.position
        known = (position.key(), len(position.played), position.komi, position.handicap)
        if self._judged is None or self._judged[0] != known:
            dead: set[int] = set()
            if position.rules.judged:
                dead = dead_stones(position.board, self.search.judge(position, JUDGING))
            self._judged = (known, position.count(dead), dead)
        return self._judged[1], self._judged[2]

    def result(self) -> str:
        """Return the score as GTP writes it: `B+3.5`, `W+77.0`, `0`."""
        margin = self.judge()[0].margin
        text = format_margin(margin)
        return text if "." in text or margin == 0 else f"{text}.0"

    def status(self, wanted: str) -> list[list[int]]:
        """List the chains that are `alive`, `dead` or in `seki`."""
        score, dead = self.judge()

        def state(chain: list[int]) -> str:
            if chain[0] in dead:
                return "dead"
            return "seki" if chain[0] in score.seki else "alive"

        return [chain for chain in chains(self.position.board) if state(chain) == wanted]


def _make_search() -> "Search":
    from engines.go.search import Search

    return Search()


def parse_turn(text: str) -> int:
    """Read a colour: 0 Black, 1 White; raises InvalidText."""
    word = text.lower()
    if word in ("b", "black"):
        return 0
    if word in ("w", "white"):
        return 1
    raise InvalidText("invalid color")

"""Two tiny games for the tests of the core: counting down, and the same with dice."""

from collections.abc import Callable, Mapping
from typing import Any, Self

from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Move, Outcome
from engines.core.player import Equipment, Option
from engines.core.search import Limits, Report, Score, Stop


class Heap:
    """Take 1 or 2 (who takes the last wins), or 0, which only changes sides."""

    def __init__(self, left: int, turn: int = 0) -> None:
        self.left = left
        self.turn = turn
        self._history: list[int] = []

    def legal_moves(self) -> list[Move]:
        return [] if self.left == 0 else [take for take in (0, 1, 2) if take <= self.left]

    def play(self, move: Move) -> None:
        self.left -= move
        self.turn = 1 - self.turn
        self._history.append(move)

    def undo(self) -> None:
        self.left += self._history.pop()
        self.turn = 1 - self.turn

    def outcome(self) -> Outcome | None:
        return Outcome(1 - self.turn, "heap empty") if self.left == 0 else None

    def key(self) -> int:
        return self.left * 2 + self.turn

    def copy(self) -> Self:
        twin = type(self)(self.left, self.turn)
        twin._history = self._history.copy()
        return twin


class HeapRules:
    name = "heap"
    sides = ("white", "black")

    def __init__(self, variant: str = "") -> None:
        if variant not in ("", "short"):
            raise InvalidText(f"no such variant: {variant!r} (known: short)")
        self.variant = variant

    def start(self, setup: str = "") -> Heap:
        if not setup:
            return Heap(3 if self.variant == "short" else 7)
        if not setup.isdigit():
            raise InvalidText(f"expected a number, not {setup!r}")
        return Heap(int(setup))

    def setup(self, position: Heap) -> str:
        return str(position.left)

    def parse(self, position: Heap, text: str) -> Move:
        if text not in ("0", "1", "2"):
            raise InvalidText(f"expected 0, 1 or 2, not {text!r}")
        if int(text) > position.left:
            raise IllegalMove(f"only {position.left} left")
        return int(text)

    def format(self, position: Heap, move: Move) -> str:
        return str(move)

    def diagram(self, position: Heap) -> str:
        return "*" * position.left

    def ending(self, game: Game[Heap]) -> Outcome | None:
        return Outcome(None, "repetition") if len(game.occurrences()) >= 3 else None


class HeapSearcher:
    """Takes what leaves a multiple of three; asks `hook` first, for tests of misfortune."""

    def __init__(self, hook: Callable[[Game[Any], Limits, Stop], None] | None = None) -> None:
        self.hook = hook
        self.limits: Limits | None = None

    def search(
        self, game: Game[Any], limits: Limits, *, stop: Stop, report: Callable[[Report], None]
    ) -> Move:
        self.limits = limits
        if self.hook is not None:
            self.hook(game, limits, stop)
        best = game.position.left % 3 or 1
        chance = float(game.position.left % 3 > 0)
        report(Report(1, 3, 0.001, Score(chance, exact=True, turns=1), (best,)))
        while not limits.bounded and not stop():
            pass
        return best

    def forget(self) -> None:
        self.limits = None


class Dice(Heap):
    """Throw 1 or 2, then take it or nothing."""

    def __init__(self, left: int, thrower: int = 0) -> None:
        super().__init__(left, CHANCE)
        self.thrower = thrower
        self.thrown = 0
        self._states: list[tuple[int, int, int, int]] = []

    def legal_moves(self) -> list[Move]:
        if self.left <= 0:
            return []
        return [1, 2] if self.turn == CHANCE else [0, self.thrown]

    def play(self, move: Move) -> None:
        self._states.append((self.left, self.turn, self.thrower, self.thrown))
        if self.turn == CHANCE:
            self.turn, self.thrown = self.thrower, move
        else:
            self.left -= move
            self.thrower = 1 - self.thrower
            self.turn = CHANCE

    def undo(self) -> None:
        self.left, self.turn, self.thrower, self.thrown = self._states.pop()

    def outcome(self) -> Outcome | None:
        return Outcome(1 - self.thrower, "heap empty") if self.left <= 0 else None

    def key(self) -> int:
        return hash((self.left, self.turn, self.thrower, self.thrown)) & (2**63 - 1)

    def copy(self) -> Self:
        twin = type(self)(self.left, self.thrower)
        twin.turn, twin.thrown, twin._states = self.turn, self.thrown, self._states.copy()
        return twin


class DiceRules(HeapRules):
    name = "dice"

    def start(self, setup: str = "") -> Dice:
        return Dice(7)

    def parse(self, position: Heap, text: str) -> Move:
        if not text.isdigit() or int(text) not in position.legal_moves():
            raise IllegalMove(f"not {text}")
        return int(text)

    def ending(self, game: Game[Any]) -> Outcome | None:
        return None


def heap_equipment(searcher: HeapSearcher | None = None) -> Equipment:
    made = searcher or HeapSearcher()

    def rules(variant: str, options: Mapping[str, str]) -> HeapRules:
        return HeapRules(variant)

    return Equipment(
        game="heap",
        name="quintet-heap",
        version="1.0 (interpreted)",
        variants=("default", "short"),
        rules=rules,
        searcher=lambda options: made,
        options={
            "level": Option("2", ("1", "2")),
            "seed": Option("random", hint="a whole number, or random"),
            "words": Option("few", ("few", "many")),
        },
        expected_moves=lambda game: 4,
        perft=lambda made, setup, depth: depth,
    )


def dice_equipment() -> Equipment:
    return Equipment(
        game="dice",
        name="quintet-dice",
        version="1.0 (interpreted)",
        variants=("default",),
        rules=lambda variant, options: DiceRules(variant),
        searcher=lambda options: HeapSearcher(),
        options={"seed": Option("random", hint="a whole number, or random")},
        expected_moves=lambda game: 4,
        perft=lambda made, setup, depth: depth,
        throw=lambda seed, number: 1 + (int(seed) + number) % 2,
    )

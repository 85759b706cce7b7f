"""GTP's commands that think: moves, analyses in every dialect, the network alone."""

from collections.abc import Collection, Sequence
from typing import Final

from engines.core.game import InvalidText
from engines.go.analysis import FORMATS, Wish, format_raw, parse_wish
from engines.go.player import Player, Teller, parse_turn
from engines.go.request import Handler, Request

_CANCELLED: Final = "cancelled"


class ThinkingCommands:
    """A table of handlers over a player."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.table: dict[str, Handler] = {
            "genmove": self.genmove,
            "reg_genmove": self.reg_genmove,
            "kgs-genmove_cleanup": self.genmove_cleanup,
            "gomill-genmove_ex": self.genmove_ex,
            "lz-genmove_analyze": self.genmove_analyze,
            "kata-genmove_analyze": self.genmove_analyze,
            "cgos-genmove_analyze": self.genmove_analyze,
            "kata-search": self.search,
            "kata-search_cancellable": self.search,
            "kata-search_analyze": self.search_analyze,
            "kata-search_analyze_cancellable": self.search_analyze,
            "lz-analyze": self.analyze,
            "kata-analyze": self.analyze,
            "kata-raw-nn": self.raw,
            "stop": lambda request: "",
        }

    def genmove(self, request: Request) -> str:
        """Choose a move and make it."""
        return self._play(request, _turn(request), self._choose(request, _turn(request)))

    def genmove_cleanup(self, request: Request) -> str:
        """Choose a move and make it; never pass while dead enemy stones are left."""
        turn = _turn(request)
        return self._play(request, turn, self._choose(request, turn, cleanup=True, resign=False))

    def genmove_ex(self, request: Request) -> str:
        """Choose a move and make it; none of gomill's keywords is supported, and none listed."""
        return self.genmove(request) if request.args else ""

    def reg_genmove(self, request: Request) -> str:
        """Choose a move without making it."""
        return self._format(self._choose(request, _turn(request)))

    def search(self, request: Request) -> str:
        """Choose a move without making it; the cancellable kind gives up at any line."""
        cancellable = request.name.endswith("_cancellable")
        turn = parse_turn(request.args[0]) if request.args else self.player.position.turn
        move = self._choose(request, turn, cancellable=cancellable)
        return _CANCELLED if cancellable and request.disturbed() else self._format(move)

    def genmove_analyze(self, request: Request) -> str:
        """Choose a move and make it; tell what is found meanwhile, then `play VERTEX`."""
        wish = self._wish(request)
        request.stream()
        move = self._choose(request, wish.turn, wish=wish)
        return f"play {self._play(request, wish.turn, move)}"

    def search_analyze(self, request: Request) -> str:
        """Choose a move without making it; tell what is found meanwhile, then `play VERTEX`."""
        wish = self._wish(request)
        cancellable = request.name.endswith("_cancellable")
        request.stream()
        move = self._choose(request, wish.turn, wish=wish, cancellable=cancellable)
        gone = cancellable and request.disturbed()
        return f"play {_CANCELLED if gone else self._format(move)}"

    def analyze(self, request: Request) -> str:
        """Think until any line arrives, and tell what is found."""
        wish = self._wish(request)
        request.stream()
        self.player.analyze(
            wish.turn,
            request.disturbed,
            self._teller(request, wish),
            banned=wish.banned(self.player.position.area),
            deeper=wish.deeper(self.player.position.area),
        )
        return ""

    def raw(self, request: Request) -> str:
        """Tell what the network alone says, as KataGo does; of all symmetries the identity."""
        word = request.args[0] if request.args else "0"
        if word != "all" and word not in map(str, range(8)):
            raise InvalidText("a symmetry from 0 to 7, or all, is expected")
        position = self.player.position
        return format_raw(self.player.search.look(position, 1), position)

    def _choose(
        self,
        request: Request,
        turn: int,
        *,
        wish: Wish | None = None,
        cleanup: bool = False,
        resign: bool = True,
        cancellable: bool = False,
    ) -> int | None:
        banned: Collection[int] = ()
        deeper: Sequence[tuple[int, int, int]] = ()
        teller = None
        if wish is not None:
            banned = wish.banned(self.player.position.area)
            deeper = wish.deeper(self.player.position.area)
            teller = self._teller(request, wish)
        stop = request.disturbed if cancellable else request.urgent
        return self.player.generate(
            turn,
            stop,
            banned=banned,
            deeper=deeper,
            cleanup=cleanup,
            resign=resign,
            teller=teller,
        )

    def _play(self, request: Request, turn: int, move: int | None) -> str:
        if move is not None:
            self.player.position.play_as(turn, move)
            self.player.ponder(request.disturbed)
        return self._format(move)

    def _format(self, move: int | None) -> str:
        return "resign" if move is None else self.player.rules.format_vertex(move)

    def _wish(self, request: Request) -> Wish:
        player = self.player
        wish = parse_wish(request.args, player.position.turn, player.rules)
        banned = wish.banned(player.position.area)
        if not set(player.legal_moves(wish.turn)) - set(banned):
            raise InvalidText("no legal move is left to look at")
        return wish

    def _teller(self, request: Request, wish: Wish) -> Teller:
        form = FORMATS[request.name.partition("-")[0]]
        rules = self.player.rules
        return Teller(
            lambda found: request.stream(form(found, wish, rules)),
            wish.interval,
            owners="movesOwnership" in wish.flags,
        )


def _turn(request: Request) -> int:
    if not request.args:
        raise InvalidText("invalid color")
    return parse_turn(request.args[0])

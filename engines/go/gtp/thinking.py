"""The GTP commands that search: moves, analyses in all formats, and raw network output."""

from collections.abc import Collection, Sequence
from typing import Final

from engines.core.game import InvalidText
from engines.go.gtp.analysis import FORMATS, AnalysisRequest, format_raw, parse_analysis
from engines.go.gtp.request import Handler, Request
from engines.go.play.player import AnalysisListener, Player, parse_turn

_CANCELLED: Final = "cancelled"


class ThinkingCommands:
    """The handlers of these commands."""

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
        """Choose a move and make it; do not pass while dead enemy stones are on the board."""
        turn = _turn(request)
        return self._play(request, turn, self._choose(request, turn, cleanup=True, resign=False))

    def genmove_ex(self, request: Request) -> str:
        """Choose a move and make it; without arguments, list the supported keywords: none."""
        return self.genmove(request) if request.args else ""

    def reg_genmove(self, request: Request) -> str:
        """Choose a move without making it."""
        return self._format(self._choose(request, _turn(request)))

    def search(self, request: Request) -> str:
        """Choose a move without making it; `_cancellable` ends at any input line."""
        cancellable = request.name.endswith("_cancellable")
        turn = parse_turn(request.args[0]) if request.args else self.player.position.turn
        move = self._choose(request, turn, cancellable=cancellable)
        return _CANCELLED if cancellable and request.disturbed() else self._format(move)

    def genmove_analyze(self, request: Request) -> str:
        """Choose a move and make it; report findings meanwhile, and then `play VERTEX`."""
        wanted = self._parse(request)
        request.stream()
        move = self._choose(request, wanted.turn, wanted=wanted)
        return f"play {self._play(request, wanted.turn, move)}"

    def search_analyze(self, request: Request) -> str:
        """Choose a move without making it; report findings meanwhile, and then `play VERTEX`."""
        wanted = self._parse(request)
        cancellable = request.name.endswith("_cancellable")
        request.stream()
        move = self._choose(request, wanted.turn, wanted=wanted, cancellable=cancellable)
        gone = cancellable and request.disturbed()
        return f"play {_CANCELLED if gone else self._format(move)}"

    def analyze(self, request: Request) -> str:
        """Search until any input line arrives, and report the findings."""
        wanted = self._parse(request)
        request.stream()
        self.player.analyze(
            wanted.turn,
            request.disturbed,
            self._listener(request, wanted),
            banned=wanted.banned(self.player.position.area),
            deeper=wanted.deeper(self.player.position.area),
        )
        return ""

    def raw(self, request: Request) -> str:
        """Return the raw output of the network as KataGo does, for the identity symmetry only."""
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
        wanted: AnalysisRequest | None = None,
        cleanup: bool = False,
        resign: bool = True,
        cancellable: bool = False,
    ) -> int | None:
        banned: Collection[int] = ()
        deeper: Sequence[tuple[int, int, int]] = ()
        listener = None
        if wanted is not None:
            banned = wanted.banned(self.player.position.area)
            deeper = wanted.deeper(self.player.position.area)
            listener = self._listener(request, wanted)
        stop = request.disturbed if cancellable else request.urgent
        return self.player.generate(
            turn,
            stop,
            banned=banned,
            deeper=deeper,
            cleanup=cleanup,
            resign=resign,
            listener=listener,
        )

    def _play(self, request: Request, turn: int, move: int | None) -> str:
        if move is not None:
            self.player.position.play_as(turn, move)
            self.player.ponder(request.disturbed)
        return self._format(move)

    def _format(self, move: int | None) -> str:
        return "resign" if move is None else self.player.rules.format_vertex(move)

    def _parse(self, request: Request) -> AnalysisRequest:
        player = self.player
        wanted = parse_analysis(request.args, player.position.turn, player.rules)
        banned = wanted.banned(player.position.area)
        if not set(player.legal_moves(wanted.turn)) - set(banned):
            raise InvalidText("no legal move is left to search")
        return wanted

    def _listener(self, request: Request, wanted: AnalysisRequest) -> AnalysisListener:
        form = FORMATS[request.name.partition("-")[0]]
        rules = self.player.rules
        return AnalysisListener(
            lambda findings: request.stream(form(findings, wanted, rules)),
            wanted.interval,
            owners="movesOwnership" in wanted.flags,
        )


def _turn(request: Request) -> int:
    if not request.args:
        raise InvalidText("invalid color")
    return parse_turn(request.args[0])

"""What KGS, CGOS, GoGui and gomill add to GTP."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engines.core.game import IllegalMove, InvalidText
from engines.go.player import Player, parse_turn
from engines.go.request import Handler, Request
from engines.go.rules import GoRules

if TYPE_CHECKING:
    from engines.go.search import Findings

_ANALYZE: Final = """\
gfx/Search/quintet-gfx
dboard/Ownership/quintet-ownership
pspairs/Top Moves/quintet-top_moves
string/Last Move/gomill-explain_last_move
string/Final Score/final_score
plist/Dead/final_status_list dead
plist/Seki/final_status_list seki"""


class Dialects:
    """A table of handlers over a player."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.table: dict[str, Handler] = {
            "kgs-game_over": lambda request: "",
            "kgs-chat": self.chat,
            "cgos-gameover": lambda request: "",
            "cgos-opponent_name": lambda request: "",
            "cgos-opponent_rating": lambda request: "",
            "gogui-analyze_commands": lambda request: _ANALYZE,
            "gogui-interrupt": lambda request: "",
            "gogui-play_sequence": self.play_sequence,
            "gogui-setup": self.setup,
            "gogui-setup_player": self.setup_player,
            "quintet-gfx": self.gfx,
            "quintet-ownership": self.ownership,
            "quintet-top_moves": self.top_moves,
            "quintet-evaluation": self.evaluation,
            "gomill-describe_engine": self.describe,
            "gomill-explain_last_move": self.explain,
        }

    def chat(self, request: Request) -> str:
        """Answer a KGS chat with what the last search thought."""
        return self.explain(request) or "hello, I am a program"

    def describe(self, request: Request) -> str:
        """Tell what plays here, for a record."""
        rules = self.player.rules.rules
        return f"Quintet Go: a small network and PUCT search, {rules.title} rules"

    def explain(self, request: Request) -> str:
        """Tell what the last search thought; nothing before the first."""
        found = self.player.last
        if found is None or not found.candidates:
            return ""
        best = found.candidates[0]
        line = " ".join(self.player.rules.format_vertex(move) for move in best.line[:8])
        return f"{found.visits} visits, {100 * best.win:.1f}%, lead {best.lead:+.1f}: {line}"

    def evaluation(self, request: Request) -> str:
        """Tell what the last search thought of the last move, as an `info` line of a referee's."""
        found, position = self.player.last, self.player.position
        if found is None or not position.played:
            return ""
        for one in found.candidates:
            if (1 + found.turn, one.move) == position.played[-1]:
                line = " ".join(self.player.rules.format_vertex(each) for each in one.line)
                score = f"est {one.win:.4f} lead {one.lead:+.1f}"
                return f"info nodes {found.visits} score {score} pv {line}"
        return ""

    def play_sequence(self, request: Request) -> str:
        """Play moves, all of them or, refused, none."""
        words = request.args
        if len(words) % 2:
            raise InvalidText("colours and vertices do not pair")
        player = self.player
        made = 0
        try:
            for colour, vertex in zip(words[::2], words[1::2], strict=True):
                player.play(parse_turn(colour), player.rules.parse_move(vertex))
                made += 1
        except (IllegalMove, InvalidText):
            player.undo(made)
            raise
        return ""

    def setup(self, request: Request) -> str:
        """Put stones on the empty board."""
        self.player.set_up(parse_stones(request.args, self.player.rules), self.player.position.turn)
        return ""

    def setup_player(self, request: Request) -> str:
        """Say who moves first after a set-up."""
        turn = parse_turn(request.args[0] if request.args else "")
        position = self.player.position
        if position.played:
            raise InvalidText("moves were already played")
        position.put([], turn)
        self.player.forget()
        return ""

    def ownership(self, request: Request) -> str:
        """Tell who owns each point, 1 Black and -1 White, a row a line."""
        rules = self.player.rules
        position = self.player.position
        sign = 1.0 if position.turn == 0 else -1.0
        owned = [sign * value for value in self.player.search.look(position, 50).ownership]
        rows = [owned[y * rules.width : (y + 1) * rules.width] for y in range(rules.height)]
        return "\n".join(" ".join(f"{value:.2f}" for value in row) for row in rows)

    def top_moves(self, request: Request) -> str:
        """Name the likeliest moves of the last search with their shares of the visits."""
        found = self.player.last
        return _shares(found, self.player.rules) if found else ""

    def gfx(self, request: Request) -> str:
        """Draw the last search for GoGui: who owns what, shares of the visits, the best line."""
        found = self.player.last
        if found is None or not found.candidates:
            return "TEXT no search yet"
        rules = self.player.rules
        best = found.candidates[0]
        sign = 1.0 if found.turn == 0 else -1.0
        owned = " ".join(
            f"{rules.format_vertex(move)} {sign * value:.2f}"
            for move, value in enumerate(found.ownership)
        )
        labels = [word for word in _shares(found, rules).split() if word != "pass"]
        sides = "BW" if found.turn == 0 else "WB"
        line = " ".join(
            f"{sides[number % 2]} {rules.format_vertex(move)}"
            for number, move in enumerate(best.line[:8])
        )
        return (
            f"INFLUENCE {owned}\nLABEL {' '.join(labels)}\nVAR {line}\nTEXT {self.explain(request)}"
        )


def _shares(found: "Findings", rules: GoRules) -> str:
    told = [one for one in found.candidates if one.visits][:10]
    total = sum(one.visits for one in told) or 1
    return " ".join(
        f"{rules.format_vertex(one.move)} {100 * one.visits / total:.0f}" for one in told
    )


def parse_stones(words: Sequence[str], rules: GoRules) -> list[tuple[int, int]]:
    """Read colours and vertices in turn; raises InvalidText."""
    if len(words) % 2:
        raise InvalidText("colours and vertices do not pair")
    stones = [
        (1 + parse_turn(colour), rules.parse_vertex(vertex))
        for colour, vertex in zip(words[::2], words[1::2], strict=True)
    ]
    if len({move for _, move in stones}) != len(stones):
        raise InvalidText("repeated vertex")
    return stones

"""The extensions of GTP by KGS, CGOS, GoGui and gomill."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engines.core.game import IllegalMove, InvalidText
from engines.go.gtp.request import Handler, Request
from engines.go.play.player import Player, parse_turn
from engines.go.rules.text import GoRules

if TYPE_CHECKING:
    from engines.go.play.search import Findings

_ANALYZE: Final = """\
gfx/Search/quintet-gfx
dboard/Ownership/quintet-ownership
pspairs/Top Moves/quintet-top_moves
string/Last Move/gomill-explain_last_move
string/Final Score/final_score
plist/Dead/final_status_list dead
plist/Seki/final_status_list seki"""

_BRIEF: Final = 50  # Visits of a search that only serves to show something.


class Dialects:
    """The handlers of these commands."""

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
        """Answer a chat message on KGS with the findings of the last search."""
        findings = self.player.last
        if findings is None or not findings.candidates:
            return "hello, I am a program"
        return self._tell(findings)

    def describe(self, request: Request) -> str:
        """Describe the engine, for a game record."""
        rules = self.player.rules.rules
        return f"Quintet Go: a small network and PUCT search, {rules.title} rules"

    def explain(self, request: Request) -> str:
        """Say in words whose turn is shown, and what a search found for it."""
        findings, moment = self._shown()
        return f"{moment}: {self._tell(findings)}"

    def _tell(self, findings: "Findings") -> str:
        best = findings.candidates[0]
        line = " ".join(self.player.rules.format_vertex(move) for move in best.line[:8])
        return f"{findings.visits} visits, {100 * best.win:.1f}%, lead {best.lead:+.1f}: {line}"

    def _shown(self) -> "tuple[Findings, str]":
        """Return the findings that concern the board as it is, and whose turn they show.

        These are of a search of this position, or else of the one before the last move. If neither
        was searched, this position is searched briefly, which changes nothing about the game.
        """
        player = self.player
        findings, played = player.last, player.position.played
        near = player.searched in (played, played[:-1])
        if findings is None or not findings.candidates or not near:
            findings = player.search.look(player.position, _BRIEF)
            before = ""
        else:
            before = f"before move {len(played)}, " if player.searched != played else ""
        return findings, f"{before}{('Black', 'White')[findings.turn]} to move"

    def evaluation(self, request: Request) -> str:
        """Return the evaluation of the last move by its search, as an `info` line.

        After a resignation, it is that of the best move.
        """
        findings, position = self.player.last, self.player.position
        if findings is None or not position.played:
            return ""
        resigned = self.player.resigned == (findings, len(position.played))
        for one in findings.candidates:
            if resigned or (1 + findings.turn, one.move) == position.played[-1]:
                line = " ".join(self.player.rules.format_vertex(each) for each in one.line)
                score = f"est {one.win:.4f} lead {one.lead:+.1f}"
                return f"info nodes {findings.visits} score {score} pv {line}"
        return ""

    def play_sequence(self, request: Request) -> str:
        """Play moves; if one is refused, none is played."""
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
        """Set the side that moves first after a set-up."""
        turn = parse_turn(request.args[0] if request.args else "")
        position = self.player.position
        if position.played:
            raise InvalidText("moves were already played")
        position.put([], turn)
        self.player.forget()
        return ""

    def ownership(self, request: Request) -> str:
        """Return the owner of each point, from 1 for Black to -1 for White, one row per line."""
        rules = self.player.rules
        position = self.player.position
        sign = 1.0 if position.turn == 0 else -1.0
        owned = [sign * value for value in self.player.search.look(position, _BRIEF).ownership]
        rows = [owned[y * rules.width : (y + 1) * rules.width] for y in range(rules.height)]
        return "\n".join(" ".join(f"{value:.2f}" for value in row) for row in rows)

    def top_moves(self, request: Request) -> str:
        """Return the most visited moves, each with its side and its share of the visits: `D4 B62`.

        They are those of the search that `explain` describes.
        """
        findings, _ = self._shown()
        side = "BW"[findings.turn]
        return " ".join(f"{vertex} {side}{share}" for vertex, share in self._shares(findings))

    def gfx(self, request: Request) -> str:
        """Draw a search for GoGui: whose turn, ownership, shares of the visits, the best line."""
        findings, moment = self._shown()
        rules = self.player.rules
        best = findings.candidates[0]
        sign = 1.0 if findings.turn == 0 else -1.0
        owned = " ".join(
            f"{rules.format_vertex(move)} {sign * value:.2f}"
            for move, value in enumerate(findings.ownership)
        )
        shares = self._shares(findings)
        labels = " ".join(f"{vertex} {share}" for vertex, share in shares if vertex != "pass")
        sides = "BW" if findings.turn == 0 else "WB"
        line = " ".join(
            f"{sides[number % 2]} {rules.format_vertex(move)}"
            for number, move in enumerate(best.line[:8])
        )
        told = f"{moment}: {self._tell(findings)}"
        return f"INFLUENCE {owned}\nLABEL {labels}\nVAR {line}\nTEXT {told}"

    def _shares(self, findings: "Findings") -> list[tuple[str, str]]:
        """List the ten most visited moves with their percentages of the visits."""
        shown = [one for one in findings.candidates if one.visits][:10]
        total = sum(one.visits for one in shown) or 1
        vertex = self.player.rules.format_vertex
        return [(vertex(one.move), f"{100 * one.visits / total:.0f}") for one in shown]


def parse_stones(words: Sequence[str], rules: GoRules) -> list[tuple[int, int]]:
    """Parse alternating colours and vertices; raises InvalidText."""
    if len(words) % 2:
        raise InvalidText("colours and vertices do not pair")
    stones = [
        (1 + parse_turn(colour), rules.parse_vertex(vertex))
        for colour, vertex in zip(words[::2], words[1::2], strict=True)
    ]
    if len({move for _, move in stones}) != len(stones):
        raise InvalidText("repeated vertex")
    return stones

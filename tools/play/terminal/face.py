"""One game on the terminal: it shows each new position, and carries out what is typed."""

import contextlib
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, FIRST, SECOND
from tools.boards.text.board import draw_lines
from tools.play.filing import load_file, suffixes
from tools.play.offers import offer_of, player_of
from tools.play.session import CannotPlay, PlaySession
from tools.play.snapshot import EvaluationView, MoveView, Phase, RecordView, Snapshot
from tools.play.terminal.arguments import path_of, ply_of
from tools.play.terminal.menu import choose_title
from tools.play.terminal.position import (
    columns,
    describe_branches,
    describe_hints,
    describe_move,
    describe_record,
    describe_scoring,
    describe_turn,
    described,
    how_to_begin,
    is_dead,
    key_of,
    prompt_of,
    says_result,
    scene_of,
    targets_of,
    waits_for_engine,
)
from tools.play.terminal.prompt import Cancelled, PlainPrompt, Prompt
from tools.play.terminal.screen import Screen
from tools.play.texts import rules_of, say
from tools.roster.engines import split

_LOOK: Final = 0.2  # Seconds between looks for Ctrl-C while an engine thinks.
_SILENT: Final = 1.0  # An engine that answers sooner is not announced.


class Leave(Enum):
    """Why a game was left."""

    QUIT = "quit"  # The user leaves the program.
    NEW = "new"  # The user wants another game.


@dataclass(frozen=True, slots=True)
class Command:
    """A command: what it does with its arguments, and how `help` describes it."""

    run: Callable[["Face", str], None]
    arguments: str = ""
    games: tuple[str, ...] = ()  # Empty: all games.


class _Left(Exception):
    """The user leaves the game."""

    def __init__(self, how: Leave) -> None:
        super().__init__(how)
        self.how = how


class Face:
    """The terminal face of one session; it neither starts the session nor closes it."""

    def __init__(self, session: PlaySession, screen: Screen, prompt: Prompt) -> None:
        self._session = session
        self._screen = screen
        self._prompt = prompt
        self._news = threading.Condition()
        self._latest = session.snapshot()
        self._seen: object = None  # The parts of the latest snapshot that have been written.
        self._plies = -1  # Of the written position.
        self._setup = ""
        self._record: RecordView | None = None
        self._hints: Sequence[EvaluationView] = ()
        self._message = 0  # The number of the last message that was written.
        self._saved: set[Path] = set()
        self._filed: Sequence[str] = ()  # The moves of the game when it was saved last.
        self._interrupted = False
        self._begun = False

    def run(self) -> Leave:
        """Play until the user leaves."""
        end = self._session.subscribe(self._receive)
        try:
            while True:
                self._turn()
        except _Left as left:
            return left.how
        except EOFError:
            return Leave.QUIT
        finally:
            end()

    @property
    def loses_game(self) -> bool:
        """Whether the game would be lost if it were left now: it is neither kept nor saved."""
        keeper = self._session.keeper
        if not self._session.is_worth_keeping or (keeper is not None and not keeper.fault):
            return False
        return [move.text for move in self._session.snapshot().moves] != self._filed

    def _confirm_loss(self) -> None:
        """Ask before a game is lost; raises CannotPlay if it is not to be left. A pipe says yes."""
        if not self.loses_game or isinstance(self._prompt, PlainPrompt):
            return
        if self._ask(say("leave.lost"), ("yes", "no")).lower() not in ("y", "yes"):
            raise CannotPlay(say("ask.stopped"))

    def _receive(self, snapshot: Snapshot) -> None:
        """Take a new snapshot, from any thread."""
        with self._news:
            if snapshot.version < self._latest.version:
                return
            self._latest = snapshot
            self._news.notify_all()
            stale = key_of(snapshot) != self._seen
        if stale:
            self._prompt.cancel()

    def _turn(self) -> None:
        """Show what is new, wait for engines, and carry out one line."""
        with self._news:
            snapshot = self._latest
        self._show(snapshot)
        if not self._begun:  # Below the first board, which may be as high as the terminal.
            self._begun = True
            self._screen.note(how_to_begin(snapshot))
        if waits_for_engine(snapshot) and not self._interrupted:
            self._await_engine(snapshot)
            return
        try:
            words = (*sorted(snapshot.legal), *self._commands())
            line = self._prompt.read(prompt_of(snapshot), words, self._is_stale)
        except Cancelled:
            self._screen.say()
            return
        except KeyboardInterrupt:
            if self._interrupted or not waits_for_engine(snapshot):
                over = snapshot.phase == Phase.OVER
                kept = "leave.lost.how" if self.loses_game else "leave.how"
                self._screen.note(say("leave.over.how" if over else kept))
            self._interrupted = False
            return
        self._interrupted = False
        try:
            self._execute(line)
        except QuintetError as error:
            self._screen.error(str(error))

    def _is_stale(self) -> bool:
        with self._news:
            return key_of(self._latest) != self._seen

    def _await_engine(self, snapshot: Snapshot) -> None:
        """Wait until an engine has moved; Ctrl-C opens the input line."""
        try:
            with self._news:
                if self._news.wait_for(self._is_stale_here, _SILENT):
                    return
            if snapshot.turn is not None:
                player = snapshot.players[snapshot.turn]
                level = offer_of(snapshot.game).default_level
                how = say("silent.how", side=player.side, level=level)
                self._screen.note(how if player.reason else say("thinking", name=player.name))
            with self._news:
                while not self._news.wait_for(self._is_stale_here, _LOOK):
                    pass
        except KeyboardInterrupt:
            self._screen.say()
            if any(player.person for player in snapshot.players):
                self._interrupted = True
            else:  # Two engines would go on below the input line.
                self._session.go_to(self._session.snapshot().plies)

    def _is_stale_here(self) -> bool:
        return key_of(self._latest) != self._seen

    # Output.

    def _show(self, snapshot: Snapshot) -> None:
        """Write what has changed since the last time."""
        with self._news:
            if key_of(snapshot) == self._seen:
                return
            self._seen = key_of(snapshot)
        for message in snapshot.messages:
            if message.number > self._message:
                self._message = message.number
                if message.kind == "error":
                    self._screen.error(message.text)
                elif message.kind != "throw":  # Throws are shown in their order with the moves.
                    self._screen.note(message.text)
        if snapshot.hints != self._hints:
            self._hints = snapshot.hints
            for line in describe_hints(snapshot):
                self._screen.say(line)
        if snapshot.record != self._record:
            self._record = snapshot.record
            for line in describe_record(snapshot.record) if snapshot.record is not None else ():
                self._screen.say(line)
        if (snapshot.ply, snapshot.setup) != (self._plies, self._setup):
            self._show_position(snapshot)
        elif snapshot.scoring is not None:
            self._board(snapshot)
        if snapshot.result is not None:
            if not says_result(snapshot):
                self._screen.title(snapshot.result.sentence)
            if snapshot.phase == Phase.OVER:
                self._screen.note(say("over.how"))
        elif snapshot.phase == Phase.STEPPING:
            side, level = snapshot.sides[1], offer_of(snapshot.game).default_level
            self._screen.note(say("stepping.how", side=side, level=level))
        elif text := describe_scoring(snapshot):
            self._screen.say(text)
        elif snapshot.turn is not None and is_dead(snapshot, snapshot.turn):
            self._screen.note(say("dead.engine.how", side=snapshot.sides[snapshot.turn]))
        if self._session.keeper is not None and self._session.keeper.fault:
            self._screen.error(self._session.keeper.fault)

    def _show_position(self, snapshot: Snapshot) -> None:
        """Write the moves since the last position, and the board if it has changed."""
        before = self._plies
        self._plies, self._setup = snapshot.ply, snapshot.setup
        new: Sequence[MoveView] = ()
        if 0 <= before < snapshot.ply and snapshot.phase != Phase.STEPPING:
            new = snapshot.moves[before : snapshot.ply]
        for move in new:
            text = describe_move(move, snapshot)
            (self._screen.throw if move.side == CHANCE else self._screen.title)(text)
        if new and all(move.side == CHANCE for move in new):
            for line in describe_turn(snapshot):
                self._screen.say(line)
        else:
            self._board(snapshot)

    def _board(self, snapshot: Snapshot, targets: tuple[str, ...] = ()) -> None:
        lines = draw_lines(scene_of(snapshot, targets), self._screen.look)
        self._screen.say()
        self._screen.board(lines, wooden=snapshot.game == registry.GO)
        for line in describe_turn(snapshot):
            self._screen.say(line)
        if snapshot.comment:
            self._screen.say(snapshot.comment, "italic")
        if text := describe_branches(snapshot):
            self._screen.note(text)

    # Input.

    def _commands(self) -> tuple[str, ...]:
        game = self._latest.game
        return tuple(
            name for name, each in COMMANDS.items() if not each.games or game in each.games
        )

    def _execute(self, line: str) -> None:
        """Carry out a command, or play a move."""
        word, _, rest = line.partition(" ")
        snapshot = self._session.snapshot()
        if not line:
            if snapshot.to_throw:
                self._session.throw()
            return
        name = ALIASES.get(word.lower(), word.lower())
        if name in COMMANDS and name in self._commands():
            COMMANDS[name].run(self, rest.strip())
            return
        if snapshot.phase == Phase.STEPPING:
            known = line.lower() in map(str.lower, snapshot.choices)
            raise CannotPlay(say("stepping.move" if known else "stepping.unknown", text=line[:40]))
        if snapshot.to_throw:
            raise CannotPlay(say("throw.how"))
        self._session.play(line)

    def _ask(self, message: str, words: Sequence[str] = ()) -> str:
        """Ask a question within a command; raises CannotPlay for Ctrl-C.

        A move of an engine closes the input line: then the question is asked again.
        """
        while True:
            try:
                return self._prompt.read(message, words)
            except Cancelled:
                self._screen.say()
            except KeyboardInterrupt:
                raise CannotPlay(say("ask.stopped")) from None

    def help(self, rest: str) -> None:
        """Write the commands, and how moves are written."""
        self._screen.title(say("help.title"))
        for name in self._commands():
            usage = f"{name} {COMMANDS[name].arguments}".rstrip()
            for line in described(usage, say(f"help.{name}"), self._screen.look.width):
                self._screen.say(line)
        moves = say(f"moves.{self._latest.game}")
        if self._latest.game == registry.SHOGI and self._screen.look.unicode:
            moves = say("moves.kanji", moves=moves)
        self._screen.say(f"  {say('help.move', move=moves)}")

    def rules(self, rest: str) -> None:
        """Write the rules of the game."""
        self._screen.say(rules_of(self._latest.game))

    def board(self, rest: str) -> None:
        """Draw the board again."""
        self._board(self._session.snapshot())

    def legal(self, rest: str) -> None:
        """Write the legal moves, or those of a piece with its targets on the board."""
        snapshot = self._session.snapshot()
        if snapshot.throw_due:
            raise CannotPlay(say("throw.how"))
        moves, targets = (list(snapshot.choices), []) if not rest else targets_of(snapshot, rest)
        if targets:
            self._board(snapshot, tuple(targets))
        if not moves:
            raise CannotPlay(say("no.moves"))
        width = shutil.get_terminal_size().columns
        for row in columns(moves, width):
            self._screen.say(row)

    def moves(self, rest: str) -> None:
        """List the moves so far."""
        snapshot = self._session.snapshot()
        for move in snapshot.moves:
            self._screen.say(describe_move(move, snapshot))

    def undo(self, rest: str) -> None:
        """Take a move back."""
        self._session.undo()

    def hint(self, rest: str) -> None:
        """Ask our engine for a move, and wait for it unless Ctrl-C is pressed."""
        self._session.hint()
        self._screen.note(say("hint.wait"))
        with contextlib.suppress(KeyboardInterrupt), self._news:
            while not self._news.wait_for(lambda: not self._latest.hinting, _LOOK):
                pass

    def throw(self, rest: str) -> None:
        """Throw the dice."""
        self._session.throw()

    def resign(self, rest: str) -> None:
        """Give the game up."""
        self._session.resign()

    def save(self, rest: str) -> None:
        """Save the game as a file."""
        if not rest:
            raise CannotPlay(say("save.how", known=", ".join(suffixes(self._latest.game))))
        path = path_of(rest)
        try:
            if path.is_dir():
                raise CannotPlay(say("save.folder", path=path))
            if not path.suffix:
                path = path.with_suffix(suffixes(self._latest.game)[0])
            exists = path.exists()
        except OSError as error:  # Such as a name that is too long, or a folder of somebody else.
            raise CannotPlay(f"{path}: {error.strerror}") from error
        if exists and path not in self._saved:
            answer = self._ask(say("save.exists", path=path), ("yes", "no"))
            if answer.lower() not in ("y", "yes"):
                return
        moves = [move.text for move in self._session.snapshot().moves]
        self._session.save(path)
        self._saved.add(path)
        self._filed = moves

    def load(self, rest: str) -> None:
        """Load a record, and step through it."""
        if not rest:
            raise CannotPlay(say("load.how"))
        path = path_of(rest)
        self._confirm_loss()
        self._session.load(load_file(path, choose=self._choose), path.name)
        self._plies = -1

    def _choose(self, titles: Sequence[str]) -> int:
        """Ask for one of the games of a file; from a pipe, it is the first."""
        if isinstance(self._prompt, PlainPrompt):
            return 1
        return choose_title(self._screen, self._ask, titles)

    def go(self, rest: str) -> None:
        """Look at another position of the game."""
        if rest in ("+", "-"):
            (self.next if rest == "+" else self.back)("")
        elif not rest:
            self._session.go_to(self._session.snapshot().plies)
        else:
            self._session.go_to(ply_of(rest, "go.how"))

    def next(self, rest: str) -> None:
        """Look at the position one move further."""
        snapshot = self._session.snapshot()
        if snapshot.ply == snapshot.plies:
            raise CannotPlay(say("stepping.last"))
        self._session.go_to(snapshot.ply + 1)

    def back(self, rest: str) -> None:
        """Look at the position one move back."""
        snapshot = self._session.snapshot()
        if not snapshot.ply:
            raise CannotPlay(say("stepping.first"))
        self._session.go_to(snapshot.ply - 1)

    def variation(self, rest: str) -> None:
        """Look at a variation that begins at the shown position."""
        self._session.choose_branch(ply_of(rest, "variation.how"))

    def record(self, rest: str) -> None:
        """Write what the loaded record says of the game."""
        record = self._session.snapshot().record
        if record is None:
            raise CannotPlay(say("record.none"))
        for line in describe_record(record):
            self._screen.say(line)

    def go_on(self, rest: str) -> None:
        """Play on from the shown position, or from that after a move."""
        if rest:
            self._session.continue_from(ply_of(rest, "continue.how"))
            return
        if self._session.snapshot().phase == Phase.OVER:
            raise CannotPlay(say("not.over"))
        self._session.continue_from()

    def player(self, rest: str) -> None:
        """Change who plays a side."""
        snapshot = self._session.snapshot()
        words = split(rest)
        sides = [name for name in snapshot.sides if words and name.startswith(words[0].lower())]
        if len(sides) != 1 or len(words) < 2:
            levels = ", ".join(level.name for level in offer_of(snapshot.game).levels)
            first, second = snapshot.sides
            raise CannotPlay(say("player.how", first=first, second=second, levels=levels))
        player = player_of(snapshot.game, words[1:])
        self._session.set_player(snapshot.sides.index(sides[0]), player)

    def restart(self, rest: str) -> None:
        """Start dead engines again."""
        snapshot = self._session.snapshot()
        dead = [side for side in (FIRST, SECOND) if is_dead(snapshot, side)]
        if not dead:
            raise CannotPlay(say("restart.none"))
        for side in dead:
            self._session.restart_engine(side)

    def dead(self, rest: str) -> None:
        """Change the status of chains."""
        if not rest:
            raise CannotPlay(say("dead.how"))
        for point in rest.split():
            self._session.toggle_dead(point)

    def accept(self, rest: str) -> None:
        """Accept the count."""
        self._session.accept_score()

    def new(self, rest: str) -> None:
        """Leave for another game."""
        self._confirm_loss()
        raise _Left(Leave.NEW)

    def quit(self, rest: str) -> None:
        """Leave the program."""
        self._confirm_loss()
        raise _Left(Leave.QUIT)


COMMANDS: Final[Mapping[str, Command]] = {
    "help": Command(Face.help),
    "rules": Command(Face.rules),
    "board": Command(Face.board),
    "legal": Command(Face.legal, "[PLACE]"),
    "moves": Command(Face.moves),
    "throw": Command(Face.throw, games=("senet",)),
    "undo": Command(Face.undo),
    "hint": Command(Face.hint),
    "resign": Command(Face.resign),
    "dead": Command(Face.dead, "POINT ...", games=("go",)),
    "accept": Command(Face.accept, games=("go",)),
    "go": Command(Face.go, "[N|+|-]"),
    "next": Command(Face.next),
    "back": Command(Face.back),
    "variation": Command(Face.variation, "N"),
    "continue": Command(Face.go_on, "[N]"),
    "save": Command(Face.save, "FILE"),
    "load": Command(Face.load, "FILE"),
    "record": Command(Face.record),
    "player": Command(Face.player, "SIDE PLAYER"),
    "restart": Command(Face.restart),
    "new": Command(Face.new),
    "quit": Command(Face.quit),
}

# Words that people try, and what they mean by them.
ALIASES: Final[Mapping[str, str]] = {
    "?": "help",
    "roll": "throw",
    "exit": "quit",
    "q": "quit",
    "n": "next",
    "b": "back",
}

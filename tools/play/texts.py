"""All sentences of the faces, in one place, so that other languages can follow."""

from collections.abc import Mapping, Sequence
from typing import Final

from engines import registry
from engines.core.game import Outcome
from protocols.ask.score import End, Score
from tools.boards import words
from tools.records.game import Verdict

ENGLISH: Final[Mapping[str, str]] = {
    **words.ENGLISH,
    # The headers of records in SGF.
    "header.GN": "Game",
    "header.EV": "Event",
    "header.RO": "Round",
    "header.PC": "Place",
    "header.DT": "Date",
    "header.BR": "Black's rank",
    "header.WR": "White's rank",
    "header.BT": "Black's team",
    "header.WT": "White's team",
    "header.ON": "Opening",
    "header.OT": "Overtime",
    "header.SO": "Source",
    "header.US": "Entered by",
    "header.AN": "Annotated by",
    "header.CP": "Copyright",
    "header.GC": "About the game",
    # The choices for a new game: variants, and the rough worth of levels.
    "variant.go.chinese": "Chinese: living stones and territory count, komi 7.5",
    "variant.go.japanese": "Japanese: territory and prisoners count, komi 6.5",
    "variant.go.tromp-taylor": "Tromp-Taylor: like Chinese, and every stone counts as alive",
    "variant.go.aga": "AGA: like Chinese, with situational superko",
    "variant.go.new-zealand": "New Zealand: like Chinese, with suicide, komi 7",
    "variant.go.chinese-ogs": "Chinese as on OGS",
    "variant.go.chinese-kgs": "Chinese as on KGS",
    "variant.go.cgos": "CGOS: every stone counts as alive",
    "variant.go.korean": "Korean: territory and prisoners count, komi 6.5",
    "variant.shogi.24-point": "declaration by 24 points, with draws",
    "variant.shogi.try": "a king that reaches the other king's square wins",
    "variant.shogi.no-declaration": "no declaration of an entering king",
    "variant.morris.no-draws": "no draws by repetition or by moves without a capture",
    "variant.morris.no-flying": "a side with three pieces does not fly",
    "variant.morris.double-removal": "closing two mills removes two pieces",
    "variant.neutron.kraus": "1978: a blocked side loses, and a full far row does not win",
    "variant.senet.pass": "a throw of 2 or 3 without a move ends the turn",
    "variant.senet.free-first": "the first throw may move any piece",
    "variant.senet.over": "a throw beyond 30 also takes a piece off",
    "level.rating": "rating about {rating} above level 1 (matches of {games} games or more)",
    "level.kyu": "about {kyu} kyu on 19x19",
    "level.dan": "about {dan} dan on 19x19",
    "level.go.1": "a beginner who has just learnt the rules",
    "level.go.7": "plays its first thought",
    "level.go.8": "reads a few moves",
    "level.go.10": "the strongest",
    "level.shogi.1": "a beginner who sees mate in one",
    "level.shogi.21": "the strongest; won all of 30 games against level 17",
    "level.morris.1": "a beginner who looks for mills, and overlooks some",
    "level.morris.10": "the strongest; hardly ever makes a losing move",
    "level.neutron.random": "any legal move",
    "level.neutron.stubborn": "takes its pieces in turn, and hardly looks",
    "level.neutron.1": "a beginner",
    "level.neutron.10": "the strongest; as first player it always wins",
    "level.senet.random": "any legal move",
    "level.senet.greedy": "takes pieces off, captures, or runs with the foremost piece",
    "level.senet.1": "a beginner; the dice decide most games",
    "level.senet.10": "the strongest; beats a greedy player in 2 of 3 games",
    "no.open.game": "this game is no longer open",
    "no.kept.game": "there is no such unfinished game, or another program plays it",
    "too.many.games": "there are {most} open games; close one first",
    "too.large": "the file is too large: at most {most} MiB",
    "only.go": "only Go has a komi",
    "no.handicap": "no such handicap: {handicap}; expected a number of stones",
    "no.handicap.name": "no such handicap: {handicap} (known: {known})",
    "no.level": "no such level: {level} (known: {known})",
    "no.named.engine": "no engine of engines.toml that plays this game is called {name}",
    "no.guess": "expected odd or even, not {guess}",
    "won": "{winner} wins: {reason}",
    "both": "Both win: {reason}",
    "draw": "Draw: {reason}",
    "void": "No result: {reason}",
    # What an engine's score means, beside the share of the points that it expects.
    "score.pawns": "{pawns} pawns for {side}",
    "score.pawns.bound": "about {pawns} pawns for {side}",
    "score.lead": "{side} leads by {points}",
    "score.win": "{side} wins by force",
    "score.win.in": "{side} wins by force in {length}",
    "score.draw": "a forced draw",
    "points": "by {points} points",
    "point": "by 1 point",
    "jigo": "both sides have the same number of points",
    # The reasons for which games end, as the rules name them.
    "resign": "{loser} resigned",
    "time": "{loser} has no time left",
    "illegal": "{loser} made an illegal move",
    "neutron home": "the neutron is on {winner}'s home row",
    "far row": "all men of {winner} are on {loser}'s home row",
    "neutron blocked": "the neutron cannot move",
    "no move": "no man can move",
    "repetition": "the position has occurred too often",
    "third repetition": "the position has occurred three times",
    "no result": "the position has occurred three times",
    "perpetual check": "{loser} repeated the position by giving check",
    "checkmate": "{loser}'s king is mated",
    "no legal move": "{loser} has no legal move",
    "declaration": "{winner}'s king has entered the far ranks",
    "try": "{winner}'s king has reached the try square",
    "all men off": "all men of {winner} have left the board",
    # Refusals.
    "not.turn": "it is {side}'s turn, and an engine plays that side",
    "not.over": "the game is over; undo takes the last move back",
    "not.playing": "the position shown is not the last one; go to move {plies}, or continue here",
    "not.continued": "the game is only being looked at; continue it to play on from here",
    "not.scoring": "the dead stones are being discussed; accept the score, or undo to play on",
    "no.scoring": "no dead stones are being discussed",
    "score.waiting": "the engine is still looking for dead stones",
    "no.stone": "no stone stands on {point}",
    "no.undo": "there is no move of a person to take back",
    "no.throw": "no throw is due",
    "throw.first": "throw first",
    "no.ply": "no move {ply}: the game has {plies}",
    "no.engine": "{name} is a person, not an engine",
    "closed": "the session is closed",
    "no.hint": "there is nothing to suggest",
    "no.format": "{suffix!r} is no format for {game} (known: {known})",
    "other.game": "this is a game of {game}, and the engine of {side} plays {other}",
    "no.person": "no person plays that side",
    "no.player": "expected a player: person, or an engine",
    "no.setting": "{word}: the only setting of a person is name=NAME",
    "taken": "{path}: another process plays this game",
    "too.big": "it has more than {most} MiB",
    "no.object": "expected an object",
    "not.ascii": "it is not ASCII text",
    "plays.other": "{name} plays {other}, not {game}",
    "other.format": "format {format}, expected {known}",
    "not.started": "{name} has to be started again",
    # Messages.
    "engine.dead": "{name} has failed and can be started again: {reason}",
    "engine.illegal": "{name} played an illegal move, {move}: {reason}",
    "player.set": "{side} is played by {name} now",
    "player.how": "expected a side ({first} or {second}) and a player: person, a level of our "
    "engine ({levels}), or an engine with its settings",
    "engine.restarted": "{name} is started again",
    "hint": "suggestion: {move}",
    "hint.line": "  {number}. {move}  {side} {share} %  {rest}",
    "hint.line.bare": "  {number}. {move}  {rest}",
    "throw": "{side} throws [{throw}]: {steps} squares",
    "throw.one": "{side} throws [{throw}]: 1 square",
    "throw.none": "{side} throws [{throw}]: no move is possible",
    "variation": "the moves behind move {ply} are kept as a variation",
    "loaded": "{name}: {count} moves, {result}",
    "loaded.one": "{name}: 1 move, {result}",
    "loaded.open": "{name}: {count} moves",
    "loaded.open.one": "{name}: 1 move",
    "saved": "saved as {path}",
    "lost": "not saved: {what}",
    "lost.games": "{count} more games of the file: {suffix} holds one",
    "lost.games.one": "1 more game of the file: {suffix} holds one",
    "no.branch": "no variation {number} begins here (known: {known})",
    "no.branches": "no variation begins here",
    "branch.now": "{number}: {move} (shown)",
    "branch": "{number}: {move}",
    "branches": "From here (`variation N`): {branches}",
    "record.players": "{first} - {second}",
    "record.header": "  {name}: {text}",
    "record.none": "no record was loaded",
    "variation.how": "expected the number of a variation that begins here",
    "chosen": "variation {number} is the line now; `variation {number}` at move {ply} goes back",
    "set.aside": "the game so far is kept, and offered at the next start",
    "not.kept": "the game cannot be kept for the case of a crash: {reason}",
    "damaged": "{path}: damaged: {reason}",
    "undone": "taken back to move {ply}",
    # The terminal.
    "begin": "{move}; `help` lists the commands.",
    "begin.go": "Type a move, such as D4",
    "begin.shogi": "Type a move, such as 7g7f",
    "begin.morris": "Type a move, such as d6",
    "begin.neutron": "Type a move, such as c3-c1/b1-b4 (the first move of a game is only b1-b4)",
    "begin.senet": "Press Enter to throw, then type a move, such as 10-16",
    "begin.stepping": "`help` lists the commands.",
    "begin.watching": "Ctrl-C stops the game and opens the input line, where `help` lists the "
    "commands.",
    "move": "{number}. {side}: {move}",
    "turn": "{side} to move ({name})",
    "standing": "{side} to move",
    "standing.thrown": "{side} to move with a throw of {throw}",
    "standing.throw": "{side} to throw",
    "standing.over": "the game is over",
    "turn.check": "{side} to move ({name}), in check",
    "turn.thrown": "{side} to move with a throw of {throw} ({name})",
    "turn.throw": "{side} to throw ({name})",
    "prompt": "{side}> ",
    "prompt.throw": "{side}, Enter to throw> ",
    "prompt.over": "over> ",
    "prompt.scoring": "score> ",
    "prompt.stepping": "at {ply} of {plies}> ",
    "prompt.dead": "{side}, engine failed> ",
    "prompt.thinking": "{side} thinks> ",
    "thinking": "{name} is thinking; Ctrl-C opens the input line",
    "silent.how": "Ctrl-C opens the input line; there, `player {side} person` or `player {side} "
    "{level}` lets somebody else play this side.",
    "scoring.wait": "The engine looks for dead stones.",
    "scoring.none": "none",
    "scoring": "Dead stones: {dead}\nBlack {black}, White {white}: {result}\n"
    "`dead POINT` changes a chain, `accept` ends the game, `undo` plays on.",
    "over.how": "`undo` takes the end back, `save FILE` saves the game, `new` begins another, "
    "`quit` leaves.",
    "stepping.how": "`next`, `back` and `go N` look at other positions, `continue` plays on from "
    "here. `player {side} {level}` lets our engine play {side}.",
    "stepping.unknown": "no such command: {text}; `next`, `back` and `go N` look at other "
    "positions, `continue` plays on from here, `help` lists all commands",
    "stepping.move": "to play {text} here, `continue` the game first",
    "stepping.last": "this is the last position",
    "stepping.first": "this is the first position",
    "leave.how": "`quit` or Ctrl-D leaves; the game is kept and offered at the next start.",
    "leave.lost.how": "`quit` or Ctrl-D leaves; the game is lost then, unless `save FILE` saves "
    "it.",
    "leave.lost": "The game cannot be kept. Leave it, and lose it? [y/N] ",
    "leave.over.how": "`quit` or Ctrl-D leaves.",
    "dead.engine.how": "`restart` starts it again, `player {side} person` lets you play this side.",
    "throw.how": "press Enter to throw first",
    "no.moves": "there is no such move",
    "hint.wait": "The engine looks for a move.",
    "save.how": "expected a file: {known} tells the format",
    "save.folder": "{path} is a folder; expected the name of a file",
    "no.path": "no file has a name with a zero byte",
    "save.exists": "{path} exists; overwrite it? [y/N] ",
    "ask.stopped": "nothing was done",
    "load.how": "expected a file",
    "go.how": "expected the number of a move, + or -",
    "continue.how": "expected the number of a move, or nothing to play on from here",
    "restart.none": "no engine has failed",
    "dead.how": "expected a point with a stone",
    "help.title": "Commands",
    "help.help": "this list",
    "help.rules": "the rules of the game",
    "help.board": "draw the board again",
    "help.legal": "the legal moves, or those of a piece",
    "help.moves": "the moves so far, with their numbers",
    "help.throw": "throw the die; so does Enter",
    "help.undo": "take your last move back",
    "help.hint": "let an engine suggest a move",
    "help.resign": "give the game up",
    "help.dead": "change whether a chain counts as dead",
    "help.accept": "accept the count, which ends the game",
    "help.go": "look at the position after move N; without N, at the last one",
    "help.next": "look at the position one move further",
    "help.back": "look at the position one move back",
    "help.continue": "play on from the shown position, or from that after move N",
    "help.variation": "look at a variation that begins here; 0 is the line of now",
    "help.record": "what the loaded record says of the game",
    "help.save": "save the game; the suffix of the file tells the format",
    "help.load": "load a record, and step through it",
    "help.player": "change who plays a side: person, a level of our engine, or any engine",
    "help.restart": "start a failed engine again",
    "help.new": "leave this game for another one",
    "help.quit": "leave; an unfinished game is kept",
    "help.move": "Anything else is a move: {move}.",
    "moves.go": "D4, or pass",
    "moves.shogi": "7g7f, 8h2b+ promotes, P*5e drops a pawn, win declares; also P-7f, 7776FU",
    "moves.kanji": "{moves}, 76歩",
    "moves.morris": "d6 places a man, d6-d5 moves one, d6-d5xc3 also removes c3",
    "moves.neutron": "c3-c1/b1-b4 slides the neutron, then a man",
    "moves.senet": "10-16, or 24-off",
    # The menu.
    "menu.title": "Quintet",
    "menu.game": "Game",
    "menu.unfinished": "Unfinished games",
    "menu.unfinished.line": "{began}  {title}: {players}, up to move {moves}",
    "menu.unfinished.older": "older ones that are not listed: {count}",
    "menu.unfinished.choose": "Number to continue, d N to delete, q to leave, Enter for a new "
    "game: ",
    "menu.unfinished.wrong": "expected a number from 1 to {most}, alone or after d; Enter for a "
    "new game, or q to leave",
    "menu.unfinished.help": "A number from 1 to {most} continues that game, d and a number deletes "
    "it, Enter goes on to a new game, and q leaves.",
    "menu.help": "Answer the question, or press Enter for what is in brackets, or for none; q "
    "leaves.",
    "menu.unfinished.mention": "Unfinished games: {count}. "
    "`quintet play` without arguments lists and continues them.",
    "menu.mode": "Who plays?",
    "menu.computer": "you against the computer",
    "menu.persons": "two people",
    "menu.watch": "watch two computers",
    "menu.instructions": "instructions",
    "menu.size": "Board",
    "menu.size.line": "{size}x{size}",
    "menu.rules": "Rules",
    "menu.variant": "Variant",
    "menu.usual": "the usual rules",
    "menu.handicap": "Handicap stones, or Enter for none: ",
    "menu.set-up": "Handicap, such as {examples}, or Enter for none: ",
    "menu.level": "Level of the computer",
    "menu.level.of": "Level of {side}",
    "menu.colour": "Your colour",
    "menu.lot.go": "nigiri: guess whether the number of stones is odd or even",
    "menu.lot": "throw in: by lot",
    "menu.guess": "Odd or even",
    "menu.odd": "odd",
    "menu.even": "even",
    "menu.nigiri": "There are {count} stones, which is {parity}: you are {side}.",
    "menu.nigiri.one": "There is 1 stone, which is {parity}: you are {side}.",
    "menu.thrown": "The lot falls: you are {side}.",
    "menu.clock": "Clock, such as 600, 600+5 or 600+5x30, or Enter for none: ",
    "menu.choose": "Number [{default}]: ",
    "menu.choose.level": "Level [{default}]: ",
    "menu.file": "The file has {count} games",
    "menu.file.more": "Games {first} to {last} are not listed, and can be chosen by their numbers.",
    "menu.wrong": "expected a number from 1 to {most}",
    "menu.quit": "leave",
    "menu.deleted": "deleted",
    "menu.lost": "The game could not be kept, and is lost.",
    "menu.kept": "The game is kept. `quintet play` without arguments lists it.",
}
"""Each sentence by a key; words in braces are filled in."""


def say(key: str, texts: Mapping[str, str] = ENGLISH, **values: object) -> str:
    """Return a sentence with its values."""
    return texts[key].format(**values)


def say_count(key: str, count: int, texts: Mapping[str, str] = ENGLISH, **values: object) -> str:
    """Return a sentence about a number of things; that about one thing has a key of its own."""
    return say(f"{key}.one" if count == 1 else key, texts, count=count, **values)


def rules_of(game: str) -> str:
    """Return a description of the rules of a game, whose lines are paragraphs and items."""
    lines: list[str] = []
    for line in registry.find(game).load("explanation")().splitlines():
        begins = line.startswith("- ") or not lines or lines[-1].endswith(".")
        if line.startswith(" ") or not begins:
            lines[-1] += f" {line.strip()}"  # How wide lines are is for the faces.
        else:
            lines.append(line)
    return "\n".join(lines).strip()


def header_name(key: str, texts: Mapping[str, str] = ENGLISH) -> str:
    """Return what a header of a record is called; headers of shogi have names already."""
    return texts.get(f"header.{key}", key)


def side_name(side: str, texts: Mapping[str, str] = ENGLISH) -> str:
    """Return the name of a side as sentences use it."""
    return texts.get(f"side.{side}", side.capitalize())


def describe_score(
    score: Score, mover: int, sides: Sequence[str], texts: Mapping[str, str] = ENGLISH
) -> str:
    """Say what an engine's score means beside the share of the points; empty if nothing more.

    Pawns count for the side that moves first; a lead and a forced end are those of their side.
    """
    if score.centipawns is not None:
        pawns = (-1 if mover else 1) * score.centipawns / 100 + 0.0  # Never -0.0.
        key = "score.pawns" if score.bound is None else "score.pawns.bound"
        return texts[key].format(pawns=f"{pawns:+.2f}", side=side_name(sides[0], texts))
    if score.end is not None:
        winner = mover if score.end is End.WIN else 1 - mover
        name = side_name(sides[winner], texts)
        key = "score.draw" if score.end is End.DRAW else "score.win"
        if score.length and key == "score.win":
            key = "score.win.in"
        return texts[key].format(side=name, length=score.length)
    if score.lead is not None:
        leader = mover if score.lead >= 0 else 1 - mover
        name = side_name(sides[leader], texts)
        return texts["score.lead"].format(side=name, points=f"{abs(score.lead):g}")
    return ""


def describe_result(
    outcome: Outcome,
    verdict: Verdict,
    sides: Sequence[str],
    texts: Mapping[str, str] = ENGLISH,
) -> str:
    """Say in a full sentence how a game ended."""
    winner = loser = ""
    if outcome.winner is not None:
        winner = side_name(sides[outcome.winner], texts)
        loser = side_name(sides[1 - outcome.winner], texts)
    key = outcome.reason if verdict == Verdict.NATURAL else str(verdict)
    reason = outcome.reason
    if outcome.reason[:2] in ("B+", "W+") and verdict == Verdict.NATURAL:
        points = outcome.reason[2:]
        reason = texts["point" if points == "1" else "points"].format(points=points)
    elif outcome.reason == "0":
        reason = texts["jigo"]
    elif key in texts:
        reason = texts[key].format(winner=winner, loser=loser)
    if winner:
        return texts["won"].format(winner=winner, reason=reason)
    form = "both" if outcome.both else "void" if outcome.reason == "no result" else "draw"
    return texts[form].format(reason=reason)

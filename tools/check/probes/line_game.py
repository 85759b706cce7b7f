"""Probes of the line protocol's own commands, whatever the game."""

import re
import time
from typing import Final

from engines import registry
from engines.core.game import CHANCE, IllegalMove, InvalidText
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Fault, Unsuited, expect
from tools.check.talks.framed import MINIMUM, MORE, THOUGHT, LineTalk
from tools.check.talks.talk import ANSWER, START

LINE: Final = Catalogue()
_PLIES: Final = 30  # Of a game that needs the fewest commands.
_SCORE: Final = r"(exact (win \d+|loss \d+|draw|\d\.\d+|[01])|est \d\.\d+)"
_INFO: Final = re.compile(rf"info depth \d+ nodes \d+ time \d+ score {_SCORE}( pv( \S+)+)?")
_RESULT: Final = re.compile(r"none|(white|black|draw|both)( .+)?")
_MARGIN: Final = 1.0  # Seconds beyond the clock that a busy machine may take.


def _play(talk: LineTalk, count: int) -> None:
    """Play a number of moves, or until the game ends: always the middle one of the list."""
    for _ in range(count):
        moves = talk.legal()
        if not moves:
            return
        talk.ask(f"play {moves[len(moves) // 2]}")


def _state(talk: LineTalk) -> tuple[str, str]:
    return talk.ask("position"), talk.ask("turn")


@LINE.add("line-minimum", MUST, "a match needs these commands, and sends no others unasked")
def _minimum(talk: LineTalk) -> None:
    """Play a game as a match does, by our own rules; both sides are the engine's in turn."""
    expect(talk.ask("known_command game") == "true", "known_command game must answer true")
    game = talk.start_of_game()
    talk.ask("newgame default", START)
    talk.ask("time_settings 10")
    for ply in range(_PLIES):
        if game.outcome() is not None:
            return
        if game.turn == CHANCE:
            throw = 1 + ply * ply // 3 % 5
            game.play(str(throw))
            talk.throw(throw)
            continue
        side = game.rules.sides[game.turn][0]
        if ply % 3 == 0:
            moves = game.position.legal_moves()
            text = game.rules.format(game.position, moves[len(moves) // 2])
            game.play(text)
            talk.ask(f"play {side} {text}")
            continue
        answer = talk.ask(f"genmove {side}", THOUGHT)
        if answer.lower() == "resign":
            return
        try:
            game.play(answer)
        except (InvalidText, IllegalMove) as error:
            raise Fault(f"genmove {side} answered {answer[:60]!r}: {error}") from error


@LINE.add("line-commands", SHOULD, "tools other than a match use the rest of the protocol")
def _commands(talk: LineTalk) -> None:
    missing = [word for word in (*MINIMUM, *MORE) if not talk.client.known(word)]
    expect(not missing, f"it does not list {', '.join(missing)}")


@LINE.add("line-game", MUST, "a referee needs the name of the game")
def _game(talk: LineTalk) -> None:
    game = talk.ask("game")
    expect(game in registry.GAMES, f"game {game!r} (known: {', '.join(sorted(registry.GAMES))})")


@LINE.add("line-variants", SHOULD, "a referee asks which variants it may name")
def _variants(talk: LineTalk) -> None:
    variants = talk.ask("variants").split()
    expect(bool(variants), "no variant, not even the default")
    for variant in variants:
        talk.ask("newgame" if variant == "default" else f"newgame {variant}")


@LINE.add("newgame-bad", MUST, "an unknown variant must not be replaced by another")
def _newgame_bad(talk: LineTalk) -> None:
    before = _state(talk)
    for words in ("newgame frobnicate", "newgame frobnicate=7", "newgame default surplus"):
        talk.expect_refusal(words)
    expect(_state(talk) == before, "a refused newgame changed the position")


@LINE.add("newgame-resets", MUST, "games follow one another in one process")
def _newgame_resets(talk: LineTalk) -> None:
    before = talk.ask("position")
    _play(talk, 3)
    talk.ask("newgame")
    expect(talk.ask("position") == before, "newgame is not the start position")


@LINE.add("position-again", MUST, "position must accept what position prints")
def _position_again(talk: LineTalk) -> None:
    _play(talk, 3)
    talk.turn()
    before = (*_state(talk), talk.ask("legal"))
    talk.ask("newgame")
    talk.ask(f"position {before[0]}")
    after = (*_state(talk), talk.ask("legal"))
    expect(after == before, f"set up again, {before[0]!r} became {after[0]!r}")


@LINE.add("position-bad", MUST, "an invalid set-up must be refused and change nothing")
def _position_bad(talk: LineTalk) -> None:
    talk.ask(f"play {talk.legal()[0]}")
    before = _state(talk)
    half = before[0][: len(before[0]) // 2]
    for words in ("frobnicate", half, "/" * 40, "w", before[0] + " surplus surplus"):
        talk.expect_refusal(f"position {words}")
    expect(_state(talk) == before, "a refused set-up changed the position")


@LINE.add("position-history", SHOULD, "a set-up starts a new history: nothing to take back")
def _position_history(talk: LineTalk) -> None:
    talk.ask(f"play {talk.legal()[0]}")
    talk.ask(f"position {talk.ask('position')}")
    talk.expect_refusal("undo")


@LINE.add("turn", MUST, "white, black, or over; with dice `white roll`")
def _turn(talk: LineTalk) -> None:
    for _ in range(4):
        turn = talk.ask("turn")
        expect(bool(re.fullmatch("(white|black)( roll)?", turn)), f"turn {turn!r}")
        talk.ask(f"play {talk.legal()[0]}")


@LINE.add("legal-plays", MUST, "every listed move can be played and taken back")
def _legal(talk: LineTalk) -> None:
    moves = talk.legal()
    before = _state(talk)
    expect(bool(moves), "no legal move at the start")
    expect(len(set(moves)) == len(moves), "a move is listed twice")
    for move in moves:
        talk.ask(f"play {move}")
        expect(talk.ask("position") != before[0], f"{move} changed nothing")
        talk.ask("undo")
        talk.thrown = 0  # With dice, undo also takes back the throw: throw the same again.
        talk.turn()
        expect(_state(talk) == before, f"{move} and undo did not lead back")


@LINE.add(
    "play-illegal", MUST, "if an illegal move is accepted, the two boards differ from then on"
)
def _illegal(talk: LineTalk) -> None:
    talk.turn()
    before = _state(talk)
    for move in ("a1-a1", "z9", "30-31", "pass", "resign", "x" * 300):
        talk.expect_refusal(f"play {move}")
    talk.expect_refusal("play")
    expect(_state(talk) == before, "a refused move changed the position")


@LINE.add("play-side", MUST, "GTP tools send a side: b, w, black or white")
def _side(talk: LineTalk) -> None:
    for form in (0, 1, 0, 1):
        move = talk.legal()[0]
        side = talk.turn().split()[0]
        talk.ask(f"play {(side, side[0])[form]} {move}")


@LINE.add("play-wrong-side", MUST, "a side that is given must be checked")
def _wrong_side(talk: LineTalk) -> None:
    move = talk.legal()[0]
    other = {"white": "black", "black": "white"}[talk.turn().split()[0]]
    talk.expect_refusal(f"play {other} {move}")
    talk.expect_refusal(f"genmove {other}")
    talk.expect_refusal(f"play green {move}")


@LINE.add("undo", MUST, "undo takes back one move or several")
def _undo(talk: LineTalk) -> None:
    start = talk.ask("position")
    _play(talk, 3)
    talk.ask("undo")
    talk.ask("undo 2")
    expect(talk.ask("position") == start, "three moves and undo 3 did not lead back")


@LINE.add("undo-too-many", MUST, "undo takes back all moves, or none if it is refused")
def _undo_too_many(talk: LineTalk) -> None:
    talk.expect_refusal("undo")
    talk.ask(f"play {talk.legal()[0]}")
    before = _state(talk)
    for words in ("undo 2", "undo 0", "undo -1", "undo x", "undo 99999999999999999999"):
        talk.expect_refusal(words)
    expect(_state(talk) == before, "a refused undo changed the position")


@LINE.add("genmove", MUST, "genmove answers a legal move and plays it")
def _genmove(talk: LineTalk) -> None:
    moves = talk.legal()
    before = talk.ask("position")
    move = talk.ask("genmove", THOUGHT)
    expect(move in moves, f"genmove answered {move!r}, which legal does not list")
    expect(talk.ask("position") != before, f"{move} was answered but not played")
    talk.ask("undo")


@LINE.add("genmove-game", MUST, "forty moves long the answers stay legal")
def _game_long(talk: LineTalk) -> None:
    talk.ask("limit nodes 10")
    for _ in range(40):
        if talk.turn() == "over":
            break
        moves = talk.ask("legal").split()
        move = talk.ask("genmove", THOUGHT)
        expect(move in moves or move == "resign", f"genmove {move!r} is not in legal")
        if move == "resign":
            break


@LINE.add(
    "genmove-over", MUST, "after the end of a game, genmove is refused and the engine goes on"
)
def _over(talk: LineTalk) -> None:
    talk.ask("limit nodes 10")
    for _ in range(400):
        if talk.turn() == "over" or talk.ask("genmove", THOUGHT) == "resign":
            break
    if talk.ask("turn") != "over":
        raise Unsuited("no game ended within 400 moves")
    talk.expect_refusal("genmove", THOUGHT)
    expect(not talk.ask("legal"), "legal moves after the end")
    result = talk.ask("result")
    expect(bool(_RESULT.fullmatch(result)) and result != "none", f"result {result!r} after the end")


@LINE.add("reg-genmove", MUST, "reg_genmove names a move without playing it")
def _reg_genmove(talk: LineTalk) -> None:
    moves = talk.legal()
    before = _state(talk)
    move = talk.ask("reg_genmove", THOUGHT)
    expect(move in moves, f"reg_genmove answered {move!r}, which legal does not list")
    expect(_state(talk) == before, "reg_genmove changed the position")


@LINE.add("roll", MUST, "the referee throws the dice; a game without dice refuses")
def _roll(talk: LineTalk) -> None:
    if not _has_dice(talk):
        talk.expect_refusal("roll")
        talk.expect_refusal("roll 3")
        return
    while not talk.dice:
        talk.ask(f"play {talk.legal()[0]}")
    talk.expect_refusal("genmove")
    for words in ("roll 0", "roll 6", "roll x", "roll -1"):
        talk.expect_refusal(words)
    answer = talk.ask("roll 3")
    expect(answer == "3", f"roll 3 answered {answer!r}")


def _has_dice(talk: LineTalk) -> bool:
    """Whether a throw is due within the first moves; the first move may need none."""
    for _ in range(3):
        if talk.dice:
            break
        talk.ask(f"play {talk.ask('legal').split()[0]}")
    dice = talk.dice
    talk.ask("newgame")
    return dice


@LINE.add("limit", MUST, "depth, nodes and seconds bound every search; 0 lifts a bound")
def _limit(talk: LineTalk) -> None:
    for words in ("depth 2", "nodes 100", "seconds 1.5", "depth 0", "nodes 0", "seconds 0"):
        talk.ask(f"limit {words}")
    for words in ("", "depth", "depth x", "depth -1", "nodes 1.5", "hours 3", "seconds soon"):
        talk.expect_refusal(f"limit {words}".strip())


@LINE.add("limit-kept", MUST, "a referee uses limits in seconds as well")
def _limit_kept(talk: LineTalk) -> None:
    talk.ask("limit nodes 0")
    talk.ask("limit seconds 1")
    _timed_move(talk, 1.0)


@LINE.add("time-settings", MUST, "a referee sets the clock in these words")
def _settings(talk: LineTalk) -> None:
    controls = ("600", "600+5", "600+5x30", "600+25/300", "1/move", "60h", "none")
    for control in (*controls, "depth=3", "600+5,nodes=1000", "0.5/move", "none"):
        talk.ask(f"time_settings {control}")


@LINE.add("time-settings-bad", SHOULD, "a misread clock loses games")
def _settings_bad(talk: LineTalk) -> None:
    for control in ("", "soon", "600+", "-5", "600+5x", "depth=x"):
        talk.expect_refusal(f"time_settings {control}".strip())


@LINE.add("time-left", MUST, "the referee tells its clock before every move, with decimals")
def _left(talk: LineTalk) -> None:
    talk.ask("time_settings 600+5x30")
    for words in ("b 600", "white 599.125", "w 30 4", "black 12.5 1"):
        talk.ask(f"time_left {words}")
    for words in ("", "green 10", "b", "b soon", "b -1"):
        talk.expect_refusal(f"time_left {words}".strip())


@LINE.add("time-kept", MUST, "an engine that exceeds its clock loses the game")
def _kept(talk: LineTalk) -> None:
    _clocked(talk, "2/move")
    _timed_move(talk, 2.0)


@LINE.add("time-trouble", SHOULD, "with half a second left an engine must move immediately")
def _trouble(talk: LineTalk) -> None:
    _clocked(talk, "60")
    talk.ask(f"time_left {talk.turn().split()[0]} 0.5")
    _timed_move(talk, 0.5)


def _clocked(talk: LineTalk, control: str) -> None:
    if talk.client.known("limit"):
        talk.ask("limit nodes 0")
        talk.ask("limit seconds 0")
    talk.ask(f"time_settings {control}")


def _timed_move(talk: LineTalk, allowed: float) -> None:
    command = talk.move_command()
    began = time.monotonic()
    talk.ask(command, THOUGHT)
    spent = time.monotonic() - began
    limit = (allowed + _MARGIN) * talk.patience
    expect(spent < limit, f"it took {spent:.1f} s for a move with {allowed:g} s left")


@LINE.add("interrupt", SHOULD, "`# interrupt` ends a search, and the move is answered")
def _interrupt(talk: LineTalk) -> None:
    talk.begin_long_thought()
    time.sleep(0.2)
    talk.send_bytes(b"# interrupt\n")
    frame = talk.frame(ANSWER)
    expect(frame.mark == "=", f"after an interrupt: {frame.lines[0]!r}")


@LINE.add("queue-thinking", MUST, "commands during genmove must wait for their turn")
def _queue(talk: LineTalk) -> None:
    talk.need("turn")
    talk.turn()
    talk.send("51 genmove", "52 protocol_version", "53 turn")
    for number in ("51", "52", "53"):
        frame = talk.frame(THOUGHT)
        expect(frame.identity == number, f"{frame.lines[0]!r} where reply {number} was expected")


@LINE.add("analyze", MUST, "its lines are parsed by clients, and any input ends it")
def _analyze(talk: LineTalk) -> None:
    talk.need("analyze")
    talk.turn()
    talk.send("analyze 10")
    line = talk.read(START)
    expect(line.rstrip() == "=", f"analyze began with {line[:80]!r}, not with = alone")
    time.sleep(0.3)
    talk.send_bytes(b"61 protocol_version\n")
    while line := talk.read():
        expect(bool(_INFO.fullmatch(line)), f"{line[:120]!r} is not an info line")
    frame = talk.frame()
    expect((frame.identity, frame.text) == ("61", "2"), f"then: {frame.lines[0]!r}, not =61 2")


@LINE.add("analyze-empty-line", MUST, "an empty line ends the analysis")
def _analyze_empty(talk: LineTalk) -> None:
    talk.need("analyze")
    talk.turn()
    talk.send_bytes(b"analyze\n\n")
    line = talk.read(START)
    expect(line.rstrip() == "=", f"analyze began with {line[:80]!r}")
    while talk.read():
        pass


@LINE.add("evaluation", SHOULD, "records contain the evaluation of each move")
def _evaluation(talk: LineTalk) -> None:
    talk.need("evaluation")
    talk.think()
    answer = talk.ask("evaluation")
    expect(not answer or bool(_INFO.fullmatch(answer)), f"evaluation {answer[:120]!r}")


@LINE.add("result", MUST, "a referee compares the engine's result with its own")
def _result(talk: LineTalk) -> None:
    answer = talk.ask("result")
    expect(answer == "none", f"result {answer!r} at the start of a game")


@LINE.add("options", SHOULD, "a client shows the options as option lists them")
def _options(talk: LineTalk) -> None:
    lines = talk.ask("option").splitlines()
    for line in lines:
        talk.ask(f"option {line.split()[0]}")
    talk.expect_refusal("option frobnicate")
    talk.expect_refusal("option frobnicate 7")
    talk.attempt("option seed " + "9" * 400)
    talk.think()


@LINE.add("perft", SHOULD, "perft 1 counts the legal moves, or the faces of the dice")
def _perft(talk: LineTalk) -> None:
    count = int(talk.ask("perft 1"))
    if not _has_dice(talk):
        moves = len(talk.ask("legal").split())
        expect(count == moves, f"perft 1 is {count}, and {moves} moves are legal")
    for words in ("perft", "perft 0", "perft x", "perft -1"):
        talk.expect_refusal(words)


@LINE.add("showboard", NICE, "a person in a terminal reads the board below the `=`")
def _showboard(talk: LineTalk) -> None:
    talk.need("showboard")
    frame = talk.exchange_bytes(b"showboard\n")
    expect(
        frame.lines[0].strip() == b"=", f"the diagram begins beside the mark: {frame.lines[0]!r}"
    )
    expect(len(frame.lines) > 3, "it draws no board")

"""Probes of searches in USI: the fields of go, stop, ponder, mate, clocks, info lines."""

import re
import time
from typing import Final

from engines.core.game import IllegalMove, InvalidText
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Unsuited, expect
from tools.check.talks.talk import ANSWER, START
from tools.check.talks.usi_talk import CLOCK, LONG, QUICK, SHORT, THOUGHT, UsiTalk, position_of

SEARCH: Final = Catalogue()
_MARGIN: Final = 1.0  # Seconds beyond the clock that a busy machine may take.
_STUCK: Final = "sfen 8k/9/7+R1/9/9/9/9/9/K8 w - 1"
_MATE: Final = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"
_NUMBERS: Final = ("depth", "seldepth", "time", "nodes", "multipv", "hashfull", "nps")


@SEARCH.add("go-clock", MUST, "main time and byo-yomi: what ShogiHome sends")
def _clock(talk: UsiTalk) -> None:
    talk.search(CLOCK)


@SEARCH.add("go-byoyomi", MUST, "byo-yomi alone, ShogiHome's default")
def _byoyomi(talk: UsiTalk) -> None:
    talk.search(SHORT)


@SEARCH.add("go-increment", MUST, "increments, and then no byo-yomi")
def _increment(talk: UsiTalk) -> None:
    talk.search("btime 5000 wtime 5000 binc 1000 winc 1000")


@SEARCH.add("go-increment-nothing", SHOULD, "some clients send an increment of 0")
def _increment_nothing(talk: UsiTalk) -> None:
    talk.search(f"{QUICK} binc 0 winc 0")


@SEARCH.add("go-increment-one-side", SHOULD, "ShogiHome sends the clocks of both sides as they are")
def _one_side(talk: UsiTalk) -> None:
    talk.search("btime 5000 wtime 600000 binc 1000 winc 0")


@SEARCH.add("go-order", SHOULD, "the fields have no order")
def _order(talk: UsiTalk) -> None:
    talk.search("byoyomi 1000 wtime 10000 btime 10000")


@SEARCH.add("go-movetime", SHOULD, "cshogi and runners think for a fixed time")
def _movetime(talk: UsiTalk) -> None:
    talk.search("movetime 1000")


@SEARCH.add("go-depth", SHOULD, "ShogiGUI thinks to a depth")
def _depth(talk: UsiTalk) -> None:
    talk.search("depth 2")


@SEARCH.add("go-nodes", SHOULD, "ShogiGUI and test suites count nodes")
def _nodes(talk: UsiTalk) -> None:
    talk.search("nodes 500")


@SEARCH.add("go-rtime", NICE, "YaneuraOu and others know a random time")
def _rtime(talk: UsiTalk) -> None:
    talk.search(f"{QUICK} rtime 100")


@SEARCH.add("go-searchmoves", SHOULD, "a client may restrict the search to some moves")
def _searchmoves(talk: UsiTalk) -> None:
    output = talk.search(f"{QUICK} searchmoves 9g9f 1g1f")
    expect(output.move in ("9g9f", "1g1f"), f"asked for 9g9f or 1g1f it answered {output.move}")


@SEARCH.add("go-unknown-words", SHOULD, "protocols grow: an unknown word must be ignored")
def _unknown_words(talk: UsiTalk) -> None:
    talk.search(f"{QUICK} frobnicate 7")


@SEARCH.add("go-numbers", SHOULD, "a broken number must not end the engine")
def _numbers(talk: UsiTalk) -> None:
    for go in ("btime x wtime y byoyomi 1000", "btime -500 wtime 1000 byoyomi 1000"):
        talk.search(go)


@SEARCH.add("go-bare", SHOULD, "`go` alone thinks until `stop`")
def _bare(talk: UsiTalk) -> None:
    talk.send("position startpos", "go")
    talk.listen(0.3)
    talk.send("stop")
    talk.judge(talk.answer())


@SEARCH.add("go-infinite", MUST, "research: no answer before stop, and then exactly one")
def _infinite(talk: UsiTalk) -> None:
    _silent_until(talk, "infinite", "startpos", "stop")


@SEARCH.add("go-infinite-mate", MUST, "research of a mate: no answer before stop either")
def _infinite_mate(talk: UsiTalk) -> None:
    _silent_until(talk, "infinite", _MATE, "stop")


@SEARCH.add("go-infinite-no-moves", MUST, "research of the end: no answer before stop either")
def _infinite_no_moves(talk: UsiTalk) -> None:
    _silent_until(talk, "infinite", _STUCK, "stop")


def _silent_until(talk: UsiTalk, go: str, position: str, then: str) -> None:
    talk.send(f"position {position}", f"go {go}")
    talk.listen(0.5, f"an answer before {then!r}")
    talk.send(then)
    talk.judge(talk.answer(), position)


@SEARCH.add("stop-at-once", MUST, "`stop` right after `go`; GPSShogi resigns here")
def _stop_at_once(talk: UsiTalk) -> None:
    for go in (LONG, "infinite"):
        talk.send("position startpos", f"go {go}", "stop")
        talk.judge(talk.answer())


@SEARCH.add("stop", MUST, "stop must bring the answer immediately")
def _stop(talk: UsiTalk) -> None:
    talk.begin_endless_thought()
    talk.keep_thinking(0.3)
    talk.send("stop")
    began = time.monotonic()
    talk.judge(talk.answer())
    spent = time.monotonic() - began
    expect(spent < 2 * talk.patience, f"bestmove came {spent:.1f} s after stop")


@SEARCH.add("stop-twice", SHOULD, "two `stop`s bring one answer")
def _stop_twice(talk: UsiTalk) -> None:
    talk.begin_endless_thought()
    talk.send("stop", "stop")
    talk.answer()


@SEARCH.add("stop-idle", MUST, "ShogiHome sends stop when the answer is on its way")
def _stop_idle(talk: UsiTalk) -> None:
    talk.send("stop")
    talk.expect_no_answer("it answered a stop although nothing was searched")


@SEARCH.add("ponderhit-idle", MUST, "a ponderhit may arrive after the answer")
def _ponderhit_idle(talk: UsiTalk) -> None:
    talk.send("ponderhit")
    talk.expect_no_answer("it answered a ponderhit without a ponder")


def _need_pondering(talk: UsiTalk) -> None:
    if "USI_Ponder" not in talk.client.options:
        raise Unsuited("it does not declare USI_Ponder")


@SEARCH.add(
    "ponder-stop", MUST, "the opponent played another move: stop, and one answer, which is ignored"
)
def _ponder_stop(talk: UsiTalk) -> None:
    _need_pondering(talk)
    _silent_until(talk, f"ponder {QUICK}", "startpos moves 7g7f 3c3d", "stop")


@SEARCH.add("ponder-hit", MUST, "the opponent moved as expected: the clock runs from now")
def _ponder_hit(talk: UsiTalk) -> None:
    _need_pondering(talk)
    _silent_until(talk, f"ponder {QUICK}", "startpos moves 7g7f 3c3d", "ponderhit")


@SEARCH.add("ponder-hit-at-once", MUST, "an instant reply: ponder and ponderhit in one write")
def _ponder_hit_at_once(talk: UsiTalk) -> None:
    _need_pondering(talk)
    talk.send("position startpos moves 7g7f 3c3d", f"go ponder {QUICK}", "ponderhit")
    talk.judge(talk.answer(), "startpos moves 7g7f 3c3d")


@SEARCH.add("ponder-stop-at-once", MUST, "ponder and stop in one write: one answer")
def _ponder_stop_at_once(talk: UsiTalk) -> None:
    _need_pondering(talk)
    talk.send("position startpos moves 7g7f 3c3d", f"go ponder {QUICK}", "stop")
    talk.judge(talk.answer(), "startpos moves 7g7f 3c3d")


@SEARCH.add("ponder-hit-stop", MUST, "ponderhit and stop in one write: one answer")
def _ponder_hit_stop(talk: UsiTalk) -> None:
    _need_pondering(talk)
    talk.send("position startpos moves 7g7f 3c3d", f"go ponder {LONG}")
    talk.listen(0.2)
    talk.send("ponderhit", "stop")
    talk.judge(talk.answer(), "startpos moves 7g7f 3c3d")


@SEARCH.add("ponder-early", SHOULD, "ShogiHome's early ponder sends the times with the ponderhit")
def _ponder_early(talk: UsiTalk) -> None:
    _need_pondering(talk)
    _silent_until(talk, "ponder", "startpos moves 7g7f 3c3d", f"ponderhit {QUICK}")


@SEARCH.add("ponder-mate", SHOULD, "no answer while pondering, even with a mate in hand")
def _ponder_mate(talk: UsiTalk) -> None:
    _need_pondering(talk)
    _silent_until(talk, f"ponder {QUICK}", _MATE, "ponderhit")


@SEARCH.add(
    "ponder-next", MUST, "stop, and the real position immediately after it: two answers in order"
)
def _ponder_next(talk: UsiTalk) -> None:
    _need_pondering(talk)
    talk.send("position startpos moves 7g7f 3c3d", f"go ponder {QUICK}")
    talk.listen(0.1)
    talk.send("stop")
    talk.judge(talk.answer(), "startpos moves 7g7f 3c3d")
    talk.search(QUICK, "startpos moves 7g7f 8c8d")


@SEARCH.add("gameover-idle", MUST, "the end of a game needs no answer")
def _gameover_idle(talk: UsiTalk) -> None:
    for word in ("win", "lose", "draw"):
        talk.send(f"gameover {word}")
    talk.expect_no_answer("it answered a gameover")


@SEARCH.add("gameover-ponder", MUST, "ShogiHome hangs if an expected bestmove does not come")
def _gameover_ponder(talk: UsiTalk) -> None:
    _need_pondering(talk)
    talk.send("position startpos moves 7g7f 3c3d", f"go ponder {QUICK}")
    talk.listen(0.1)
    talk.send("gameover win")
    talk.answer(ANSWER)


@SEARCH.add("gameover-stop", MUST, "stop and gameover together: one answer, and the next game")
def _gameover_stop(talk: UsiTalk) -> None:
    talk.begin_long_thought()
    talk.send("stop", "gameover lose")
    talk.answer(ANSWER)
    talk.ready()
    talk.send("usinewgame")
    talk.search(QUICK)


@SEARCH.add("ready-thinking", SHOULD, "isready during a search: its answer first, then readyok")
def _ready_thinking(talk: UsiTalk) -> None:
    talk.begin_endless_thought()
    talk.keep_thinking(0.1)
    talk.send("stop", "isready")
    lines = talk.read_until("readyok", START)
    answers = [line for line in lines if line.startswith("bestmove")]
    expect(len(answers) == 1, f"{len(answers)} bestmoves before readyok, not 1")


@SEARCH.add("go-thinking", NICE, "a second go ends the first: two answers, in order")
def _go_thinking(talk: UsiTalk) -> None:
    talk.begin_endless_thought()
    talk.keep_thinking(0.1)
    talk.send("position startpos moves 7g7f", f"go {SHORT}")
    talk.judge(talk.answer())
    talk.judge(talk.answer(), "startpos moves 7g7f")


@SEARCH.add(
    "no-moves", MUST, "without a legal move it must resign, since a client waits for a bestmove"
)
def _no_moves(talk: UsiTalk) -> None:
    output = talk.search(QUICK, _STUCK)
    expect(output.move == "resign", f"without a legal move it answered {output.move}")


@SEARCH.add("check", MUST, "in check it must answer the check")
def _check(talk: UsiTalk) -> None:
    talk.search(SHORT, "sfen 4k4/9/9/9/9/9/4r4/9/4K4 b Rb 1")


@SEARCH.add("mate-in-one", NICE, "a mate in one is played and announced")
def _mate_in_one(talk: UsiTalk) -> None:
    output = talk.search(QUICK, _MATE)
    expect(output.move == "G*5b", f"it answered {output.move}, not G*5b")
    expect(any(" score mate " in line for line in output.infos), "no line says `score mate`")


@SEARCH.add("declaration", MUST, "ShogiHome judges `win`: a false claim loses")
def _declaration(talk: UsiTalk) -> None:
    output = talk.search(QUICK, "sfen 4K4/+P+P+P+P+P4/+P+P+P+P5/9/9/9/9/9/4k4 b 2R2B4P 1")
    expect(output.move != "win", "it declares a win with nine pieces beside its king")


@SEARCH.add("go-mate", SHOULD, "exactly one `checkmate`, never a bestmove")
def _go_mate(talk: UsiTalk) -> None:
    answer = _mate(talk, _MATE, "mate 5000")
    if answer == ["notimplemented"]:
        raise Unsuited("it says that it does not search for mates")
    game = position_of(_MATE)
    for move in answer:
        try:
            game.play(move)
        except (IllegalMove, InvalidText) as error:
            expect(False, f"checkmate {' '.join(answer)}: {error}")
    expect(game.outcome() is not None, f"checkmate {' '.join(answer)} is no mate")


def _mate(talk: UsiTalk, position: str, go: str) -> list[str]:
    talk.send(f"position {position}", f"go {go}")
    *lines, last = talk.read_until("checkmate", THOUGHT)
    expect(not any(line.startswith("bestmove") for line in lines), "it also sent a bestmove")
    return last.split()[1:]


@SEARCH.add("go-mate-none", SHOULD, "if there is no mate, it says so, or that time ran out")
def _go_mate_none(talk: UsiTalk) -> None:
    answer = _mate(talk, "sfen 4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1", "mate 3000")
    expect(answer in (["nomate"], ["timeout"], ["notimplemented"]), f"checkmate {' '.join(answer)}")


@SEARCH.add("go-mate-stop", SHOULD, "stop ends a mate search by one `checkmate timeout`")
def _go_mate_stop(talk: UsiTalk) -> None:
    talk.send("position startpos", "go mate infinite", "stop")
    *lines, last = talk.read_until("checkmate", THOUGHT)
    expect(not any(line.startswith("bestmove") for line in lines), "it also sent a bestmove")
    answer = last.split()[1:]
    expect(answer in (["timeout"], ["nomate"], ["notimplemented"]), last)


@SEARCH.add("time-byoyomi", MUST, "an engine that exceeds the byo-yomi loses the game")
def _time_byoyomi(talk: UsiTalk) -> None:
    _timed(talk, "btime 0 wtime 0 byoyomi 2000", 2.0)


@SEARCH.add("time-main", MUST, "a game must fit into its main time")
def _time_main(talk: UsiTalk) -> None:
    left = 5.0
    for _ in range(2):
        milliseconds = int(left * 1000)
        left -= _timed(talk, f"btime {milliseconds} wtime {milliseconds}", left)


@SEARCH.add("time-trouble", SHOULD, "with half a second left it must move immediately")
def _time_trouble(talk: UsiTalk) -> None:
    _timed(talk, "btime 500 wtime 500 byoyomi 0", 0.5)
    _timed(talk, "btime 0 wtime 0 byoyomi 0", 0.0)


@SEARCH.add("time-side", MUST, "White's clock is White's: read as Black's it loses")
def _time_side(talk: UsiTalk) -> None:
    _timed(talk, "btime 600000 wtime 2000 byoyomi 0", 2.0, "startpos moves 7g7f")


def _timed(talk: UsiTalk, go: str, allowed: float, position: str = "startpos") -> float:
    began = time.monotonic()
    talk.search(go, position, allowed + 4)
    spent = time.monotonic() - began
    limit = (allowed + _MARGIN) * talk.patience
    expect(spent < limit, f"go {go}: it took {spent:.1f} s")
    return spent


def _infos(talk: UsiTalk) -> list[str]:
    output = talk.search("btime 0 wtime 0 byoyomi 1000", "startpos moves 7g7f 3c3d")
    lines = [line for line in output.infos if line.startswith("info ")]
    if not any(" pv " in line for line in lines):
        raise Unsuited("it sends no info lines")
    return [*lines, f"bestmove {output.move}"]


@SEARCH.add("info-grammar", MUST, "clients split at single blanks; pv and string take the rest")
def _info_grammar(talk: UsiTalk) -> None:
    for line in _infos(talk)[:-1]:
        front = re.split(r" (?:pv|string) ", line + " ")[0].rstrip()
        expect("  " not in front, f"double blanks in {line[:120]!r}")
        expect(not (" pv " in line and " string " in line), f"pv and string in {line[:120]!r}")
        words = front.split(" ")
        for word, value in zip(words, [*words[1:], ""], strict=True):
            if word in _NUMBERS:
                expect(value.isdigit(), f"{word} {value} in {line[:120]!r}")
            if word == "score":
                wanted = r" score (cp -?\d+|mate ([+-]|[+-]?\d+))( |$)"
                expect(bool(re.search(wanted, line)), f"the score in {line[:120]!r}")


@SEARCH.add("info-pv", SHOULD, "a move of the line that is illegal cuts it short in ShogiHome")
def _info_pv(talk: UsiTalk) -> None:
    for line in _infos(talk)[:-1]:
        if " pv " not in line:
            continue
        game = position_of("startpos moves 7g7f 3c3d")
        for move in line.partition(" pv ")[2].split():
            if move in ("resign", "win") or game.outcome() is not None:
                break
            try:
                game.play(move)
            except (IllegalMove, InvalidText) as error:
                expect(False, f"{line[:160]!r}: {error}")


@SEARCH.add("info-last", SHOULD, "ShogiHome assigns the score of a line to the move that begins it")
def _info_last(talk: UsiTalk) -> None:
    *lines, best = _infos(talk)
    last = [line for line in lines if " pv " in line and " score " in line][-1:]
    move = best.removeprefix("bestmove ")
    starts = [line.partition(" pv ")[2].split()[0] for line in last]
    expect(starts == [move], f"the last pv begins with {starts}, and {best}")


@SEARCH.add("info-rate", SHOULD, "Shogidokoro's console freezes under many lines a second")
def _info_rate(talk: UsiTalk) -> None:
    count = len(_infos(talk)) - 1
    expect(count <= 40, f"{count} lines in a second")


@SEARCH.add("multipv", SHOULD, "ShogiGUI and ShogiHome read groups of lines 1 to N")
def _multipv(talk: UsiTalk) -> None:
    _set_lines(talk, 3)
    output = talk.search("btime 0 wtime 0 byoyomi 1000")
    numbers = [
        int(match[1])
        for line in output.infos
        if " pv " in line and (match := re.search(r" multipv (\d+) ", line))
    ]
    expect(set(numbers) == {1, 2, 3}, f"with MultiPV 3 the lines were {sorted(set(numbers))}")
    expect(numbers[-3:] == [1, 2, 3], f"the last three lines are {numbers[-3:]}, not 1, 2, 3")


@SEARCH.add("multipv-many", MUST, "more lines than legal moves must not hang")
def _multipv_many(talk: UsiTalk) -> None:
    _set_lines(talk, 5)
    talk.search(QUICK, "sfen 4k4/9/9/9/9/9/9/4p4/3LKL3 b RB2G 1")


def _set_lines(talk: UsiTalk, count: int) -> None:
    option = talk.client.options.get("MultiPV")
    if option is None or (option.most or 0) < count:
        raise Unsuited(f"it does not declare MultiPV up to {count}")
    talk.send(f"setoption name MultiPV value {count}")


@SEARCH.add("game", MUST, "a game long the answers stay legal")
def _game(talk: UsiTalk) -> None:
    moves: list[str] = []
    for _ in range(6):
        position = " ".join(["startpos", *(["moves", *moves] if moves else [])])
        output = talk.search(QUICK, position)
        if output.move in ("resign", "win"):
            break
        moves.append(output.move)

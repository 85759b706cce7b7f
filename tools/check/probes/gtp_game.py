"""Probes of a game of Go over GTP: boards, stones, undo, moves, handicaps, scores."""

import re
import tempfile
from pathlib import Path
from typing import Final

from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Unsuited, expect
from tools.check.talks.framed import ANALYZE, THOUGHT, GtpTalk

GAME: Final = Catalogue()
_REQUIRED: Final = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)
_VERTEX: Final = re.compile(r"[A-HJ-T](1?\d)|pass|resign|PASS")
_RESULT: Final = re.compile(r"[BW]\+\d+(\.\d+)?|0")


@GAME.add("list-required", MUST, "CGOS and twogtp refuse an engine that lacks one of these")
def _required(talk: GtpTalk) -> None:
    missing = [word for word in _REQUIRED if not talk.client.known(word)]
    expect(not missing, f"it does not list {', '.join(missing)}")


@GAME.add("list-first", NICE, "LizzieYzy recognizes the list by its first entry, protocol_version")
def _first(talk: GtpTalk) -> None:
    talk.first_listed(*ANALYZE)
    first = talk.client.commands[0]
    expect(first == "protocol_version", f"the list begins with {first}")


@GAME.add("list-analyze", SHOULD, "Sabaki reads `analyze` in whole numbers, others in fractions")
def _analyze_unlisted(talk: GtpTalk) -> None:
    for word in ("analyze", "genmove_analyze"):
        expect(not talk.client.known(word), f"it lists {word}, which clients read differently")


@GAME.add("version-lizzie", NICE, "Lizzie analyzes only with version 1.15.0 or later")
def _version(talk: GtpTalk) -> None:
    talk.first_listed(*ANALYZE)
    words = talk.client.version.split(".")
    minor = words[1] if len(words) > 1 else ""
    expect(minor.isdigit() and int(minor) >= 15, f"version {talk.client.version!r}")


@GAME.add("board-sizes", MUST, "clients open with 9, 13 or 19")
def _sizes(talk: GtpTalk) -> None:
    for size in (9, 13, 19):
        talk.ask(f"boardsize {size}")
        talk.place(f"b A{size}", "w A1")


@GAME.add("board-size-bad", MUST, "Sabaki shows the error of a `?` reply to its user, and goes on")
def _sizes_bad(talk: GtpTalk) -> None:
    for words in ("boardsize", "boardsize nine", "boardsize 0", "boardsize -9", "boardsize 1000"):
        talk.expect_refusal(words)
    talk.place("b C3")


@GAME.add("board-clears", MUST, "a stone left over blocks a move of the next game")
def _clears(talk: GtpTalk) -> None:
    for command in ("clear_board", "boardsize 9"):
        talk.place("b C3")
        talk.ask(command)
        talk.place("w C3")
        talk.ask("clear_board")


@GAME.add("komi-forms", MUST, "Sabaki writes 7, 6.5, 0 and -7.5; qGo writes 6.50")
def _komi(talk: GtpTalk) -> None:
    for komi in ("7", "6.5", "0", "6.50", "-7.5"):
        talk.ask(f"komi {komi}")


@GAME.add(
    "komi-bad",
    SHOULD,
    "a komi that is not a number must not be accepted: games would be decided wrongly",
)
def _komi_bad(talk: GtpTalk) -> None:
    for words in ("komi", "komi seven", "komi NaN"):
        talk.expect_refusal(words)


@GAME.add("komi-comma", NICE, "6,5 read as 6 decides games wrongly")
def _komi_comma(talk: GtpTalk) -> None:
    talk.expect_refusal("komi 6,5")


@GAME.add("komi-kept", MUST, "Sabaki sends the komi first, then boardsize and clear_board")
def _komi_kept(talk: GtpTalk) -> None:
    talk.need("get_komi")
    talk.ask("komi 3.5")
    talk.ask("boardsize 9")
    talk.ask("clear_board")
    answer = talk.ask("get_komi")
    expect(float(answer) == 3.5, f"komi 3.5, boardsize, clear_board: get_komi says {answer}")


@GAME.add("play-colours", MUST, "Sabaki says B, GoGui b, q5Go black")
def _colours(talk: GtpTalk) -> None:
    points = iter(f"{column}{row}" for row in (3, 5) for column in "CDEF")
    for colour in ("b", "w", "B", "W", "black", "white", "BLACK", "White"):
        talk.place(f"{colour} {next(points)}")


@GAME.add("play-vertices", MUST, "GTP: vertices in either case, and pass")
def _vertices(talk: GtpTalk) -> None:
    talk.place("b c3", "w D4", "b pass", "w PASS")
    talk.expect_refusal("play b C3")
    talk.expect_refusal("play b d4")


@GAME.add(
    "play-no-i", MUST, "columns skip the letter I: an engine that has it plays on the wrong point"
)
def _no_i(talk: GtpTalk) -> None:
    talk.expect_refusal("play b I5")
    talk.place("b J5", "w H5")


@GAME.add(
    "play-occupied", MUST, "if an illegal move is accepted, the two boards differ from then on"
)
def _occupied(talk: GtpTalk) -> None:
    talk.place("b C3")
    talk.expect_refusal("play w C3")
    talk.expect_refusal("play b C3")


@GAME.add("play-off-board", MUST, "a point off the board must be refused")
def _off_board(talk: GtpTalk) -> None:
    for vertex in ("K5", "A10", "Z1", "A0", "A", "5", "A-1", "AA1", "A99999999999"):
        talk.expect_refusal(f"play b {vertex}")


@GAME.add("play-bad", MUST, "text that is no move must be refused and change nothing")
def _play_bad(talk: GtpTalk) -> None:
    for words in ("play", "play b", "play green C3", "play C3 b", "play b nowhere"):
        talk.expect_refusal(words)
    talk.place("b C3")


@GAME.add("play-resign", NICE, "resign is a reply, never a move that is sent")
def _resign(talk: GtpTalk) -> None:
    talk.expect_refusal("play b resign")


@GAME.add("play-same-colour", MUST, "Sabaki and GoGui set up positions stone by stone")
def _same_colour(talk: GtpTalk) -> None:
    talk.place("b C3", "b D3", "b E3", "w C4", "w D4", "b C5")


@GAME.add("play-suicide", SHOULD, "the suicide of a single stone is legal under no rules")
def _suicide(talk: GtpTalk) -> None:
    talk.place("b A2", "b B1")
    talk.expect_refusal("play w A1")


@GAME.add("play-capture", MUST, "a captured stone leaves its point free")
def _capture(talk: GtpTalk) -> None:
    talk.place("w A1", "b A2", "b B1", "b A1")


@GAME.add("play-ko", SHOULD, "the ko point is free again after one move elsewhere")
def _ko(talk: GtpTalk) -> None:
    talk.place("b C4", "b D5", "b D3", "w F4", "w E5", "w E3", "w D4", "b E4")
    talk.attempt(
        "play w D4"
    )  # Some engines allow this in a set-up, and the standard does not forbid it.
    talk.ask("clear_board")
    talk.place("b C4", "b D5", "b D3", "w F4", "w E5", "w E3", "w D4", "b E4")
    talk.place("w A9", "b J9", "w D4")


@GAME.add("play-refused-changes-nothing", MUST, "after a refusal the board must be what it was")
def _refused(talk: GtpTalk) -> None:
    talk.need("undo")
    talk.place("b C3", "w D4")
    talk.expect_refusal("play b D4")
    talk.expect_refusal("play b Z9")
    talk.ask("undo")
    talk.place("w D4")


@GAME.add("undo", MUST, "Sabaki and Lizzie step back by undo")
def _undo(talk: GtpTalk) -> None:
    talk.need("undo")
    talk.place("b C3", "w D4")
    talk.ask("undo")
    talk.ask("undo")
    talk.place("w C3", "b D4")


@GAME.add("undo-empty", MUST, "`cannot undo` tells a client that it has reached the start")
def _undo_empty(talk: GtpTalk) -> None:
    talk.need("undo")
    talk.expect_refusal("undo")
    talk.place("b C3")
    talk.ask("undo")
    talk.expect_refusal("undo")


@GAME.add("undo-pass", SHOULD, "a pass is a move: a client counts it")
def _undo_pass(talk: GtpTalk) -> None:
    talk.need("undo")
    talk.place("b C3", "w pass")
    talk.ask("undo")
    talk.expect_refusal("play w C3")
    talk.ask("undo")
    talk.place("w C3")


@GAME.add("undo-capture", MUST, "undo must restore captured stones")
def _undo_capture(talk: GtpTalk) -> None:
    talk.need("undo")
    talk.place("w A1", "b A2", "b B1")
    talk.ask("undo")
    talk.expect_refusal("play b A1")


@GAME.add("undo-genmove", MUST, "clients also undo the moves of the engine itself")
def _undo_genmove(talk: GtpTalk) -> None:
    talk.need("undo")
    move = talk.ask("genmove b", THOUGHT)
    if not move.upper().startswith("RESIGN"):
        talk.ask("undo")
        talk.place(f"w {move}")


@GAME.add("genmove", MUST, "Sabaki treats what it cannot read as a pass; qGo needs capitals")
def _genmove(talk: GtpTalk) -> None:
    move = talk.ask("genmove b", THOUGHT)
    expect(bool(_VERTEX.fullmatch(move)), f"genmove answered {move!r}, not a vertex in capitals")


@GAME.add("genmove-plays", MUST, "genmove makes its move: clients do not send it back")
def _genmove_plays(talk: GtpTalk) -> None:
    talk.place("b C3", "w G7")
    move = talk.ask("genmove b", THOUGHT)
    expect(move not in ("C3", "G7"), f"it moved to {move}, which is taken")
    if move.lower() not in ("pass", "resign"):
        talk.expect_refusal(f"play w {move}")


@GAME.add("genmove-any-colour", MUST, "handicap games and set-ups: the same colour moves again")
def _any_colour(talk: GtpTalk) -> None:
    for colour in ("w", "WHITE", "b"):
        move = talk.ask(f"genmove {colour}", THOUGHT)
        expect(bool(_VERTEX.fullmatch(move)), f"genmove {colour} answered {move!r}")


@GAME.add("genmove-bad", MUST, "an unknown colour must be refused, not guessed")
def _genmove_bad(talk: GtpTalk) -> None:
    talk.expect_refusal("genmove green", THOUGHT)
    talk.expect_refusal("genmove", THOUGHT)


@GAME.add("genmove-after-passes", MUST, "clients continue after two passes to settle a dispute")
def _after_passes(talk: GtpTalk) -> None:
    talk.place("b E5", "w C3", "b pass", "w pass")
    move = talk.ask("genmove b", THOUGHT)
    expect(bool(_VERTEX.fullmatch(move)), f"genmove answered {move!r}")


@GAME.add("reg-genmove", MUST, "reg_genmove must name a move without playing it")
def _reg_genmove(talk: GtpTalk) -> None:
    talk.need("reg_genmove")
    move = talk.ask("reg_genmove b", THOUGHT)
    if move.lower() not in ("pass", "resign"):
        talk.place(f"w {move}")


@GAME.add("handicap-fixed", SHOULD, "Lizzie and qGo read the stones from the reply")
def _fixed(talk: GtpTalk) -> None:
    talk.need("fixed_handicap")
    talk.ask("boardsize 19")
    stones = talk.ask("fixed_handicap 4").upper().split()
    expect(sorted(stones) == ["D16", "D4", "Q16", "Q4"], f"fixed_handicap 4 gave {stones}")
    talk.expect_refusal("play w D4")


@GAME.add(
    "handicap-bad", SHOULD, "GTP: a handicap of one, or on a board with stones, must be refused"
)
def _handicap_bad(talk: GtpTalk) -> None:
    talk.need("fixed_handicap")
    for words in ("fixed_handicap", "fixed_handicap 1", "fixed_handicap 10", "fixed_handicap x"):
        talk.expect_refusal(words)
    talk.place("b E5")
    talk.expect_refusal("fixed_handicap 2")


@GAME.add("handicap-free", SHOULD, "Sabaki sets all handicap stones by one set_free_handicap")
def _free(talk: GtpTalk) -> None:
    talk.need("set_free_handicap")
    talk.expect_refusal("set_free_handicap C3 C3")
    talk.ask("set_free_handicap C3 G7 E5")
    talk.expect_refusal("play w E5")


@GAME.add("handicap-placed", NICE, "place_free_handicap answers the points of its choice")
def _placed(talk: GtpTalk) -> None:
    talk.need("place_free_handicap")
    stones = talk.ask("place_free_handicap 2", THOUGHT).split()
    expect(bool(stones) and len(stones) <= 2, f"place_free_handicap 2 gave {stones}")
    for stone in stones:
        talk.expect_refusal(f"play w {stone}")


@GAME.add("score", SHOULD, "clients and referees read B+3.5, W+2 or 0")
def _score(talk: GtpTalk) -> None:
    talk.need("final_score")
    talk.ask("komi 0.5")
    talk.place(*(f"b D{row}" for row in range(1, 10)), *(f"w F{row}" for row in range(1, 10)))
    talk.place("b pass", "w pass")
    answer = talk.ask("final_score", THOUGHT)
    expect(bool(_RESULT.fullmatch(answer)), f"final_score answered {answer!r}")


@GAME.add("score-status", SHOULD, "GoGui and CGOS ask which stones are dead")
def _status(talk: GtpTalk) -> None:
    talk.need("final_status_list")
    talk.place("b E5", "w C3", "b pass", "w pass")
    for status in ("dead", "alive", "seki"):
        answer = talk.ask(f"final_status_list {status}", THOUGHT)
        for vertex in answer.split():
            expect(bool(_VERTEX.fullmatch(vertex)), f"final_status_list {status}: {vertex!r}")
    talk.expect_refusal("final_status_list hungry", THOUGHT)


@GAME.add("record-missing", SHOULD, "a missing file must be an error, not the end of the engine")
def _record_missing(talk: GtpTalk) -> None:
    talk.need("loadsgf")
    with tempfile.TemporaryDirectory() as folder:
        for words in (f"loadsgf {folder}/none.sgf", "loadsgf", f"loadsgf {folder}"):
            talk.expect_refusal(words)


@GAME.add(
    "record-broken", SHOULD, "a file that is no record must be an error, not the end of the engine"
)
def _record_broken(talk: GtpTalk) -> None:
    talk.need("loadsgf")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("binary", bytes(range(256))), ("text", b"hello"), ("half", b"(;SZ[")):
            path = Path(folder, f"{name}.sgf")
            path.write_bytes(data)
            talk.attempt(f"loadsgf {path}")
    talk.ask("clear_board")


@GAME.add("record", SHOULD, "regression suites load positions: N is the one before move N")
def _record(talk: GtpTalk) -> None:
    talk.need("loadsgf")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.sgf")
        path.write_text("(;GM[1]FF[4]SZ[9]KM[5.5]AB[aa];B[cc];W[gg];B[ee])\n")
        talk.ask(f"loadsgf {path} 3")
        talk.expect_refusal("play w G3")
        talk.place("b E5")
        talk.ask(f"loadsgf {path}")
        talk.expect_refusal("play w E5")
        talk.expect_refusal("play w A9")


@GAME.add(
    "board-rectangular", NICE, "Sabaki plays on rectangular boards if the engine lists the command"
)
def _rectangular(talk: GtpTalk) -> None:
    talk.need("rectangular_boardsize")
    talk.ask("rectangular_boardsize 9 13")
    talk.place("b J13")
    talk.expect_refusal("play w K1")


@GAME.add("showboard", NICE, "Sabaki's console shows a diagram that begins below the `=`")
def _showboard(talk: GtpTalk) -> None:
    talk.need("showboard")
    talk.place("b C3")
    frame = talk.exchange_bytes(b"showboard\n")
    expect(
        frame.lines[0].strip() == b"=", f"the diagram begins beside the mark: {frame.lines[0]!r}"
    )
    if len(frame.lines) < 10:
        raise Unsuited("it draws no board of nine rows")

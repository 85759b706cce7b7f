"""Probes of USI before a search: name, options, readiness, positions, unknown lines."""

import contextlib
import time
from typing import Final

from protocols.ask.detect import Option
from protocols.errors import EngineError, EngineNonsense
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Fault, Unsuited, expect
from tools.check.talks.talk import START
from tools.check.talks.usi_talk import QUICK, UsiTalk

SET_UP: Final = Catalogue()
_KINDS: Final = ("check", "spin", "combo", "button", "string", "filename")


def _greeting(talk: UsiTalk) -> list[str]:
    talk.send("usi")
    return talk.read_until("usiok", START)


@SET_UP.add("usi-id", MUST, "clients show the name and refuse a program without one", fresh=True)
def _identity(talk: UsiTalk) -> None:
    lines = _greeting(talk)
    for word in ("id name ", "id author "):
        matching = [
            line for line in lines if line.startswith(word) and line.removeprefix(word).strip()
        ]
        expect(len(matching) == 1, f"{len(matching)} lines `{word}...` before usiok")


@SET_UP.add("usi-ascii", SHOULD, "clients decode in UTF-8, ASCII or CP932", fresh=True)
def _ascii(talk: UsiTalk) -> None:
    for line in _greeting(talk):
        expect(line.isascii(), f"{line!r} is not ASCII")


@SET_UP.add("usi-lines", NICE, "lines that are neither id nor option confuse clients", fresh=True)
def _lines(talk: UsiTalk) -> None:
    for line in _greeting(talk):
        expect(not line or line.startswith(("id ", "option ", "info string ")), f"{line[:80]!r}")


@SET_UP.add("usi-again", SHOULD, "a client may send usi twice")
def _again(talk: UsiTalk) -> None:
    expect(_greeting(talk) == _greeting(talk), "it answered usi differently the second time")


@SET_UP.add(
    "option-grammar", MUST, "clients read options by their words: name, type, default", fresh=True
)
def _grammar(talk: UsiTalk) -> None:
    for line in _greeting(talk):
        if not line.startswith("option"):
            continue
        # An empty text is written as `default `, with one blank and nothing after it.
        bare = line.removesuffix(" ") if line.endswith(" default ") else line
        words = bare.split(" ")
        expect("" not in words, f"double blanks in {line!r}")
        expect(words[1] == "name" and "type" in words[3:-1], f"{line!r}")
        kind = words[words.index("type", 3) + 1]
        expect(kind in _KINDS, f"{line!r}: no such type")
        expect(kind == "button" or "default" in words, f"{line!r} has no default")
        _check_default(line)


@SET_UP.add(
    "option-one-word",
    SHOULD,
    "ShogiHome splits at single blanks, [name][N][type][T], and misses other options",
    fresh=True,
)
def _one_word(talk: UsiTalk) -> None:
    for line in _greeting(talk):
        if line.startswith("option"):
            expect(line.split(" ")[3:4] == ["type"], f"{line!r}: a name of several words")


def _check_default(line: str) -> None:
    option = Option.parse(line)
    if option is None:
        raise Fault(f"{line!r} cannot be read")
    if option.kind == "spin":
        expect(option.least is not None and option.most is not None, f"{line!r}: min and max")
    if option.kind == "combo":
        expect(option.default in option.choices, f"{line!r}: its default is not one of its choices")
    if option.kind == "check":
        expect(option.default in ("true", "false"), f"{line!r}: true or false")
    if option.kind == "spin" and option.least is not None and option.most is not None:
        value = option.default
        expect(value.lstrip("-").isdigit(), f"{line!r}: its default is not a number")
        expect(option.least <= int(value) <= option.most, f"{line!r}: its default is out of range")


@SET_UP.add("option-standard", NICE, "ShogiHome offers only what is declared, also these two")
def _standard(talk: UsiTalk) -> None:
    for name in ("USI_Hash", "USI_Ponder"):
        expect(name in talk.client.options, f"it does not declare {name}")


@SET_UP.add("ready", MUST, "a game begins with isready and readyok", fresh=True)
def _ready(talk: UsiTalk) -> None:
    talk.first_words()
    talk.ready()


@SET_UP.add("ready-quick", NICE, "Shogidokoro and ShogiGUI may give up on a slow one", fresh=True)
def _ready_quick(talk: UsiTalk) -> None:
    talk.first_words()
    talk.ready(5)


@SET_UP.add("ready-again", MUST, "every game of a match begins with isready")
def _ready_again(talk: UsiTalk) -> None:
    for _ in range(3):
        talk.ready()
        talk.send("usinewgame")


@SET_UP.add("ready-first", NICE, "scripts omit usi", fresh=True)
def _ready_first(talk: UsiTalk) -> None:
    talk.ready()
    talk.search(QUICK)


@SET_UP.add("option-before-ready", MUST, "ShogiHome sets every option before isready", fresh=True)
def _before_ready(talk: UsiTalk) -> None:
    talk.client.greet(talk.soon(START))
    _set_all(talk)
    talk.ready()
    talk.search(QUICK)


@SET_UP.add("option-after-ready", MUST, "a user changes options between games")
def _after_ready(talk: UsiTalk) -> None:
    _set_all(talk)
    talk.ready()
    talk.search(QUICK)


def _set_all(talk: UsiTalk) -> None:
    """Set every option to its default, as ShogiHome does."""
    for option in talk.client.options.values():
        if option.kind != "button":
            talk.send(f"setoption name {option.name} value {option.default}")


@SET_UP.add(
    "option-unknown",
    MUST,
    "Shogidokoro sets options that were never declared; a reply would confuse it",
)
def _unknown_option(talk: UsiTalk) -> None:
    talk.send("setoption name Frobnicate value 7", "setoption name No Such Option value x")
    talk.expect_ready_alone("an unknown option must be ignored silently")


@SET_UP.add(
    "option-empty", MUST, "for an empty text ShogiHome writes `value ` and nothing after it"
)
def _empty_value(talk: UsiTalk) -> None:
    texts = [o.name for o in talk.client.options.values() if o.kind in ("string", "filename")]
    for name in texts or ["Frobnicate"]:
        talk.send(f"setoption name {name} value ", f"setoption name {name} value")
    talk.ready()


@SET_UP.add("option-bad-value", MUST, "a value out of range must not end the engine")
def _bad_value(talk: UsiTalk) -> None:
    for option in talk.client.options.values():
        if option.kind in ("string", "filename", "button"):
            continue
        for value in ("frobnicate", "-1", ""):
            talk.send(f"setoption name {option.name} value {value}".rstrip())
        if option.default:
            talk.send(f"setoption name {option.name} value {option.default}")
    talk.ready()
    talk.search(QUICK)


@SET_UP.add("option-malformed", SHOULD, "an incomplete command must not end the engine")
def _malformed(talk: UsiTalk) -> None:
    for words in ("setoption", "setoption name", "setoption value 3", "setoption MultiPV 2"):
        talk.send(words)
    talk.ready()


@SET_UP.add("option-thinking", MUST, "ShogiGUI sets MultiPV during research")
def _option_thinking(talk: UsiTalk) -> None:
    if "MultiPV" not in talk.client.options:
        raise Unsuited("it does not declare MultiPV")
    talk.begin_endless_thought()
    talk.keep_thinking(0.2)
    talk.send("setoption name MultiPV value 3")
    talk.listen(0.2)
    talk.send("stop")
    talk.judge(talk.answer())


@SET_UP.add("position-start", MUST, "`position startpos` without moves")
def _start(talk: UsiTalk) -> None:
    talk.search(QUICK, "startpos")


@SET_UP.add("position-moves", MUST, "a game is described by its moves")
def _moves(talk: UsiTalk) -> None:
    talk.search(QUICK, "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e")


@SET_UP.add("position-sfen", MUST, "handicap games and problems begin from an SFEN")
def _sfen(talk: UsiTalk) -> None:
    talk.search(QUICK, "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")


@SET_UP.add("position-sfen-moves", MUST, "and continue from there")
def _sfen_moves(talk: UsiTalk) -> None:
    board = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    talk.search(QUICK, f"sfen {board} moves 3c3d 7g7f")


@SET_UP.add("position-hands", MUST, "pieces in hand: counts before letters")
def _hands(talk: UsiTalk) -> None:
    talk.search(QUICK, "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L9P9p 1")


@SET_UP.add("position-hands-order", NICE, "other programs write hands in another order, and `1P`")
def _hands_order(talk: UsiTalk) -> None:
    talk.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b p1P2G 1", f"go {QUICK}")
    talk.judge(talk.answer(), "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2GPp 1")


@SET_UP.add("position-no-ply", SHOULD, "files omit the move number")
def _no_ply(talk: UsiTalk) -> None:
    start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
    talk.send(f"position {start}", f"go {QUICK}")
    talk.judge(talk.answer())


@SET_UP.add("position-one-king", SHOULD, "mate problems have one king")
def _one_king(talk: UsiTalk) -> None:
    talk.send("position sfen 7nl/7k1/6ppp/9/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1", f"go {QUICK}")
    talk.answer()


@SET_UP.add("position-long", MUST, "games of a thousand moves come on one line")
def _long(talk: UsiTalk) -> None:
    cycle = "4i5h 6a5b 5h4i 5b6a"
    talk.send(f"position startpos moves {' '.join([cycle] * 2500)}", f"go {QUICK}")
    talk.answer()


@SET_UP.add("position-bad", SHOULD, "an invalid SFEN must not end the engine")
def _bad(talk: UsiTalk) -> None:
    for words in ("", "sfen", "sfen frobnicate b - 1", "sfen 9/9/9 b - 1", "nowhere"):
        talk.send(f"position {words}".strip())
    talk.ready()
    talk.search(QUICK)


@SET_UP.add("position-illegal-move", SHOULD, "an illegal move must not end the engine")
def _illegal(talk: UsiTalk) -> None:
    talk.send("position startpos moves 7g7f 3c3e 9z9z", f"go {QUICK}")
    talk.answer()
    talk.search(QUICK)


@SET_UP.add("line-unknown", MUST, "an unknown line must be ignored: protocols grow")
def _unknown(talk: UsiTalk) -> None:
    talk.send("frobnicate now", "debug on", "register later", "ucinewgame")
    talk.listen(0.15, "an unknown line must be ignored")
    talk.ready()


@SET_UP.add("line-empty", MUST, "an empty line must be ignored")
def _empty(talk: UsiTalk) -> None:
    talk.send_bytes(b"\n\n   \n\t\n\r\n")
    talk.expect_ready_alone("an empty line must be ignored")


@SET_UP.add("line-crlf", MUST, "clients on Windows end lines with CR and LF")
def _crlf(talk: UsiTalk) -> None:
    talk.send_bytes(f"position startpos moves 7g7f\r\ngo {QUICK}\r\n".encode())
    talk.judge(talk.answer(), "startpos moves 7g7f")
    talk.send_bytes(b"isready\r\n")
    talk.read_until("readyok", START)


@SET_UP.add("line-blanks", SHOULD, "surplus blanks must not matter")
def _blanks(talk: UsiTalk) -> None:
    talk.send("  position   startpos   moves   7g7f ", f"  go   {QUICK.replace(' ', '  ')} ")
    talk.judge(talk.answer(), "startpos moves 7g7f")


@SET_UP.add("line-in-pieces", MUST, "a pipe may deliver a command in pieces")
def _pieces(talk: UsiTalk) -> None:
    for piece in (b"isr", b"ea", b"dy"):
        talk.send_bytes(piece)
        talk.expect_silence("a command was not complete", 0.05)
    talk.send_bytes(b"\n")
    talk.read_until("readyok", START)


@SET_UP.add("line-bytes", SHOULD, "text in another encoding must not end the engine")
def _bytes(talk: UsiTalk) -> None:
    talk.send_bytes(b"setoption name BookFile value \x8f\xab\x82\xd5\xff.db\n\xff\xfe\0\x01\n")
    talk.ready()


@SET_UP.add("line-huge", SHOULD, "a line of a megabyte must not end the engine")
def _huge(talk: UsiTalk) -> None:
    talk.send_bytes(b"frobnicate " + b"y" * (1 << 20) + b"\n")
    talk.send("isready")
    until = talk.soon(2 * START)
    while time.monotonic() < until:
        # Some engines repeat the whole line, which is longer than what we read as one line.
        with contextlib.suppress(EngineNonsense):
            talk.read_until("readyok", 2 * START)
            return
    raise Fault("no readyok after a line of a megabyte")


@SET_UP.add("newgame-again", MUST, "games follow one another in one process")
def _newgame(talk: UsiTalk) -> None:
    for _ in range(2):
        talk.send("usinewgame")
        talk.search(QUICK)
        talk.send("gameover draw")
        talk.ready()


@SET_UP.add("usi-thinking", NICE, "a client may send usi during a search")
def _usi_thinking(talk: UsiTalk) -> None:
    talk.begin_endless_thought()
    talk.keep_thinking(0.1)
    talk.send("usi")
    try:
        lines = talk.read_until("usiok", START)
    except EngineError as error:
        raise Fault(str(error)) from error
    expect(not any(line.startswith("bestmove") for line in lines), "`usi` ended the search")
    talk.send("stop")
    talk.judge(talk.answer())

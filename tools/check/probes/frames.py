"""Probes of GTP's framing, which the line protocol shares: bytes, ids, lists, errors."""

import time
from typing import Final

from protocols.errors import EngineExited
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, expect
from tools.check.talks.framed import FramedTalk, GtpTalk
from tools.check.talks.talk import ANSWER

FRAMES: Final = Catalogue()
_LIST: Final = "list_commands"


def _alive(talk: FramedTalk) -> None:
    """Check that it answers the next command, and that nothing else is left over."""
    frame = talk.exchange_bytes(b"77 protocol_version\n")
    expect(
        (frame.mark, frame.identity, frame.text) == ("=", "77", "2"),
        f"the next command got {bytes(frame.lines[0])[:80]!r}",
    )


@FRAMES.add("frame-plain", MUST, "every client reads `= text` and an empty line")
def _plain(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"protocol_version\n")
    expect(frame.lines[0].rstrip() == b"= 2", f"protocol_version got {frame.lines[0]!r}")
    expect(len(frame.lines) == 1, "protocol_version got several lines")


@FRAMES.add("frame-blank", SHOULD, "GoGui takes what follows the first blank: `=7 `, even if empty")
def _blank(talk: FramedTalk) -> None:
    command = b"clear_board" if isinstance(talk, GtpTalk) else b"newgame"
    for number in (b"", b"7 "):
        frame = talk.exchange_bytes(number + command + b"\n")
        wanted = b"=" + number.strip() + b" "
        expect(frame.lines[0].rstrip(b"\r") == wanted, f"{frame.lines[0]!r}, not {wanted!r}")


@FRAMES.add("frame-line-end", NICE, "some clients keep a carriage return as part of the answer")
def _line_end(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"name\n")
    expect(b"\r" not in frame.lines[0], f"{frame.lines[0]!r} ends in a carriage return")


@FRAMES.add("frame-id", MUST, "Lizzie, q5Go and qGo number their commands and count on the echo")
def _id(talk: FramedTalk) -> None:
    for number in ("0", "7", "12345"):
        frame = talk.exchange_bytes(f"{number} name\n".encode())
        expect(frame.identity == number, f"{number} name got {frame.lines[0]!r}")


@FRAMES.add("frame-id-error", MUST, "an error without its id kills Lizzie's reader")
def _id_error(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"31 frobnicate\n")
    expect(frame.lines[0].startswith(b"?31 "), f"{frame.lines[0]!r}, not ?31 and a reason")


@FRAMES.add("frame-id-huge", SHOULD, "GTP allows ids up to 2147483647")
def _id_huge(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"2147483647 name\n")
    expect(frame.identity == "2147483647", f"{frame.lines[0]!r} does not echo 2147483647")


@FRAMES.add("frame-id-overflow", NICE, "an id that is too large must not end the engine")
def _id_overflow(talk: FramedTalk) -> None:
    talk.exchange_bytes(b"9" * 40 + b" name\n")
    _alive(talk)


@FRAMES.add("frame-id-zeros", NICE, "GNU Go answers 007 with 7, and controllers compare numbers")
def _id_zeros(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"007 name\n")
    expect(frame.mark == "=", f"{frame.lines[0]!r}")
    expect(frame.identity in ("7", "007"), f"{frame.lines[0]!r} echoes another id")


@FRAMES.add("frame-id-alone", NICE, "GNU Go ignores a line that holds only an id")
def _id_alone(talk: FramedTalk) -> None:
    talk.send_bytes(b"12\n")
    _alive(talk)


@FRAMES.add("frame-crlf", MUST, "controllers on Windows end lines with CR and LF")
def _crlf(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"5 known_command name\r\n")
    expect(frame.identity == "5", f"{frame.lines[0]!r}")
    expect(frame.text == "true", f"known_command name, ended by CR LF, got {frame.text!r}")


@FRAMES.add("frame-tab", SHOULD, "GTP: a tab is a blank")
def _tab(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"known_command\tname\n")
    expect(frame.text == "true", f"known_command<TAB>name got {frame.lines[0]!r}")


@FRAMES.add("frame-blanks", SHOULD, "q5Go sends two blanks between id and command")
def _blanks(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"  6   known_command   name  \n")
    expect((frame.identity, frame.text) == ("6", "true"), f"{frame.lines[0]!r}, not =6 true")


@FRAMES.add("frame-comment", MUST, "GoGui and regression suites write comments after commands")
def _comment(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"known_command name # a comment\n")
    expect(frame.text == "true", f"with a comment after it: {frame.lines[0]!r}")


@FRAMES.add("frame-comment-line", MUST, "a reply to a comment shifts all later replies by one")
def _comment_line(talk: FramedTalk) -> None:
    talk.send_bytes(b"# a comment\n  # name\n")
    _alive(talk)


@FRAMES.add("frame-empty-lines", MUST, "a reply to an empty line shifts all later replies by one")
def _empty_lines(talk: FramedTalk) -> None:
    talk.send_bytes(b"\n\n   \n\t\n\r\n")
    _alive(talk)


@FRAMES.add("frame-controls", SHOULD, "GTP: control characters are discarded")
def _controls(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"known\x01_comm\x07and na\x7fme\n")
    expect(frame.text == "true", f"with control characters inside: {frame.lines[0]!r}")


@FRAMES.add("frame-nul", SHOULD, "a NUL byte must not end the engine")
def _nul(talk: FramedTalk) -> None:
    talk.exchange_bytes(b"na\0me\n")
    _alive(talk)


@FRAMES.add("frame-bytes", SHOULD, "text in another encoding must not end the engine")
def _bytes(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"known_command \xff\xfe\xe3\x81\n")
    expect(frame.lines[0].isascii(), f"{frame.lines[0]!r} is not ASCII")
    _alive(talk)


@FRAMES.add("frame-in-pieces", MUST, "a pipe may deliver a command in pieces")
def _pieces(talk: FramedTalk) -> None:
    for piece in (b"8 known_c", b"ommand ", b"name"):
        talk.send_bytes(piece)
        talk.expect_silence("a command was not complete", 0.05)
    frame = talk.exchange_bytes(b"\n")
    expect((frame.identity, frame.text) == ("8", "true"), f"{frame.lines[0]!r}, not =8 true")


@FRAMES.add("frame-pipelined", MUST, "Sabaki writes whole games without waiting")
def _pipelined(talk: FramedTalk) -> None:
    talk.send_bytes(b"".join(b"%d protocol_version\n" % number for number in range(100, 200)))
    for number in range(100, 200):
        frame = talk.frame()
        expect(
            (frame.identity, frame.text) == (str(number), "2"),
            f"reply {number} of 100 to 199 was {frame.lines[0]!r}",
        )


@FRAMES.add("frame-slow-reader", SHOULD, "a controller may write a lot before it reads")
def _slow_reader(talk: FramedTalk) -> None:
    count = 200
    talk.send(*[f"{number} {_LIST}" for number in range(count)])
    time.sleep(0.05)
    for number in range(count):
        frame = talk.frame()
        expect(frame.identity == str(number), f"reply {number} of {count}: {frame.lines[0]!r}")


@FRAMES.add("frame-no-hole", MUST, "an empty line inside a reply ends it, and all later ones shift")
def _no_hole(talk: FramedTalk) -> None:
    commands = [_LIST, *(name for name in ("showboard", "option") if talk.client.known(name))]
    for command in commands:
        frame = talk.exchange_bytes(f"9 {command}\n".encode())
        expect(frame.identity == "9", f"{frame.lines[0]!r}")
        _alive(talk)
        expect(not talk.strays, f"{talk.stray!r} where a line beginning with = or ? was expected")


@FRAMES.add("frame-ascii", SHOULD, "clients decode in UTF-8, CP932 or their own code page")
def _ascii(talk: FramedTalk) -> None:
    commands = ["name", "version", _LIST, "showboard", "frobnicate"]
    for command in commands:
        if command == "showboard" and not talk.client.known(command):
            continue
        for line in talk.exchange_bytes(f"{command}\n".encode()).lines:
            expect(line.isascii(), f"{command}: {line[:80]!r} is not ASCII")


@FRAMES.add("frame-trailing", NICE, "Sabaki compares the lines of list_commands untrimmed")
def _trailing(talk: FramedTalk) -> None:
    for line in talk.exchange_bytes(f"{_LIST}\n".encode()).lines:
        bare = line.rstrip(b"\r")
        expect(bare == bare.rstrip() or bare == b"= ", f"{line!r} ends in a blank")


@FRAMES.add("error-unknown", MUST, "an unknown command must be refused without other effects")
def _unknown(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"frobnicate now\n")
    expect(frame.mark == "?", f"an unknown command got {frame.lines[0]!r}")
    _alive(talk)


@FRAMES.add("error-reason", NICE, "a person reads the reason in the client's console")
def _reason(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"frobnicate\n")
    expect(frame.mark == "?", f"{frame.lines[0]!r}")
    expect(bool(frame.text), "it refuses without a reason")
    expect(len(frame.lines) == 1, "its error has several lines")


@FRAMES.add("error-case", NICE, "GTP: commands are case-sensitive")
def _case(talk: FramedTalk) -> None:
    talk.expect_refusal("NAME")


@FRAMES.add("line-long", SHOULD, "GoGui sends whole games on one line, our referee long set-ups")
def _long(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"known_command name # " + b"x" * 50_000 + b"\n")
    expect(frame.text == "true", f"a comment of 50 000 characters: {frame.lines[0][:80]!r}")
    _alive(talk)


@FRAMES.add("line-huge", SHOULD, "a line of a megabyte must not end the engine")
def _huge(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"frobnicate " + b"y" * (1 << 20) + b"\n", 2 * ANSWER)
    expect(frame.mark == "?", f"{frame.lines[0][:80]!r}")
    _alive(talk)


@FRAMES.add("argument-surplus", NICE, "GNU Go ignores surplus arguments")
def _surplus(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"protocol_version please\n")
    expect((frame.mark, frame.text) == ("=", "2"), f"{frame.lines[0]!r}")


@FRAMES.add("about-name", MUST, "clients show it, and LizzieYzy selects its dialect by it")
def _name(talk: FramedTalk) -> None:
    for command in ("name", "version"):
        frame = talk.exchange_bytes(f"{command}\n".encode())
        expect(frame.mark == "=", f"{command}: {frame.lines[0]!r}")
        expect(len(frame.lines) == 1, f"{command} has several lines")
        expect(command == "version" or bool(frame.text), "it has no name")


@FRAMES.add("about-known", MUST, "q5Go asks known_command and expects exactly true or false")
def _known(talk: FramedTalk) -> None:
    for word, wanted in (("name", "true"), ("genmove", "true"), ("frobnicate", "false")):
        answer = talk.ask(f"known_command {word}")
        expect(answer == wanted, f"known_command {word} said {answer!r}, not {wanted}")


@FRAMES.add("about-known-bare", NICE, "known_command without an argument must be answered")
def _known_bare(talk: FramedTalk) -> None:
    talk.exchange_bytes(b"known_command\n")
    _alive(talk)


@FRAMES.add("about-list", MUST, "Sabaki and GoGui use exactly what is listed")
def _listed(talk: FramedTalk) -> None:
    listed = talk.ask(_LIST).split("\n")
    for word in listed:
        expect(len(word.split()) == 1, f"the list has the line {word!r}")
    expect(len(set(listed)) == len(listed), "the list names a command twice")
    replies = talk.client.ask([f"known_command {word}" for word in listed], talk.soon())
    for word, reply in zip(listed, replies, strict=True):
        expect(reply == "true", f"it lists {word}, and known_command says {reply!r}")


@FRAMES.add(
    "quit-reply",
    MUST,
    "Sabaki waits for the reply to quit before it does anything else",
    fresh=True,
)
def _quit_reply(talk: FramedTalk) -> None:
    frame = talk.exchange_bytes(b"3 quit\n")
    expect((frame.mark, frame.identity) == ("=", "3"), f"{frame.lines[0]!r}, not =3")
    talk.expect_end()


@FRAMES.add(
    "quit-pipelined",
    MUST,
    "`printf 'genmove b\\nquit\\n' | engine` is how scripts ask for a move",
    fresh=True,
)
def _quit_pipelined(talk: FramedTalk) -> None:
    _move_from_a_pipe(talk, "\nquit\n")


@FRAMES.add(
    "end-of-input-move", SHOULD, "scripts omit quit; the move must still be answered", fresh=True
)
def _end_of_input_move(talk: FramedTalk) -> None:
    _move_from_a_pipe(talk, "\n")


def _move_from_a_pipe(talk: FramedTalk, then: str) -> None:
    talk.prepare()
    talk.reset()
    talk.send_bytes((talk.move_command() + then).encode())
    talk.hang_up()
    frame = talk.frame(20)
    expect(frame.mark == "=", f"{frame.lines[0]!r}")
    expect(bool(frame.text), "its reply to genmove has no move")
    try:
        while True:
            talk.read(10)
    except EngineExited as error:
        talk.note(str(error))

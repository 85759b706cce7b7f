"""Probes of GTP's clocks, of what interrupts a search, and of analysis."""

import re
import time
from typing import Final

from tools.check.probe import MUST, NICE, SHOULD, Catalogue, expect
from tools.check.talks.framed import ANALYZE, THOUGHT, GtpTalk
from tools.check.talks.talk import ANSWER, START

TIME: Final = Catalogue()
_MARGIN: Final = 1.0  # Seconds beyond the clock that a busy machine may take.


@TIME.add("time-settings", MUST, "GoGui sends 600 60 5, q5Go 1 1 0 and 0 1 0 for no limit")
def _settings(talk: GtpTalk) -> None:
    talk.need("time_settings")
    for clock in ("600 60 5", "0 1 0", "1 1 0", "600 0 0", "0 30 1"):
        talk.ask(f"time_settings {clock}")


@TIME.add("time-settings-bad", SHOULD, "a misread clock loses games")
def _settings_bad(talk: GtpTalk) -> None:
    talk.need("time_settings")
    for clock in ("", "600", "soon", "x y z"):
        talk.expect_refusal(f"time_settings {clock}".strip())


@TIME.add("time-left", MUST, "GoGui and CGOS tell the clock before every move")
def _left(talk: GtpTalk) -> None:
    talk.need("time_left", "time_settings")
    talk.ask("time_settings 600 60 5")
    for words in ("b 600 0", "W 540 0", "black 30 5", "w 59 1"):
        talk.ask(f"time_left {words}")


@TIME.add("time-left-bad", SHOULD, "a misread clock loses games")
def _left_bad(talk: GtpTalk) -> None:
    talk.need("time_left")
    for words in ("", "b", "green 10 0", "b soon 0"):
        talk.expect_refusal(f"time_left {words}".strip())


@TIME.add("time-kept", MUST, "an engine that exceeds a period loses the game")
def _kept(talk: GtpTalk) -> None:
    talk.need("time_settings")
    talk.ask("time_settings 0 2 1")
    if talk.client.known("time_left"):
        talk.ask("time_left b 2 1")
    _timed_move(talk, 2.0)


@TIME.add("time-kept-main", MUST, "a whole game must fit into its main time")
def _kept_main(talk: GtpTalk) -> None:
    talk.need("time_settings", "time_left")
    talk.ask("time_settings 6 0 0")
    left = 6.0
    for _ in range(2):
        talk.ask(f"time_left b {int(left)} 0")
        left -= _timed_move(talk, left)


@TIME.add("time-trouble", SHOULD, "with one second left an engine must move immediately")
def _trouble(talk: GtpTalk) -> None:
    talk.need("time_settings", "time_left")
    talk.ask("time_settings 60 0 0")
    talk.ask("time_left b 1 0")
    _timed_move(talk, 1.0)
    talk.ask("time_left b 0 0")
    _timed_move(talk, 1.0)


def _timed_move(talk: GtpTalk, allowed: float) -> float:
    began = time.monotonic()
    talk.ask("genmove b", THOUGHT)
    spent = time.monotonic() - began
    limit = (allowed + _MARGIN) * talk.patience
    expect(spent < limit, f"it took {spent:.1f} s for a move with {allowed:g} s left")
    return spent


@TIME.add("time-kept-over-clear", SHOULD, "clear_board and boardsize must not change the clock")
def _over_clear(talk: GtpTalk) -> None:
    talk.need("time_settings")
    talk.ask("time_settings 0 1 1")
    talk.ask("boardsize 9")
    talk.ask("clear_board")
    _timed_move(talk, 1.0)


@TIME.add("interrupt", MUST, "GoGui stops a search by the comment `# interrupt`")
def _interrupt(talk: GtpTalk) -> None:
    talk.need("gogui-interrupt")
    talk.begin_long_thought()
    time.sleep(0.3)
    talk.send_bytes(b"# interrupt\n")
    frame = talk.frame(ANSWER)
    expect(frame.mark == "=", f"after an interrupt: {frame.lines[0]!r}")


@TIME.add(
    "queue-thinking", MUST, "commands during genmove must wait for their turn; Sabaki sends many"
)
def _queue(talk: GtpTalk) -> None:
    talk.send("51 genmove b", "52 protocol_version", "53 name")
    for number in ("51", "52", "53"):
        frame = talk.frame(THOUGHT)
        expect(frame.identity == number, f"{frame.lines[0]!r} where reply {number} was expected")
        expect(bool(frame.text), f"{frame.lines[0]!r} is empty")


def _begin(talk: GtpTalk, words: str) -> float:
    """Begin to analyze and read the first line of the reply; return its time."""
    began = time.monotonic()
    talk.send(words)
    line = talk.read(START)
    expect(line.rstrip() == "=", f"{words} began with {line[:80]!r}, not with = alone")
    return time.monotonic() - began


def _infos(talk: GtpTalk, least: int) -> list[str]:
    """Read lines until a number of `info` lines have arrived."""
    lines: list[str] = []
    while len(lines) < least:
        line = talk.read(START)
        expect(line.startswith("info "), f"{line[:80]!r} where `info ...` was expected")
        lines.append(line)
    return lines


def _end(talk: GtpTalk, by: bytes) -> list[str]:
    """End the analysis by a line, and return what came before the empty line."""
    talk.send_bytes(by)
    deadline = time.monotonic() + 2 * talk.patience
    lines = []
    while line := talk.process.read_line(min(deadline, talk.until)):
        expect(line.startswith("info "), f"{line[:80]!r} where `info ...` was expected")
        lines.append(line)
    return lines


@TIME.add("analyze-start", SHOULD, "Lizzie discards lines before `=`, so `=` must come immediately")
def _analyze_start(talk: GtpTalk) -> None:
    spent = _begin(talk, f"{talk.first_listed(*ANALYZE)} b 20")
    expect(spent < 1.5 * talk.patience, f"the `=` came after {spent:.1f} s")
    _infos(talk, 1)
    _end(talk, b"\n")


@TIME.add("analyze-empty-line", MUST, "an empty line ends the analysis: clients send it for that")
def _analyze_empty(talk: GtpTalk) -> None:
    _begin(talk, f"{talk.first_listed(*ANALYZE)} b 20")
    _infos(talk, 1)
    _end(talk, b"\n")


@TIME.add("analyze-command", MUST, "any command ends the analysis and is then answered")
def _analyze_command(talk: GtpTalk) -> None:
    _begin(talk, f"{talk.first_listed(*ANALYZE)} b 20")
    _infos(talk, 1)
    _end(talk, b"61 protocol_version\n")
    frame = talk.frame()
    expect((frame.identity, frame.text) == ("61", "2"), f"then: {frame.lines[0]!r}, not =61 2")


@TIME.add("analyze-at-once", MUST, "a click may end the analysis before its first line")
def _analyze_at_once(talk: GtpTalk) -> None:
    talk.send(f"{talk.first_listed(*ANALYZE)} b 20", "62 protocol_version")
    line = talk.read(START)
    expect(line.rstrip() == "=", f"it began with {line[:80]!r}")
    while line := talk.read():
        expect(line.startswith("info "), f"{line[:80]!r} where `info ...` was expected")
    frame = talk.frame()
    expect((frame.identity, frame.text) == ("62", "2"), f"then: {frame.lines[0]!r}, not =62 2")


@TIME.add("analyze-arguments", SHOULD, "Lizzie omits the colour, KaTrain and others the interval")
def _analyze_arguments(talk: GtpTalk) -> None:
    for command in ANALYZE:
        if not talk.client.known(command):
            continue
        for words in ("b 20", "20 b", "20", "w", "black 20", "b interval 20", ""):
            _begin(talk, f"{command} {words}".strip())
            if words != "w" and words:
                _infos(talk, 1)
            _end(talk, b"\n")
    talk.first_listed(*ANALYZE)


def _fields(line: str) -> list[dict[str, str]]:
    """Split a line into its moves; raises Fault for anything that confuses clients."""
    expect("  " not in line, f"double blanks in {line[:120]!r}")
    expect(line == line.rstrip(), f"{line[-40:]!r} ends in a blank")
    moves = []
    for segment in line.removeprefix("info ").split(" info "):
        front, separator, pv = segment.partition(" pv ")
        words = front.split(" ")
        expect(bool(separator) and bool(pv.strip()), f"no pv in {segment[:120]!r}")
        expect(len(words) % 2 == 0, f"a key without a value in {segment[:120]!r}")
        moves.append(dict(zip(words[::2], words[1::2], strict=True)) | {"pv": pv})
    for fields in moves:
        missing = {"move", "visits", "winrate"} - set(fields)
        expect(not missing, f"no {', '.join(missing)} in {line[:120]!r}")
        for vertex in fields["pv"].split():
            expect(
                bool(re.fullmatch(r"[A-HJ-T]\d+|pass", vertex)),
                f"{vertex!r} in a pv is not a vertex",
            )
    return moves


@TIME.add("analyze-lz", MUST, "Lizzie reads visits and winrate by Integer.parseInt")
def _analyze_lz(talk: GtpTalk) -> None:
    talk.need("lz-analyze")
    _begin(talk, "lz-analyze b 20")
    lines = _infos(talk, 2)
    _end(talk, b"\n")
    for fields in (move for line in lines for move in _fields(line)):
        for key in ("visits", "winrate", "prior", "lcb", "order"):
            value = fields.get(key, "0")
            expect(bool(re.fullmatch(r"-?\d+", value)), f"{key} {value} is not a whole number")
        expect(0 <= int(fields["winrate"]) <= 10000, f"winrate {fields['winrate']}")


@TIME.add(
    "analyze-kata", MUST, "Sabaki reads a winrate without a decimal point 10000 times too small"
)
def _analyze_kata(talk: GtpTalk) -> None:
    talk.need("kata-analyze")
    _begin(talk, "kata-analyze b 20")
    lines = _infos(talk, 2)
    _end(talk, b"\n")
    for fields in (move for line in lines for move in _fields(line)):
        expect("." in fields["winrate"], f"winrate {fields['winrate']} has no decimal point")
        expect(0 <= float(fields["winrate"]) <= 1, f"winrate {fields['winrate']}")


@TIME.add("analyze-ownership", NICE, "KaTrain and Sabaki draw territory from it")
def _ownership(talk: GtpTalk) -> None:
    talk.need("kata-analyze")
    _begin(talk, "kata-analyze b 20 ownership true")
    line = _infos(talk, 1)[0]
    _end(talk, b"\n")
    _, separator, numbers = line.partition(" ownership ")
    expect(bool(separator), "it was asked for ownership and sent none")
    expect(len(numbers.split()) == 81, f"{len(numbers.split())} figures for 81 points")


@TIME.add("analyze-genmove", MUST, "Sabaki waits for a line `play VERTEX` at the first column")
def _genmove_analyze(talk: GtpTalk) -> None:
    command = talk.first_listed("kata-genmove_analyze", "lz-genmove_analyze")
    _begin(talk, f"{command} b 20")
    lines = []
    while line := talk.read(THOUGHT):
        lines.append(line)
    played = [line for line in lines if line.startswith("play ")]
    expect(len(played) == 1, f"{len(played)} lines begin with `play `")
    expect(lines[-1] == played[0], "`play` is not the last line")
    expect(any(line.startswith("info ") for line in lines), "no `info` line before the move")
    move = played[0].removeprefix("play ").strip()
    if move.lower() not in ("pass", "resign"):
        talk.expect_refusal(f"play w {move}")

"""For each probe, a fault that it must find: rules for `fake_citizen`, and the message."""

from dataclasses import dataclass

Rule = tuple[str, ...]
Entry = tuple[str, str, tuple[Rule, ...]]
"""The probe's id, a pattern of what it must tell, the rules of the fake."""


def _say(pattern: str, text: str) -> Rule:
    return ("in", pattern, "say", text)


def _yes(pattern: str, text: str = "") -> Rule:
    """Accept what matches, and do nothing."""
    return _say(pattern, f"={{id}} {text}\n\n")


def _no(pattern: str) -> Rule:
    return _say(pattern, "?{id} I will not\n\n")


def _drop(pattern: str) -> Rule:
    return ("in", pattern, "drop")


def _die(pattern: str, at: int = 1) -> Rule:
    return ("in", pattern, "die", f"9@{at}")


def _late(pattern: str, seconds: float, text: str) -> Rule:
    return ("in", pattern, "late", f"{seconds} {text}")


def _start(action: str, text: str = "") -> Rule:
    return ("start", action, text)


def _list(*words: str) -> Rule:
    return _yes("list_commands$", "\n".join(words))


_DEAD = "exited with code 9"

MANNERS: tuple[Entry, ...] = (
    ("start-silent", "nothing had been asked", (_start("say", "hello\n"),)),
    ("start-anywhere", "exited", (_start("homeless"),)),
    ("start-twice", "exited", (_start("lock", "{folder}/lock"),)),
    ("idle-cpu", "of a core", (_start("spin"),)),
    ("idle-after-thought", "of a core", (("in", "genmove", "spin"),)),
    ("stderr-flood", "70000 bytes", (_start("stderr", "70000"),)),
    ("stderr-silent", "7 bytes", (_start("stderr", "7"),)),
    ("quit-code", "was 3", (("in", "quit$", "die", "3"),)),
    ("end-of-input-half-line", "no line feed", (_drop("^protocol_version$"),)),
)

# Each waits for what never comes: a small patience makes it short.
WAITING: tuple[Entry, ...] = (
    ("start-in-time", "not answer in time", (_drop("^protocol_version$"),)),
    ("start-quick", "not answer in time", (_drop("^protocol_version$"),)),
    ("quit", "still runs", (_drop("quit$"),)),
    ("quit-first", "still runs", (_drop("quit$"),)),
    ("quit-thinking", "still runs", (_drop("quit$"), _drop("genmove"))),
    ("end-of-input", "still runs", (("eof",),)),
    ("end-of-input-thinking", "still runs", (("eof",),)),
    ("term", "still runs", (_start("deaf"),)),
    ("term-thinking", "still runs", (_start("deaf"),)),
    ("leftovers", "1 of its processes", (_start("child"),)),
    ("interrupt", "not answer in time", (_drop("genmove"),)),
)

FRAMES: tuple[Entry, ...] = (
    ("frame-plain", "=2", (_say("^protocol_version$", "=2\n\n"),)),
    ("frame-blank", "not b'= '", (("out", r"^(=\d*) \n\n$", r"\1\n\n"),)),
    ("frame-line-end", "carriage return", (("out", r"\n", "\r\n"),)),
    ("frame-id", "7 name", (_say("^7 name$", "= x\n\n"),)),
    ("frame-id-error", "not \\?31", (_say("^31 ", "? no\n\n"),)),
    ("frame-id-huge", "does not echo", (_say("^2147483647", "=-1 x\n\n"),)),
    ("frame-id-overflow", _DEAD, (_die("^9{40}"),)),
    ("frame-id-zeros", "another id", (_say("^007", "=8 x\n\n"),)),
    ("frame-id-alone", "=12", (_say("^12$", "=12 \n\n"),)),
    ("frame-crlf", "CR LF", (_yes("\r$", "false"),)),
    ("frame-tab", "TAB", (_no("\t"),)),
    ("frame-blanks", "not =6", (_no("^  6"),)),
    ("frame-comment", "a comment", (_yes("# a comment", "false"),)),
    ("frame-comment-line", "next command got", (_no("^# a"),)),
    ("frame-empty-lines", "next command got", (_say("^$", "? empty\n\n"),)),
    ("frame-controls", "control characters", (_no("\x01"),)),
    ("frame-nul", _DEAD, (_die("\0"),)),
    ("frame-bytes", "not ASCII", (_yes("\ufffd", "\u3042"),)),
    ("frame-in-pieces", "not =8 true", (_yes("^8 ", "false"),)),
    ("frame-pipelined", "reply 150", (_drop("^150 "),)),
    ("frame-slow-reader", "reply 77 of", (_drop("^77 list"),)),
    ("frame-no-hole", "where a line beginning", (_say("^9 list", "=9 a\n\nb\n\n"),)),
    ("frame-ascii", "version", (_say("^version$", "= \u00fc\n\n"),)),
    ("frame-trailing", "ends in a blank", (_say("^list_commands$", "= a \nb\n\n"),)),
    ("error-unknown", "an unknown command", (_yes("^frobnicate now"),)),
    ("error-reason", "without a reason", (_say("^frobnicate$", "? \n\n"),)),
    ("error-case", "accepted 'NAME'", (_yes("NAME$", "x"),)),
    ("line-long", _DEAD, (_die("x{50000}"),)),
    ("line-huge", _DEAD, (_die("y{1000}"),)),
    ("argument-surplus", "I will not", (_no("please"),)),
    ("about-name", "version", (_no("^version$"),)),
    ("about-known", "said 'yes'", (_yes("known_command name$", "yes"),)),
    ("about-known-bare", _DEAD, (_die("^known_command$"),)),
    ("about-list", "it lists frobnicate", (_list("name", "frobnicate"),)),
    ("quit-reply", "not =3", (("in", "^3 quit", "as", "quit"),)),
    ("quit-pipelined", "no move", (_yes("^genmove"),)),
    ("end-of-input-move", "no move", (_yes("^genmove"),)),
)

_KATA = "info move E5 visits 1 winrate {} pv E5\n"
_REQUIRED = (
    *("name", "version", "protocol_version", "list_commands", "quit", "known_command"),
    *("boardsize", "clear_board", "komi", "play"),
)

GTP: tuple[Entry, ...] = (
    ("list-required", "list genmove", (_list(*_REQUIRED),)),
    ("list-first", "begins with name", (_list(*_REQUIRED, "lz-analyze"),)),
    ("list-analyze", "lists analyze", (_list(*_REQUIRED, "analyze"),)),
    ("version-lizzie", "1.0.0", (_yes("version$", "1.0.0"),)),
    ("board-sizes", "boardsize 13", (_no("boardsize 13"),)),
    ("board-size-bad", "boardsize nine", (_yes("boardsize nine"),)),
    ("board-clears", "play w C3", (_yes("boardsize 9$"),)),
    ("komi-forms", "komi -7.5", (_no("komi -7.5"),)),
    ("komi-bad", "komi seven", (_yes("komi seven"),)),
    ("komi-comma", "komi 6,5", (_yes("komi 6,5"),)),
    ("komi-kept", "says 7.5", (_yes("get_komi", "7.5"),)),
    ("play-colours", "play BLACK", (_no("play BLACK"),)),
    ("play-vertices", "play w PASS", (_no("play w PASS"),)),
    ("play-no-i", "play b I5", (_yes("I5"),)),
    ("play-occupied", "play w C3", (_yes("play w C3"),)),
    ("play-off-board", "play b A10", (_yes("A10"),)),
    ("play-bad", "play green", (_yes("play green"),)),
    ("play-resign", "resign", (_yes("resign"),)),
    ("play-same-colour", "play b D3", (_no("play b D3"),)),
    ("play-suicide", "play w A1", (_yes("play w A1"),)),
    ("play-capture", "play b A1", (_no("play b A1"),)),
    ("play-ko", "play w D4", (_no("play w D4"),)),
    ("play-refused-changes-nothing", "play w D4", (_yes("undo"),)),
    ("undo", "play w C3", (_yes("undo"),)),
    ("undo-empty", "accepted 'undo'", (_yes("undo"),)),
    ("undo-pass", "play w C3", (_yes("undo"),)),
    ("undo-capture", "play b A1", (_yes("undo"),)),
    ("undo-genmove", "refused 'undo'", (_yes("genmove", "E5"),)),
    ("genmove", "'e5'", (_yes("genmove", "e5"),)),
    ("genmove-plays", "play w E5", (_yes("genmove", "E5"),)),
    ("genmove-any-colour", "WHITE", (_no("genmove WHITE"), _yes("genmove", "E5"))),
    ("genmove-bad", "genmove green", (_yes("genmove green", "E5"),)),
    ("genmove-after-passes", "I will not", (_no("genmove"),)),
    ("reg-genmove", "Z99", (_yes("reg_genmove", "Z99"),)),
    ("handicap-fixed", "gave", (_yes("fixed_handicap 4", "D4 Q16"),)),
    ("handicap-bad", "fixed_handicap 1", (_yes("fixed_handicap 1$"),)),
    ("handicap-free", "C3 C3", (_yes("C3 C3"),)),
    ("handicap-placed", "gave", (_yes("place_free_handicap"),)),
    ("score", "B\\+R", (_yes("final_score", "B+R"),)),
    ("score-status", "'c3'", (_yes("final_status_list", "c3"),)),
    ("record-missing", "loadsgf", (_yes("loadsgf$"),)),
    ("record-broken", _DEAD, (_die("binary.sgf"),)),
    ("record", "play w G3|refused", (_yes("loadsgf .* 3$"),)),
    ("board-rectangular", "K1", (_yes("K1"),)),
    ("showboard", "beside the mark", (_say("^showboard", "= A B\n\n"),)),
    ("time-settings", "1 1 0", (_no("1 1 0"),)),
    ("time-settings-bad", "soon", (_yes("settings soon"),)),
    ("time-left", "W 540", (_no("W 540"),)),
    ("time-left-bad", "green 10", (_yes("green 10"),)),
    ("queue-thinking", "reply 52", (_drop("^52 "), _yes("genmove", "E5"))),
    ("analyze-start", "began with", (_say("kata-analyze", "info x\n"),)),
    (
        "analyze-empty-line",
        "where `info",
        (_say("kata-analyze", "=\n" + _KATA.format("0.5")), _say("^$", "oh\n")),
    ),
    (
        "analyze-command",
        "not =61 2",
        (_say("kata-analyze", "=\n" + _KATA.format("0.5")), _say("^61", "\n=61 3\n\n")),
    ),
    ("analyze-at-once", "not =62 2", (_say("kata-", "=\n"), _say("^62", "\n=62 3\n\n"))),
    ("analyze-arguments", "20 b began", (_say("kata-analyze 20 b", "? no\n\n"),)),
    (
        "analyze-lz",
        "winrate 0.5 is",
        (_say("lz-analyze", "=\n" + _KATA.format("0.5") * 2), _say("^$", "\n")),
    ),
    (
        "analyze-kata",
        "no decimal point",
        (_say("kata-analyze", "=\n" + _KATA.format("5000") * 2), _say("^$", "\n")),
    ),
    (
        "analyze-ownership",
        "sent none",
        (_say("kata-analyze", "=\n" + _KATA.format("0.5")), _say("^$", "\n")),
    ),
    ("analyze-genmove", "0 lines", (_say("genmove_analyze", "=\n" + _KATA + "\n"),)),
)

LINE: tuple[Entry, ...] = (
    ("line-minimum", "genmove b answered 'a1-a1': ", (_yes("genmove", "a1-a1"),)),
    ("line-commands", "does not list", (_list("name", "version", "newgame"),)),
    ("line-game", "chess", (_yes("game$", "chess"),)),
    ("line-variants", "newgame foo", (_yes("variants", "default\nfoo"),)),
    ("newgame-bad", "newgame frobnicate", (_yes("newgame frobnicate$"),)),
    ("newgame-resets", "not the start", (_yes("newgame"),)),
    ("position-again", "set up again", (_yes("position .+"),)),
    ("position-bad", "position frobnicate", (_yes("position frob"),)),
    ("position-history", "accepted 'undo'", (_yes("position .+"),)),
    ("turn", "nobody", (_yes("turn$", "nobody"),)),
    ("legal-plays", "refused|lead back", (_yes("undo"),)),
    ("play-illegal", "play z9", (_yes("play z9"),)),
    ("play-side", "play b ", (_no("play b "),)),
    ("play-wrong-side", "play green", (_yes("play green"),)),
    ("undo", "undo 2", (_no("undo 2"),)),
    ("undo-too-many", "undo 0", (_yes("undo 0"),)),
    ("genmove", "'z9'", (_yes("genmove", "z9"),)),
    ("genmove-game", "'z9'", (_yes("genmove", "z9"),)),
    ("genmove-over", "accepted 'genmove'", (_yes("turn$", "over"),)),
    ("reg-genmove", "'z9'", (_yes("reg_genmove", "z9"),)),
    ("roll", "roll 3", (_yes("roll 3"),)),
    ("limit", "depth x", (_yes("depth x"),)),
    ("time-settings", "60h", (_no("60h"),)),
    ("time-settings-bad", "soon", (_yes("settings soon"),)),
    ("time-left", "green 10", (_yes("green 10"),)),
    ("queue-thinking", "reply 52", (_drop("^52 "), _yes("genmove", "x"))),
    ("analyze", "not an info line", (_say("analyze", "=\ninfo x\n"), _say("^61", "\n=61 2\n\n"))),
    ("analyze-empty-line", "began with", (_say("analyze", "= x\n\n"),)),
    ("evaluation", "info x", (_yes("evaluation", "info x"),)),
    ("result", "white won", (_yes("result", "white won"),)),
    ("options", "option level", (_no("option level$"),)),
    ("perft", "is 99", (_yes("perft 1$", "99"),)),
    ("showboard", "beside the mark", (_say("^showboard", "= x\n\n"),)),
)

_ILLEGAL = "bestmove 5e5d"
_DECLARED = "id name x\nid author x\n{}\nusiok\n"


def _best(pattern: str = "^go", move: str = "5e5d", *, infos: str = "") -> Rule:
    return _say(pattern, f"{infos}bestmove {move}\n")


def _illegal(*names: str) -> tuple[Entry, ...]:
    return tuple((name, _ILLEGAL, (_best("^ *go"),)) for name in names)


USI: tuple[Entry, ...] = (
    ("usi-id", "id author", (("out", "id author.*\n", ""),)),
    ("usi-ascii", "not ASCII", (_say("^usi$", _DECLARED.format("id name \u00fc")),)),
    ("usi-lines", "hello", (_say("^usi$", _DECLARED.format("hello")),)),
    ("usi-again", "different", (_say("^usi$", _DECLARED.format("option name {n} type x")),)),
    (
        "option-grammar",
        "double blanks",
        (_say("^usi$", _DECLARED.format("option name A  type check default true")),),
    ),
    (
        "option-one-word",
        "several words",
        (_say("^usi$", _DECLARED.format("option name A B type string default ")),),
    ),
    ("option-standard", "declare USI_Hash", (_say("^usi$", _DECLARED.format("")),)),
    ("ready-again", _DEAD, (_die("^usinewgame", 3),)),
    ("ready", _DEAD, (_die("^isready"),)),
    ("ready-first", _DEAD, (_die("^isready"),)),
    ("option-before-ready", _DEAD, (_die("NetworkDelay"),)),
    ("option-after-ready", _DEAD, (_die("NetworkDelay"),)),
    ("option-unknown", "No such option", (_say("Frobnicate", "No such option\n"),)),
    ("option-empty", _DEAD, (_die("EvalFile"),)),
    ("option-bad-value", _DEAD, (_die("value frobnicate"),)),
    ("option-malformed", _DEAD, (_die("^setoption$"),)),
    ("option-thinking", _DEAD, (_drop("^go"), _die("value 3$"))),
    *_illegal("position-start", "position-moves", "position-sfen", "position-sfen-moves"),
    *_illegal("position-hands", "position-hands-order", "position-no-ply"),
    ("position-one-king", _DEAD, (_die("position sfen 7nl"),)),
    ("position-long", _DEAD, (_die("^position .{9000}"),)),
    ("position-bad", _DEAD, (_die("frobnicate"),)),
    ("position-illegal-move", _DEAD, (_die("9z9z"),)),
    ("line-unknown", "bestmove", (_best("frobnicate"),)),
    ("line-empty", "must be ignored", (_say("^$", "huh\n"),)),
    ("line-crlf", _DEAD, (_die("\r$"),)),
    ("line-blanks", _DEAD, (_die("^  go"),)),
    ("line-in-pieces", _DEAD, (_die("^isready", 3),)),
    ("line-bytes", _DEAD, (_die("\ufffd"),)),
    ("line-huge", _DEAD, (_die("y{1000}"),)),
    ("newgame-again", _DEAD, (_best(move="7g7f"), _die("^gameover"))),
    ("usi-thinking", _DEAD, (_drop("^go"), _die("^usi$", 2))),
    *_illegal("go-clock", "go-byoyomi", "go-increment", "go-increment-nothing"),
    *_illegal("go-increment-one-side", "go-order", "go-movetime", "go-depth", "go-nodes"),
    *_illegal("go-rtime", "go-unknown-words", "go-numbers", "check", "game"),
    *_illegal("multipv-many"),
    ("go-bare", "stop had not been sent", (_best(move="7g7f"),)),
    ("go-searchmoves", "answered 7g7f", (_best(move="7g7f"),)),
    ("go-infinite", "before 'stop'", (_best(move="7g7f"),)),
    ("go-infinite-mate", "before 'stop'", (_best(move="G*5b"),)),
    ("go-infinite-no-moves", "before 'stop'", (_best(move="resign"),)),
    ("stop-at-once", "it resigns", (_drop("^go"), _best("^stop", "resign"))),
    ("stop", _ILLEGAL, (_drop("^go"), _best("^stop"))),
    ("stop-twice", "without a question", (_drop("^go"), _best("^stop", "7g7f"))),
    ("stop-idle", "nothing was searched", (_best("^stop", "7g7f"),)),
    ("ponderhit-idle", "without a ponder", (_best("^ponderhit", "7g7f"),)),
    ("ponder-stop", "before 'stop'", (_best(move="2g2f"),)),
    ("ponder-hit", "before 'ponderhit'", (_best(move="2g2f"),)),
    ("ponder-hit-at-once", _ILLEGAL, (_drop("^go"), _best("^ponderhit"))),
    ("ponder-stop-at-once", _ILLEGAL, (_drop("^go"), _best("^stop"))),
    (
        "ponder-hit-stop",
        "without a question",
        (_drop("^go"), _best("^(ponderhit|stop)", "2g2f")),
    ),
    ("ponder-early", "before 'ponderhit", (_best(move="2g2f"),)),
    ("ponder-mate", "before 'ponderhit'", (_best(move="G*5b"),)),
    (
        "ponder-next",
        _ILLEGAL,
        (_drop("^go ponder"), _best("^stop", "2g2f"), _best("^go btime")),
    ),
    ("gameover-idle", "answered a gameover", (_best("^gameover", "7g7f"),)),
    (
        "gameover-stop",
        _ILLEGAL,
        (_drop("60000$"), _best("^stop", "7g7f"), _drop("^gameover"), _best("^go")),
    ),
    ("ready-thinking", "0 bestmoves", (_drop("^go"), _drop("^stop"))),
    (
        "go-thinking",
        "bestmove 7g7f",
        (_drop("^go infinite"), _say("^go", "bestmove 7g7f\nbestmove 7g7f\n")),
    ),
    ("no-moves", "bestmove 7g7f", (_best(move="7g7f"),)),
    ("mate-in-one", "answered 5c5b", (_best(move="5c5b+"),)),
    ("declaration", "win", (_best(move="win"),)),
    ("go-mate", "checkmate 1a1b", (_say("^go", "checkmate 1a1b\n"),)),
    ("go-mate-none", "checkmate P\\*5b", (_say("^go", "checkmate P*5b\n"),)),
    (
        "go-mate-stop",
        "a bestmove",
        (_drop("^go"), _say("^stop", "bestmove 7g7f\ncheckmate timeout\n")),
    ),
    (
        "info-grammar",
        "depth x",
        (_best(move="2g2f", infos="info depth x score cp 1 pv 2g2f\n"),),
    ),
    ("info-pv", "1a1b", (_best(move="2g2f", infos="info depth 1 score cp 1 pv 1a1b\n"),)),
    ("info-last", "9g9f", (_best(move="2g2f", infos="info depth 1 score cp 1 pv 9g9f\n"),)),
    (
        "info-rate",
        "50 lines",
        (_best(move="2g2f", infos="info depth 1 score cp 1 pv 2g2f\n" * 50),),
    ),
    ("multipv", "the lines were", (_best(move="2g2f", infos="info multipv 1 pv 2g2f\n"),)),
)

USI_WAITING: tuple[Entry, ...] = (
    ("ready-quick", "no readyok", (_drop("^isready"),)),
    ("gameover-ponder", "no bestmove", (_drop("^go"), _drop("^gameover"))),
)


@dataclass(frozen=True)
class Timed:
    """A fault in time: the move comes so many seconds late, for so much patience."""

    name: str
    seconds: float
    patience: float


GTP_TIMED = (
    Timed("time-kept", 1.0, 0.3),
    Timed("time-kept-main", 1.5, 0.2),
    Timed("time-trouble", 0.7, 0.3),
    Timed("time-kept-over-clear", 0.7, 0.3),
)
LINE_TIMED = (
    Timed("limit-kept", 0.7, 0.3),
    Timed("time-kept", 1.0, 0.3),
    Timed("time-trouble", 0.6, 0.3),
)
USI_TIMED = (
    Timed("time-byoyomi", 1.0, 0.3),
    Timed("time-main", 1.3, 0.2),
    Timed("time-trouble", 0.6, 0.3),
    Timed("time-side", 1.0, 0.3),
)


def late(timed: Timed, move: str) -> Rule:
    """Return the rule that answers late."""
    return _late("^(\\d+ )?(genmove|go)", timed.seconds, move)

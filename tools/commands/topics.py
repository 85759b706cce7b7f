"""The topics of `quintet help`: what several commands share, each explained in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples and their meanings; tests read every one of them as the program would."""

    meanings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that are printed as they are: commands, or a piece of a file."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: its line in the list of topics, and its text in parts."""

    line: str
    parts: Sequence[str | Examples | Lines]


_TIME: Final = Topic(
    "Time controls: clocks, seconds per move, and limits of depth, nodes or visits.",
    (
        "A time control is one word, in seconds. It is the same in --time, in the files of "
        "tournaments, in engines' settings (time=TC) and in records.",
        Examples(
            {
                "600": "ten minutes for the whole game (sudden death)",
                "600+5": "ten minutes, and five seconds more after each move (increment)",
                "600+5x30": "ten minutes, then five periods of byo-yomi of 30 seconds",
                "600+25/300": "ten minutes, then 25 moves in each five minutes (Canadian)",
                "1/move": "one second per move",
                "60h": "an hourglass: what one side uses, the other gains",
            }
        ),
        "Limits make games independent of the speed of the machine. They stand alone, so that "
        "there is no clock, or are appended to a clock.",
        Examples(
            {
                "depth=8": "a search of eight plies",
                "nodes=1000": "1000 nodes per move",
                "visits=200": "Go: 200 visits per move",
                "600+5,depth=8": "a clock and a limit",
            }
        ),
        "If --time is given twice to a match, the first is the first engine's. Where there is no "
        "clock, --move-timeout ends a search that does not end. --lag is the overrun per move that "
        "does not lose on time.",
    ),
)
_ENGINES: Final = Topic(
    "Engines and how to name them: our programs, engines.toml, command lines, settings.",
    (
        "Wherever a command wants an ENGINE, it accepts:",
        Examples(
            {
                "neutron": "our engine of a game",
                "quintet-neutron --option level=3": "one of our programs with its arguments",
                "mine": "a name from engines.toml",
                "./mine --fast": "any program that speaks GTP, USI or the line protocol",
            }
        ),
        "Names and commands with spaces are one word of the shell, in quotes. The words after an "
        "engine in a match or tournament are its settings: name=new time=60+1 options.depth=4 "
        "lag=0.5.",
        "engines.toml is in the folder that $QUINTET_CONFIG names, or else where your system keeps "
        "settings (~/.config/quintet on Linux):",
        Lines(
            (
                "[engine.mine]",
                'command = ["/home/me/mine/engine", "--fast"]   # needed; all else may be left out',
                'protocol = "line"            # gtp, usi or line; detected if it is missing',
                'game = "neutron"',
                "options = { level = 3 }",
                'folder = "/home/me/mine"     # where it is started',
                'environment = { OMP_NUM_THREADS = "1" }   # values are texts',
                "patience = 300               # seconds to start, if that takes longer than 60",
                "ponder = true                # thinks in its opponent's time",
                'restart = "always"           # a new process for each game',
                "scores = false               # Go: its final_score is not asked for",
                "lag = 0.5                    # seconds of overrun per move, instead of --lag",
                "movetime = true              # USI: a fixed time per move is sent as movetime",
                'commands = ["showboard"]     # sent once, when the engine has started',
            )
        ),
        "`quintet check ENGINE` says what an engine does not do as its protocol asks.",
    ),
)
_PROTOCOLS: Final = Topic(
    "The protocols GTP, USI and line, and how the one of an engine is found.",
    (
        "An engine is a program that reads commands from its standard input and answers on its "
        "standard output.",
        Examples(
            {
                "gtp": "the Go Text Protocol, version 2, of most programs for Go; also other games "
                "of GoGui",
                "usi": "the Universal Shogi Interface, of most programs for shogi",
                "line": "our own for Morris, Neutron and Senet: the framing of GTP with commands "
                "of its own",
            }
        ),
        "Without --protocol (or protocol= in engines.toml) it is detected: an engine that answers "
        "protocol_version speaks GTP, or the line protocol if it also knows the command game; "
        "otherwise a new process is asked usi.",
        "In matches, an engine of GTP needs boardsize, clear_board, komi, play and genmove, and "
        "receives the rules and the clock if it knows the commands for these. An engine of USI "
        "needs usi, isready, usinewgame, position and go. protocols/README.md describes the line "
        "protocol; protocols/ADDING.md, how to add another.",
        "`quintet check ENGINE` runs up to a hundred probes, each with the exact exchange if it "
        "fails.",
    ),
)
_OPENINGS: Final = Topic(
    "Openings of matches: where they come from, and the format of a file of openings.",
    (
        "Each opening is played twice, with both colours, and its moves cost no time. Without "
        "--openings every game begins at the start position; then engines that always choose the "
        "same move repeat the same games, which count in the score, but not as evidence.",
        Examples(
            {
                "--openings builtin": "the balanced ones that come with us (Go on 9x9, 13x13 and "
                "19x19, shogi, Morris, Neutron)",
                "--openings lines.txt": "a text file, one opening per line",
                "--openings game.sgf": "the main line of a record; shogi also .kif, .csa, .jkf",
                "--openings folder": "all openings and records in a folder",
            }
        ),
        "A line of a text file has moves in the notation of the game, separated by spaces, and may "
        "end in a comment after #. One line for each game:",
        Examples(
            {
                "Q16 D4 Q4 D16": "go",
                "7g7f 3c3d 2g2f 8c8d": "shogi",
                "d6 f4 d2": "morris",
                "b1-b4 c3-c4/e5-b2": "neutron",
                "4 10-14 1 6-7": "senet",
            }
        ),
        "In Senet, throws stand between the moves. In shogi, a line may also be that of USI: "
        "`position startpos moves 7g7f`. --plies N uses the first N moves of each, --order random "
        "shuffles them by --seed. The command that draws more openings, as even as you like, is "
        "explained by `quintet openings --help`.",
    ),
)
_FORMATS: Final = Topic(
    "Formats of records: what is read, what is written, and in which character set.",
    (
        "The suffix tells the format.",
        Examples(
            {
                "sgf": "SGF of any game, read in any character set, written as FF[4] in UTF-8; "
                "of shogi, also converted from and to the formats below",
                "gib": "GIB of Tygem, only read",
                "ngf": "NGF of WBaduk, only read",
                "ugf": "UGF of PandaNET, only read; also .ugi",
                "kif": "KIF of shogi, written in Shift_JIS (CP932)",
                "kifu": "KIF of shogi, written in UTF-8",
                "ki2": "KI2 of shogi, written in Shift_JIS (CP932)",
                "ki2u": "KI2 of shogi, written in UTF-8",
                "csa": "CSA of shogi; 2.2, or 3.0 if times have fractions of seconds",
                "jkf": "JSON Kifu Format of shogi",
                "usi": "the command `position` of USI; also .sfen",
            }
        ),
        "Matches and tournaments write SGF, and shogi in the format of --records: kif (Shift_JIS, "
        "the default), kifu (UTF-8) or csa. The default is what every program for shogi reads: a "
        ".kif is in Shift_JIS by its specification, and many programs do not know .kifu. Take kifu "
        "for tools that expect UTF-8, or for names that Shift_JIS lacks: in a .kif their "
        "characters become similar ones or question marks.",
        "`quintet convert` converts records one by one or whole folders, and says what a format "
        "cannot hold; `quintet show` draws them, `quintet annotate` values their moves. "
        "tools/records/README.md has the details.",
    ),
)
_SUITES: Final = Topic(
    "Suites of positions with known answers, for `quintet regress`.",
    (
        "A suite is a text file. A test begins with `test NAME: TITLE`; above the first one stands "
        "what holds for all of them. Lines that begin with # are comments.",
        Lines(
            (
                "# mine.suite",
                "game: shogi",
                "limit: nodes=20000",
                "",
                "test mate-1: a gold on the head",
                "position: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
                "accept: G*5b",
                "mate: 1",
                "",
                "test trap: do not give the bishop",
                "position: startpos",
                "moves: 7g7f 3c3d",
                "forbid: 8h3c+",
                "score: -200..200",
            )
        ),
        "The keys that are needed most:",
        Examples(
            {
                "game, variant, size, komi": "what is played",
                "position, diagram, moves": "the position, and moves from it",
                "limit, level, seed, option": "how the engine thinks; limit is a time control",
                "accept, forbid": "right and wrong moves; a2... is any move that begins with a2",
                "score, mate": "what the engine must say: a range LOW..HIGH, the moves to mate",
                "fails, ignore": "a known failure, or a test that does not count, and why",
            }
        ),
        "`quintet regress mine.suite --engine ENGINE --baseline known.jsonl` fails only if an "
        "answer got worse than in the first run. `quintet regress from-journal DIR` proposes tests "
        "from a match. tools/regress/README.md has all keys, and the dialects of .tst.",
    ),
)
_STATUS: Final = Topic(
    "The exit status of commands, and results for programs (--json).",
    (
        "Every command ends with one of these:",
        Examples(
            {
                "0": "done",
                "1": "the answer is no: an anomaly, a finding, a failed test, H1 not accepted",
                "2": "it could not run; the reason is on the standard error",
                "130": "it was interrupted",
                "141": "the program that read its output has ended, such as `head`",
            }
        ),
        "Results are on the standard output; warnings, progress and errors are on the standard "
        "error. With --json, the results are one JSON object per line, the last of them with "
        '"event": "summary".',
    ),
)
_COMPLETION: Final = Topic(
    "Completion by the Tab key in bash, zsh and fish.",
    (
        "The Tab key completes commands, options, games, engines of engines.toml, variants, rule "
        "sets, levels and files. Add one line to the settings of your shell:",
        Lines(
            (
                "# bash 4.4 or newer, in ~/.bashrc:",
                'command -v quintet >/dev/null && eval "$(_QUINTET_COMPLETE=bash_source quintet)"',
                "# zsh, in ~/.zshrc after compinit:",
                '(( $+commands[quintet] )) && eval "$(_QUINTET_COMPLETE=zsh_source quintet)"',
                "# fish, in ~/.config/fish/completions/quintet.fish:",
                "type -q quintet; and _QUINTET_COMPLETE=fish_source quintet | source",
            )
        ),
        "These lines do nothing where `quintet` is not found in the PATH. After an installation by "
        "`uv tool install` or `pipx` it always is. For a virtual environment, append the line to "
        "the file .venv/bin/activate instead. PowerShell and cmd have no completion.",
    ),
)

TOPICS: Final[Mapping[str, Topic]] = {
    "time": _TIME,
    "engines": _ENGINES,
    "protocols": _PROTOCOLS,
    "openings": _OPENINGS,
    "formats": _FORMATS,
    "suites": _SUITES,
    "exit": _STATUS,
    "completion": _COMPLETION,
}

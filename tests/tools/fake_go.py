"""A Go engine that plays the moves on its command line, and counts as its test wants it to.

Its arguments are moves, or `KEY=VALUE`. The values of `score` and `dead` are its answers to
`final_score` and `final_status_list`, the value of `after_passes` is its answer to a `play` that
is the second pass in a row. The values `hang`, `die`, `refuse`, `silent` (the command is not
listed) and `flood` are ways not to answer. With `once=FILE`, `score` and `dead` hold for the first
start only, and `later` replaces them from the second start on. `log=FILE` keeps the commands that
the engine receives.
"""

import os
import sys
import time
from pathlib import Path

LISTED = (
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "known_command",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "time_settings",
    "time_left",
)


def main() -> None:
    """Answer until the end of input."""
    settings = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    script = [word for word in sys.argv[1:] if "=" not in word]
    if "once" in settings:
        if Path(settings["once"]).exists():
            settings |= {"score": settings.get("later", ""), "dead": settings.get("later", "")}
        Path(settings["once"]).touch()
    listed = [*LISTED, *settings.get("also", "").replace(",", " ").split()]
    if settings.get("score", "silent") != "silent":
        listed.append("final_score")
    if settings.get("dead", "silent") != "silent":
        listed.append("final_status_list")
    answers = {
        "protocol_version": "2",
        "name": settings.get("name", "fake go"),
        "version": "1",
        "list_commands": "\n".join(listed),
        "final_score": settings.get("score", ""),
        "final_status_list": settings.get("dead", "").replace(",", " ").replace("none", ""),
        "place_free_handicap": settings.get("places", "").replace(",", " "),
    }
    moves = list(script)
    passes = 0
    for line in sys.stdin:
        number, name, *words = line.split()
        if "log" in settings:
            with open(settings["log"], "a", encoding="utf-8") as log:
                log.write(" ".join((name, *words)) + "\n")
        text = answers.get(name, "")
        if name == "clear_board":
            moves, passes = list(script), 0
        if name == "genmove":
            text = moves.pop(0) if moves else "pass"
        if name in ("play", "genmove"):
            played = text if name == "genmove" else words[1]
            passes = passes + 1 if played.lower() == "pass" else 0
            if name == "play" and passes == 2 and "after_passes" in settings:
                text = settings["after_passes"]
        reply(number, name, text, settings)


def reply(number: str, name: str, text: str, settings: dict[str, str]) -> None:
    """Write a reply, or fail at it."""
    refused = name in settings.get("refuses", "").split(",")
    match text:
        case "hang":
            time.sleep(600)
        case "die":
            print("no more", file=sys.stderr)
            os._exit(5)
        case "flood":
            while True:
                print("thinking " * 100)
    mark = "?" if text == "refuse" or refused else "="
    text = "cannot" if mark == "?" else text
    print(f"{mark}{number} {text}\n", flush=True)


if __name__ == "__main__":
    main()

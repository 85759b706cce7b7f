"""A Go engine that plays the moves it is given, and counts as its test wants it to.

Its words are moves, or `KEY=VALUE`: `score`, `dead` and `told` (of the last pass) are answered
so; `hang`, `die`, `refuse`, `silent` (not listed) and `flood` are ways not to. `once=FILE` mends
it from its second start on; `log=FILE` keeps what it was told.
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
    given = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    script = [word for word in sys.argv[1:] if "=" not in word]
    if "once" in given:
        if Path(given["once"]).exists():
            given |= {"score": given.get("later", ""), "dead": given.get("later", "")}
        Path(given["once"]).touch()
    listed = [*LISTED, *given.get("also", "").replace(",", " ").split()]
    if given.get("score", "silent") != "silent":
        listed.append("final_score")
    if given.get("dead", "silent") != "silent":
        listed.append("final_status_list")
    answers = {
        "protocol_version": "2",
        "name": given.get("name", "fake go"),
        "version": "1",
        "list_commands": "\n".join(listed),
        "final_score": given.get("score", ""),
        "final_status_list": given.get("dead", "").replace(",", " ").replace("none", ""),
        "place_free_handicap": given.get("places", "").replace(",", " "),
    }
    moves = list(script)
    passes = 0
    for line in sys.stdin:
        number, name, *words = line.split()
        if "log" in given:
            with open(given["log"], "a", encoding="utf-8") as log:
                log.write(" ".join((name, *words)) + "\n")
        text = answers.get(name, "")
        if name == "clear_board":
            moves, passes = list(script), 0
        if name == "genmove":
            text = moves.pop(0) if moves else "pass"
        if name in ("play", "genmove"):
            played = text if name == "genmove" else words[1]
            passes = passes + 1 if played.lower() == "pass" else 0
            if name == "play" and passes == 2 and "told" in given:
                text = given["told"]
        reply(number, name, text, given)


def reply(number: str, name: str, text: str, given: dict[str, str]) -> None:
    """Write a reply, or fail at it."""
    refused = name in given.get("refuses", "").split(",")
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

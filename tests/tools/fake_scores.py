"""A USI engine that values positions by its arguments: `PLIES=MOVE:SCORE`, after so many plies.

The score is in centipawns; `die` in place of an answer ends it, and `dieonce` only as long as the
file of `log=FILE`, to which it adds a line for each question, has fewer lines than the argument
says (`2=dieonce:3` dies at ply 2 up to the third question). `silent` gives no score. With
`wait=FILE` it answers at ply 3 only when that file exists.
It imports next to nothing.
"""

import os
import sys
import time
from pathlib import Path


def main(words: list[str]) -> None:
    """Answer until `quit`."""
    answers = dict(word.split("=", 1) for word in words)
    log = Path(answers.pop("log", os.devnull))
    wait = Path(answers.pop("wait", os.devnull))
    plies = 0
    for line in sys.stdin:
        match line.split():
            case ["usi"]:
                print("id name scores\nusiok")
            case ["isready"]:
                print("readyok")
            case ["position", *rest]:
                plies = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
            case ["go", *_]:
                while plies == 3 and not wait.exists():
                    time.sleep(0.01)
                answer(answers.get(str(plies), "resign:0"), plies, log)
            case ["quit"]:
                return
        sys.stdout.flush()


def answer(text: str, plies: int, log: Path) -> None:
    """Answer a question, or die."""
    with log.open("a") as file:
        file.write(f"{plies}\n")
    move, _, score = text.partition(":")
    if move == "die" or (move == "dieonce" and len(log.read_text().split()) <= int(score)):
        os._exit(7)
    if score not in ("silent", ""):
        print(f"info depth 3 nodes 99 score cp {score} pv {move}")
    print(f"bestmove {'resign' if move == 'dieonce' else move}")


if __name__ == "__main__":
    main(sys.argv[1:])

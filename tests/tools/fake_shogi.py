"""A USI engine that answers with its arguments, one a question, and resigns after the last.

`7g7f/3c3d` is a move with the answer to ponder on. It imports next to nothing.
"""

import sys


def main(moves: list[str]) -> None:
    """Answer until `quit`, starting over with each game."""
    left: list[str] = []
    for line in sys.stdin:
        match line.split():
            case ["usi"]:
                print("id name scripted\noption name USI_Ponder type check default false\nusiok")
            case ["isready"]:
                left = list(moves)
                print("readyok")
            case ["go", "ponder", *_]:
                pass
            case ["go", *_] | ["ponderhit"]:
                move, _, expected = (left.pop(0) if left else "resign").partition("/")
                print(f"bestmove {move}" + (f" ponder {expected}" if expected else ""))
            case ["stop"]:
                print("bestmove 9i9h")
            case ["quit"]:
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

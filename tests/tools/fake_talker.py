"""A USI engine that prints while it thinks: `python -m tests.tools.fake_talker TEMPER [NUMBERS]`.

It resigns at its second question, so that a game without a fault is short. It imports next to
nothing.
"""

import os
import signal
import sys
import time

INFO = b"info depth 12 seldepth 20 nodes 123456 nps 1000000 score cp 35 pv 7g7f 3c3d 2g2f\n"


def print_until(moment: float, rate: float) -> None:
    """Print so many lines a second, and use all the time that is left for thinking."""
    next_line = time.monotonic()
    while (now := time.monotonic()) < moment:
        if now >= next_line:
            os.write(1, INFO)
            next_line += 1 / rate


def late(seconds: str, rate: str) -> None:
    """Answer after so many seconds, with so many lines a second until then."""
    print_until(time.monotonic() + float(seconds), float(rate))


def endless(rate: str) -> None:
    """Never answer."""
    print_until(float("inf"), float(rate))


def waking(seconds: str) -> None:
    """Pretend that the referee was suspended: send it SIGCONT."""
    moment = time.monotonic() + float(seconds)
    while time.monotonic() < moment:
        os.kill(os.getppid(), signal.SIGCONT)
        time.sleep(0.05)


def suspending() -> None:
    """Suspend the referee for longer than the clock runs, and answer in time."""
    referee = os.getppid()
    os.kill(referee, signal.SIGSTOP)
    if os.fork() == 0:
        time.sleep(1.5)
        os.kill(referee, signal.SIGCONT)
        os._exit(0)


def main(temper: str, *numbers: str) -> None:
    """Answer until `quit`."""
    tempers = {each.__name__: each for each in (late, endless, waking, suspending)}
    asked = 0
    for line in sys.stdin:
        match line.split():
            case ["usi"]:
                print("id name talker\nusiok", flush=True)
            case ["isready"]:
                asked = 0
                print("readyok", flush=True)
            case ["go", *_]:
                asked += 1
                if asked == 1:
                    tempers[temper](*numbers)
                print("bestmove 7g7f" if asked == 1 else "bestmove resign", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Try programs that were built, as somebody does who has just unpacked or installed them.

    python play.py [FOLDER]

FOLDER holds `quintet` and the programs of the engines; without it, those of this Python are tried.
Each engine plays a match against itself, once started by its name and once by its path. Every
match is verified, and one of them gets a report. The programs must be compiled, unless
QUINTET_EXPECT says `interpreted`.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

GAMES = {
    "go": ["--size", "5", "--time", "visits=4", "--jobs", "2", "--force"],
    "morris": ["--time", "depth=2"],
    "neutron": ["--time", "depth=2"],
    "senet": ["--time", "depth=1"],
    "shogi": ["--time", "nodes=50"],
}
SUITE = "1 name\n#? [(Quintet Go)+]\n"  # Such a pattern is matched in a process of its own.


def main() -> None:
    """Try all programs; raises CalledProcessError where one fails."""
    place = sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_path("scripts")
    folder = Path(place).resolve()
    speed = os.environ.get("QUINTET_EXPECT") or "compiled"
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)

        def run(program: str, *words: str) -> str:
            path = shutil.which(program, path=str(folder))
            if path is None:
                sys.exit(f"{program} is not in {folder}")
            done = subprocess.run(
                [path, *words],
                cwd=work,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                timeout=300,
                check=False,
            )
            if done.returncode != 0:
                sys.exit(f"{program} {' '.join(words)}: status {done.returncode}\n{done.stdout}")
            return done.stdout

        for program in ("quintet", *(f"quintet-{game}" for game in GAMES)):
            told = run(program, "--version").strip()
            print(told, flush=True)
            if not told.endswith((f"({speed})", f", {speed})")):
                sys.exit(f"{program} is not {speed}")
        for game, words in GAMES.items():
            engine = shutil.which(f"quintet-{game}", path=str(folder)) or ""
            told = run(
                "quintet", "match", f"quintet-{game}", engine, "name=by-path", "--game", game,
                "--games", "2", "--max-plies", "60", "--out", game, *words,
            )  # fmt: skip
            print(told.splitlines()[0], flush=True)
            run("quintet", "verify", game)
        run("quintet", "report", "neutron")
        (work / "a.tst").write_text(SUITE, encoding="utf-8")
        run("quintet", "regress", "a.tst", "--engine", "quintet-go")
        print(f"all programs in {folder} work", flush=True)


if __name__ == "__main__":
    main()

"""The start of every program that PyInstaller freezes: the name of its file says which it is.

Quintet starts child processes by `sys.executable -P -m MODULE` and `sys.executable ... -c TEXT`.
Frozen, `sys.executable` is one of these programs, and does what Python does with such arguments.
"""

import multiprocessing
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path


def module_of(name: str) -> str:
    """Return the module that a program runs, by the program's name."""
    if name == "quintet":
        return "tools"
    return f"engines.{name.removeprefix('quintet-').removesuffix('-gnugo')}"


def read_python_arguments(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return `-m` or `-c` and all words after it, if the words call for Python."""
    for place, word in enumerate(words):
        if word in ("-m", "-c"):
            return word, list(words[place + 1 :])
        if word not in ("-P", "-I", "-S", "-E", "-B"):
            break
    return None


def main() -> None:
    """Run what the arguments or the name of the program say."""
    multiprocessing.freeze_support()
    match read_python_arguments(sys.argv[1:]):
        case ["-m", [module, *rest]]:
            sys.argv = [module, *rest]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", [text, *rest]]:
            sys.argv = ["-c", *rest]
            exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
        case _:
            module = module_of(Path(sys.executable).stem)
            runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

"""Explanations of the commands, for people who type them."""

from collections.abc import Mapping, Sequence
from typing import Final

_HELP: Final[Mapping[str, tuple[str, str]]] = {
    "help": ("[COMMAND]", "this list, or one command"),
    "boardsize": ("N [ROWS]", "choose a board from 2x2 to 25x25, and clear it"),
    "clear_board": ("", "begin a game"),
    "komi": ("POINTS", "set the komi"),
    "kata-set-rules": ("NAME", "choose the rules: chinese, japanese, tromp-taylor, aga ..."),
    "fixed_handicap": ("N", "put N stones on the star points"),
    "place_free_handicap": ("N", "let the engine place N stones"),
    "set_free_handicap": ("POINT ...", "put stones on these points"),
    "play": ("COLOUR MOVE", "make a move: play b D4, play w pass"),
    "genmove": ("COLOUR", "let the engine choose a move and make it"),
    "reg_genmove": ("COLOUR", "let the engine choose a move without making it"),
    "undo": ("", "take the last move back"),
    "showboard": ("", "draw the board"),
    "final_score": ("", "count the game: B+3.5, W+0.5 or 0"),
    "final_status_list": ("dead|alive|seki", "the stones of a finished game"),
    "lz-analyze": ("[COLOUR] [CENTISECONDS]", "think until the next line, and print that often"),
    "kata-analyze": ("[COLOUR] [CENTISECONDS]", "the same in KataGo's form"),
    "quintet-evaluation": ("", "what the last move was worth to the engine"),
    "time_settings": ("MAIN PERIOD STONES", "set both clocks, in seconds"),
    "time_left": ("COLOUR SECONDS STONES", "set one clock"),
    "loadsgf": ("FILE [MOVE]", "load a game, up to before a move"),
    "printsgf": ("[FILE]", "write the game as SGF"),
    "kata-set-param": ("NAME VALUE", "change a setting"),
    "kata-get-param": ("NAME", "print a setting"),
    "list_commands": ("", "the names of all commands"),
    "version": ("", "1.15.0, which Lizzie asks for, and then the version of Quintet"),
    "quit": ("", "end the program"),
}


def describe_commands() -> list[str]:
    """Return a line for each of the commands that people need."""
    usages = {name: f"{name} {arguments}".rstrip() for name, (arguments, _) in _HELP.items()}
    return [f"{usages[name]:<36} {words}" for name, (_, words) in _HELP.items()]


def describe(name: str) -> str | None:
    """Return the arguments and the meaning of a command; None for one without help."""
    if name not in _HELP:
        return None
    arguments, words = _HELP[name]
    return f"{name} {arguments}".rstrip() + f": {words}"


def help_lines(settings: Sequence[str]) -> list[str]:
    """Return everything that `help` prints: the commands, the form of a move, the settings."""
    moves = "Moves: a column A to Z without I and a row, as D4, or pass."
    return [*describe_commands(), moves, "Settings:", *(f"  {line}" for line in settings)]

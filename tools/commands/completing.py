"""What the Tab key completes: engines, variants and levels; click knows the choices and files.

The libraries are imported when they are asked for, because every command loads this module.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from engines import registry
from engines.core import places
from engines.core.errors import QuintetError

_FILES: Final = "file"


def complete_engines(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete games, our programs and the names in engines.toml, otherwise files."""
    return _matching([*registry.GAMES, *_programs()], incomplete) or files(incomplete)


def complete_engine(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete our programs and the names in engines.toml, otherwise files."""
    return _matching(_programs(), incomplete) or files(incomplete)


def complete_players(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a person, games, our programs and the names in engines.toml."""
    return _matching(["person", *registry.GAMES, *_programs()], incomplete)


def complete_cup(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the files of tournaments in this folder, and engines."""
    cups = sorted(str(path) for path in Path().glob("*.toml"))
    words = _matching([*cups, *registry.GAMES, *_programs()], incomplete)
    return words or files(incomplete)


def complete_game_or_file(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the games, otherwise files."""
    return _matching(registry.GAMES, incomplete) or files(incomplete)


def complete_variants(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the variants of the game that was named, or else of all games.

    Where variants combine, each of them is completed after its comma.
    """
    from tools.play.offers import variant_names

    before, comma, _ = incomplete.rpartition(",")
    game = _game(ctx)
    names = [name for each in ([game] if game else registry.GAMES) for name in variant_names(each)]
    chosen = before.split(",")
    return _matching((before + comma + name for name in names if name not in chosen), incomplete)


def complete_levels(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the levels of the game that was named."""
    from tools.play.levels import level_names

    game = _game(ctx)
    return _matching([*(level_names(game) if game else ()), "list"], incomplete)


def _programs() -> list[str]:
    from tools.roster.engines import load_engines

    own = [f"quintet-{name}" for name in registry.GAMES]
    try:
        return [*own, *load_engines(places.settings() / "engines.toml")]
    except (QuintetError, OSError):
        return own  # The command itself reports the faults of the file.


def _game(ctx: click.Context) -> str:
    """Return the game that the words before name, or an empty text."""
    # Click has not sorted the words into arguments where an option still lacks its value.
    named = list(ctx.args)
    for key in ("game", "engines", "words"):
        given = ctx.params.get(key)
        named += [given] if isinstance(given, str) else given or ()
    games = [word.removeprefix("quintet-") for text in named for word in text.split()[:1]]
    return next((game for game in games if game in registry.GAMES), "")


def _matching(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def files(incomplete: str) -> list[CompletionItem]:
    """Leave it to the shell to complete the name of a file."""
    return [CompletionItem(incomplete, type=_FILES)]

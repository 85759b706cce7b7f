"""The version as programs print it, with a note whether their hot modules are compiled."""

from importlib.util import find_spec
from pathlib import Path

from engines import __version__


def hot_modules(package: str) -> list[str]:
    """Name the modules of a package that have a .pxd file beside them."""
    spec = find_spec(package)
    places = [] if spec is None else spec.submodule_search_locations or []
    return [
        ".".join((package, *pxd.relative_to(place).with_suffix("").parts))
        for place in map(Path, places)
        for pxd in sorted(place.rglob("*.pxd"))
        if pxd.with_suffix(".py").exists()  # Others only declare what C headers hold.
    ]


def speed(package: str) -> str:
    """Return `compiled` if every hot module of a package is compiled, else `interpreted`."""
    specs = [find_spec(name) for name in hot_modules(package)]
    compiled = [each is not None and not str(each.origin).endswith(".py") for each in specs]
    return "compiled" if compiled and all(compiled) else "interpreted"


def version(package: str = "engines") -> str:
    """Return the version of Quintet and the speed of a package, as in `1.2.3 (compiled)`."""
    return f"{__version__} ({speed(package)})"

"""Which version this is, and whether its hot modules run compiled."""

from types import ModuleType

from engines import __version__


def speed(*modules: ModuleType) -> str:
    """Return `compiled` when every one of these modules is, else `interpreted`."""
    fast = all(not str(module.__file__).endswith(".py") for module in modules)
    return "compiled" if fast else "interpreted"


def version(*modules: ModuleType) -> str:
    """Return the version as programs tell it: `X.Y.Z (compiled)`."""
    return f"{__version__} ({speed(*modules)})"

"""The folders of the user's settings and tables."""

import os
from pathlib import Path

_APPLICATION = "quintet"


def settings() -> Path:
    """Return the folder of the user's settings: `$QUINTET_CONFIG`, or the system's default."""
    if given := os.environ.get("QUINTET_CONFIG"):
        return Path(given)
    import platformdirs  # Imported late, because engines must start quickly.

    return Path(platformdirs.user_config_dir(_APPLICATION, appauthor=False))


def tables() -> Path:
    """Return the folder of the user's tables: `$QUINTET_DATA`, or the system's default."""
    if given := os.environ.get("QUINTET_DATA"):
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir(_APPLICATION, appauthor=False))

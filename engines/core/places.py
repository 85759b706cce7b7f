"""Where a user's settings and tables are."""

import os
from pathlib import Path

_APPLICATION = "quintet"


def settings() -> Path:
    """Return the folder of the user's settings: `$QUINTET_CONFIG`, else the system's place."""
    if given := os.environ.get("QUINTET_CONFIG"):
        return Path(given)
    import platformdirs  # Here, for engines must answer before they load what they may not need.

    return Path(platformdirs.user_config_dir(_APPLICATION, appauthor=False))


def tables() -> Path:
    """Return the folder of tables that the user built: `$QUINTET_DATA`, else the system's place."""
    if given := os.environ.get("QUINTET_DATA"):
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir(_APPLICATION, appauthor=False))

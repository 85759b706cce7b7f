"""The files of a site, read once: no path of a request ever reaches the disk."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""The media type of each suffix; files with other suffixes are not served."""


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file as it is sent."""

    data: bytes
    media_type: str


def site_file(name: str, text: str) -> SiteFile:
    """Return a file whose type follows from the suffix of its name; raises KeyError."""
    return SiteFile(text.encode(), _TYPES[f".{name.rpartition('.')[2]}"])


def read_site(package: str, folder: str) -> dict[str, SiteFile]:
    """Read the files in a folder of a package, by their paths on the server.

    The file `index.html` is also the root.
    """
    site: dict[str, SiteFile] = {}
    for file in resources.files(package).joinpath(folder).iterdir():
        if f".{file.name.rpartition('.')[2]}" in _TYPES:
            site[f"/{file.name}"] = site_file(file.name, file.read_text("utf-8"))
    if "/index.html" in site:
        site["/"] = site["/index.html"]
    return site


Site = Mapping[str, SiteFile]
"""Files by their paths on the server, each with a leading slash."""

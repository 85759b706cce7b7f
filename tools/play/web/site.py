"""The files of the page."""

from tools.boards.picture import STYLE
from tools.serving.files import Site, read_site, site_file


def site() -> Site:
    """Return the page with its modules and those that it shares, its style, and that of boards."""
    return {
        **read_site("tools.boards", "static"),
        **read_site("tools.serving", "static"),
        **read_site("tools.play.web", "static"),
        "/boards.css": site_file("boards.css", STYLE),
    }

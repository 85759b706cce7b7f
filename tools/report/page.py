"""The page of a report: one file that needs no network, or the files of a server."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tools.boards.picture import STYLE
from tools.serving.files import Site, read_site, site_file

_FIRST: Final = "report"
_TITLE: Final = b"<title>Quintet report</title>"
_HEAD: Final = 1024  # Bytes in which the title of a page stands.
_IMPORT: Final = re.compile(
    r'^import (?:\* as )?(?P<names>\{[^}]*\}|\w+) from "\./(?P<module>\w+)\.js";\n', re.MULTILINE
)
_EXPORT: Final = re.compile(r"^export (?=function|const|class|let)", re.MULTILINE)
_EXPORTED: Final = re.compile(r"^export (?:function|const|class|let) (\w+)", re.MULTILINE)
_POLICY: Final = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; "
    "form-action 'none'"
)


def site() -> Site:
    """Return the files of the page for a server, with the modules that it shares with others."""
    return {
        **read_site("tools.boards", "static"),
        **read_site("tools.serving", "static"),
        **read_site("tools.report", "static"),
        "/boards.css": site_file("boards.css", STYLE),
    }


def render_page(data: Mapping[str, Any]) -> str:
    """Return the page of a report as one document; it loads nothing, and runs its own script only.

    Texts of engines and records are data of JSON in which no character can end the script.
    """
    files = {name: file.data.decode() for name, file in site().items()}
    style = files["/boards.css"] + files["/report.css"]
    script = _bundle(files)
    policy = _POLICY.format(script=_fingerprint(script), style=_fingerprint(style))
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>\n'
    )
    body = (
        f'<script type="application/json" id="data">{_inert(data)}</script>\n'
        f'<script type="module">{script}</script>\n'
    )
    page = re.sub(r'<(?:link rel=|script type="module").*\n', "", files["/index.html"])
    return page.replace("</head>", f"{head}</head>").replace("</body>", f"{body}</body>")


def is_report(path: Path) -> bool:
    """Whether a file is the page of a report; raises OSError."""
    with path.open("rb") as file:
        return _TITLE in file.read(_HEAD)


def _inert(data: Mapping[str, Any]) -> str:
    """Write data as JSON that may stand in any element: nothing in it begins a tag or an entity."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _fingerprint(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _bundle(files: Mapping[str, str]) -> str:
    """Return all modules as one script: each is a function, behind those that it imports."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        for found in _IMPORT.finditer(files[f"/{name}.js"]):
            visit(found["module"])
        order.append(name)

    visit(_FIRST)
    return "\n".join(_wrap(name, files[f"/{name}.js"]) for name in order)


def _wrap(name: str, text: str) -> str:
    """Return a module as a function whose value are its exports."""
    exports = ", ".join(_EXPORTED.findall(text))
    inside = _EXPORT.sub("", _IMPORT.sub(r"const \g<names> = module_\g<module>;\n", text))
    return f"const module_{name} = (() => {{\n{inside}\nreturn {{ {exports} }};\n}})();"

"""The framing of GTP, server side: from a line to its reply, and the loop that calls handlers."""

import re
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from protocols.serve.session import Channel, Overlong

Handler = Callable[["Request"], str]
"""Returns the text of a successful reply; raises GtpError for a failure."""

_CONTROLS: Final = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}
_COMMAND: Final = re.compile(r"([+-]?\d+)?\s*(\S*)\s*(.*)", re.ASCII)
_BLANK: Final = re.compile(r"\n(?=\s*(\n|$))")
_LONGEST: Final = 1000  # Characters of an error message, which may quote a line of 16 million.


class GtpError(Exception):
    """The command failed; the text of the error becomes the `?` reply."""


@dataclass(slots=True)
class Request:
    """The command being carried out: its words, its output, and whether it should stop."""

    id: str
    name: str
    text: str
    channel: Channel
    streaming: bool = False
    args: list[str] = field(init=False)
    _urgent: int = field(init=False)

    def __post_init__(self) -> None:
        self.args = self.text.split()
        self._urgent = self.channel.inbox.urgent_arrived

    def urgent(self) -> bool:
        """Return whether a `quit` or an interrupt has arrived since the command began."""
        return self.channel.inbox.urgent_arrived > self._urgent

    def disturbed(self) -> bool:
        """Return whether any line has arrived, or the input ended: unbounded thinking ends."""
        return self.channel.inbox.waiting()

    def stream(self, *lines: str) -> None:
        """Begin the reply now, and write lines of it."""
        start = "" if self.streaming else f"={self.id}\n"
        self.streaming = True
        if start or lines:
            self.channel.write(start + "".join(f"{line}\n" for line in lines))


def clean(line: str) -> str:
    """Remove control characters and the comment, as GTP requires."""
    return line.translate(_CONTROLS).partition("#")[0].strip()


def is_urgent(line: str) -> bool:
    """Return whether a line ends a bounded search: `quit`, or GoGui's comment `# interrupt`."""
    if line.startswith("#"):
        return line[1:].strip() == "interrupt"
    return len(line) < 40 and parse_command(clean(line))[1] == "quit"


def parse_command(line: str) -> tuple[str, str, str]:
    """Split a cleaned line into id, command and the rest; a negative id is not an id."""
    match = _COMMAND.fullmatch(line)
    if match is None:
        return "", line.partition(" ")[0], ""
    number, name, text = match.groups()
    identity = "" if number is None or number.startswith("-") else number.lstrip("+0") or "0"
    return identity, name, text


def shorten(text: str) -> str:
    """Leave out the middle of a text that is too long for a message."""
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]} ... {text[-half:]}"


def format_reply(mark: str, identity: str, text: str) -> str:
    """Frame a reply: a space after the id, no empty line inside, one empty line at the end."""
    text = _BLANK.sub("\n.", text.rstrip())
    lines = "\n".join(line.rstrip() for line in text.split("\n"))
    return f"{mark}{identity} {lines}\n\n"


def serve(
    channel: Channel,
    handlers: Mapping[str, Handler],
    unknown: Callable[[str, str], None] = lambda name, text: None,
) -> None:
    """Answer commands in order until `quit` or the end of input.

    `unknown` receives the name and the words of commands that do not exist, for a hint to people.

    `protocol_version`, `known_command`, `list_commands` and `quit` are added to the table.
    """
    table = _with_basics(handlers)
    while (line := channel.take()) is not None:
        cleaned = clean(line)
        identity, name, text = parse_command(cleaned)
        if not name:
            continue
        request = Request(identity, name, text, channel)
        if isinstance(line, Overlong):
            channel.write(format_reply("?", identity, "line too long"))
            continue
        _answer(request, table)
        if name not in table:
            unknown(name, text)
        if name == "quit":
            return


def _answer(request: Request, table: Mapping[str, Handler]) -> None:
    mark = "="
    handler = table.get(request.name)
    try:
        reply = handler(request) if handler is not None else "unknown command"
        mark = "=" if handler is not None else "?"
    except GtpError as error:
        mark, reply = "?", shorten(str(error))
    # The session must survive any error: if an engine dies, Sabaki waits for ever.
    except Exception:
        mark, reply = "?", "internal error"
        request.channel.log.write("!", traceback.format_exc())
    if request.streaming:
        request.channel.write(f"{reply}\n\n" if reply and mark == "=" else "\n")
    else:
        request.channel.write(format_reply(mark, request.id, reply))


def _with_basics(handlers: Mapping[str, Handler]) -> dict[str, Handler]:
    def known(request: Request) -> str:
        return "true" if request.args and request.args[0] in table else "false"

    table: dict[str, Handler] = {
        # LizzieYzy recognizes the list of commands by its first entry.
        "protocol_version": lambda request: "2",
        "known_command": known,
        "list_commands": lambda request: "\n".join(table),
        "quit": lambda request: "",
    }
    table.update(handlers)
    return table

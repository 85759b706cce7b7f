"""Hold a conversation with a server inside this process, over real pipes."""

import contextlib
import os
import threading
from collections.abc import Callable

from protocols.serve import gtp
from protocols.serve.session import Channel, Inbox, Log, Writer


class Conversation:
    """A server in a thread of its own; `say`, `hear` and `hang_up` are the controller's side."""

    def __init__(self, serve: Callable[[Channel], None], log: Log | None = None) -> None:
        self._stdin, self._to = os.pipe()
        self._from, stdout = os.pipe()
        self._unread = b""
        self.inbox = Inbox(self._stdin, gtp.is_urgent)
        channel = Channel(self.inbox, Writer(stdout, on_closed=lambda: None), log or Log())
        self.inbox.start()

        def run() -> None:
            try:
                serve(channel)
            finally:
                os.close(stdout)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def say(self, text: str | bytes) -> None:
        """Write all of it to the server, which may have gone."""
        data = text.encode() if isinstance(text, str) else text
        with contextlib.suppress(BrokenPipeError):
            while data:
                data = data[os.write(self._to, data) :]

    def hear_until(self, mark: bytes) -> str:
        """Return what comes before a mark, or before the end."""
        while mark not in self._unread:
            chunk = os.read(self._from, 65536)
            if not chunk:
                break
            self._unread += chunk
        text, _, self._unread = self._unread.partition(mark)
        return text.decode("ascii")

    def hear(self) -> str:
        """Return the next reply, without its empty line."""
        return self.hear_until(b"\n\n")

    def hear_line(self) -> str:
        """Return the next line of a reply that is under way."""
        return self.hear_until(b"\n")

    def ask(self, text: str) -> str:
        """Write a line and return the reply."""
        self.say(f"{text}\n")
        return self.hear()

    def hang_up(self) -> None:
        """End the server's input."""
        os.close(self._to)

    def finish(self) -> str:
        """Return the rest of the output, up to the end of the server; the input must end first."""
        rest = self.hear_until(b"\x04")
        self._thread.join(10)
        assert not self._thread.is_alive()
        os.close(self._from)
        return rest


def converse(serve: Callable[[Channel], None], text: str | bytes, log: Log | None = None) -> str:
    """Send all of the text, end the input, and return all that the server wrote."""
    conversation = Conversation(serve, log)

    def write() -> None:
        conversation.say(text)
        conversation.hang_up()

    writer = threading.Thread(target=write)
    writer.start()
    answered = conversation.finish()
    writer.join(10)
    return answered

"""The WebSocket between a page and its conversation: a token first, then JSON both ways."""

import asyncio
import hmac
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from engines.core.errors import QuintetError
from protocols.errors import ConversationError

PATH: Final = "/socket"
WRONG_TOKEN: Final = 4401
"""The code with which a connection is closed whose first message is not the token."""

_WRONG_MESSAGE: Final = 4400
_TOO_SLOW: Final = 4408
_PATIENCE: Final = 10.0  # Seconds until the token must have arrived.
_MOST_WAITING: Final = 500  # Messages that wait for a page that does not read them.
_LOG: Final = logging.getLogger(__name__)

Message = Mapping[str, Any]
"""An object of JSON."""


class Send(Protocol):
    """Send a message to the page, from any thread.

    Of several messages with the same key that are still waiting, only the last one is sent.
    """

    def __call__(self, message: Message, key: str = "") -> None:
        """Send a message; does nothing if the page is gone."""


class Conversation(Protocol):
    """The partner of one page that is connected."""

    def receive(self, message: Message) -> Message | None:
        """Answer a message of the page; a QuintetError becomes an answer with its text."""

    def close(self) -> None:
        """End the conversation, because the page is gone."""


Converse = Callable[[Send], Conversation]
"""Begin a conversation with a page that has shown the token."""


class Outbox:
    """Messages on their way to a page; other threads may put them in."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: dict[str, str] = {}
        self._count = 0
        self._filled = asyncio.Event()

    def send(self, message: Message, key: str = "") -> None:
        """Put a message in, in place of a waiting one with the same key."""
        text = json.dumps(message, separators=(",", ":"), allow_nan=False)
        try:
            self._loop.call_soon_threadsafe(self._put, text, key)
        except RuntimeError:  # The loop is closed, and with it the connection.
            return

    def _put(self, text: str, key: str) -> None:
        self._count += 1
        key = key or f"\0{self._count}"
        self._waiting.pop(key, None)
        self._waiting[key] = text
        self._filled.set()

    @property
    def is_overfull(self) -> bool:
        """Whether more messages wait than a page that reads would leave."""
        return len(self._waiting) > _MOST_WAITING

    async def take(self) -> str:
        """Wait for the next message and remove it."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.pop(next(iter(self._waiting)))


async def converse_with(websocket: WebSocket, token: str, converse: Converse) -> None:
    """Serve one page until it goes."""
    await websocket.accept()
    try:
        first = await asyncio.wait_for(_receive(websocket), _PATIENCE)
    except TimeoutError:
        first = None
    except WebSocketDisconnect:
        return
    shown = str(first.get("token", "")) if first is not None else ""
    if not hmac.compare_digest(shown.encode(), token.encode()):
        await websocket.close(WRONG_TOKEN, "the token is missing or wrong")
        return
    outbox = Outbox(asyncio.get_running_loop())
    conversation = await run_in_threadpool(converse, outbox.send)
    sender = asyncio.create_task(_send_all(websocket, outbox))
    try:
        while (message := await _receive(websocket)) is not None and not outbox.is_overfull:
            outbox.send(await run_in_threadpool(_answer, conversation, message))
        await websocket.close(_TOO_SLOW if outbox.is_overfull else _WRONG_MESSAGE)
    except WebSocketDisconnect:
        pass
    finally:
        sender.cancel()
        await run_in_threadpool(conversation.close)


async def _receive(websocket: WebSocket) -> dict[str, Any] | None:
    """Return the next message, or None if it is not an object of JSON."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    try:
        value = json.loads(message.get("text") or "")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _answer(conversation: Conversation, message: Message) -> Message:
    """Answer a message; a failure is reported to the page under the message's number."""
    number = message.get("id")
    number = number if isinstance(number, int) else None
    try:
        return {"re": number, **(conversation.receive(message) or {})}
    except (QuintetError, ConversationError) as error:
        return {"re": number, "error": str(error)}
    except Exception:
        _LOG.exception("a message of the page caused an error")
        return {"re": number, "error": "internal error; the terminal of the server shows more"}


async def _send_all(websocket: WebSocket, outbox: Outbox) -> None:
    """Send messages until the task is cancelled or the page is gone."""
    try:
        while True:
            await websocket.send_text(await outbox.take())
    except (WebSocketDisconnect, RuntimeError):
        return  # The receiving side notices it as well, and ends the conversation.

"""The errors of a conversation with an engine, seen from the side that asks."""


class ConversationError(Exception):
    """The base class of everything that can go wrong in a conversation with an engine."""


class CannotSay(ConversationError):
    """The protocol has no words for a request, such as a search depth in GTP.

    The engine was asked nothing, so it is not at fault.
    """


class EngineError(ConversationError):
    """The engine cannot be used, or no longer; `stderr` is the last that it wrote there."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class EngineTimeout(EngineError):
    """The engine did not answer, or did not read its command, before the deadline."""


class EngineExited(EngineError):
    """The engine ended the conversation.

    `code` is its exit code, or the negative number of the signal that killed it. None means that
    the process is still alive, but has closed its pipes.
    """

    def __init__(self, message: str, stderr: str = "", code: int | None = None) -> None:
        super().__init__(message, stderr)
        self.code = code


class EngineNonsense(EngineError):
    """The engine broke its protocol: it wrote something unknown, or something not asked for."""


class EngineRefused(ConversationError):
    """The engine declined `command` as its protocol allows; `message` is the reason it gave."""

    def __init__(self, command: str, message: str) -> None:
        super().__init__(f"{command}: {message or 'refused without a reason'}")
        self.command = command
        self.message = message

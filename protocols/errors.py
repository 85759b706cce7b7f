"""What can go wrong with an engine, seen from the side that asks it."""


class EngineError(Exception):
    """An engine that cannot be used, or no longer; `stderr` is the last that it wrote there."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class EngineTimeout(EngineError):
    """An engine gave no answer, or did not read its command, before the deadline."""


class EngineExited(EngineError):
    """An engine's conversation ended: `code` is its exit code, or minus the signal that killed it.

    None says that the process is still there, with its pipes closed.
    """

    def __init__(self, message: str, stderr: str = "", code: int | None = None) -> None:
        super().__init__(message, stderr)
        self.code = code


class EngineNonsense(EngineError):
    """An engine said what its protocol does not know, or what nobody asked."""


class EngineRefused(Exception):
    """An engine's polite no: it is alive, and `message` says why it will not do `command`."""

    def __init__(self, command: str, message: str) -> None:
        super().__init__(f"{command}: {message or 'refused without a reason'}")
        self.command = command
        self.message = message

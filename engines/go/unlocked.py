"""Stand-ins for the lock of the search tree where it runs interpreted, on one thread."""


def acquire(gate: object) -> None:
    """Do nothing: nobody else is there."""


def release(gate: object) -> None:
    """Do nothing."""


def give_way() -> None:
    """Do nothing."""

"""Operations on sets of squares; compiled code has the same functions in native.pxd."""

squares = int


def lowest(squares: int) -> int:
    """Return the lowest square of a set, which must not be empty."""
    return (squares & -squares).bit_length() - 1


def highest(squares: int) -> int:
    """Return the highest square of a set, which must not be empty."""
    return squares.bit_length() - 1


def count(squares: int) -> int:
    """Return the number of squares in a set."""
    return squares.bit_count()


def fetch(address: int) -> None:
    """Load memory into the cache; in interpreted code this does nothing."""


def file(squares: int, number: int) -> int:
    """Return the nine squares of a file, counted from 0, as a number."""
    return (squares >> 9 * number) & 511


def seven(squares: int, first: int) -> int:
    """Return seven squares, starting with `first`, as a number."""
    return (squares >> first) & 127

"""Sets of squares as integers, interpreted; compiled code takes the same words from native.pxd."""

squares = int


def lowest(squares: int) -> int:
    """Return the lowest square of a set that is not empty."""
    return (squares & -squares).bit_length() - 1


def highest(squares: int) -> int:
    """Return the highest square of a set that is not empty."""
    return squares.bit_length() - 1


def count(squares: int) -> int:
    """Return how many squares a set has."""
    return squares.bit_count()


def fetch(address: int) -> None:
    """Bring memory near that will be read; interpreted, there is nothing to be done."""


def file(squares: int, number: int) -> int:
    """Return the nine squares of a file, counted from 0, as a number."""
    return (squares >> 9 * number) & 511


def seven(squares: int, first: int) -> int:
    """Return seven squares, from a first one on, as a number."""
    return (squares >> first) & 127

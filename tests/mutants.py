"""Damaged copies of a file, for readers that must read or refuse whatever there is."""

import random
from collections.abc import Iterator, Sequence


def mutants(data: bytes, count: int, pieces: Sequence[bytes], seed: int = 0) -> Iterator[bytes]:
    """Yield copies with one to four changes; `pieces` are inserted among them."""
    generator = random.Random(seed)
    for _ in range(count):
        copy = bytearray(data)
        for _ in range(generator.randint(1, 4)):
            _change(copy, generator, pieces)
        yield bytes(copy)


def _change(copy: bytearray, generator: random.Random, pieces: Sequence[bytes]) -> None:
    at = generator.randrange(len(copy) + 1)
    size = min(int(generator.paretovariate(0.7)), 400)
    match generator.randrange(7):
        case 0:
            copy[at : at + size] = b""
        case 1:
            copy[at:at] = copy[at : at + size]  # Doubled.
        case 2:
            copy[at : at + 1] = bytes([generator.randrange(256)])
        case 3:
            copy[at:at] = generator.choice(pieces)
        case 4:
            other = generator.randrange(len(copy) + 1)
            copy[at:at] = copy[other : other + size]
        case 5:
            del copy[at:]
        case _:
            copy[at:at] = generator.choice(pieces) * generator.choice((2, 50, 1000))

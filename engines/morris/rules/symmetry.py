"""The sixteen symmetries of the board: four turns, mirrored or not, inside out or not.

Hot. A symmetry is a number, 8 * inside_out + 4 * mirrored + turns, and maps sets of points.
"""

from array import array

_RINGS: "array[int] | None" = None


def _rings() -> "array[int]":
    """List the images of one square's eight points under its eight symmetries."""
    images = []
    for number in range(8):
        for points in range(256):
            image = 0
            for at in range(8):
                if points >> at & 1:
                    image |= 1 << ((-at if number & 4 else at) + 2 * (number & 3)) % 8
            images.append(image)
    return array("i", images)


class Symmetries:
    """Maps sets of points, and finds the least of the sixteen images of a position."""

    def __init__(self) -> None:
        global _RINGS  # All instances share this table.
        if _RINGS is None:
            _RINGS = _rings()
        self.ring = _RINGS

    def _image(self, points: int, number: int) -> int:
        base = (number & 7) << 8
        outer = self.ring[base + (points & 255)]
        middle = self.ring[base + (points >> 8 & 255)]
        inner = self.ring[base + (points >> 16)]
        if number & 8:
            return inner | middle << 8 | outer << 16
        return outer | middle << 8 | inner << 16

    def image(self, points: int, number: int) -> int:
        """Return the image of a set of points."""
        return self._image(points, number)

    def _choose(self, own: int, enemy: int) -> int:
        """Return the symmetry with the least image, first of the own and then of the enemy men."""
        outer = own & 255
        middle = own >> 8 & 255
        inner = own >> 16
        least = 1 << 24
        ties = 0
        for number in range(8):
            base = number << 8
            one = self.ring[base + outer]
            two = self.ring[base + middle] << 8
            three = self.ring[base + inner]
            image = one | two | three << 16
            if image < least:
                least = image
                ties = 1 << number
            elif image == least:
                ties |= 1 << number
            image = three | two | one << 16
            if image < least:
                least = image
                ties = 256 << number
            elif image == least:
                ties |= 256 << number
        best = 1 << 24
        chosen = 0
        number = 0
        while ties:
            if ties & 1:
                image = self._image(enemy, number)
                if image < best:
                    best = image
                    chosen = number
            ties >>= 1
            number += 1
        return chosen

    def choose(self, own: int, enemy: int) -> int:
        """Return the symmetry that maps a position to the least of its images."""
        return self._choose(own, enemy)

    def fixing(self, own: int, enemy: int) -> list[int]:
        """List the symmetries that do not change a position."""
        return [
            number
            for number in range(16)
            if self.image(own, number) == own and self.image(enemy, number) == enemy
        ]

    def inverse(self, number: int) -> int:
        """Return the symmetry that undoes another."""
        return self._inverse(number)

    def fold(self, own: int, enemy: int) -> int:
        """Return a 48-bit key that all sixteen images of a position share."""
        number = self._choose(own, enemy)
        return self.image(own, number) << 24 | self.image(enemy, number)

    def _inverse(self, number: int) -> int:
        """Return the symmetry that undoes another: for a quarter turn, the turn the other way."""
        return number if number & 4 else number & 8 | -number & 3

    def _move(self, move: int, number: int) -> int:
        """Return the image of a packed move."""
        image = 0
        for shift in range(0, 20, 5):
            point = move >> shift & 31
            if point < 24:
                ring = point >> 3
                if number & 8:
                    ring = 2 - ring
                at = -(point & 7) if number & 4 else point & 7
                point = ring << 3 | at + 2 * (number & 3) & 7
            image |= point << shift
        return image

    def move_image(self, move: int, number: int) -> int:
        """Return the image of a packed move."""
        return self._move(move, number)

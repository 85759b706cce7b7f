"""Sets of squares in two halves, as MSVC compiles them, against integers of 128 bits."""

import shutil
import subprocess
from pathlib import Path

import pytest

from engines.shogi.rules import bits

ROOT = Path(__file__).parents[4]
HEADER = ROOT / "engines" / "shogi" / "rules" / "squares.h"
COMPILER = shutil.which("g++") or shutil.which("clang++")
PROGRAM = """
#define QUINTET_HALVES
#include "engines/shogi/rules/squares.h"
#include <cstdio>

typedef unsigned __int128 whole;

static unsigned long long state = 88172645463325252ULL;

static unsigned long long draw()
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int faults = 0;

static void same(const char *what, squares set, whole number)
{
    if (set.low != (unsigned long long)number || set.high != (unsigned long long)(number >> 64))
        faults++, std::printf("%s\\n", what);
}

static void equal(const char *what, int one, int other)
{
    if (one != other)
        faults++, std::printf("%s: %d, not %d\\n", what, one, other);
}

int main()
{
    for (int round = 0; round < 20000; round++) {
        const unsigned long long p = draw() >> (draw() & 63), q = draw() >> (draw() & 63);
        const unsigned long long r = draw() >> (draw() & 63), s = draw() >> (draw() & 63);
        squares a(round % 7 ? p : 0, round % 5 ? q : 0), b(r, s);
        const whole x = (whole)a.high << 64 | a.low, y = (whole)s << 64 | r;
        const int by = (int)(draw() & 127);
        same("and", a & b, x & y);
        same("or", a | b, x | y);
        same("xor", a ^ b, x ^ y);
        same("not", ~a, ~x);
        same("plus", a + b, x + y);
        same("minus", a - b, x - y);
        same("minus one", a - 1, x - 1);
        same("negative", -a, -x);
        same("up", a << by, x << by);
        same("down", a >> by, x >> by);
        same("of an int", squares(-3), (whole)-3);
        same("of a word", squares(p), (whole)p);
        equal("equal", a == b, x == y);
        equal("less", a < b, x < y);
        equal("is any", a ? 1 : 0, x ? 1 : 0);
        equal("seven", quintet_seven(a, by % 75), (int)(x >> by % 75) & 127);
        equal("file", quintet_file(a, by % 9), (int)(x >> 9 * (by % 9)) & 511);
        equal("count", quintet_count(a),
              __builtin_popcountll(a.low) + __builtin_popcountll(a.high));
        if (x) {
            int low = 0, high = 127;
            while (!(x >> low & 1))
                low++;
            while (!(x >> high & 1))
                high--;
            equal("lowest", quintet_lowest(a), low);
            equal("highest", quintet_highest(a), high);
        }
    }
    std::printf("%d faults\\n", faults);
    return 0;
}
"""


@pytest.mark.skipif(
    COMPILER is None or not HEADER.exists(), reason="no C++ compiler: all is interpreted here"
)
def test_two_halves_are_as_good_as_one_integer(tmp_path: Path) -> None:
    source = tmp_path / "halves.cpp"
    source.write_text(PROGRAM, encoding="ascii")
    program = tmp_path / "halves"
    subprocess.run(
        [str(COMPILER), "-std=c++14", "-Wall", "-I", str(ROOT), str(source), "-o", str(program)],
        check=True,
        timeout=300,
    )
    answer = subprocess.run([str(program)], capture_output=True, text=True, timeout=300, check=True)
    assert answer.stdout == "0 faults\n"


def test_words_about_sets_of_squares_interpreted() -> None:
    squares = 1 << 3 | 1 << 80
    assert bits.lowest(squares) == 3
    assert bits.highest(squares) == 80
    assert bits.count(squares) == 2
    assert bits.seven(squares, 77) == 8
    assert bits.file(squares, 8) == 256

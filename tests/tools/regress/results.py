"""Results of every kind, as the tests of reports use them."""

from tools.boards.scene import Scene
from tools.regress.result import Result, Status

NASTY = 'a <b> & "c" \x00\x1b ]]> ▲'

ALL = (
    Result("d/a.suite", "good", 3, Status.PASSED, title="a <title>", answer="D4", seconds=1234.5),
    Result(
        "d/a.suite",
        "bad",
        7,
        Status.FAILED,
        message="answered D4,\nexpected C3",
        required="C3",
        answer="D4",
        exchange=("> genmove b", "< = D4", "< "),
        seconds=0.25,
        scene=Scene("go", size="5", setup="X4/5/5/5/4O b", accept=("C3",), answer="D4"),
    ),
    Result("d/a.suite", "old", 11, Status.FAILED, known=True, message="as ever"),
    Result("d/a.suite", "better", 15, Status.PASSED, known=True, answer="C3"),
    Result("d/b.tst", "10", 1, Status.ERROR, message=NASTY, command="genmove b"),
    Result("d/b.tst", "20", 2, Status.ERROR, known=True, message="gone"),
    Result("d/b.tst", "30", 3, Status.UNSUPPORTED, message="no command attack"),
    Result("d/b.tst", "40", 4, Status.IGNORED),
)

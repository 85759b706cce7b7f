import pytest

from protocols.ask.rehearsal import Rehearsal, rehearse

GTP = """\
> 1 protocol_version
< =1 2
< \

> 2 boardsize 9
> 3 kgs-rules chinese
> 4 clear_board
< =2
< \

< ?3 no
< \

< =4
< \

> 5 play b D4
> 6 time_left w 60 0
> 7 genmove w
< =5
< \

< =6
< \

< =7 Q16
< \

> 8 play b D16
> 9 time_left w 50 0
> 10 genmove w
"""

LINE = """\
> 7 option seed 5
< =7
> 8 newgame
< =8
> 9 roll 3
< =9
> 10 genmove w
> 11 evaluation
< =10 1-4
< =11 info depth 1
> 12 genmove w
> 13 evaluation
"""

EVALUATED = """\
> 1 clear_board
< =1
> 2 genmove b
> 3 quintet-evaluation
< =2 D4
< =3 score est 0.5
> 4 play w Q16
< =4
> 5 genmove b
> 6 quintet-evaluation
"""

USI = """\
> isready
< readyok
> usinewgame
> position startpos
> go btime 1000 wtime 1000
< bestmove 7g7f ponder 3c3d
> position startpos moves 7g7f 3c3d
> go ponder btime 900 wtime 1000
> ponderhit
< bestmove 2g2f ponder 8c8d
> position startpos moves 7g7f 3c3d 2g2f 8c8d
> go ponder btime 800 wtime 1000
> stop
< bestmove 1g1f
> position startpos moves 7g7f 3c3d 2g2f 9c9d
> go btime 800 wtime 900
"""


def lines(text: str) -> list[tuple[str, str]]:
    return [(line[:1], line[2:]) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("text", "number", "scene"),
    [
        (
            *(GTP, 1),
            Rehearsal(
                ("boardsize 9", "clear_board", "play b D4", "time_left w 60 0"), ("genmove w",)
            ),
        ),
        (
            *(GTP, 2),
            Rehearsal(
                ("boardsize 9", "clear_board", "play b D4", "time_left w 60 0", "play w Q16"),
                ("genmove w",),
            ),
        ),
        (GTP, 3, None),
        (
            *(EVALUATED, 2),
            Rehearsal(
                ("clear_board", "play b D4", "play w Q16"), ("genmove b", "quintet-evaluation")
            ),
        ),
        (LINE, 2, Rehearsal(("newgame", "roll 3", "play w 1-4"), ("genmove w", "evaluation"))),
        (
            *(USI, 1),
            Rehearsal(("isready", "usinewgame"), ("position startpos", "go btime 1000 wtime 1000")),
        ),
        (
            *(USI, 2),
            Rehearsal(
                ("isready", "usinewgame"),
                (
                    "position startpos moves 7g7f 3c3d",
                    "go ponder btime 900 wtime 1000",
                    "ponderhit",
                ),
            ),
        ),
        (
            *(USI, 3),
            Rehearsal(
                ("isready", "usinewgame"),
                ("position startpos moves 7g7f 3c3d 2g2f 9c9d", "go btime 800 wtime 900"),
            ),
        ),
        (USI, 4, None),
        ("", 1, None),
    ],
)
def test_a_transcript_leads_to_a_question(text: str, number: int, scene: Rehearsal | None) -> None:
    rehearsal = rehearse(lines(text), number)
    # A command is kept only if the transcript shows that the engine accepted it.
    assert rehearsal == scene

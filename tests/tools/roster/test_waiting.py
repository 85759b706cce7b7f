import threading
from collections.abc import Callable

from tools.roster.waiting import Waiting


class Notices:
    """Collects notices, which come from another thread."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.arrived = threading.Event()

    def __call__(self, text: str) -> None:
        self.texts.append(text)
        self.arrived.set()


def told(talk: Callable[[Waiting], None]) -> str:
    """Return what is told after a dialogue that ends in silence."""
    notices = Notices()
    with Waiting("mine", 60.0, notices, seconds=0.05) as waiting:
        talk(waiting)
        assert notices.arrived.wait(30)
    assert len(notices.texts) == 1
    return notices.texts[0]


def test_the_questions_without_an_answer_are_told() -> None:
    def talk(waiting: Waiting) -> None:
        waiting(">", "1 name")
        waiting(">", "2 known_command game")
        waiting(">", "usi")
        waiting("<", "=1 mine")
        waiting("<", "")

    assert told(talk) == (
        "mine has not answered for 0.05 s: waiting for the reply to '2 known_command game' and "
        "'usi', for at most 60 s in all (--patience); its last line is '=1 mine'"
    )


def test_a_line_that_answers_nothing_is_quoted() -> None:
    def talk(waiting: Waiting) -> None:
        waiting(">", "usi")
        waiting("<", "Welcome")

    assert "waiting for the reply to 'usi', " in told(talk)
    assert told(talk).endswith("its last line is 'Welcome'")


def test_silence_at_the_start_is_told() -> None:
    assert "waiting for the reply to its start, " in told(lambda waiting: None)


def test_nothing_is_told_after_the_end_or_without_a_listener() -> None:
    notices = Notices()
    with Waiting("mine", 60.0, notices, seconds=0.01) as waiting:
        waiting.close()
    waiting(">", "late")
    with Waiting("mine", 60.0, None, seconds=0.01) as waiting:
        waiting(">", "usi")
    assert not notices.arrived.wait(0.1)


def test_usiok_answers_every_question() -> None:
    waiting = Waiting("mine", 60.0, None)
    for line in ("1 protocol_version", "usi"):
        waiting(">", line)
    waiting("<", "usiok")
    assert waiting._asked == []


def test_a_question_mark_does_not_answer_usi() -> None:
    def talk(waiting: Waiting) -> None:
        waiting(">", "usi")
        waiting("<", "? unknown command")

    assert "waiting for the reply to 'usi', " in told(talk)


def test_a_program_that_speaks_gtp_owes_no_answer_to_usi() -> None:
    def talk(waiting: Waiting) -> None:
        for line in ("1 protocol_version", "2 known_command game", "usi"):
            waiting(">", line)
        for line in ("=1 2", "=2 false", "", "1 list_commands"):
            waiting("<" if line[:1] != "1" else ">", line)

    assert "waiting for the reply to '1 list_commands', " in told(talk)

import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from protocols.client import GtpClient, Left, LineClient, Reply, close_clients
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineRefused, EngineTimeout
from protocols.gtp_client import STRAYS, FramedClient, evaluated
from protocols.process import Process
from tests.programs import peer
from tests.protocols import fakes
from tests.protocols.controls import Control

LONG = 20.0


def later() -> float:
    return time.monotonic() + LONG


class Dialogue:
    """A client with a scripted engine, and what was sent to it, without the numbers."""

    def __init__(self, kind: type[FramedClient], commands: Sequence[str], words: Sequence[str]):
        self.sent: list[str] = []
        self.client = kind(Process(fakes.command(*words), trace=self._note))
        self.client.commands = commands
        self.client._known = frozenset(commands)

    def _note(self, way: str, text: str) -> None:
        if way == ">":
            self.sent.append(text.partition(" ")[2] if text[0].isdigit() else text)


Begin = Callable[..., Dialogue]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Start a dialogue: replies with {id}, or bare texts that are framed as successes."""
    dialogues: list[Dialogue] = []

    def start(
        *replies: str, kind: type[FramedClient] = GtpClient, commands: Sequence[str] = ()
    ) -> Dialogue:
        framed = [reply if "\n" in reply else f"={{id}} {reply}\n\n" for reply in replies]
        dialogues.append(Dialogue(kind, commands, ["scripted", *framed]))
        return dialogues[-1]

    yield start
    close_clients([dialogue.client for dialogue in dialogues], 0.0)


def test_greeting_learns_name_version_and_commands(begin: Begin) -> None:
    told = begin("2", "GNU Go", "3.8", "={id} protocol_version\nname \nversion\n\n")
    told.client.greet(later())
    assert told.sent == ["protocol_version", "name", "version", "list_commands"]
    assert (told.client.name, told.client.version) == ("GNU Go", "3.8")
    assert told.client.commands == ["protocol_version", "name", "version"]
    assert told.client.known("name")
    assert not told.client.known("play")


def test_an_engine_that_lists_nothing_knows_the_required_commands(begin: Begin) -> None:
    told = begin("2", "?{id} what\n\n", "?{id} what\n\n", "?{id} what\n\n")
    told.client.greet(later())
    assert told.client.known("genmove")
    assert not told.client.known("undo")
    assert told.client.version == ""


def test_another_version_of_gtp_is_nonsense(begin: Begin) -> None:
    told = begin("1", "Old", "1", "name")
    with pytest.raises(EngineNonsense, match="protocol_version 1, where 2 was expected"):
        told.client.greet(later())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("={id}\n\n", ""),
        ("={id} \n\n", ""),
        ("={id}   D4  \n\n", "D4"),
        ("={id} D4\r\n\r\n", "D4"),
        ("={id} one\ntwo \n  three  \n\n", "one\ntwo \n  three"),
        ("={id} \n  A B\n1 . .\n\n", "  A B\n1 . ."),
        ("\n\nwarming up\n={id} D4\n\n", "D4"),
        ("={id} ?\n\n", "?"),
    ],
)
def test_replies_are_read_in_all_their_forms(begin: Begin, raw: str, text: str) -> None:
    assert begin(raw).client.command("genmove b", later()) == text


def test_a_refusal_carries_the_message_and_leaves_the_engine_usable(begin: Begin) -> None:
    told = begin("?{id} illegal move\n\n", "?{id}\n\n", "fine")
    with pytest.raises(EngineRefused, match="play b D4: illegal move") as caught:
        told.client.play("b", "D4", later())
    assert caught.value.message == "illegal move"
    assert not isinstance(caught.value, EngineError)
    with pytest.raises(EngineRefused, match="undo: refused without a reason"):
        told.client.undo(later())
    assert told.client.command("name", later()) == "fine"


@pytest.mark.parametrize("raw", ["= D4\n\n", "=7 D4\n\n", "=x D4\n\n", "=07 D4\n\n", "? no\n\n"])
def test_a_reply_with_another_number_or_none_is_nonsense(begin: Begin, raw: str) -> None:
    with pytest.raises(EngineNonsense, match="where a reply to 1 'genmove b' was due"):
        begin(raw).client.command("genmove b", later())


def test_a_surplus_reply_is_nonsense(begin: Begin) -> None:
    told = begin("={id} D4\n\n={id} Q16\n\n", "Q4")
    assert told.client.command("genmove b", later()) == "D4"
    with pytest.raises(EngineNonsense, match="'=1 Q16' where a reply to 2 'genmove w' was due"):
        told.client.command("genmove w", later())


def test_stray_lines_are_counted_and_at_last_too_many(begin: Begin) -> None:
    told = begin("warming up\n\nready\n={id} D4\n\n", "chatter\n" * (STRAYS + 1))
    assert told.client.command("genmove b", later()) == "D4"
    assert told.client.strays == 2
    with pytest.raises(EngineNonsense, match="but no reply to 'genmove w'"):
        told.client.command("genmove w", later())


def test_a_reply_without_end_is_nonsense() -> None:
    client = GtpClient(Process(fakes.command("endless", "=1 D4\n", "x" * 1000 + "\n")))
    with pytest.raises(EngineNonsense, match="an endless reply to 'showboard'"):
        client.command("showboard", later())
    client.close(0.0)


def test_binary_garbage_times_out_or_is_nonsense() -> None:
    client = GtpClient(Process(fakes.command("garbage")))
    with pytest.raises(EngineTimeout):
        client.command("genmove b", time.monotonic() + 0.3)
    client.close(0.0)


def test_an_answer_before_the_exit_counts() -> None:
    client = GtpClient(Process(fakes.command("last_words")))
    assert client.genmove("b", later()).move == "D4"
    with pytest.raises(EngineExited, match="exited with code 0"):
        client.play("w", "Q16", later())
    client.close()


def test_several_commands_go_out_at_once_and_their_replies_come_in_order(begin: Begin) -> None:
    told = begin("one", "?{id} two\n\n", "three")
    first, second, third = told.client.ask(["a", "b", "c"], later())
    assert (first, third) == ("one", "three")
    assert isinstance(second, EngineRefused)
    assert second.message == "two"


def test_a_command_of_two_lines_is_refused_before_it_is_sent(begin: Begin) -> None:
    told = begin("D4")
    with pytest.raises(ValueError, match="control character"):
        told.client.play("b", "D4\nquit", later())
    assert told.sent == []


def test_the_clock_goes_out_with_the_move(begin: Begin) -> None:
    told = begin("", "Q16", "PASS", commands=["time_left"])
    reply = told.client.genmove("b", later(), Left(59.9, 0), Left(30.0, 2))
    assert told.sent == ["time_left b 59 0", "genmove b"]
    assert reply == Reply("Q16", reply.seconds)
    assert 0 < reply.seconds < LONG
    assert told.client.genmove("w", later()).move == "pass"


def test_a_refused_clock_is_no_reason_not_to_move(begin: Begin) -> None:
    told = begin("?{id} what\n\n", "Resign", "?{id} game over\n\n", "x", commands=["time_left"])
    assert told.client.genmove("b", later(), Left(5.0)).move == "resign"
    with pytest.raises(EngineRefused, match="genmove w: game over"):
        told.client.genmove("w", later())
    assert told.client.command("name", later()) == "x"


def test_noted_moves_go_out_with_the_question_in_one_write(begin: Begin) -> None:
    told = begin("", "", "D4", commands=["time_left"])
    writes: list[tuple[str, ...]] = []
    send = told.client.process.send

    def count(deadline: float, *commands: str) -> None:
        writes.append(commands)
        send(deadline, *commands)

    told.client.process.send = count  # type: ignore[method-assign]
    told.client.note("w", "Q16")
    assert writes == []
    assert told.client.genmove("b", later(), Left(5.0)).move == "D4"
    assert writes == [("1 play w Q16", "2 time_left b 5 0", "3 genmove b")]


def test_a_refused_note_is_raised_after_all_replies_are_read(begin: Begin) -> None:
    told = begin("?{id} no\n\n", "D4", "?{id} never\n\n", "", "fine")
    told.client.note("w", "Q16")
    with pytest.raises(EngineRefused, match="play w Q16: no"):
        told.client.genmove("b", later())
    told.client.note("w", "K10")
    told.client.note("b", "K11")
    with pytest.raises(EngineRefused, match="play w K10: never"):
        told.client.settle(later())
    assert told.client.command("name", later()) == "fine"


def test_a_new_game_forgets_what_was_noted(begin: Begin) -> None:
    told = begin("")
    told.client.note("w", "Q16")
    told.client.new_game(later())
    assert told.sent == ["clear_board"]


def test_an_empty_move_is_nonsense(begin: Begin) -> None:
    with pytest.raises(EngineNonsense, match="no move in its reply"):
        begin("").client.genmove("b", later())


def test_a_game_of_go_is_set_up_in_one_write(begin: Begin) -> None:
    commands = ["time_settings", "kata-set-rules", "set_free_handicap"]
    told = begin(*[""] * 7, commands=commands)
    told.client.new_game(
        later(),
        variant="japanese",
        settings={"size": "19", "komi": "6.5", "handicap": "D4 Q16"},
        control=Control("sudden", 600.0),
    )
    assert told.sent == [
        "kata-set-rules japanese",
        "boardsize 19",
        "clear_board",
        "kata-set-rules japanese",
        "komi 6.5",
        "time_settings 600 0 0",
        "set_free_handicap D4 Q16",
    ]


def test_only_what_is_given_and_known_is_told(begin: Begin) -> None:
    told = begin("", "", "")
    told.client.new_game(
        later(), variant="japanese", settings={"handicap": "4"}, control=Control("sudden", 60.0)
    )
    assert told.sent == ["clear_board", "fixed_handicap 4"]


def test_rules_have_other_names_on_kgs(begin: Begin) -> None:
    told = begin(*[""] * 3, commands=["kgs-rules"])
    told.client.new_game(later(), variant="new-zealand")
    assert told.sent == ["kgs-rules new_zealand", "clear_board", "kgs-rules new_zealand"]


def test_exact_rules_are_told_before_names(begin: Begin) -> None:
    told = begin("?{id} no\n\n", *[""] * 5, commands=["kata-set-rules", "kgs-rules"])
    settings = {"rules": '{"ko":"SIMPLE"}', "kgs-rules": ""}
    for _ in range(2):  # What was refused once is not tried again.
        told.client.new_game(later(), variant="japanese", settings=settings)
    assert told.sent == [
        'kata-set-rules {"ko":"SIMPLE"}',
        "kata-set-rules japanese",
        *("clear_board", "kata-set-rules japanese") * 2,
    ]


def test_an_engine_that_takes_no_rules_is_known_and_not_pressed(begin: Begin) -> None:
    told = begin("?{id} no\n\n", "", commands=["kgs-rules"])
    assert isinstance(told.client, GtpClient)
    assert not told.client.tell_rules(later(), "cgos", "{}", "")
    assert not told.client.tell_rules(later(), "aga", "{}", "aga")
    told.client.new_game(later(), variant="aga", settings={"rules": "{}", "kgs-rules": "aga"})
    assert told.sent == ["kgs-rules aga", "clear_board"]


def test_handicap_stones_are_played_where_no_command_sets_them(begin: Begin) -> None:
    told = begin("", "", "", "C3 G7", commands=["place_free_handicap"])
    told.client.new_game(later(), settings={"handicap": "D4 Q16"})
    assert told.sent == ["clear_board", "play b D4", "play b Q16"]
    assert isinstance(told.client, GtpClient)
    assert told.client.place_handicap(2, later()) == ["C3", "G7"]


@pytest.mark.parametrize(
    ("size", "commands", "sent"),
    [
        ("9x9", [], "boardsize 9"),
        ("9x13", [], "boardsize 9 13"),
        ("9x13", ["rectangular_boardsize"], "rectangular_boardsize 9 13"),
    ],
)
def test_boards_need_not_be_square(
    begin: Begin, size: str, commands: Sequence[str], sent: str
) -> None:
    told = begin("", "", commands=commands)
    told.client.new_game(later(), settings={"size": size})
    assert told.sent == [sent, "clear_board"]


def test_a_refused_set_up_is_raised_after_all_replies_are_read(begin: Begin) -> None:
    told = begin("?{id} unacceptable size\n\n", "", "", "x")
    with pytest.raises(EngineRefused, match="boardsize 52: unacceptable size"):
        told.client.new_game(later(), settings={"size": "52", "komi": "7"})
    assert told.client.command("name", later()) == "x"


KATA = ["time_settings", "kgs-time_settings", "kata-time_settings"]


@pytest.mark.parametrize(
    ("control", "commands", "sent"),
    [
        (Control(), KATA[:1], "time_settings 0 1 0"),
        (Control("sudden", 0.5), KATA[:1], "time_settings 1 0 0"),
        (Control("sudden", 0.5), KATA, "kata-time_settings absolute 0.5"),
        (Control("increment", 600.0, 5.0), KATA[:1], "time_settings 600 0 0"),
        (Control("increment", 600.0, 5.0), KATA, "kata-time_settings fischer 600 5"),
        (Control("byoyomi", 600.0, 30.0, 5), KATA[:1], "time_settings 600 30 1"),
        (Control("byoyomi", 0.0, 30.0, 5), KATA[:2], "kgs-time_settings byoyomi 0 30 5"),
        (Control("byoyomi", 600.0, 30.0, 5), KATA, "kata-time_settings byoyomi 600 30 5"),
        (Control("canadian", 600.0, 300.0, 25), KATA[:1], "time_settings 600 300 25"),
        (Control("move", 2.0), KATA[:1], "time_settings 0 2 1"),
        (Control("move", 0.1), KATA, "kata-time_settings byoyomi 0 0.1 1"),
        (Control("hourglass", 60.0), KATA, "time_settings 60 0 0"),
        (Control(visits=200), ["kata-set-param"], "kata-set-param maxVisits 200"),
        (Control(nodes=300), ["kata-set-param"], "kata-set-param maxVisits 300"),
    ],
    ids=str,
)
def test_clocks_are_told_in_the_best_words_that_the_engine_knows(
    begin: Begin, control: Control, commands: Sequence[str], sent: str
) -> None:
    told = begin("", "", commands=commands)
    told.client.new_game(later(), control=control)
    assert told.sent == ["clear_board", sent]


def test_an_engine_that_takes_decimals_is_told_them(begin: Begin) -> None:
    told = begin("", "", "", "D4", commands=["kata-time_settings", "time_left"])
    told.client.new_game(later(), control=Control("sudden", 0.5))
    told.client.genmove("b", later(), Left(0.456))
    assert told.sent[-2:] == ["time_left b 0.46 0", "genmove b"]


@pytest.mark.parametrize(("commands", "periods"), [(KATA[:1], 1), (KATA[:2], 4)])
def test_periods_are_told_as_the_engine_understood_them(
    begin: Begin, commands: Sequence[str], periods: int
) -> None:
    told = begin("", "", "", "D4", commands=[*commands, "time_left"])
    told.client.new_game(later(), control=Control("byoyomi", 60.0, 30.0, 5))
    told.client.genmove("b", later(), Left(29.5, 4))
    assert told.sent[-2] == f"time_left b 29 {periods}"


def test_what_gtp_cannot_say_is_an_error_of_the_caller(begin: Begin) -> None:
    client = begin().client
    with pytest.raises(ValueError, match="no command for a position"):
        client.new_game(later(), position="B D4")
    with pytest.raises(
        ValueError, match=r"no setting 'dice' \(known: size, komi, rules, kgs-rules, handicap\)"
    ):
        client.new_game(later(), settings={"dice": "4"})
    with pytest.raises(ValueError, match="no command for a depth"):
        client.new_game(later(), control=Control(depth=3))
    with pytest.raises(ValueError, match="cannot be told a number of visits"):
        client.new_game(later(), control=Control(visits=3))


def test_options_are_commands_or_parameters(begin: Begin) -> None:
    told = begin("", "", commands=["level", "kata-set-param"])
    told.client.set_option("level", "3", later())
    told.client.set_option("maxTime", "1", later())
    assert told.sent == ["level 3", "kata-set-param maxTime 1"]
    with pytest.raises(EngineRefused, match="has no such command"):
        begin().client.set_option("level", "3", later())
    with pytest.raises(EngineRefused, match="gtp knows no dice"):
        told.client.roll(4, later())


def test_a_client_says_quit(begin: Begin) -> None:
    told = begin()
    told.client.close(LONG)
    assert told.sent == ["quit"]
    assert told.client.process.ending() == "exited with code 0"


def test_a_game_in_the_line_protocol_is_set_up_in_its_words(begin: Begin) -> None:
    told = begin(*[""] * 6, kind=LineClient)
    told.client.new_game(
        later(),
        variant="pass,free-first",
        settings={"seed": "4"},
        position="BBBBB/5/2N2/5/WWWWW w",
        control=Control("byoyomi", 60.0, 1.0, 5),
    )
    told.client.roll(4, later())
    told.client.set_option("level", "stubborn", later())
    told.client.tell("limit depth 4", later())
    assert told.sent == [
        "newgame pass,free-first seed=4",
        "position BBBBB/5/2N2/5/WWWWW w",
        "time_settings byoyomi 60.0 1.0 5",
        "roll 4",
        "option level stubborn",
        "limit depth 4",
    ]


def test_an_old_clock_is_taken_away_before_a_game_without(begin: Begin) -> None:
    told = begin(*[""] * 5, kind=LineClient)
    for control in (None, Control("sudden", 5.0), Control()):
        told.client.new_game(later(), control=control)
    assert [text for text in told.sent if text != "newgame"] == [
        "time_settings sudden 5.0 0.0 0",
        "time_settings none",
    ]


def test_the_evaluation_comes_with_the_move(begin: Begin) -> None:
    info = "info depth 7 nodes 123 time 8 score exact win 11 pv b1-b4 c3-c1/b4-b1"
    told = begin("", "b1-b4", info, kind=LineClient, commands=["evaluation"])
    reply = told.client.genmove("w", later(), Left(3.25, 2))
    assert told.sent == ["time_left w 3.250 2", "genmove w", "evaluation"]
    score = "exact win 11"
    assert reply == Reply("b1-b4", reply.seconds, score, "b1-b4 c3-c1/b4-b1", 7, 123)


@pytest.mark.parametrize("last", ["={id}\n\n", "?{id} no search yet\n\n", "=99 info\n\n"])
def test_a_move_counts_without_its_evaluation(begin: Begin, last: str) -> None:
    told = begin("d6", last, kind=LineClient, commands=["evaluation"])
    reply = told.client.genmove("b", later())
    assert reply == Reply("d6", reply.seconds)


def test_a_move_without_a_question_is_asked_alone(begin: Begin) -> None:
    told = begin("d6", kind=LineClient)
    assert told.client.genmove("b", later(), None).move == "d6"
    assert told.sent == ["genmove b"]


@pytest.mark.parametrize(
    ("info", "told"),
    [
        ("info depth 3 score est 0.573 pv a b", ("est 0.573", "a b", 3, None)),
        ("info nodes 5 score exact draw", ("exact draw", "", None, 5)),
        ("info depth x score", ("", "", None, None)),
        ("nonsense", ("", "", None, None)),
    ],
)
def test_info_lines_may_lack_words(
    info: str, told: tuple[str, str, int | None, int | None]
) -> None:
    assert evaluated(Reply("a", 0.0), info)[2:6] == told


def test_gnu_go_plays_a_move() -> None:
    client = GtpClient(Process([peer("gnugo"), "--mode", "gtp", "--level", "1"]))
    try:
        client.greet(later())
        assert client.name == "GNU Go"
        assert client.known("time_left")
        client.new_game(
            later(), settings={"size": "5", "komi": "0.5"}, control=Control("byoyomi", 9.0, 5.0, 3)
        )
        client.play("b", "C3", later())
        move = client.genmove("w", later(), Left(9.0), Left(9.0)).move
        assert move in client.command("list_stones white", later()).split()
        with pytest.raises(EngineRefused, match="illegal move"):
            client.play("b", move, later())
        client.undo(later())
        assert client.command("list_stones white", later()) == ""
        client.set_option("level", "2", later())
    finally:
        client.close()
    assert client.process.ending() == "exited with code 0"


def test_an_engine_that_evaluates_is_asked_in_the_same_write(begin: Begin) -> None:
    info = "info nodes 12 score est 0.5100 lead +0.3 pv D4 Q16"
    told = begin("D4", info, commands=["quintet-evaluation"])
    reply = told.client.genmove("b", later())
    assert told.sent == ["genmove b", "quintet-evaluation"]
    assert (reply.move, reply.score, reply.pv) == ("D4", "est 0.5100 lead +0.3", "D4 Q16")
    assert (reply.nodes, reply.depth) == (12, None)


def test_pondering_uses_the_switch_that_an_engine_has(begin: Begin) -> None:
    told = begin("?{id} no\n\n", "", commands=["kata-set-param"])
    told.client.allow_pondering(later())
    assert told.sent == ["kata-set-param ponderingEnabled true", "kata-set-param ponder true"]
    told = begin("", commands=["lz-setoption", "kata-set-param"])
    told.client.allow_pondering(later())
    assert told.sent == ["lz-setoption name pondering value true"]
    told = begin(commands=["kata-set"])
    told.client.allow_pondering(later())
    assert told.sent == []
    with pytest.raises(ValueError, match="line knows no pondering"):
        begin(kind=LineClient).client.allow_pondering(later())

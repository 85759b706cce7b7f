from tools.roster.exchange import LINES, WIDTH, Exchange


def test_a_short_dialogue_is_kept_whole() -> None:
    exchange = Exchange()
    exchange(">", "genmove")
    exchange("<", "= D4")
    exchange.close()
    assert exchange.lines() == ("> genmove", "< = D4")


def test_the_middle_of_a_flood_is_left_out() -> None:
    exchange = Exchange()
    for number in range(LINES + 7):
        exchange("<", str(number))
    lines = exchange.lines()
    assert len(lines) == LINES + 1
    assert lines[0] == "< 0"
    assert lines[LINES // 2] == "... 7 lines left out"
    assert lines[-1] == f"< {LINES + 6}"


def test_a_long_line_is_cut() -> None:
    exchange = Exchange()
    exchange("<", "x" * (2 * WIDTH))
    assert exchange.lines() == (f"< {'x' * WIDTH}",)


def test_forgotten_lines_are_gone() -> None:
    exchange = Exchange()
    exchange(">", "name")
    exchange.forget()
    assert exchange.lines() == ()

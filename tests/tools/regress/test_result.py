from tools.regress.result import Result, ResultCounts, Status, tallies


def result(status: Status, *, suite: str = "a", known: bool = False) -> Result:
    return Result(suite, "a test", 1, status, known=known)


def test_words_in_capitals_are_unexpected() -> None:
    words = {
        (status, known): result(status, known=known).word
        for status in Status
        for known in (False, True)
    }
    assert words[Status.PASSED, False] == words[Status.PASSED, False].lower()
    assert words[Status.PASSED, True].isupper()
    assert words[Status.FAILED, False].isupper()
    assert words[Status.FAILED, True] == words[Status.FAILED, True].lower()


def test_counts_are_kept_by_suite() -> None:
    results = [
        result(Status.PASSED),
        result(Status.FAILED),
        result(Status.ERROR, suite="b"),
    ]
    counted = tallies(results)
    assert list(counted) == ["a", "b"]
    assert (counted["a"].tests, counted["a"].passed, counted["a"].alarms) == (2, 1, 1)
    total = ResultCounts.of(results)
    assert (total.tests, total.failed, total.errors, total.alarms) == (3, 1, 1, 2)

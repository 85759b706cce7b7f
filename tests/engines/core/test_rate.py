from engines.core.rate import rate, repeat


def test_work_is_doubled_until_it_takes_long_enough() -> None:
    sizes = []

    def work(size: int) -> int:
        sizes.append(size)
        return sum(1 for _ in range(5000 * size))

    assert rate(work, 0.01) > 0
    assert sizes == [2**number for number in range(len(sizes))]


def test_what_is_repeated_is_summed() -> None:
    assert repeat(lambda: 7)(6) == 42

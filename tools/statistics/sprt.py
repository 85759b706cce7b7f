"""The sequential test that decides between two strengths with as few games as it takes."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Final

from engines.core.game import InvalidText
from tools.statistics.estimates import estimate, rounded
from tools.statistics.intervals import CONFIDENCE
from tools.statistics.likelihood import Model, log_likelihood_ratio, normalized_limit
from tools.statistics.passage import expected_time, worse_probability
from tools.statistics.results import Results
from tools.statistics.scale import HIGHEST_ELO, NELO_PER_T, expected_score, per_game

_ENDLESS: Final = 1e9  # Games. A test that needs more is refused.
_OVER_MEAN: Final = 10
_FEWEST: Final = 1000  # Games. Short tests take longer than the mean of a continuous motion.


class State(StrEnum):
    """The decision of a test."""

    CONTINUE = "continue"
    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of a test, and the log-likelihood ratio that it follows from."""

    state: State
    llr: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A median-unbiased estimate of a logistic Elo difference, and its confidence interval.

    A bound is None beyond the Elo of a certain win or loss.
    """

    elo: float
    low: float | None
    high: float | None

    def figures(self) -> dict[str, float | None]:
        """Return the estimate and its interval by name, ready for JSON."""
        return {name: rounded(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H1, the difference is `elo1`, against H0, it is `elo0`.

    `alpha` is the chance to accept H1 wrongly, `beta` to accept H0 wrongly. `paired` says whether
    the samples are pairs of games. Raises InvalidText for a test that makes no sense.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALIZED
    paired: bool = True

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidText(f"{name} must lie between 0 and 0.5, not {value:g}")
        for name, value in (("elo0", self.elo0), ("elo1", self.elo1)):
            self._check_bound(name, value)
        if self.elo0 >= self.elo1:
            raise InvalidText(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if (longest := self._longest()) > _ENDLESS:
            raise InvalidText(
                f"elo0={self.elo0:g} and elo1={self.elo1:g} are too close: "
                f"the test could take {longest:.0e} games"
            )

    def _longest(self) -> float:
        """Return the mean number of games where the test takes longest."""
        # Without draws the two kinds of Elo agree near 0; draws shorten a logistic test.
        return -self.lower * self.upper * (NELO_PER_T / (self.elo1 - self.elo0)) ** 2

    def most_games(self) -> int:
        """Return a number of games that the test hardly ever takes, rounded to two figures.

        Even where the test takes longest, halfway between its hypotheses, fewer than one test in
        100 000 is undecided after ten times the mean number of games: a motion without drift
        between two bounds is still inside with probability 4/pi * exp(-10 * pi**2 / 8) then.
        """
        games = max(_FEWEST, _OVER_MEAN * self._longest())
        unit: int = 10 ** (math.floor(math.log10(games)) - 1)
        return math.ceil(games / unit) * unit

    def _check_bound(self, name: str, value: float) -> None:
        if not math.isfinite(value):
            raise InvalidText(f"{name} must be a number, not {value:g}")
        if self.model is Model.LOGISTIC:
            if abs(value) >= HIGHEST_ELO:
                raise InvalidText(
                    f"{name}={value:g} is out of range: beyond {HIGHEST_ELO:.0f} Elo fewer than "
                    "one game in 1000 is not won"
                )
        elif abs(value) >= (limit := normalized_limit(paired=self.paired)):
            raise InvalidText(
                f"{name}={value:g} is out of range: with {'pairs' if self.paired else 'games'} as "
                f"samples the normalized model exists only within {limit:.3f} of 0; "
                "try the logistic model"
            )

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta) - math.log1p(-self.alpha)

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log1p(-self.beta) - math.log(self.alpha)

    def judge(self, results: Results) -> Verdict:
        """Return what these results decide, regardless of any earlier decision.

        Raises ValueError when the results count games and the test wants pairs, or vice versa.
        """
        if results.paired != self.paired:
            raise ValueError("games counted where the test wants pairs, or pairs for games")
        llr = log_likelihood_ratio(results, self.elo0, self.elo1, self.model)
        state = State.CONTINUE
        if results.samples:
            if llr >= self.upper:
                state = State.H1
            elif llr <= self.lower:
                state = State.H0
        return Verdict(state, llr)

    def differences(self) -> dict[str, float]:
        """Return by name the differences worth asking about: the bounds, and the worst case."""
        return {"elo0": self.elo0, "middle": (self.elo0 + self.elo1) / 2, "elo1": self.elo1}

    def expected_games(self, difference: float, results: Results) -> float | None:
        """Return how many more games the test takes on average if `difference` is the true one.

        The difference is on the model's scale. The logistic model takes the noise of a game from
        the results, and returns None if these show none. Overshoot is ignored, so short tests take
        a little longer.
        """
        verdict = self.judge(results)
        if verdict.state is not State.CONTINUE:
            return 0.0
        if self.model is Model.LOGISTIC and results.alike:
            return None
        pull, pace = self._motion(results, self._score(results, difference))
        time = expected_time(self.lower - verdict.llr, self.upper - verdict.llr, pull)
        return time / pace * (2 if self.paired else 1)

    def unbiased(self, results: Results) -> Interval | None:
        """Estimate the Elo difference, corrected for the moment at which the test stopped.

        A test often stops because of luck, so the plain estimate exaggerates. This estimate is the
        difference under which a worse course of the test has probability 1/2. None if the results
        show no noise.
        """
        if results.alike:
            return None
        total, mean, _ = results.moments()
        pull, pace = self._motion(results, mean)
        time, place = total * pace, pull * total * pace
        match self.judge(results).state:
            case State.H1:
                end = self.upper
            case State.H0:
                end = self.lower
            case _:
                end = min(max(place, self.lower), self.upper)
        if place * end > end * end:  # The course is drawn straight, back to where it crossed.
            time *= end / place

        def worse(difference: float) -> float:
            pull, _ = self._motion(results, expected_score(difference))
            return worse_probability(self.lower, self.upper, pull, time, end)

        half = (1 - CONFIDENCE) / 2
        return Interval(
            elo=_falls_to(0.5, worse),
            low=_bound(_falls_to(1 - half, worse)),
            high=_bound(_falls_to(half, worse)),
        )

    def _score(self, results: Results, difference: float) -> float:
        """Return the expected score of a difference on the model's scale."""
        if self.model is Model.LOGISTIC:
            return expected_score(difference)
        _, _, variance = results.moments()
        return 0.5 + difference / NELO_PER_T * per_game(variance, paired=self.paired)

    def _motion(self, results: Results, score: float) -> tuple[float, float]:
        """Return the ratio's drift per unit of its variance, and that variance per sample.

        To first order the ratio adds (s1 - s0) / variance times what each sample scores above
        the middle of s0 and s1, the scores of the hypotheses.
        """
        _, _, variance = results.moments()
        score0, score1 = self._score(results, self.elo0), self._score(results, self.elo1)
        width = score1 - score0
        return (score - (score0 + score1) / 2) / width, width * width / variance


def _falls_to(level: float, probability: Callable[[float], float]) -> float:
    """Return the Elo difference at which a falling probability reaches `level`."""
    low, high = -HIGHEST_ELO, HIGHEST_ELO
    while high - low > 1e-9:
        middle = (low + high) / 2
        if probability(middle) > level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _bound(difference: float) -> float | None:
    return None if abs(difference) > HIGHEST_ELO - 1e-6 else difference


def parse_sprt(text: str, *, paired: bool = True) -> Sprt:
    """Read a test such as `elo0=0,elo1=5,alpha=0.05,beta=0.1,model=logistic`; raises InvalidText.

    By default, `alpha` and `beta` are 0.05 and `model` is normalized.
    """
    known = [field.name for field in fields(Sprt) if field.name != "paired"]
    numbers: dict[str, float] = {}
    model: Model | None = None
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise InvalidText(f"expected KEY=VALUE in a test such as elo0=0,elo1=5, not {part!r}")
        if key not in known:
            raise InvalidText(f"no such setting of a test: {key!r} (known: {', '.join(known)})")
        if key in numbers or (key == "model" and model is not None):
            raise InvalidText(f"{key} is given twice in {text!r}")
        if key == "model":
            model = parse_model(value)
        else:
            numbers[key] = _parse_number(key, value)
    for key in ("elo0", "elo1"):
        if key not in numbers:
            raise InvalidText(f"{key} is missing in {text!r}; expected elo0=0,elo1=5 or the like")
    return Sprt(**numbers, model=model or Model.NORMALIZED, paired=paired)


def parse_model(text: str) -> Model:
    """Read the name of a model; raises InvalidText naming the known ones."""
    try:
        return Model(text)
    except ValueError:
        raise InvalidText(f"no such model: {text!r} (known: {', '.join(Model)})") from None


def _parse_number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidText(f"{key} must be a number, not {text!r}") from None


def format_sprt(test: Sprt) -> str:
    """Write a test as `parse_sprt` reads it."""
    return (
        f"elo0={test.elo0!r},elo1={test.elo1!r},alpha={test.alpha!r},beta={test.beta!r},"
        f"model={test.model}"
    )


def figures(test: Sprt, results: Results) -> dict[str, object]:
    """Return all figures of a test and its results, ready for JSON."""
    verdict = test.judge(results)
    unbiased = test.unbiased(results)
    return {
        **asdict(test),
        "samples": results.samples,
        "games": results.games,
        "points": results.points,
        "llr": rounded(verdict.llr),
        "lower": rounded(test.lower),
        "upper": rounded(test.upper),
        "state": verdict.state.value,
        **estimate(results).figures(),
        "unbiased": unbiased and unbiased.figures(),
        "expected_games": {
            name: rounded(test.expected_games(difference, results))
            for name, difference in test.differences().items()
        },
    }

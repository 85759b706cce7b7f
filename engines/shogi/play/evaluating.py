"""The choice of the evaluation: the shipped network, the fitted weights without it, or a file."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engines.shogi.play import fitted, weights
from engines.shogi.play.evaluation import Evaluation
from engines.shogi.play.fitted import Fitted
from engines.shogi.play.mixed import Mixed
from engines.shogi.play.network import weights as files
from engines.shogi.play.network.network import Network, NetworkEvaluation


@dataclass(frozen=True, slots=True)
class Choice:
    """An evaluation: each thread of a search needs one of its own."""

    make: Callable[[], Evaluation]
    complaint: str = ""  # Why it is not the shipped network, if that is a fault.


def load(file: Path) -> Choice:
    """Load a network or fitted weights; raises OSError, and WeightsError for any other file.

    The fitted weights replace those of all evaluations that use such weights.
    """
    if files.is_network(file):
        return _network(file)
    fitted.fill(weights.load(file))
    return Choice(Fitted)


@cache
def shipped(file: Path = files.SHIPPED) -> Choice:
    """Load the shipped network, or the shipped weights if there is none or it is damaged."""
    try:
        return _network(file)
    except (OSError, ValueError) as error:
        fitted.fill(weights.load())
        missing = isinstance(error, FileNotFoundError)
        complaint = "" if missing else f"{error}; evaluating by weights without a network"
        return Choice(Fitted, complaint)


def _network(file: Path) -> Choice:
    layers = files.load(file)
    network = Network(layers)
    if layers.corrects:
        fitted.fill(weights.load())
        return Choice(lambda: Mixed(network))
    return Choice(lambda: NetworkEvaluation(network))

"""The network in PyTorch, and its conversion into the integers of a file. Needs the extra `train`.

Numbers in PyTorch are those of the file divided by their units, so that training sees the limits
of the file: results of a layer lie between 0 and 1, and the weights of the layers after the first
below 2.
"""

from array import array
from typing import Any, Final

import torch
from torch import nn

from engines.shogi.play.network.inputs import INPUTS
from engines.shogi.play.network.weights import FINE, HIDDEN, NEURONS, STEP, UNIT, Layers
from engines.shogi.workshop.dataset import SCALE

_BOUND: Final = 127 / FINE
_FORMS: Final = {
    "table": ("h", UNIT),
    "offsets": ("h", UNIT),
    "first": ("b", FINE),
    "first_offsets": ("i", FINE * UNIT),
    "second": ("b", FINE),
    "second_offsets": ("i", FINE * UNIT),
    "last": ("h", SCALE * STEP / UNIT),
    "last_offset": ("i", SCALE * STEP),
}
"""By part of `Layers`: the type of its numbers, and what stands for 1."""


class Net(nn.Module):  # type: ignore[misc]
    """The network, as `play/network` computes it, without rounding."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(INPUTS + 1, NEURONS, mode="sum", padding_idx=INPUTS)
        self.offsets = nn.Parameter(torch.full((NEURONS,), 0.3))
        self.first = nn.Linear(2 * NEURONS, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        with torch.no_grad():
            self.table.weight.normal_(0.0, 0.05)
            self.table.weight[INPUTS] = 0.0
            self.last.bias.zero_()

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the log odds of winning for the side to move; `inputs` as in `Lessons`."""
        rows, views, most = inputs.shape
        sums = self.table(inputs.reshape(rows * views, most)) + self.offsets
        seen = sums.clamp(0, 1).reshape(rows, views * NEURONS)
        hidden = self.first(seen).clamp(0, 1)
        deeper = self.second(hidden).clamp(0, 1)
        odds: torch.Tensor = self.last(deeper)[:, 0]
        return odds

    def bound(self) -> None:
        """Move weights that the file cannot hold to its limits."""
        with torch.no_grad():
            self.first.weight.clamp_(-_BOUND, _BOUND)
            self.second.weight.clamp_(-_BOUND, _BOUND)

    def start(self, layers: Layers) -> None:
        """Take the weights of a network."""
        for name, (_, unit) in _FORMS.items():
            weights = torch.tensor(getattr(layers, name), dtype=torch.float32) / unit
            own = self._parts()[name]
            with torch.no_grad():
                own.copy_(weights.reshape(own.shape))

    def _parts(self) -> dict[str, torch.Tensor]:
        return {
            "table": self.table.weight[:INPUTS],
            "offsets": self.offsets,
            "first": self.first.weight,
            "first_offsets": self.first.bias,
            "second": self.second.weight,
            "second_offsets": self.second.bias,
            "last": self.last.weight,
            "last_offset": self.last.bias,
        }

    def layers(self) -> Layers:
        """Return the rounded weights."""
        parts = self._parts()
        rounded: dict[str, Any] = {
            name: _rounded(kind, parts[name], unit) for name, (kind, unit) in _FORMS.items()
        }
        return Layers(**rounded)


def _rounded(kind: str, weights: torch.Tensor, unit: float) -> "array[int]":
    numbers = (weights.detach() * unit).round().to(torch.int64).flatten()
    return array(kind, numbers.tolist())

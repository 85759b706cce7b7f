"""Train the network on labelled positions: `python -m engines.shogi.workshop.train --help`.

Needs PyTorch and numpy (the extra `train`). The target is a mixture of the search's score, as a
chance of winning, and the result of the game. One game in 25 is held out; the network with the
lowest loss on the held-out games is kept.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import click
import numpy as np
import torch
from torch.nn import functional

from engines.shogi.play.network.weights import Layers, load
from engines.shogi.workshop.dataset import SCALE, Array, Lessons, mirrored, read
from engines.shogi.workshop.model import Net

BATCH: Final = 2048
WARM: Final = 200  # Steps until the learning rate has its full value.
HELD_OUT: Final = 25
AVERAGE: Final = 0.999  # The decay of the running average of weights, which is kept.


@dataclass(frozen=True, slots=True)
class Losses:
    """Mean logarithmic losses: of the target beyond its own entropy, and of the games' results."""

    mixed: float
    result: float


def targets(lessons: Lessons, share: float) -> torch.Tensor:
    """Return the chances that the network is to give; `share` is that of what came later."""
    score = torch.sigmoid(torch.from_numpy(lessons.value) / SCALE)
    return (1 - share) * score + share * torch.from_numpy(lessons.later)


def examine(net: Net, lessons: Lessons, share: float) -> Losses:
    """Measure the losses of a network."""
    with torch.no_grad():
        odds = torch.cat(
            [
                net(torch.from_numpy(lessons.inputs[at : at + BATCH].astype(np.int32)))
                for at in range(0, len(lessons), BATCH)
            ]
        )
    odds += torch.from_numpy(lessons.base) / SCALE
    aims = targets(lessons, share)
    # Less the loss of a net that gives exactly these chances: what remains can be learned.
    mixed = functional.binary_cross_entropy_with_logits(odds, aims)
    least = functional.binary_cross_entropy(aims, aims)
    played = torch.from_numpy(~lessons.aside)
    result = functional.binary_cross_entropy_with_logits(
        odds[played], torch.from_numpy(lessons.result)[played]
    )
    return Losses(mixed.item() - least.item(), result.item())


@dataclass(frozen=True, slots=True)
class Course:
    """The lesson: inputs, the log odds that are added to those of the network, and targets."""

    inputs: Array
    base: torch.Tensor
    aims: torch.Tensor

    @classmethod
    def of(cls, lessons: Lessons, share: float) -> Self:
        """Make a course of lessons."""
        base = torch.from_numpy(lessons.base) / SCALE
        return cls(lessons.inputs, base, targets(lessons, share))

    def and_then(self, other: Self) -> "Course":
        """Return a course of both."""
        return Course(
            np.concatenate((self.inputs, other.inputs)),
            torch.cat((self.base, other.base)),
            torch.cat((self.aims, other.aims)),
        )

    def batches(self, seed: int) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
        """Yield the batches of an epoch in random order; half of the inputs are mirrored."""
        chance = np.random.default_rng(seed)
        order = chance.permutation(len(self.inputs))
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            batch = self.inputs[rows].astype(np.int32)
            half = chance.random(len(rows)) < 0.5
            batch[half] = mirrored(batch[half])
            chosen = torch.from_numpy(rows)
            yield torch.from_numpy(batch), self.base[chosen], self.aims[chosen]


class Trainer:
    """A network, its optimizer and the running average of its weights."""

    def __init__(
        self,
        rate: float,
        steps: int,
        seed: int,
        start: Layers | None = None,
        *,
        gently: bool = False,
    ) -> None:
        torch.manual_seed(seed)
        self.net = Net()
        if gently:  # A correction begins near nothing.
            with torch.no_grad():
                self.net.last.weight.mul_(0.1)
        if start is not None:
            self.net.start(start)
        self.average = Net()
        self.average.load_state_dict(self.net.state_dict())
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=rate, betas=(0.9, 0.99))
        self._rate = rate
        self._steps = steps
        self._step = 0

    def learn(self, inputs: torch.Tensor, base: torch.Tensor, aims: torch.Tensor) -> float:
        """Make one step; return the loss before it."""
        self._step += 1
        warm = min(self._step / WARM, 1.0)
        fall = 0.5 * (1 + float(np.cos(np.pi * min(self._step / self._steps, 1.0))))
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * warm * (0.02 + 0.98 * fall)
        loss = functional.binary_cross_entropy_with_logits(self.net(inputs) + base, aims)
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        self.net.bound()
        decay = min(AVERAGE, 1 - 1 / (self._step + 1))
        with torch.no_grad():
            for mean, weight in zip(self.average.parameters(), self.net.parameters(), strict=True):
                mean.lerp_(weight, 1 - decay)
        return float(loss.item())


def split(lessons: Lessons) -> tuple[Lessons, Lessons]:
    """Return the lessons to learn from, and those of the games that are held out."""
    held = lessons.game % HELD_OUT == 0
    return lessons.take(~held), lessons.take(held)


def train(
    lessons: Lessons,
    glances: Lessons | None,
    foreign: Lessons | None,
    *,
    epochs: int,
    rate: float,
    share: float,
    seed: int,
    start: Layers | None = None,
    corrects: bool = False,
) -> Iterator[tuple[dict[str, float], Layers]]:
    """Train; after each epoch, yield the losses and the rounded network."""
    learned, held = split(lessons)
    course = Course.of(learned, share)
    if glances is not None:
        course = course.and_then(Course.of(glances, 0))
    steps = epochs * (len(course.inputs) // BATCH + 1)
    trainer = Trainer(rate, steps, seed, start, gently=corrects)
    begun = time.monotonic()
    for epoch in range(1, epochs + 1):
        losses = [trainer.learn(*batch) for batch in course.batches(seed * 1000 + epoch)]
        own = examine(trainer.average, held, share)
        entry = {
            "epoch": epoch,
            "seconds": round(time.monotonic() - begun, 1),
            "learned": round(float(np.mean(losses)), 5),
            "held out": round(own.mixed, 5),
            "held out, result": round(own.result, 5),
        }
        if foreign is not None:
            entry["foreign, result"] = round(examine(trainer.average, foreign, share).result, 5)
        yield entry, replace(trainer.average.layers(), corrects=corrects)


@click.command()
@click.argument("labels", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--epochs", type=click.IntRange(1), default=2, show_default=True)
@click.option("--rate", type=float, default=0.002, show_default=True, help="Learning rate.")
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=0.3,
    show_default=True,
    help="The share of what came later in the target.",
)
@click.option(
    "--trust",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="Weight of each later search of the game relative to the one before it; with 1, only the "
    "result of the game counts as what came later.",
)
@click.option(
    "--start", type=click.Path(path_type=Path, exists=True), help="A network to continue from."
)
@click.option(
    "--corrects",
    is_flag=True,
    help="Teach it the errors of the fitted evaluation, to which its values are then added.",
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--glances",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="Labels without results, which are learned together with the others.",
)
@click.option(
    "--foreign",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="Labels of other games, on which the loss is measured only.",
)
def main(
    labels: Sequence[Path],
    out: Path,
    epochs: int,
    rate: float,
    share: float,
    trust: float,
    start: Path | None,
    corrects: bool,
    seed: int,
    glances: Sequence[Path],
    foreign: Sequence[Path],
) -> None:
    """Train a network on files of LABELS."""
    lessons = read(labels, corrects=corrects, trust=trust)
    click.echo(f"{len(lessons)} quiet positions of {len(np.unique(lessons.game))} games", err=True)
    best = float("inf")
    others = read(foreign, corrects=corrects) if foreign else None
    more = read(glances, corrects=corrects) if glances else None
    beginning = load(start) if start else None
    for entry, layers in train(
        lessons,
        more,
        others,
        epochs=epochs,
        rate=rate,
        share=share,
        seed=seed,
        start=beginning,
        corrects=corrects,
    ):
        click.echo(json.dumps(entry))
        if entry["held out"] < best:
            best = entry["held out"]
            out.write_bytes(layers.pack())


if __name__ == "__main__":
    main()

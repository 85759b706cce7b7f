"""Train the network on labelled positions: `python -m engines.go.workshop.train --help`.

Needs PyTorch and numpy (the extra `train`). Training can be stopped and resumed at any time: its
folder holds a checkpoint, which is replaced every few minutes, and a log of losses with one JSON
object per line. What a step does depends only on the options and on the steps before, so that a
run that was interrupted gives the same network.
"""

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from engines.go.play.network.weights import CHANNELS as SUPPORTED
from engines.go.play.network.weights import MOST_BLOCKS, read, save
from engines.go.workshop.dataset import Batch, Labels
from engines.go.workshop.lessons import BATCH, SIZES, TEACHERS, Curriculum, Helper, Lessons, exams
from engines.go.workshop.model import (
    BLOCKS,
    CHANNELS,
    LEAD,
    Net,
    deepen,
    fold,
    pooled,
    settle,
    shape_of_state,
    unfold,
    widen,
)

WEIGHTS: Final = {"policy": 1.0, "win": 1.2, "ownership": 0.8, "lead": 0.02}
WARM: Final = 400  # Steps until the learning rate has its full value.
DECAY: Final = 2_000_000  # Without a plan: samples after which the rate falls as 1 / sqrt(samples).
LEAST: Final = 0.01  # With a plan: the share of the greatest learning rate at its end.
AVERAGE: Final = 0.9995  # The decay of the running average of weights, which is used for play.
SAVED: Final = 240.0  # Seconds between checkpoints.
LOGGED: Final = 120.0  # Seconds between entries in the log.
EXAMINED: Final = 900.0  # Seconds between examinations on games that are held out.
CHECKPOINT: Final = "checkpoint.pt"
SIGHTS: Final = 60  # Batches for the statistics of a network from which training continues.
EXAM: Final = 1024  # Positions of each size in an examination.


def evaluate(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return the weighted loss of a batch, its parts, and errors in readable units."""
    planes = torch.from_numpy(batch.planes).to(
        dtype=torch.float32, memory_format=torch.channels_last
    )
    with torch.autocast("cpu", dtype=torch.bfloat16):
        policy, value, ownership = net(planes, torch.from_numpy(batch.scalars))
    chosen = functional.log_softmax(policy, 1).gather(1, torch.from_numpy(batch.moves))
    target = torch.from_numpy(batch.policy)
    win = torch.from_numpy(batch.win)
    lead = torch.from_numpy(batch.lead)
    known = torch.from_numpy(batch.owned)
    owner = torch.from_numpy(batch.ownership)
    share = known.float().sum().clamp(min=1.0)
    owning = functional.binary_cross_entropy_with_logits(ownership, owner, reduction="none")
    parts = {
        "policy": -(target * chosen).sum(1).mean(),
        "win": functional.binary_cross_entropy_with_logits(value[:, 0], win),
        "ownership": (owning.mean(1) * known).sum() / share,
        "lead": functional.huber_loss(LEAD * value[:, 1], lead, delta=12.0),
    }
    loss = torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()
    with torch.no_grad():
        likeliest = torch.from_numpy(batch.moves[:, 0])
        parts["agreement"] = (policy.argmax(1) == likeliest).float().mean()
        parts["win_error"] = (torch.sigmoid(value[:, 0]) - win).abs().mean()
        parts["lead_error"] = (LEAD * value[:, 1] - lead).abs().mean()
        wrong = 2.0 * (torch.sigmoid(ownership) - owner).abs().mean(1)
        parts["ownership_error"] = (wrong * known).sum() / share
    return loss, {name: part.detach() for name, part in parts.items()}


@dataclass(frozen=True, slots=True)
class Pace:
    """The learning rate: a warm-up, and a cosine over the planned samples if there is a plan."""

    rate: float
    samples: int | None = None  # How many are planned.
    freeze: float = 0.0  # The share of the plan, at its end, with frozen statistics.

    def rate_at(self, samples: int, steps: int) -> float:
        """Return the learning rate after so many samples and steps."""
        warm = min(1.0, (steps + 1) / WARM)
        if self.samples is None:
            return self.rate * warm * min(1.0, math.sqrt(DECAY / max(samples, 1)))
        done = min(1.0, samples / self.samples)
        return self.rate * warm * (LEAST + (1.0 - LEAST) * 0.5 * (1.0 + math.cos(math.pi * done)))

    def freezes(self, samples: int) -> bool:
        """Tell whether the statistics of batch norm are frozen after so many samples."""
        if self.samples is None:
            return self.freeze == 1.0
        return samples >= self.samples * (1.0 - self.freeze)

    def is_over(self, samples: int) -> bool:
        """Tell whether the planned samples were taught."""
        return self.samples is not None and samples >= self.samples


class Training:
    """The state of training: weights, their running average, optimiser and counters."""

    def __init__(self, folder: Path, pace: Pace, make: Callable[[], Net]) -> None:
        self.folder = folder
        self.pace = pace
        self.samples = self.steps = 0
        self.seconds = 0.0
        self.frozen = False
        folder.mkdir(parents=True, exist_ok=True)
        kept = torch.load(self.path, weights_only=True) if self.path.exists() else None
        net = Net(*shape_of_state(kept["net"])) if kept else make()
        self.net = net.to(memory_format=torch.channels_last)
        self.channels, self.blocks = shape_of_state(net.state_dict())
        self.average = Net(self.channels, self.blocks).to(memory_format=torch.channels_last)
        self.average.load_state_dict(self.net.state_dict())
        self.average.eval()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=pace.rate, weight_decay=0.01)
        if kept:
            self.net.load_state_dict(kept["net"])
            self.average.load_state_dict(kept["average"])
            self.optimiser.load_state_dict(kept["optimiser"])
            self.samples, self.steps = kept["samples"], kept["steps"]
            self.seconds = kept["seconds"]
            self.frozen = kept.get("frozen", False)
        self.net.train(not self.frozen)

    @property
    def path(self) -> Path:
        """The path of the checkpoint."""
        return self.folder / CHECKPOINT

    def save(self) -> None:
        """Write the checkpoint, and the averaged network for play as `net.npz`.

        If the run is killed meanwhile, the old checkpoint is left.
        """
        fresh = self.path.with_suffix(".new")
        kept = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "samples": self.samples,
            "steps": self.steps,
            "seconds": self.seconds,
            "frozen": self.frozen,
        }
        torch.save(kept, fresh)
        os.replace(fresh, self.path)
        net = self.folder / "net.npz"
        save(net.with_suffix(".new.npz"), fold(self.average), pooled(self.blocks))
        os.replace(net.with_suffix(".new.npz"), net)

    def freeze(self) -> None:
        """Normalise by the averages as in play, no longer by the statistics of each batch.

        A batch has one board size, but the averages are over all sizes: a last stage with frozen
        statistics adapts the weights to them. It continues from the averaged network, whose
        statistics do not depend on the sizes of the last few batches.
        """
        self.net.load_state_dict(self.average.state_dict())
        self.net.eval()
        self.frozen = True

    def step(self, batch: Batch) -> dict[str, torch.Tensor]:
        """Train on one batch and return its losses."""
        if not self.frozen and self.pace.freezes(self.samples):
            self.freeze()
        for group in self.optimiser.param_groups:
            group["lr"] = self.pace.rate_at(self.samples, self.steps)
        loss, parts = evaluate(self.net, batch)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        self.optimiser.step()
        self.steps += 1
        self.samples += len(batch.win)
        weight = 1.0 - min(AVERAGE, self.steps / (self.steps + 10.0))
        with torch.no_grad():
            for old, new in zip(_floats(self.average), _floats(self.net), strict=True):
                old.lerp_(new, weight)
        return parts

    def log_losses(self, seen: Mapping[int, Sequence[dict[str, torch.Tensor]]]) -> None:
        """Append the mean losses of the last steps to the log, by board size."""
        for size, parts in sorted(seen.items()):
            self.log({"size": size, "steps": len(parts), **_means(parts)})

    def log(self, entry: dict[str, Any]) -> None:
        """Append a line to the log of losses."""
        entry = {"samples": self.samples, "cpu_seconds": round(self.seconds), **entry}
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _sight(batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.from_numpy(batch.planes).float(), torch.from_numpy(batch.scalars)


def _floats(net: nn.Module) -> Iterator[torch.Tensor]:
    return (value for value in net.state_dict().values() if value.is_floating_point())


def _means(seen: Sequence[dict[str, torch.Tensor]]) -> dict[str, float]:
    return {key: round(float(np.mean([float(p[key]) for p in seen])), 4) for key in seen[0]}


def validate(training: Training, held_out: Mapping[int, Labels]) -> None:
    """Log the losses of the averaged weights on held-out games, by board size."""
    for size, labels in held_out.items():
        training.log({"held_out": size, **examine(training.average, labels)})


def examine(net: Net, labels: Labels) -> dict[str, float]:
    """Return the losses of a network on a fixed choice of positions of one board size."""
    rows = np.random.default_rng(1).permutation(len(labels))[:EXAM]
    seen = []
    for part in np.array_split(rows, max(1, len(rows) // 128)):
        with torch.no_grad():
            seen.append(evaluate(net, labels.batch(part, np.array([0])))[1])
    return {"positions": len(rows), **_means(seen)}


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """The options of the command."""

    data: Path
    folder: Path
    minutes: float | None
    samples: int | None
    rate: float
    start: Path | None
    freeze: float
    channels: int | None
    blocks: int | None
    helper: bool
    sizes: dict[int, float]
    teachers: dict[str, float]
    batch: dict[int, int]

    def curriculum(self) -> Curriculum:
        """Return what batches are drawn from."""
        batch = {size: self.batch.get(size, BATCH.get(size, 96)) for size in self.sizes}
        return Curriculum(self.data, self.sizes, self.teachers, batch)


def train(options: TrainOptions) -> None:
    """Train until the plan is fulfilled or the time is over; resume from a checkpoint."""
    torch.set_num_threads(1)
    curriculum = options.curriculum()
    held_out = exams(curriculum)
    with ExitStack() as stack:
        lessons: Helper | Lessons
        lessons = stack.enter_context(Helper(curriculum)) if options.helper else Lessons(curriculum)
        if not len(lessons):
            raise click.ClickException(
                f"no labelled positions (*.npz) to train on in {options.data}"
            )
        pace = Pace(options.rate, options.samples, options.freeze)
        training = Training(options.folder, pace, lambda: _make(options, curriculum, lessons))
        _check_shape(options, training)
        _run(training, lessons.batches(training.steps), held_out, options.minutes)


def _make(options: TrainOptions, curriculum: Curriculum, lessons: Helper | Lessons) -> Net:
    """Return the network from which training starts."""
    if options.start is None:
        torch.manual_seed(1)
        return Net(options.channels or CHANNELS, options.blocks or BLOCKS)
    try:
        net = unfold(read(options.start)[0])
    except (OSError, ValueError) as problem:
        raise click.ClickException(str(problem)) from problem
    near = lessons if isinstance(lessons, Lessons) else Lessons(curriculum)
    settle(net, (_sight(batch) for batch in islice(near.batches(0), SIGHTS)))
    channels, blocks = shape_of_state(net.state_dict())
    torch.manual_seed(1)
    try:
        return deepen(widen(net, options.channels or channels), options.blocks or blocks)
    except ValueError as problem:
        raise click.ClickException(f"{options.start}: {problem}") from problem


def _check_shape(options: TrainOptions, training: Training) -> None:
    for name, wanted, given in (
        ("channels", options.channels, training.channels),
        ("blocks", options.blocks, training.blocks),
    ):
        if wanted not in (None, given):
            raise click.ClickException(f"--{name} {wanted}: the network has {given} {name}")


def _run(
    training: Training,
    batches: Iterator[Batch],
    held_out: Mapping[int, Labels],
    minutes: float | None,
) -> None:
    end = math.inf if minutes is None else time.monotonic() + 60.0 * minutes
    saved = logged = examined = began = time.monotonic()
    seen: dict[int, list[dict[str, torch.Tensor]]] = {}
    worked, before = time.process_time(), (training.samples, training.seconds)
    while time.monotonic() < end and not training.pace.is_over(training.samples):
        batch = next(batches)
        seen.setdefault(batch.planes.shape[2], []).append(training.step(batch))
        now = time.monotonic()
        training.seconds += time.process_time() - worked
        worked = time.process_time()
        if now - logged > LOGGED:
            training.log_losses(seen)
            seen, logged = {}, now
            taught, spent = training.samples - before[0], training.seconds - before[1]
            left = "" if training.pace.samples is None else f" of {training.pace.samples}"
            click.echo(
                f"{training.samples}{left} samples; {taught / (now - began):.0f} per second, "
                f"{taught / spent:.0f} per CPU-second of this process",
                err=True,
            )
        if now - saved > SAVED:
            training.save()
            saved = now
        if now - examined > EXAMINED:
            validate(training, held_out)
            examined = now
    training.log_losses(seen)
    validate(training, held_out)
    training.save()


def _parse_shares(
    context: click.Context, option: click.Parameter, text: str
) -> dict[Any, float | int]:
    """Parse `9=0.5,19=0.5` or `b10=1`: what is not named has no share."""
    known: Mapping[Any, float] = TEACHERS if option.name == "teachers" else SIZES
    shares: dict[Any, float | int] = {}
    for word in filter(None, text.split(",")):
        name, _, value = word.partition("=")
        try:
            key = name if known is TEACHERS else int(name)
            share = int(value) if option.name == "batch" else float(value)
        except ValueError as error:
            raise click.BadParameter(f"{word!r}: NAME=NUMBER is expected") from error
        if known is TEACHERS and key not in known:
            raise click.BadParameter(f"no such teacher: {name!r} (known: {', '.join(known)})")
        if not 0 <= share < math.inf or (option.name == "batch" and share < 1):
            raise click.BadParameter(f"{word!r}: the number is out of range")
        shares[key] = share
    if option.name != "batch" and not any(shares.values()):
        raise click.BadParameter("all shares are 0")
    return shares


def _format_shares(shares: Mapping[Any, float]) -> str:
    return ",".join(f"{name}={share}" for name, share in shares.items())


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    metavar="DIR",
    help="Labelled positions (*.npz).",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Checkpoint and log.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    metavar="MIN",
    help="How long to train at most.  [default: 60, or without limit with --samples]",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    metavar="N",
    help="Train on so many samples in all, and let the learning rate fall as a cosine until then.",
)
@click.option("--rate", default=0.002, show_default=True, help="Greatest learning rate.")
@click.option(
    "--channels",
    type=click.Choice([str(number) for number in SUPPORTED]),
    help=f"Channels of a new network; more than --start has are added.  [default: {CHANNELS}]",
)
@click.option(
    "--blocks",
    type=click.IntRange(1, MOST_BLOCKS),
    metavar="N",
    help="Blocks of a new network, of which every third one pools; more than --start has are "
    f"added.  [default: {BLOCKS}]",
)
@click.option(
    "--sizes",
    default=_format_shares(SIZES),
    show_default=True,
    callback=_parse_shares,
    metavar="SIZE=SHARE,...",
    help="Shares of the batches by board size.",
)
@click.option(
    "--teachers",
    default=_format_shares(TEACHERS),
    show_default=True,
    callback=_parse_shares,
    metavar="NAME=SHARE,...",
    help="Shares of the batches of one size by the teacher in the names of the files.",
)
@click.option(
    "--batch",
    default=_format_shares(BATCH),
    show_default=True,
    callback=_parse_shares,
    metavar="SIZE=N,...",
    help="Samples per batch by board size; 96 for other sizes.",
)
@click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Start from this network (net.npz) if the folder has no checkpoint; it keeps its shape, "
    "unless --channels or --blocks name a larger one.",
)
@click.option(
    "--freeze",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="Freeze the statistics of batch norm for this share of the samples, the last ones.",
)
@click.option(
    "--helper/--no-helper",
    default=False,
    help="Prepare the batches in a second process, which takes a tenth of another core.",
)
def main(**chosen: Any) -> None:
    """Train the network on labelled positions; resume from the checkpoint in the folder."""
    channels = chosen.pop("channels")
    options = TrainOptions(**chosen, channels=channels and int(channels))
    if options.samples is None:
        if 0.0 < options.freeze < 1.0:
            raise click.UsageError("--freeze with a part of the samples requires --samples")
        if options.minutes is None:
            options = replace(options, minutes=60.0)
    train(options)


if __name__ == "__main__":
    main()

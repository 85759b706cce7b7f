"""Train the network on labelled positions: `python -m engines.go.workshop.train --help`.

Needs PyTorch and numpy (the extra `train`). Training can be stopped and resumed at any time: its
folder holds a checkpoint, which is replaced every few minutes, and a log of losses with one JSON
object per line.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from engines.go.play.network.weights import read, save
from engines.go.workshop.dataset import Batch, Labels, join, load
from engines.go.workshop.model import LEAD, POOLED, Net, fold, settle, unfold

WEIGHTS: Final = {"policy": 1.0, "win": 1.2, "ownership": 0.8, "lead": 0.02}
BATCH: Final = {7: 256, 9: 256, 13: 128, 19: 96}
STEPS: Final = {7: 0.05, 9: 0.36, 13: 0.20, 19: 0.39}  # Shares of the batches by board size.
WARM: Final = 400  # Steps until the learning rate has its full value.
DECAY: Final = 2_000_000  # Samples after which the rate falls as 1 / sqrt(samples).
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


class Training:
    """The state of training: weights, their running average, optimiser and counters."""

    def __init__(self, folder: Path, rate: float, net: Net) -> None:
        self.folder = folder
        self.rate = rate
        self.net = net.to(memory_format=torch.channels_last)
        self.average = Net().to(memory_format=torch.channels_last)
        self.average.load_state_dict(self.net.state_dict())
        self.average.eval()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=rate, weight_decay=0.01)
        self.samples = self.steps = 0
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            kept = torch.load(self.path, weights_only=True)
            self.net.load_state_dict(kept["net"])
            self.average.load_state_dict(kept["average"])
            self.optimiser.load_state_dict(kept["optimiser"])
            self.samples, self.steps = kept["samples"], kept["steps"]
            self.seconds = kept["seconds"]

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
        }
        torch.save(kept, fresh)
        os.replace(fresh, self.path)
        save(self.folder / "net.npz", fold(self.average), sum(1 << block for block in POOLED))

    def freeze(self, frozen: bool) -> None:
        """Normalise by the statistics of each batch or, if frozen, by the averages as in play.

        A batch has one board size, but the averages are over all sizes: a last stage with frozen
        statistics adapts the weights to them. It continues from the averaged network, whose
        statistics do not depend on the sizes of the last few batches.
        """
        if frozen:
            self.net.load_state_dict(self.average.state_dict())
        self.net.train(not frozen)

    def step(self, batch: Batch) -> dict[str, torch.Tensor]:
        """Train on one batch and return its losses."""
        warm = min(1.0, (self.steps + 1) / WARM)
        rate = self.rate * warm * min(1.0, (DECAY / max(self.samples, 1)) ** 0.5)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
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


def teachers(data: Path, *, held_out: bool) -> dict[int, dict[str, Labels]]:
    """Load the files of a folder, by board size and by the teacher that their names begin with."""
    parts: dict[tuple[int, str], list[Labels]] = {}
    for path in sorted(data.glob("*.npz")):
        labels = load(path, held_out=held_out)
        parts.setdefault((labels.size, path.name.split("-")[0]), []).append(labels)
    by_size: dict[int, dict[str, Labels]] = {}
    for (size, teacher), several in sorted(parts.items()):
        by_size.setdefault(size, {})[teacher] = join(several)
    return by_size


def draw(lessons: dict[int, dict[str, Labels]], source: np.random.Generator, b6: float) -> Batch:
    """Draw a batch of one size; with two teachers, a share `b6` is by the weaker one."""
    sizes = sorted(lessons)
    chances = np.array([STEPS[size] for size in sizes])
    size = int(source.choice(sizes, p=chances / chances.sum()))
    choice = lessons[size]
    weak = "b6" in choice and (len(choice) == 1 or source.random() < b6)
    labels = choice["b6"] if weak else choice[min(choice)]
    rows = source.integers(len(labels), size=BATCH[size])
    return labels.batch(rows, source.permutation(8))


def validate(training: Training, exams: dict[int, dict[str, Labels]]) -> None:
    """Log the losses of the averaged weights on held-out games, by board size."""
    for size, choice in exams.items():
        labels = choice[min(choice)]
        rows = np.random.default_rng(1).permutation(len(labels))[:EXAM]
        seen = []
        for part in np.array_split(rows, max(1, len(rows) // BATCH[size])):
            with torch.no_grad():
                seen.append(evaluate(training.average, labels.batch(part, np.array([0])))[1])
        training.log({"held_out": size, "positions": len(rows), **_means(seen)})


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """The options of the command."""

    data: Path
    folder: Path
    minutes: float
    rate: float
    b6: float
    start: Path | None
    freeze: bool


def train(options: TrainOptions) -> None:
    """Train for so many minutes, starting from the checkpoint in the folder if there is one."""
    torch.set_num_threads(1)
    lessons = teachers(options.data, held_out=False)
    exams = teachers(options.data, held_out=True)
    if not lessons:
        raise click.ClickException(f"no labelled positions (*.npz) in {options.data}")
    net = Net()
    if options.start is not None and not (options.folder / CHECKPOINT).exists():
        try:
            unfold(net, read(options.start)[0])
        except (OSError, ValueError) as problem:
            raise click.ClickException(str(problem)) from problem
        source = np.random.default_rng(1)
        settle(net, (_sight(draw(lessons, source, options.b6)) for _ in range(SIGHTS)))
    training = Training(options.folder, options.rate, net)
    source = np.random.default_rng(training.steps)
    end = time.monotonic() + 60.0 * options.minutes
    saved = logged = examined = time.monotonic()
    seen: dict[int, list[dict[str, torch.Tensor]]] = {}
    training.freeze(options.freeze)
    worked = time.process_time()
    while time.monotonic() < end:
        batch = draw(lessons, source, options.b6)
        seen.setdefault(batch.planes.shape[2], []).append(training.step(batch))
        now = time.monotonic()
        training.seconds += time.process_time() - worked
        worked = time.process_time()
        if now - logged > LOGGED:
            for size, parts in sorted(seen.items()):
                training.log({"size": size, "steps": len(parts), **_means(parts)})
            seen, logged = {}, now
        if now - saved > SAVED:
            training.save()
            saved = now
        if now - examined > EXAMINED:
            validate(training, exams)
            examined = now
    validate(training, exams)
    training.save()


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
    "--minutes", default=60.0, show_default=True, metavar="MIN", help="How long to train."
)
@click.option("--rate", default=0.002, show_default=True, help="Greatest learning rate.")
@click.option("--b6", default=0.4, show_default=True, help="Share of the weaker teacher's labels.")
@click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Start from this network (net.npz) if the folder has no checkpoint.",
)
@click.option(
    "--freeze", is_flag=True, help="Freeze the statistics of batch norm, for the last stage."
)
def main(**chosen: Any) -> None:
    """Train the network on labelled positions; resume from the checkpoint in the folder."""
    train(TrainOptions(**chosen))


if __name__ == "__main__":
    main()

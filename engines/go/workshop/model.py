"""The network in PyTorch, and the conversion to and from the network that plays."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from engines.go.play.network.inputs import PLANES, SCALARS
from engines.go.play.network.weights import HEAD, HEAD_COLUMNS, HIDDEN, Array, fields, shape_of

CHANNELS: Final = 64
BLOCKS: Final = 6
LEAD: Final = 20.0  # Points per unit of the lead output.

LENGTH: Final = 3.0  # The length of a channel's weights when training resumes: the usual length.

# The layers with one output: their names in a file and here.
_PLAIN: Final = {"policy": "policy", "pass": "pass_out", "ownership": "ownership"}


def pooled(blocks: int) -> int:
    """Return which blocks pool over the whole board, as bits: every third, from the second on."""
    return sum(1 << block for block in range(1, blocks, 3))


def pool(x: torch.Tensor) -> torch.Tensor:
    """Return the mean, the mean scaled by the board size, and the maximum of each channel."""
    mean = x.mean((2, 3))
    width = float(x.shape[2] * x.shape[3]) ** 0.5
    return torch.cat([mean, mean * ((width - 14.0) / 10.0), x.amax((2, 3))], 1)


class Block(nn.Module):  # type: ignore[misc]
    """A residual block of two convolutions; some blocks add features of the whole board."""

    def __init__(self, channels: int, *, pooled: bool) -> None:
        super().__init__()
        self.one = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm_one = nn.BatchNorm2d(channels)
        self.globe = nn.Linear(3 * channels, channels) if pooled else None
        self.two = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm_two = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.norm_two.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the output of the block."""
        y = functional.relu(self.norm_one(self.one(x)))
        if self.globe is not None:
            y = functional.relu(y + self.globe(pool(y))[:, :, None, None])
        return functional.relu(x + self.norm_two(self.two(y)))


class Net(nn.Module):  # type: ignore[misc]
    """The network: policy with pass, win, lead and ownership, all for the side to move."""

    def __init__(self, channels: int = CHANNELS, blocks: int = BLOCKS) -> None:
        super().__init__()
        self.first = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.scalars = nn.Linear(SCALARS, channels)
        self.blocks = nn.ModuleList(
            Block(channels, pooled=bool(pooled(blocks) >> i & 1)) for i in range(blocks)
        )
        self.head = nn.Conv2d(channels, 3 * HEAD, 1, bias=False)  # Policy, global policy, value.
        self.norm_head = nn.BatchNorm2d(3 * HEAD)
        self.policy_globe = nn.Linear(3 * HEAD, HEAD)
        self.policy = nn.Conv2d(HEAD, 1, 1)
        self.pass_hidden = nn.Linear(3 * HEAD, HEAD)
        self.pass_out = nn.Linear(HEAD, 1)
        self.value_hidden = nn.Linear(3 * HEAD, HIDDEN)
        self.value = nn.Linear(HIDDEN, 2)
        self.ownership = nn.Conv2d(HEAD, 1, 1)

    def forward(
        self, planes: torch.Tensor, scalars: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the policy logits with the pass last, win logit and lead, and ownership logits."""
        x = self.norm(self.first(planes)) + self.scalars(scalars)[:, :, None, None]
        x = functional.relu(x)
        for block in self.blocks:
            x = block(x)
        raw, globe, value = self.norm_head(self.head(x)).split(HEAD, 1)
        globe = pool(functional.relu(globe))
        value = functional.relu(value)
        local = functional.relu(raw + self.policy_globe(globe)[:, :, None, None])
        skip = self.pass_out(functional.relu(self.pass_hidden(globe)))
        policy = torch.cat([self.policy(local).flatten(1), skip], 1)
        judged = self.value(functional.relu(self.value_hidden(pool(value))))
        return policy.float(), judged.float(), self.ownership(value).flatten(1).float()


def shape_of_state(state: Mapping[str, torch.Tensor]) -> tuple[int, int]:
    """Return the channels and blocks of a network whose state was saved."""
    blocks = sum(name.endswith(".one.weight") for name in state)
    return state["first.weight"].shape[0], blocks


def fold(net: Net) -> dict[str, Array]:
    """Return the arrays of a network as `weights.fields` names them; batch norms are folded in."""
    arrays: dict[str, Array] = {}
    weight, bias = _folded(net.first, net.norm)
    arrays["first"] = weight
    arrays["scalars"], extra = _dense(net.scalars)
    arrays["first_bias"] = bias + extra
    for number, block in enumerate(net.blocks):
        arrays[f"{number}.one"], arrays[f"{number}.one_bias"] = _folded(block.one, block.norm_one)
        if block.globe is not None:
            arrays[f"{number}.globe"], arrays[f"{number}.globe_bias"] = _dense(block.globe)
        arrays[f"{number}.two"], arrays[f"{number}.two_bias"] = _folded(block.two, block.norm_two)
    weight, bias = _folded(net.head, net.norm_head)
    arrays["head"] = np.zeros((weight.shape[1], HEAD_COLUMNS), np.float32)
    arrays["head"][:, : 3 * HEAD] = weight[:, :, 0, 0].T
    arrays["head_bias"] = np.zeros(HEAD_COLUMNS, np.float32)
    arrays["head_bias"][: 3 * HEAD] = bias
    for name in ("policy_globe", "pass_hidden", "value_hidden", "value"):
        arrays[name], arrays[f"{name}_bias"] = _dense(getattr(net, name))
    for name, attribute in _PLAIN.items():
        layer = getattr(net, attribute)
        arrays[name], arrays[f"{name}_bias"] = _array(layer.weight).reshape(-1), _array(layer.bias)
    return arrays


def unfold(arrays: Mapping[str, Array]) -> Net:
    """Return the network whose folded arrays these are; raises ValueError if there is none.

    The batch norms of the network change nothing: `settle` makes them normalise again.
    """
    channels, blocks = shape_of(arrays)
    expected = fields(channels, blocks, pooled(blocks))
    if {name: each.shape for name, each in arrays.items()} != expected:
        raise ValueError(
            f"not a network that is trained here: {blocks} blocks, {channels} channels"
        )
    net = Net(channels, blocks)
    given = {name: torch.from_numpy(each.astype(np.float32)) for name, each in arrays.items()}
    head = given["head"][:, : 3 * HEAD].T[:, :, None, None]
    with torch.no_grad():
        _separate(net.first, net.norm, given["first"], given["first_bias"])
        net.scalars.weight.copy_(given["scalars"].T)
        net.scalars.bias.zero_()
        for number, block in enumerate(net.blocks):
            for name in ("one", "two"):
                convolution, norm = getattr(block, name), getattr(block, f"norm_{name}")
                weight, bias = given[f"{number}.{name}"], given[f"{number}.{name}_bias"]
                _separate(convolution, norm, weight, bias)
            if block.globe is not None:
                block.globe.weight.copy_(given[f"{number}.globe"].T)
                block.globe.bias.copy_(given[f"{number}.globe_bias"])
        _separate(net.head, net.norm_head, head, given["head_bias"][: 3 * HEAD])
        for name in ("policy_globe", "pass_hidden", "value_hidden", "value"):
            getattr(net, name).weight.copy_(given[name].T)
            getattr(net, name).bias.copy_(given[f"{name}_bias"])
        for name, layer in _PLAIN.items():
            getattr(net, layer).weight.copy_(given[name].view_as(getattr(net, layer).weight))
            getattr(net, layer).bias.copy_(given[f"{name}_bias"])
    return net


def _separate(convolution: Any, norm: Any, weight: torch.Tensor, bias: torch.Tensor) -> None:
    convolution.weight.copy_(weight)
    norm.weight.fill_(1.0)
    norm.bias.copy_(bias)
    norm.running_mean.zero_()
    norm.running_var.fill_(1.0 - norm.eps)


def settle(net: Net, sights: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
    """Make the batch norms of an unfolded network normalise, without changing its outputs.

    `sights` are planes and scalars, from which the statistics are taken. Folded weights vary in
    size, so that steps of one size would be too large or too small for them: each channel's weights
    are scaled to one length, and its batch norm scales back.
    """
    seen: dict[nn.Module, list[torch.Tensor]] = {}

    def watch(norm: nn.Module, given: tuple[torch.Tensor], output: torch.Tensor) -> None:
        both = torch.stack([given[0].mean((0, 2, 3)), given[0].square().mean((0, 2, 3))])
        seen.setdefault(norm, []).append(both.double())

    pairs = [(net.first, net.norm), (net.head, net.norm_head)]
    for block in net.blocks:
        pairs += [(block.one, block.norm_one), (block.two, block.norm_two)]
    watching = [norm.register_forward_hook(watch) for _, norm in pairs]
    net.eval()
    with torch.no_grad():
        for planes, scalars in sights:
            net(planes, scalars)
        for hook in watching:
            hook.remove()
        for convolution, norm in pairs:
            mean, square = torch.stack(seen[norm]).mean(0)
            spread = (square - mean.square()).clamp(min=1e-4)
            length = convolution.weight.flatten(1).norm(dim=1).clamp(min=1e-3) / LENGTH
            convolution.weight /= length[:, None, None, None]
            norm.bias += mean
            norm.running_mean.copy_(mean / length)
            norm.running_var.copy_(spread / length.square())
            norm.weight.copy_((norm.running_var + norm.eps).sqrt() * length)


def deepen(net: Net, blocks: int) -> Net:
    """Return the network with further blocks at its end, which change nothing yet.

    Raises ValueError if it has more blocks already.
    """
    state = net.state_dict()
    channels, given = shape_of_state(state)
    if blocks < given:
        raise ValueError(f"the network has {given} blocks already")
    result = Net(channels, blocks)
    result.load_state_dict({**result.state_dict(), **state})
    return result


def widen(net: Net, channels: int) -> Net:
    """Return a network with more channels that computes the same.

    The further channels repeat random ones of the given network, and what reads a repeated channel
    takes a random part of its weight from each copy, so that the copies learn different things.
    Raises ValueError if it has more channels already.
    """
    state = net.state_dict()
    given, blocks = shape_of_state(state)
    if channels < given:
        raise ValueError(f"the network has {given} channels already")
    if channels > 2 * given:
        raise ValueError(f"{channels} channels are more than twice the {given} of the network")
    result = Net(channels, blocks)
    trunk = _copies(given, channels)
    fresh = {}
    for name, value in state.items():
        inner = _copies(given, channels, name)
        words = name.split(".")
        out = inner if words[-2] in ("one", "norm_one", "globe") else trunk
        if words[0] in ("first", "norm", "scalars") or words[0] == "blocks":
            if value.ndim:
                value = value[out]
            if value.ndim > 1 and words[0] == "blocks":
                source = trunk if words[-2] == "one" else inner
                value = _shared(value, source, given)
        elif words[0] == "head":
            value = _shared(value, trunk, given)
        fresh[name] = value
    result.load_state_dict(fresh)
    return result


def _copies(given: int, channels: int, name: str = "") -> torch.Tensor:
    """Return which channel of the given network each channel is a copy of.

    The channels inside of a block are copied alike by all its layers.
    """
    block = int(name.split(".")[1]) if name.startswith("blocks.") else -1
    order = torch.randperm(given, generator=torch.Generator().manual_seed(block + 2))
    return torch.cat([torch.arange(given), order[: channels - given]])


def _shared(weight: torch.Tensor, copies: torch.Tensor, given: int) -> torch.Tensor:
    """Return weights that read copies of channels, and add up to what reads the channels."""
    added = len(copies) - given
    result = []
    for part in weight.split(given, 1):  # A pooling layer reads three values of each channel.
        share = torch.ones((len(part), len(copies)))
        share[:, given:] = 0.3 + 0.4 * torch.rand((len(part), added))
        share[:, copies[given:]] = 1.0 - share[:, given:]
        result.append(part[:, copies] * share.view(*share.shape, *([1] * (weight.ndim - 2))))
    return torch.cat(result, 1)


def _array(value: torch.Tensor) -> Array:
    result: Array = value.detach().contiguous().numpy().astype(np.float32)
    return result


def _dense(layer: Any) -> tuple[Array, Array]:
    return _array(layer.weight).T, _array(layer.bias)


def _folded(convolution: Any, norm: Any) -> tuple[Array, Array]:
    scale = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
    weight = _array(convolution.weight) * scale[:, None, None, None]
    return weight, _array(norm.bias) - _array(norm.running_mean) * scale

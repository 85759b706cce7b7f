"""The file of the network: what it refuses, and that it comes back as it was."""

import zlib
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.weights import WeightsError
from engines.shogi.play.network.weights import MAGIC, SHIPPED, Layers, is_network, load
from tests.engines.shogi.play.network.random_network import random_layers

LAYERS = random_layers(3)


def test_a_network_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(LAYERS.pack())
    assert is_network(file)
    assert load(file) == LAYERS
    file.write_bytes(replace(LAYERS, corrects=True).pack())
    assert load(file) == replace(LAYERS, corrects=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda raw: b"", "not a network of this version"),
        (lambda raw: zlib.compress(b"weights"), "not a network of this version"),
        (lambda raw: raw[: len(MAGIC) + 5], "cut off"),
        (lambda raw: raw[:-1], "checksum"),
        (lambda raw: raw[:5000] + bytes([raw[5000] ^ 1]) + raw[5001:], "checksum"),
        (lambda raw: raw[: len(MAGIC)] + b"\x01\x00" + raw[len(MAGIC) + 2 :], "shape 1-256-32"),
    ],
)
def test_a_broken_file_is_refused_by_name(tmp_path: Path, spoil, message: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "broken.bin"
    file.write_bytes(spoil(LAYERS.pack()))
    with pytest.raises(WeightsError, match=message) as caught:
        load(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("content", [b"\0" * 100, b"\0" * 5_000_000])
def test_a_file_whose_content_has_another_size_is_refused(content: bytes) -> None:
    packed = zlib.compress(content)
    head = LAYERS.pack()[len(MAGIC) :][:7] + zlib.crc32(packed).to_bytes(4, "little")
    with pytest.raises(WeightsError, match="cut off"):
        Layers.parse(MAGIC + head + packed, "net")


def test_layers_of_another_size_are_not_written() -> None:
    with pytest.raises(WeightsError, match="layer of 1 weights, expected 32"):
        replace(LAYERS, last=array("h", [1])).pack()


def test_the_shipped_network_is_small() -> None:
    assert SHIPPED.stat().st_size <= 2_000_000
    assert load().corrects

"""The network in numpy, compared with the compiled kernel."""

import numpy as np
import pytest

from engines.go.play.network import reference
from engines.go.play.network.weights import CHANNELS, pack
from tests.engines.go.play.network.nets import BLOCKS, POOLED, arrays, inputs, run


@pytest.mark.parametrize("channels", CHANNELS)
def test_numpy_computes_what_the_kernel_does(channels: int) -> None:
    weights = pack(arrays(channels), POOLED)
    planes, scalars = inputs(9, 9)
    out = np.zeros(2 * 81 + 3, np.float32)
    reference.run_net(
        weights.values, channels, BLOCKS, POOLED, planes, scalars, 9, 9, -1, None, out
    )
    assert np.abs(out - np.array(run(weights, 9, 9, -1))).max() < 1e-3

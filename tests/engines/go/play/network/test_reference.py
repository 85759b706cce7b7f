"""The network in numpy, compared with the compiled kernel."""

import numpy as np

from engines.go.play.network import reference
from engines.go.play.network.weights import pack
from tests.engines.go.play.network.nets import BLOCKS, POOLED, arrays, inputs, run


def test_numpy_computes_what_the_kernel_does() -> None:
    weights = pack(arrays(), BLOCKS, POOLED)
    planes, scalars = inputs(9, 9)
    out = np.zeros(2 * 81 + 3, np.float32)
    reference.run_net(weights.values, BLOCKS, POOLED, planes, scalars, 9, 9, -1, None, out)
    assert np.abs(out - np.array(run(weights, 9, 9, -1))).max() < 1e-3

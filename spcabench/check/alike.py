"""Whether loadings are the same, as the host compares them: a component has no sign."""

from __future__ import annotations

import numpy as np

from spcabench.specs import Array


def alike(V: Array, W: Array, atol: float = 1e-7) -> bool:
    """Return whether the rows of two arrays agree, each up to its sign."""
    if V.shape != W.shape:
        return False
    signs = np.where((V * W).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    return bool(np.allclose(signs * V, W, rtol=1e-7, atol=atol))

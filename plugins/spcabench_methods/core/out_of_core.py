"""Which samples are out of core, so that they are centred without a copy: sparse ones, and large ones in a file."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.centred import Centred, is_sparse
from spcabench_methods.core.centred_mapped import CentredMapped
from spcabench_methods.core.centred_sparse import CentredSparse
from spcabench_methods.core.samples import BLOCK


def out_of_core(X: Any, mean: Array) -> Centred | None:
    """Return centred samples as an operator; None for an array of which a centred copy may be made."""
    if is_sparse(X):
        return CentredSparse.of(X, mean)
    return CentredMapped(X, mean) if is_large_and_mapped(X) else None


def is_large_and_mapped(X: NDArray[Any]) -> bool:
    """Return whether an array is a view of a mapped file, and larger than a block."""
    base: object = X
    while isinstance(base, np.ndarray):
        base = base.base
    return X.size > BLOCK and isinstance(base, mmap.mmap)

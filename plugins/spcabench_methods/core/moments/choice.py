"""Which form second moments take."""

from __future__ import annotations

import math
from typing import Any

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.centred import is_sparse
from spcabench_methods.core.centred_mapped import CentredMapped
from spcabench_methods.core.moments.data import AT_ONCE, Data, patience
from spcabench_methods.core.moments.form import SecondMoments
from spcabench_methods.core.moments.gram import GRAM_LIMIT, Gram
from spcabench_methods.core.moments.implicit import ImplicitData
from spcabench_methods.core.samples import centred_rows
from spcabench_methods.core.single import ROUNDING, centred_single, in_range, stays_single
from spcabench_methods.core.uncopied import uncopied

COPIED = 2**29
"""Samples of more bytes are not copied where S could be formed without that."""


def second_moments(
    X: Any, mean: Array, gram_ratio: float = 4.0, few_products: bool = False, n_components: int = 1
) -> SecondMoments:
    """Choose the form.

    It is the matrix S, unless that would have more than `gram_ratio` n rows or be too large.  Where `few_products` with
    it are likely for each component, a matrix that is not small is formed only once there were many.
    """
    n, d = X.shape
    if d > min(gram_ratio * n, GRAM_LIMIT):
        return data_of(X, mean)
    products = patience(d, 0 if is_sparse(X) else X.size)
    if not few_products or products <= AT_ONCE * n_components:
        return Gram.of(X, mean)
    if is_sparse(X) or X.nbytes <= COPIED:
        return data_of(X, mean, products)
    return ImplicitData(CentredMapped(X, mean), products)


def data_of(X: Any, mean: Array, patience: float = math.inf) -> Data:
    """Centre samples, those that shall not be copied implicitly; large ones of single precision stay in it."""
    centred = uncopied(X, mean)
    if centred is not None:
        return ImplicitData(centred, patience)
    if stays_single(X):
        rows, variances = centred_single(X, mean)
        if in_range(variances):
            return Data(rows, variances, patience, ROUNDING)
    return Data(*centred_rows(X, mean), patience)

"""The matrix S itself, for searches that need all its entries."""

from __future__ import annotations

from spcabench_methods.core.moments import GRAM_LIMIT, Gram, SecondMoments


def whole_matrix(moments: SecondMoments, method: str) -> Gram:
    """Return second moments that are a matrix; raise a ValueError for samples of too many features."""
    if not isinstance(moments, Gram):
        raise ValueError(
            f"{method}: X has {moments.n_features} features; valid is at most {GRAM_LIMIT}, "
            "as a matrix of features by features is formed"
        )
    return moments

"""The block version of GPower from the random start of its authors, which may leave nothing of a component."""

from __future__ import annotations

from functools import cache

import numpy as np

from published_checks.claims import add, at_least, exactly
from published_checks.estimators import Array, drawn, fit

SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt), footnote 4"
DRAWS = 20
RHO = 0.1
WHERE = f"hidden factors, 1000 samples, 2 components, l0, rho = {RHO}, {DRAWS} starts"


@cache
def samples() -> Array:
    X = drawn("hastie", 0, n=1000).X
    assert X is not None
    return np.asarray(X - X.mean(axis=0))


def vanished(rng: np.random.Generator) -> bool:
    """Follow algorithm 5 of Journée et al. 2010 from their start; return whether a loading ends at zero.

    The start has the column of largest norm and, beside it, random directions of the n-dimensional space of scores.
    """
    X = samples()
    norms = np.linalg.norm(X, axis=0)
    first = X[:, norms.argmax()] / norms.max()
    Y = np.linalg.qr(np.column_stack([first, rng.standard_normal(len(X))]))[0]
    for _ in range(100):
        Z = X.T @ Y
        T = np.where(np.abs(Z) > np.sqrt(RHO) * norms.max(), Z, 0.0)
        left, _, right = np.linalg.svd(X @ T, full_matrices=False)
        Y = left @ right
    return bool((np.abs(T).sum(axis=0) == 0.0).any())


add(
    "13",
    "gpower_l0m",
    f"{WHERE} in the space of scores: how many lose a component",
    at_least(1.0, 0.0),
    lambda: sum(vanished(np.random.default_rng(seed)) for seed in range(DRAWS)),
    SPCART,
)
for init, starts in (("random", DRAWS), ("pca", 1)):
    add(
        "13",
        "gpower_l0m",
        f"{WHERE.replace(f'{DRAWS} starts', f'init = {init}')}: fits of {starts} that lose a component",
        exactly(0),
        lambda init=init, starts=starts: sum(
            bool((fit("gpower_l0m", samples(), rho=RHO, init=init, random_state=seed).n_nonzero_ == 0).any())
            for seed in range(starts)
        ),
    )

"""What is proved of greedy methods and branch and bound: the largest excess over random inputs."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
from spcabench_methods.certified.bounds import dual_bound, row_bound
from spcabench_methods.certified.weighted_rows import row_sums

from published_checks.claims import add, at_least, check, near, zero
from published_checks.estimators import Array, covariance, fit_covariance
from published_checks.pitprops import SUPPORTS, enumerated
from published_checks.plain import excess

# 9, 29, metrics 14


@cache
def random_problem(seed: int) -> Array:
    return np.cov(np.random.default_rng(seed).standard_normal((12, 9)).T, bias=True)


def problems() -> list[tuple[Array, int]]:
    return [(random_problem(seed), seed % 9 + 1) for seed in range(30)]


@check("9", "gspca", "30 random problems, d = 9: how far forward or backward exceed both", zero())
def both_directions() -> object:
    names = ("gspca_forward", "gspca_backward", "gspca")
    found = [[fit_covariance(n, S, n_components=1, n_nonzero=k).objective_[0] for n in names] for S, k in problems()]
    return excess([max(forward, backward) - both for forward, backward, both in found])


@check("9", "gspca", "30 random problems, d = 9: how far l_max(S_kk) leaves the interlacing bounds", zero())
def interlacing() -> object:
    differences = []
    for S, k in problems():
        values = np.linalg.eigvalsh(S)
        found = fit_covariance("gspca", S, n_components=1, n_nonzero=k).objective_[0]
        differences += [values[k - 1] - found, found - values[-1]]
    return excess(differences)


@check("32", "splicing", "30 random problems, d = 9, swaps tried exactly (polish): how far another improves it", zero())
def no_swap_improves() -> object:
    worst = 0.0
    for S, k in problems():
        fitted = fit_covariance("splicing", S, n_components=1, n_nonzero=k, polish=True)
        inside = set(np.flatnonzero(fitted.components_[0]).tolist())
        for out, into in itertools.product(inside, set(range(9)) - inside):
            swapped = sorted(inside - {out} | {into})
            worst = max(worst, float(np.linalg.eigvalsh(S[np.ix_(swapped, swapped)])[-1]) - fitted.objective_[0])
    return worst


@check("32", "splicing", "30 random problems, d = 9: how far its start is better than what it finds", zero())
def no_worse_than_the_start() -> object:
    starts = [fit_covariance("st", S, n_components=1, n_nonzero=k, refit=True).components_[0] for S, k in problems()]
    found = [fit_covariance("splicing", S, n_components=1, n_nonzero=k).objective_[0] for S, k in problems()]
    return excess([w @ S @ w - value for w, value, (S, _) in zip(starts, found, problems(), strict=True)])


GERSHGORIN = [1.000, 1.954, 2.602, 3.171, 3.674, 4.093, 4.390, 4.752, 5.048, 5.280, 5.454, 5.567, 5.596]


def rows_of_the_star() -> Array:
    """Bound each row of a star of 6 features whose centre is in; 4 others are to be chosen."""
    S = np.eye(6)
    S[0, 1:] = S[1:, 0] = 0.44
    return np.asarray(row_sums(S, np.arange(6), np.arange(6) == 0, 4, np.ones(6))[0])


@check("29.2", "row bound", "pitprops, k = 1..13: at the root", near(GERSHGORIN, 5.1e-4))
def gershgorin() -> object:
    return [row_bound(covariance("pitprops"), k) for k in range(1, 14)]


@check(
    "29.2",
    "row bound",
    "star of 6 features, row 1 in, k = 5: over free rows alone, below the optimum 1.88",
    near(1.44, 1e-6),
)
def free_rows() -> object:
    return rows_of_the_star()[1:].max()


@check("29.2", "row bound", "the same: over all rows", at_least(1.88, 1e-6))
def all_rows() -> object:
    return rows_of_the_star().max()


for k, bound in ((5, 3.9925), (7, 4.0087), (9, 4.2068), (11, 4.2083), (12, 4.2182)):
    add(
        "metrics 14",
        "dual bound",
        f"pitprops, k = {k}: on the optimal support",
        near(bound, 1e-3),
        lambda k=k: dual_bound(covariance("pitprops"), np.array(SUPPORTS[k].split(), dtype=int) - 1),
    )


@check("metrics 14", "dual bound", "pitprops, k = 2..13: how far the optimum exceeds it", zero())
def dual_bounds_hold() -> object:
    S = covariance("pitprops")
    return excess([enumerated(k)[0] - dual_bound(S, np.array(SUPPORTS[k].split(), dtype=int) - 1) for k in SUPPORTS])


@check(
    "metrics 14",
    "dual bound",
    "pitprops, 5 supports, 20 penalties: how far eigenvalues of Y_i - B_i are below 0",
    zero(1e-12),
)
def semidefinite() -> object:
    S = covariance("pitprops")
    values, vectors = np.linalg.eigh(S)
    A = np.sqrt(values)[:, None] * vectors.T
    smallest = 0.0
    for k in (5, 7, 9, 11, 12):
        x = np.linalg.svd(A[:, np.array(SUPPORTS[k].split(), dtype=int) - 1], full_matrices=False)[0][:, 0]
        shares = (A.T @ x) ** 2
        for rho in np.linspace(0, shares.max(), 22)[1:-1]:
            for a, share in zip(A.T, shares, strict=True):
                B = np.outer(a, a) - rho * np.eye(13)
                if share > rho:
                    Y = np.outer(B @ x, B @ x) / (share - rho)
                else:
                    u = a - x * (x @ a)
                    weight = max(0.0, rho * (a @ a - rho) / (rho - share))
                    Y = weight * np.outer(u, u) / (u @ u)
                smallest = min(smallest, float(np.linalg.eigvalsh(Y - B)[0]))
    return -smallest

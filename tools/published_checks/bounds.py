"""What is proved: bounds of the SPCArt paper and of branch and bound, as the largest excess over random inputs."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
from spcabench_methods.certified.bounds import dual_bound, root_bounds, row_bound
from spcabench_methods.certified.weighted_rows import row_sums

from published_checks.claims import add, at_least, check, near, zero
from published_checks.estimators import Array, covariance, fit, fit_covariance
from published_checks.pitprops import SUPPORTS, enumerated
from published_checks.plain import WHERE, centred, matrices, optimum

SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt)"
VECTORS = "200 random unit vectors, d = 8"
LEVELS: dict[str, tuple[str, tuple[float, ...]]] = {
    "spcart_l0": ("threshold", (0.1, 0.3, 0.5)),
    "spcart_l1": ("threshold", (0.1, 0.3, 0.5)),
    "spcart_sp": ("n_nonzero", (7, 5, 2)),
    "spcart_en": ("energy", (0.05, 0.15, 0.4)),
}
D = 8


@cache
def unit_vectors() -> Array:
    Z = np.random.default_rng(0).standard_normal((200, D)) ** 3
    return np.asarray(Z / np.linalg.norm(Z, axis=1, keepdims=True))


@cache
def truncated(name: str, level: float) -> Array:
    """Truncate each vector z: the only loading of the covariance zz' is z, and one component is not rotated."""
    found = []
    for z in unit_vectors():
        fitted = fit_covariance(name, np.outer(z, z), n_components=1, **{LEVELS[name][0]: level})
        w = fitted.components_[0]
        found.append(w if w @ z >= 0 else -w)
    return np.array(found)


def sines(W: Array, Z: Array) -> Array:
    """Return the sines of the angles between lines; 1 for a zero vector."""
    rest = Z - W * (W * Z).sum(axis=1, keepdims=True)
    return np.where(W.any(axis=1), np.linalg.norm(rest, axis=1), 1.0)


def sparsities(W: Array) -> Array:
    return np.asarray(np.mean(W == 0, axis=1))


def excess(*differences: Any) -> float:
    """Return how far the largest of the differences exceeds 0."""
    return max(0.0, *(float(np.max(difference)) for difference in differences))


@check("23.5", "spcart_l0", f"{VECTORS}, Proposition 7: largest excess", zero(1e-8), SPCART)
def proposition_7() -> object:
    worst, Z = 0.0, unit_vectors()
    for level in LEVELS["spcart_l0"][1]:
        W = truncated("spcart_l0", level)
        cut = np.linalg.norm(np.where(np.abs(Z) > level, 0.0, Z), axis=1)
        s, kept = sparsities(W), W.any(axis=1)
        bounds = [np.abs(sines(W, Z) - cut)[kept]]
        if level < D**-0.5:
            bounds += [s - (1 - 1 / D), sines(W, Z) - np.sqrt(D - 1) * level]
        else:
            bounds += [1 - 1 / (D * level**2) - s, sines(W, Z) - 1]
        worst = max(worst, excess(*bounds))
    return worst


@check("23.5", "spcart_l1", f"{VECTORS}, Proposition 8: largest excess", zero(1e-8), SPCART)
def proposition_8() -> object:
    worst, Z = 0.0, unit_vectors()
    for level in LEVELS["spcart_l1"][1]:
        W = truncated("spcart_l1", level)
        kept = W.any(axis=1)
        cut = np.linalg.norm(np.where(np.abs(Z) > level, 0.0, Z), axis=1)
        upper = np.sqrt(cut**2 + level**2 * np.count_nonzero(W, axis=1))
        s, sine = sparsities(W), sines(W, Z)
        limit = s - (1 - 1 / D) if level < D**-0.5 else 1 - 1 / (D * level**2) - s
        worst = max(worst, excess(limit, (cut - sine)[kept], (sine - upper)[kept]))
    return worst


@check(
    "23.5", "spcart_l1", f"{VECTORS}, Corollary 9: largest excess of T-l0's deviation over T-l1's", zero(1e-8), SPCART
)
def corollary_9() -> object:
    Z = unit_vectors()
    return max(
        excess(sines(truncated("spcart_l0", level), Z) - sines(truncated("spcart_l1", level), Z))
        for level in LEVELS["spcart_l1"][1]
    )


@check("23.5", "spcart_sp", f"{VECTORS}, Proposition 10: largest excess", zero(1e-8), SPCART)
def proposition_10() -> object:
    worst, Z = 0.0, unit_vectors()
    for k in LEVELS["spcart_sp"][1]:
        W = truncated("spcart_sp", k)
        zeros = D - k
        worst = max(worst, excess(np.abs(sparsities(W) - zeros / D), sines(W, Z) - np.sqrt(zeros / D)))
    return worst


@check("23.5", "spcart_en", f"{VECTORS}, Proposition 11: largest excess", zero(1e-8), SPCART)
def proposition_11() -> object:
    worst, Z = 0.0, unit_vectors()
    for share in LEVELS["spcart_en"][1]:
        W = truncated("spcart_en", share)
        s = sparsities(W)
        worst = max(worst, excess(np.floor(share * D) / D - s, s - (1 - 1 / D), sines(W, Z) - np.sqrt(share)))
    return worst


RUNS = [("spcart_l0", {}), ("spcart_l1", {}), ("spcart_sp", {"n_nonzero": 5}), ("spcart_en", {"energy": 0.15})]


def rotated(W: Array, V: Array) -> tuple[Array, Array]:
    """Rotate eigenvectors to the loadings: Z, and W'V's singular values."""
    U, values, Vt = np.linalg.svd(W.T @ V)
    return V @ (U @ Vt).T, values


def settled(name: str, X: Array, **level: Any) -> tuple[Array, Array, bool]:
    fitted = fit(name, X, n_components=3, tol=1e-12, max_iter=5000, **level)
    return fitted.components_.T, fit("pca", X, n_components=3).components_.T, bool(fitted.converged_.all())


@check("23.5", "spcart_l0", f"{WHERE}, all truncations, Proposition 6: largest excess", zero(1e-8), SPCART)
def proposition_6() -> object:
    worst = 0.0
    for X in matrices():
        for name, level in RUNS:
            W, V, _ = settled(name, X, **level)
            angles = np.arcsin(np.minimum(sines(W.T, rotated(W, V)[0].T), 1.0))
            for i, j in itertools.combinations(range(3), 2):
                total = angles[i] + angles[j]
                worst = max(worst, abs(W[:, i] @ W[:, j]) - (np.sin(total) if total <= np.pi / 2 else 1.0))
    return worst


@check("23.5", "all methods", f"{WHERE}, 50 random W, Theorem 12: largest excess", zero(1e-8), SPCART)
def theorem_12() -> object:
    worst, rng = 0.0, np.random.default_rng(0)
    for X in matrices():
        A = centred(X)
        values, Vt = np.linalg.svd(A, full_matrices=False)[1:]
        for _ in range(50):
            W = rng.standard_normal((A.shape[1], 3))
            smallest = np.linalg.svd(W.T @ Vt[:3].T)[1].min()
            worst = max(worst, 1 - np.linalg.norm(A @ W) ** 2 / (smallest**2 * (values[:3] ** 2).sum()))
    return worst


@check("23.5", "spcart_l0", f"{WHERE}, all truncations, Theorem 13 at fixed points: largest excess", zero(1e-8), SPCART)
def theorem_13() -> object:
    worst = 0.0
    for X in matrices():
        for name, level in RUNS:
            W, V, converged = settled(name, X, **level)
            if converged:
                A, Z = centred(X), rotated(W, V)[0]
                angle = np.arcsin(np.minimum(sines(W.T, Z.T), 1.0)).max()
                factor = np.cos(angle) ** 2 - np.sqrt(2) * np.sin(2 * angle)
                worst = max(worst, factor - np.linalg.norm(A @ W) ** 2 / np.linalg.norm(A @ V) ** 2)
    return worst


@check("23.5", "spcart_l0", f"{WHERE}, all truncations, fixed points: asymmetry of Z'W", zero(1e-8), SPCART)
def symmetry() -> object:
    worst = 0.0
    for X in matrices():
        for name, level in RUNS:
            W, V, converged = settled(name, X, **level)
            M = rotated(W, V)[0].T @ W
            worst = max(worst, float(np.abs(M - M.T).max()) if converged else 0.0)
    return worst


@check("3", "st", f"{VECTORS}, threshold 0.3: Propositions 7 and 10 with z = v, largest excess", zero(1e-8), SPCART)
def bounds_of_thresholding() -> object:
    worst = 0.0
    for z in unit_vectors():
        hard = fit_covariance("st", np.outer(z, z), n_components=1, threshold=0.3).components_
        kept = fit_covariance("st", np.outer(z, z), n_components=1, n_nonzero=5).components_
        worst = max(worst, excess(sines(hard, z[None]) - np.sqrt(D - 1) * 0.3, sines(kept, z[None]) - np.sqrt(3 / D)))
    return worst


# 0.4, 9, 29, metrics 14


@check("0.4", "gpower_l1", f"{WHERE}, rho = 0.2: how far refit lowers w'Sw", zero())
def refit_never_lowers() -> object:
    plain, refit = ([fit("gpower_l1", X, n_components=1, rho=0.2, refit=r) for X in matrices()] for r in (False, True))
    return excess([a.explained_variance_[0] - b.explained_variance_[0] for a, b in zip(plain, refit, strict=True)])


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


@check("9", "gspca", f"{WHERE}: how far the variance falls as k grows", zero())
def grows_with_k() -> object:
    return excess(
        *(-np.diff(fit("gspca", X, n_components=1, n_nonzero=1, whole_path=True).path_[0].variance) for X in matrices())
    )


@check("8", "pathspca", f"{WHERE}: how far the variance falls as k grows", zero())
def grows_along_the_path() -> object:
    return excess(
        *(
            -np.diff(fit("pathspca", X, n_components=1, n_nonzero=1, whole_path=True).path_[0].variance)
            for X in matrices()
        )
    )


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


@check("metrics 14", "root and trace bounds", "30 random problems, d = 9: how far the optimum exceeds them", zero())
def bounds_at_the_root() -> object:
    return excess([optimum(S, k) - min(root_bounds(S, k, np.arange(k)).values()) for S, k in problems()])


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


@check("30", "multi_orth", "random matrices, k = 4: how far its variance exceeds the leading eigenvalues", zero())
def below_the_eigenvalues() -> object:
    X = matrices()[0]
    found = fit("multi_orth", X, n_components=2, n_nonzero=4, max_iter=30, random_state=0)
    return excess(found.objective_.sum() - fit("pca", X, n_components=2).objective_.sum())


@check("30", "multi_disjoint", "random matrix, k = 4: sum of magnitudes of W'W - I", zero())
def disjoint_is_feasible() -> object:
    return fit("multi_disjoint", matrices()[0], n_components=3, n_nonzero=4, random_state=0).violation_

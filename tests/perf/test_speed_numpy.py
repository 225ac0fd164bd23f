"""One method a family against a few lines of NumPy that do the same."""

from __future__ import annotations

import numpy as np
import pytest
from claims import NUMPY, conclude, cpu, seconds
from random_problems import Array, Problem, gpower, spcart, tpower
from spcabench_datasets import spiked
from spcabench_methods import COPPCA, GPower, PathSPCA, SPCArt, TPower

SIZES = ("180 x 13", "100 x 60", "50 x 500", "62 x 2000", "500 x 2000", "2000 x 8000", "5000 x 1000", "100 x 50000")
K = 10
RHO = 0.1
STEPS = 1000


def problem(X: Array, r: int = 1) -> Problem:
    """Return the problem of which the plain code makes S if that pays for few products."""
    return Problem(X, K, r, RHO, most=100)


def greedy(X: Array) -> Array:
    X = X - X.mean(axis=0)
    variances = np.einsum("ij,ij->j", X, X) / len(X)
    support = [int(variances.argmax())]
    while True:
        Y = X[:, support]
        w = np.zeros(len(variances))
        w[support] = np.linalg.eigh(Y.T @ Y)[1][:, -1]
        if len(support) == K:
            return w
        scores = (X.T @ (X @ w)) ** 2
        scores[support] = -1.0
        support.append(int(scores.argmax()))


def paired(X: Array) -> Array:
    """Run COP-PCA with ten candidates down to K nonzeros, on S or, with more features than samples, on these."""
    X = X - X.mean(axis=0)
    n, d = X.shape
    variances = np.einsum("ij,ij->j", X, X) / n
    whole = d <= n
    A = X.T @ X / n if whole else np.ascontiguousarray(X.T) / np.sqrt(n)
    w = np.linalg.eigh(A if whole else A.T @ A)[1][:, -1]
    w = w if whole else A @ w / np.linalg.norm(A @ w)
    size, sign, total = np.abs(w), np.sign(w), A.T @ w
    epsilon = (size.sum() ** 2 - 1.0) / STEPS
    left = np.arange(d)
    while len(left) > K:
        m = min(10, len(left))
        few = size[left].argpartition((m - 1, len(left) - m))
        i, j = left[few[-m:]], left[few[:m]]
        pull = [sign[c] * (total[c] if whole else A[c] @ total) for c in (i, j)]
        apart = np.subtract.outer(size[i], size[j])
        eta = epsilon / (np.sqrt(apart**2 + 2.0 * epsilon) + apart)
        shared = np.multiply.outer(sign[i], sign[j]) * (A[np.ix_(i, j)] if whole else A[i] @ A[j].T)
        curved = np.add.outer(variances[i], variances[j]) - 2.0 * shared
        gain = 2.0 * eta * np.subtract.outer(*pull) + eta**2 * curved
        gain[(apart < 0.0) | np.equal.outer(i, j)] = -np.inf
        grown, shrunk = np.unravel_index(gain.argmax(), gain.shape)
        i, j, step = i[grown], j[shrunk], min(eta[grown, shrunk], size[j[shrunk]])
        size[i] += step
        size[j] -= step
        total += step * (sign[i] * A[i] - sign[j] * A[j])
        if size[j] == 0.0:
            left = left[left != j]
    Y = X[:, left]
    w = np.zeros(d)
    w[left] = np.linalg.eigh(Y.T @ Y)[1][:, -1]
    return w


START = {"init": "max_variance"}
PAIRS = {
    "tpower": (TPower(1, K, init="max_variance"), lambda X: tpower(problem(X))[0]),
    "tpower of five": (TPower(5, K, init="max_variance"), lambda X: tpower(problem(X, 5))[-1]),
    "gpower_l0": (
        GPower(1, penalty="l0", rho=RHO, refit=False, **START),
        lambda X: gpower(problem(X), 0.0)[0],
    ),
    "gpower_l1": (
        GPower(1, penalty="l1", rho=RHO, refit=False, **START),
        lambda X: gpower(problem(X), 1.0)[0],
    ),
    "spcart_l0": (SPCArt(2), lambda X: spcart(problem(X, 2), hard=True)[0]),
    "pathspca": (PathSPCA(1, K, init="published"), greedy),
    "cop": (COPPCA(1, K, n_steps=STEPS, whole_path=False), paired),
}


def samples(size: str) -> Array:
    n, d = map(int, size.split(" x "))
    spikes = np.array([40.0, 20.0]) * max(1.0, d / n / 20.0)
    return np.asarray(spiked.load_spiked(np.random.default_rng(0), n, d, spikes, 6, 1.0, 0).X)


@cpu
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("size", SIZES)
def test_fit(benchmark, size, name):
    X = samples(size)
    method, plain = PAIRS[name]
    w = method.fit(X).components_[-1 if name == "tpower of five" else 0]
    assert abs(w @ plain(X)) > 1.0 - 1e-4
    rounds = int(np.clip(1e8 / X.size, 3, 2000)) if name != "cop" else 3 if X.shape[1] <= 2000 else 1
    benchmark.pedantic(method.fit, args=(X,), rounds=rounds)
    theirs = seconds(lambda: plain(X), rounds)
    ours = benchmark.stats.stats.min
    conclude(benchmark, NUMPY, theirs / ours, size=size, method=name, **{"ms": 1e3 * ours, "NumPy ms": 1e3 * theirs})

"""One method a family against a few lines of NumPy that do the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from claims import NUMPY
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from numpy.typing import NDArray
from spcabench_datasets import spiked
from spcabench_methods import COPPCA, GPower, PathSPCA, SPCArt, TPower

Array = NDArray[np.float64]
Product = Callable[[Array], Array]

SIZES = ("180 x 13", "100 x 60", "50 x 500", "62 x 2000", "500 x 2000", "2000 x 8000", "5000 x 1000", "100 x 50000")
K = 10
RHO = 0.1
TOL = 1e-6
STEPS = 1000


def centred(X: Array) -> tuple[Array, Product, Array]:
    """Centre samples, and return their second moments."""
    X = X - X.mean(axis=0)
    return X, *moments(X)


def moments(X: Array) -> tuple[Product, Array]:
    """Return products with S as a matrix or not, whichever is faster for few of them, and its diagonal."""
    n, d = X.shape
    variances = np.einsum("ij,ij->j", X, X) / n
    if d > 100:
        return lambda w: X.T @ (X @ w) / n, variances
    S = X.T @ X / n
    return lambda w: S @ w, variances


def tpower(X: Array) -> Array:
    _, times, variances = centred(X)
    return truncated(times, variances)


def several(X: Array) -> Array:
    """Run TPower for each of five components, each after the deflation of the samples; return the last loading."""
    X, _, _ = centred(X)
    for _ in range(5):
        w = truncated(*moments(X))
        X = X - np.outer(X @ w, w)
    return w


def truncated(times: Product, variances: Array) -> Array:
    """Repeat products and truncations."""
    z, old = times(np.eye(1, len(variances), int(variances.argmax()))[0]), -np.inf
    while True:
        w = np.zeros_like(z)
        keep = np.argpartition(-np.abs(z), K - 1)[:K]
        w[keep] = z[keep] / np.sqrt(z[keep] @ z[keep])
        z = times(w)
        variance = w @ z
        if abs(variance - old) < TOL * variance:
            return w
        old = variance


def gpower(X: Array, shrink: float) -> Array:
    """Run GPower, "l0" with ``shrink=0`` and "l1" with 1, over the features that can enter."""
    _, times, variances = centred(X)
    largest = int(variances.argmax())
    level = RHO * np.sqrt(variances[largest]) if shrink else np.sqrt(RHO * variances[largest])
    c, old = times(np.eye(1, len(variances), largest)[0]) / np.sqrt(variances[largest]), 0.0
    for n_iter in range(1, 1001):
        size = np.abs(c)
        t = np.where(size > level, np.copysign(size - shrink * level, c), 0.0)
        gain = t @ t - (0.0 if shrink else level**2 * np.count_nonzero(t))
        if n_iter > 2 and abs(gain - old) < TOL * old:
            break
        St = times(t)
        c, old = St / np.sqrt(t @ St), gain
    return t / np.sqrt(t @ t)


def rotated(X: Array) -> Array:
    """Run SPCArt with hard thresholds on two eigenvectors; return the first loading."""
    X, _, _ = centred(X)
    n, d = X.shape
    leading = np.linalg.eigh(X.T @ X if d <= n else X @ X.T)[1][:, -2:]
    V = leading if d <= n else np.linalg.qr(X.T @ leading)[0]
    V, R, W = V[:, ::-1], np.eye(2), np.zeros((d, 2))
    for _ in range(200):
        Z, old = V @ R.T, W
        W = np.where(np.abs(Z) > d**-0.5, Z, 0.0)
        W = W / np.sqrt((W**2).sum(axis=0))
        if ((W - old) ** 2).sum() <= 1e-4 * 2:
            break
        left, _, right = np.linalg.svd(W.T @ V)
        R = left @ right
    return W[:, 0]


def greedy(X: Array) -> Array:
    _, times, variances = centred(X)
    support = [int(variances.argmax())]
    X = X - X.mean(axis=0)
    while True:
        Y = X[:, support]
        w = np.zeros(len(variances))
        w[support] = np.linalg.eigh(Y.T @ Y)[1][:, -1]
        if len(support) == K:
            return w
        scores = times(w) ** 2
        scores[support] = -1.0
        support.append(int(scores.argmax()))


def paired(X: Array) -> Array:
    """Run COP-PCA with ten candidates down to K nonzeros, on S or, with more features than samples, on these."""
    X, _, variances = centred(X)
    n, d = X.shape
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


PAIRS = {
    "tpower": (TPower(1, K, init="max_variance"), tpower),
    "tpower of five": (TPower(5, K, init="max_variance"), several),
    "gpower_l0": (GPower(1, penalty="l0", rho=RHO, init="max_variance", refit=False), lambda X: gpower(X, 0.0)),
    "gpower_l1": (GPower(1, penalty="l1", rho=RHO, init="max_variance", refit=False), lambda X: gpower(X, 1.0)),
    "spcart_l0": (SPCArt(2), rotated),
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

"""Robust methods as their papers write them: plain loops that read all the data at each step."""

import itertools

import numpy as np
import scipy.linalg
import scipy.stats
from scipy.optimize import brentq


def sparse(v, k, p):
    """SPARSE with theta the (k+1)-th magnitude; the roots by bisection."""
    d = len(v)
    if k >= d:
        return v
    b = np.abs(v)
    tie = 1e-10 * b.max()
    order = sorted(range(d), key=lambda i: -b[i])
    cut, theta = b[order[k - 1]], b[order[k]]
    kept = [i for i in range(d) if b[i] > cut + tie]
    kept += [i for i in range(d) if abs(b[i] - cut) <= tie][: k - len(kept)]
    u = np.zeros(d)
    for i in kept:
        u[i] = np.sign(v[i]) * (b[i] if p == 0 or theta == 0 else root(b[i], theta, p, tie))
    if not u.any():
        u[kept] = np.sign(v[kept])
    return u


def root(b, theta, p, tie):
    if b <= theta + tie:
        return 2 * (1 - p) / (2 - p) * theta
    if p == 1:
        return b - theta
    penalty = (2 * (1 - p)) ** (1 - p) / (2 - p) ** (2 - p) * theta ** (2 - p)
    lowest = 2 * (1 - p) / (2 - p) * theta
    return brentq(lambda u: u + penalty * p * u ** (p - 1) - b, lowest, b, xtol=1e-15 * b, rtol=1e-15)


def one_component(X, norms, w, k, p, tol, max_iter, random):
    """Climb from w; return the loading, its objective, the iterations and whether they ended."""

    def augment(w):
        margins = X @ w
        signs = np.where(margins >= -1e-12 * norms, 1.0, -1.0)
        return margins, signs, X.T @ signs

    best, objective, restarts, worse, visited, sides = np.zeros(len(w)), 0.0, 0, 0, set(), b""
    margins, signs, v = augment(w)
    for n_iter in range(1, max_iter + 1):
        vanished = np.linalg.norm(v) <= 1e-12 * norms.sum()
        if not vanished:
            new = sparse(v, k, p)
            new = new / np.linalg.norm(new)
        if vanished or np.max(np.abs(new - w)) <= tol:
            flat = (np.abs(margins) <= 1e-12 * norms) & (norms > 0)
            meets = np.abs(X * (w != 0)).max(axis=1) > 1e-10 * norms
            if restarts < 10 and (vanished or np.any(flat & meets)):
                support = np.ones(len(w), dtype=bool) if vanished else w != 0
                step = np.where(support, random.standard_normal(len(w)), 0.0)
                w = w + 1e-3 * step / np.linalg.norm(step)
                w = w / np.linalg.norm(w)
                margins, signs, v = augment(w)
                restarts, worse, visited = restarts + 1, 0, set()
                continue
            if objective == 0 and not vanished:
                best, objective = w, np.abs(margins).sum()
            return best, objective, n_iter, True
        w = new
        margins, signs, v = augment(w)
        reached = np.abs(margins).sum()
        if reached >= (1 - 1e-12) * objective:
            best, objective, worse = w, reached, 0
        else:
            worse += 1
        last, sides = sides, signs.tobytes()
        if worse == 20 or (sides in visited and sides != last):
            return best, objective, n_iter, True
        visited.add(sides)
    return best, objective, max_iter, False


def robust_components(X, starts, counts, p=0.0, tol=1e-10, max_iter=500, seed=0):
    """Find components from one start each; None starts at the deflated sample of largest norm."""
    X = X - X.mean(axis=0)
    norms = np.linalg.norm(X, axis=1)
    total = (X**2).sum()
    random = np.random.RandomState(seed)
    found = []
    for w, k in zip(starts, counts, strict=True):
        if (X**2).sum() <= X.shape[1] * np.finfo(float).eps * total:
            found.append((np.zeros(X.shape[1]), 0.0, 0, True))
            continue
        if w is None:
            squares = (X**2).sum(axis=1)
            w = X[np.flatnonzero(squares >= (1 - 1e-12) * squares.max())[0]]
        found.append(one_component(X, norms, w / np.linalg.norm(w), k, p, tol, max_iter, random))
        X = X - np.outer(X @ found[-1][0], found[-1][0])
    return found


def univariate_mcd(x, h):
    """Try all windows of sorted numbers; then reweight."""
    x, n = np.sort(x), len(x)
    if h == n:
        return x.mean(), x.std(ddof=1)
    windows = [x[i : i + h] for i in range(n - h + 1)]
    centre = min(windows, key=np.var).mean()
    squares = np.sort((x - centre) ** 2)
    variance = squares[h - 1] / scipy.stats.chi2.ppf(h / n, 1)
    near = x[(x - centre) ** 2 / variance <= scipy.stats.chi2.ppf(0.975, 1)]
    return near.mean(), near.std(ddof=1)


def outlyingness(T, h):
    far = np.zeros(len(T))
    for i, j in itertools.combinations(range(len(T)), 2):
        scores = T @ (T[i] - T[j])
        location, scale = univariate_mcd(scores, h)
        far = np.maximum(far, np.abs(scores - location) / scale)
    return far


def r1_pca(X, r, cutoff=1.0, tol=1e-8, max_iter=1000):
    """R1-PCA as its paper has it: a matrix of features by features, one sample after the other."""
    X = X - X.mean(axis=0)
    U = np.linalg.eigh(X.T @ X)[1][:, ::-1][:, :r]
    c = cutoff * np.median([np.linalg.norm(x - U @ U.T @ x) for x in X])
    for n_iter in range(1, max_iter + 1):
        new = scipy.linalg.orth(robust_covariance(X, U, c) @ U)
        moved, U = np.linalg.norm(new - U @ U.T @ new), new
        if moved <= tol:
            return U, robust_covariance(X, U, c), n_iter
    raise AssertionError("the iterations ran out")


def robust_covariance(X, U, c):
    C = np.zeros((X.shape[1], X.shape[1]))
    for x in X:
        s = np.linalg.norm(x - U @ U.T @ x)
        C += (1.0 if s <= c else c / s) * np.outer(x, x)
    return C / len(X)


def robust_subspace(X, r, cutoff=2.3, rounds=40):
    """Robust subspace learning with one regression after the other, of features and then of samples."""
    X = X - X.mean(axis=0)
    (n, d), V = X.shape, np.linalg.svd(X)[2][:r].T
    E = np.abs(X - X @ V @ V.T)
    factor = 1 / scipy.stats.norm.ppf(0.75)
    common = factor * np.median(np.abs(E - np.median(E)))
    own = [factor * np.median(np.abs(E[:, j] - np.median(E[:, j]))) for j in range(d)]
    final = np.sqrt(3) * np.maximum(cutoff * np.array(own), common)
    m, B = np.median(X, axis=0), V.copy()
    C = (X - m) @ V
    for round_ in range(1, rounds + 1):
        sigma = final * max(3.0 * 0.92**round_, 1.0)
        root = sigma / ((X - m - C @ B.T) ** 2 + sigma**2)
        for j in range(d):
            Z = root[:, [j]] * np.column_stack([C, np.ones(n)])
            *B[j], m[j] = np.linalg.lstsq(Z, root[:, j] * X[:, j])[0]
        root = sigma / ((X - m - C @ B.T) ** 2 + sigma**2)
        for i in range(n):
            C[i] = np.linalg.lstsq(root[i][:, None] * B, root[i] * (X[i] - m))[0]
    e = (X - m - C @ B.T) ** 2
    return B, m, final, (e / (e + final**2)).sum()

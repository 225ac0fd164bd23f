"""sPCAgrid as the papers and the specification write it: plain loops, all pairs for Qn."""

import itertools

import numpy as np


def sd(z):
    return np.sqrt(np.mean((z - z.mean()) ** 2))


def mad(z):
    return 1.482602218505602 * np.median(np.abs(z - np.median(z)))


def qn(z):
    h = len(z) // 2 + 1
    gaps = sorted(abs(a - b) for a, b in itertools.combinations(z, 2))
    return 2.2191444659850757 * gaps[h * (h - 1) // 2 - 1]


SCALES = {"sd": sd, "mad": mad, "qn": qn}


def spca_grid(X, r, lams, scale, n_angles=25, n_halvings=10):
    """Return loadings as rows and their scales, for centred samples, sorted by scale."""
    S = SCALES[scale]
    d = X.shape[1]
    unit = np.mean([S(x) ** 2 for x in X.T])
    Y, L, found = X.copy(), np.eye(d), []
    for lam in lams[:r]:
        q = Y.shape[1]
        scales = np.array([S(y) for y in Y.T])
        order = np.argsort(-scales, kind="stable")

        def value(a, Y=Y, L=L, lam=lam):
            return S(Y @ a) ** 2 - lam * unit * np.abs(L @ a).sum()

        a = np.eye(q)[order[0]]
        best, best_a = value(a), a
        for it in range(n_halvings + 1):
            for j in order:
                if abs(a[j]) >= 1 - 1e-15:
                    continue
                rest = np.where(np.arange(q) == j, 0.0, a) / np.sqrt(1 - a[j] ** 2)
                turns = range(n_angles - 1 if it == 0 else n_angles)
                thetas = [np.arcsin(a[j]) + np.pi * 2.0**-it * (g / (n_angles - 1) - 0.5) for g in turns]
                if 0 < abs(a[j]) < 1e-6:
                    thetas.append(0.0)
                candidates = [np.cos(t) * rest + np.sin(t) * np.eye(q)[j] for t in thetas]
                values = [value(c) for c in candidates]
                a = candidates[int(np.argmax(values))]
            if value(a) > best:
                best, best_a = value(a), a
        w = L @ best_a
        w[np.abs(w) < 1e-10] = 0.0
        found.append((S(Y @ best_a), w / np.linalg.norm(w)))
        n = np.eye(q)[order[0]] - best_a
        H = np.eye(q) - 2 * np.outer(n, n) / (n @ n) if np.linalg.norm(n) > 1e-15 else np.eye(q)
        kept = [j for j in range(q) if j != order[0]]
        Y, L = (Y @ H)[:, kept], (L @ H)[:, kept]
    found.sort(key=lambda f: -f[0])
    return np.array([w for _, w in found]), np.array([s for s, _ in found])

"""Samples that several tests draw."""

import numpy as np


def decaying(seed, n, d):
    """Draw samples whose covariance has a decaying spectrum and generic eigenvectors."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return rng.standard_normal((n, d)) @ (basis * np.arange(1, d + 1) ** -0.6).T + rng.standard_normal(d)


def of_kind(seed, d, kind):
    """Draw a few samples: plain, of whole numbers, in unlike units, or nonnegative."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((int(rng.integers(2, 15)), d))
    if kind == "whole numbers":
        X = rng.integers(-2, 3, X.shape).astype(float)
    if kind == "units":
        X *= rng.lognormal(0, 2, d)
    return np.abs(X) if kind == "nonnegative" else X

"""Samples that several tests draw, and what is asked of samples that are centred without a copy."""

import numpy as np
from numpy.testing import assert_allclose


def decaying(seed, n, d):
    """Draw samples whose covariance has a decaying spectrum and generic eigenvectors."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return rng.standard_normal((n, d)) @ (basis * np.arange(1, d + 1) ** -0.6).T + rng.standard_normal(d)


def covariance(seed, d, n=30):
    """Return the covariance of such samples."""
    return np.cov(decaying(seed, n, d).T, bias=True)


def small_samples():
    """Draw samples of a few features whose variances differ."""
    return np.random.default_rng(0).standard_normal((30, 8)) * np.arange(1, 9)


def of_kind(seed, d, kind):
    """Draw a few samples: plain, of whole numbers, in unlike units, or nonnegative."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((int(rng.integers(2, 15)), d))
    if kind == "whole numbers":
        X = rng.integers(-2, 3, X.shape).astype(float)
    if kind == "units":
        X *= rng.lognormal(0, 2, d)
    return np.abs(X) if kind == "nonnegative" else X


def is_the_operator(centred, C):
    """Check the products and parts of centred samples against the matrix that they stand for."""
    (n, d), rng, near = C.shape, np.random.default_rng(1), {"atol": 1e-11}
    W, Y, some = rng.standard_normal((d, 3)), rng.standard_normal((n, 2)), np.array([d - 1, 1])
    for right in (W, W[:, 0], np.eye(d)[1]):
        assert_allclose(centred @ right, C @ right, **near)
    for left in (Y, Y[:, 0]):
        assert_allclose(centred.T @ left, C.T @ left, **near)
    assert_allclose(centred.row(3), C[3], **near)
    assert_allclose(centred.columns(some), C[:, some], **near)
    assert_allclose(centred.restricted(some) @ W[:2], C[:, some] @ W[:2], **near)
    assert_allclose(centred.variances(), (C**2).mean(axis=0), **near)
    assert_allclose(centred.squared_norms(), (C**2).sum(axis=1), **near)

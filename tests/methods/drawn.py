"""Samples that several tests draw."""

import numpy as np


def decaying(seed, n, d):
    """Draw samples whose covariance has a decaying spectrum and generic eigenvectors."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return rng.standard_normal((n, d)) @ (basis * np.arange(1, d + 1) ** -0.6).T + rng.standard_normal(d)

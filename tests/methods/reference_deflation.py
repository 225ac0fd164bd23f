"""Deflation of an explicit matrix, as the formulas of Mackey (2008) say."""

import numpy as np


def projection(S, loadings):
    for w in loadings:
        P = np.eye(len(S)) - np.outer(w, w)
        S = P @ S @ P
    return S


def schur(S, loadings):
    for w in loadings:
        S = S - np.outer(S @ w, w @ S) / (w @ S @ w)
    return S


def gsd(S, loadings):
    """Project on the orthogonal complement of all loadings at once, which is what the steps come to."""
    P = np.eye(len(S)) - np.column_stack(loadings) @ np.linalg.pinv(np.column_stack(loadings))
    return P @ S @ P


SCHEMES = {"projection": projection, "schur": schur, "gsd": gsd}

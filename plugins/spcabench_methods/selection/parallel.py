"""How many components: parallel analysis by permutation, dense or sparse, and bi-cross-validation.

Permuting each column on its own keeps its distribution and breaks all correlation.  The rows are taken to be
independent: those of a time series, or repeated ones, make for too many components.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.linalg import eigh

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.selection.candidates import Path, variances, without

SPARSE_GRID = (3, 5, 8, 12, 20)
"""The cardinalities at which the sparse form looks."""
REPEATS = 2
"""How often bi-cross-validation halves rows and columns anew."""


def permuted(X: Array, n_permutations: int, random: RandomSource) -> Iterator[Array]:
    """Yield samples with each column in an order of its own."""
    for _ in range(n_permutations):
        yield np.column_stack([column[random.permutation(len(X))] for column in X.T])


def spectrum(X: Array) -> Array:
    """Return the eigenvalues of the second moments of centred samples, the largest first, shape (min(X.shape),)."""
    gram = X.T @ X if len(X) > X.shape[1] else X @ X.T
    return np.asarray(np.maximum(np.linalg.eigvalsh(gram / len(X))[::-1], 0.0))


def scree(X: Array, n_permutations: int, random: RandomSource) -> Array:
    """Return the eigenvalues of samples, and the largest of as many sets of permuted columns.

    Returns
    -------
    ndarray of shape (2, min(X.shape))
        The eigenvalues in the first row, what chance reaches in the second.
    """
    chance = np.max([spectrum(P) for P in permuted(X, n_permutations, random)], axis=0)
    return np.array([spectrum(X), chance])


def parallel_analysis(scree: Array, most: int) -> int:
    """Count the leading eigenvalues that exceed the largest of as many sets of permuted columns.

    Parameters
    ----------
    scree : ndarray of shape (2, min(n_samples, n_features))
        As of `scree`; with 19 permutations the level is 1/20.
    most : int
        The largest answer.

    References
    ----------
    A. Buja and N. Eyuboglu, Remarks on parallel analysis, Multivariate Behavioral Research 27, 1992, 509-540;
    J. L. Horn, Psychometrika 30, 1965, 179-185.
    """
    own, chance = scree
    exceeds = (own > chance)[:most] & (own[:most] > EPS * own[0])
    return int(np.argmin(exceeds)) if not exceeds.all() else len(exceeds)


def sparse_parallel_analysis(X: Array, path: Path, n_permutations: int, most: int, random: RandomSource) -> int:
    """Count the sparse components that exceed all of as many sets of permuted columns, one after the other.

    The statistic of a component is ``max_k (log f_k - mean_b) / sd_b``: by how much its variance at k nonzeros exceeds
    that of permuted columns.  A component that is found is removed.  It sees what principal components cannot where
    there are more features than samples; what is left over of a strong component can pass for one more.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    path : Path
        Fits one component at each cardinality.
    n_permutations : int
        19 for a level of 1/20.
    most : int
        The largest answer.
    """
    for found in range(most):
        W = path(X)
        sets = [_logarithms(P, path(P)) for P in permuted(X, n_permutations, random)]
        values = np.array([_logarithms(X, W), *sets])
        scale = np.maximum(values[1:].std(axis=0, ddof=1) if n_permutations > 1 else 1.0, EPS)
        scores = (values - values[1:].mean(axis=0)) / scale
        if scores[0].max() <= scores[1:].max():
            return found
        X = without(X, W[scores[0].argmax()])
    return most


def _logarithms(X: Array, W: Array) -> Array:
    total = float(np.mean(X**2)) * X.shape[1]
    return np.log(np.maximum(variances(X, W), EPS * total or 1.0))


def bi_cross_validation(X: Array, most: int, random: RandomSource) -> Array:
    """Return how well each number of components predicts blocks of the data from the rest of their rows and columns.

    Rows and columns are halved; a block A is predicted by ``B D_r^+ C`` from the block D that shares neither its rows
    nor its columns.  It asks what predicts, which in few samples is less than what exists.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    most : int
        The largest number of components.

    Returns
    -------
    ndarray of shape (most + 1,)
        The share of the squares that 0, 1, ... components leave unpredicted; the smallest is the best.  Shorter where
        half of the rows or columns are fewer.

    References
    ----------
    A. B. Owen and P. O. Perry, Bi-cross-validation of the SVD and the nonnegative matrix factorization, Annals of
    Applied Statistics 3, 2009, 564-594.
    """
    most = min(most, min(X.shape) // 2)
    errors = np.zeros(most + 1)
    for _ in range(REPEATS):
        rows, columns = (np.array_split(random.permutation(size), 2) for size in X.shape)
        for i, j in product(range(2), repeat=2):
            A, B = X[np.ix_(rows[i], columns[j])], X[np.ix_(rows[i], columns[1 - j])]
            C, D = X[np.ix_(rows[1 - i], columns[j])], X[np.ix_(rows[1 - i], columns[1 - j])]
            errors += _prediction_errors(A, B, C, D, most)
    return errors / errors[0] if errors[0] else errors


def _prediction_errors(A: Array, B: Array, C: Array, D: Array, most: int) -> Array:
    """Return the squared errors of the block A with 0, 1, ..., `most` components."""
    rest = A.copy()
    errors = [float(np.sum(rest**2))]
    for left, right in _leading(D, most):
        rest -= np.outer(B @ right, left @ C)
        errors.append(float(np.sum(rest**2)))
    return np.array(errors)


def _leading(D: Array, count: int) -> Iterator[tuple[Array, Array]]:
    """Yield u and v of the largest singular values s of D, one of the two divided by s; zero beyond the rank."""
    wide = D.shape[0] <= D.shape[1]
    gram = D @ D.T if wide else D.T @ D
    values, vectors = eigh(gram, subset_by_index=[len(gram) - count, len(gram) - 1])
    for value, own in zip(values[::-1], vectors.T[::-1], strict=True):
        other = (own @ D if wide else D @ own) / (value if value > len(gram) * EPS * values[-1] else np.inf)
        yield (own, other) if wide else (other, own)

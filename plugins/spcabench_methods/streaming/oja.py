"""Thresholded Oja: one pass over the samples, then the largest entries of where it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from spcabench_methods.core.arrays import EPS, Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import FLOATS, RandomSource, cardinalities, check_parameters, random_source
from spcabench_methods.core.constraints import SHARED, number, whole
from spcabench_methods.core.parameters import Counted
from spcabench_methods.core.signs import positive_peak
from spcabench_methods.truncations.top_k import top_k

VARIANCES, ENDS = {"cpev_", "explained_variance_", "explained_variance_ratio_"}, {"objective_", "converged_"}
OF_FITS = VARIANCES | ENDS | {"n_iter_", "n_iter_per_component_"}
"""What a fit sets, and a stream does not."""

SHARES = np.array([1.0, 0.5, 2.0, 0.25, 4.0, 0.125])
"""The steps that are tried side by side, over the mean squared length of samples; of tied ones the first is kept."""

LARGEST = 2.0
"""A single step is at most this share of that length; larger ones lose the support."""

HELD_OUT = 0.1
"""The share of the samples that choose among the steps instead of taking part in them, where their number is known."""

REUSED, RECENT = 10, 8
"""Otherwise each sample is judged before it takes part, by loadings at most so many samples old; the last eighth of the
samples has most of the weight.
"""

BETWEEN_NORMALISATIONS = 16
"""Only directions count; so many samples between normalisations cannot make them overflow."""


def _one_component(estimator: Any) -> bool:
    """Raise an AttributeError if a stream would have to be read more than once."""
    if estimator.n_components != 1:
        raise AttributeError(
            f"n_components is {estimator.n_components}; partial_fit is there with n_components=1, as each further "
            "component takes another pass over the samples"
        )
    return True


@dataclass(eq=False, repr=False, kw_only=True)
class ThresholdedOja(Counted):
    """Oja's algorithm for a stream of samples, thresholded at the end.

    From a random u, each centred sample x turns u into u + eta x (x'u), scaled to unit length: a stochastic step
    towards the leading eigenvector of S = X'X/n.  After one pass over the samples the loading has the `n_nonzero`
    largest entries of u, scaled.  By default there are six u side by side, with eta of 1/8, 1/4, 1/2, 1, 2 and 4 over
    the mean squared length of the samples so far.  The one is kept whose loading has the largest mean squared
    score: in `fit`, and with `n_total`, of the last tenth of the samples, which moves none of them; otherwise of all
    samples, each judged before it moves them, the recent ones with more weight.  The next component is found by another
    pass over X - (X w) w'.

    A sample costs O(d), and the memory is O(d); `fit` has a centred copy of the samples too.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features; with `partial_fit` 1.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    eigengap : float or None, default=None
        The difference of the two leading eigenvalues, above 0.  There is then one u, with
        eta = alpha log n / (n eigengap) for n samples, at most 2 over their mean squared length.
    alpha : float, default=1.0
        Above 0; the factor of that step.
    n_total : int or None, default=None
        At least 2.  How many samples `partial_fit` will have read in the end; needed there with `eigengap`.
    assume_centered : bool, default=False
        Whether `partial_fit` takes samples as they are.  Otherwise it subtracts their mean so far, the present one
        included; `fit` knows the mean of all samples.
    random_state : int, RandomState, Generator or None, default=None
        For the start.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.  After `partial_fit` only `components_`,
        `mean_` and `n_nonzero_`.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.  Not after `partial_fit`.
    n_samples_seen_ : int
        The samples that `partial_fit` has read.

    Notes
    -----
    The paper was known by its abstracts when this was written: it thresholds the end of Oja's single pass.  The choice
    among six steps and further components are additions.

    References
    ----------
    S. Kumar and P. Sarkar, Oja's algorithm for streaming sparse PCA, Advances in Neural Information Processing
    Systems 37, 2024, arXiv:2402.07240.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import ThresholdedOja
    >>> rng = np.random.default_rng(0)
    >>> oja = ThresholdedOja(n_components=1, n_nonzero=2, random_state=0)
    >>> for _ in range(20):
    ...     x = rng.standard_normal((50, 1)) @ [[3.0, 3.0, 0.0]] + rng.standard_normal((50, 3))
    ...     oja = oja.partial_fit(x)
    >>> np.flatnonzero(oja.components_[0])
    array([0, 1])
    """

    eigengap: float | None = None
    alpha: float = 1.0
    n_total: int | None = None
    assume_centered: bool = False
    random_state: int | RandomSource | None = None

    _parameter_constraints = SHARED | {
        "eigengap": [None, number(closed="neither")],
        "alpha": [number(closed="neither")],
        "n_total": [None, whole(2)],
        "assume_centered": ["boolean"],
    }

    def _components(self, X: Array) -> Iterator[Component]:
        random, total = random_source(self.random_state), float(np.vdot(X, X))
        for k in self._counts(X.shape[1]):
            if np.vdot(X, X) <= X.shape[1] * EPS * total:
                yield Component(np.zeros(X.shape[1]), objective=0.0, n_iter=0)
                continue
            stream = self._new_stream(random, X.shape[1], k, len(X))
            for x in X:
                stream.read(x)
            w = stream.loading()
            scores = X @ w
            X -= np.outer(scores, w)
            yield Component(w, float(scores @ scores) / len(X))

    @available_if(_one_component)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: object = None) -> Self:
        """Read the next samples of a stream.

        Chunks of any size lead to the same `components_`.  After a `fit` a new stream begins.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The next samples.
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data is not valid, or `eigengap` is given without `n_total`.
        """
        check_parameters(self)
        first = not hasattr(self, "_stream")
        X = validate_data(self, X, dtype=FLOATS, reset=first)
        if first:
            for stale in OF_FITS & vars(self).keys():
                delattr(self, stale)
            if self.eigengap is not None and self.n_total is None:
                raise ValueError("eigengap is given and n_total is not; valid in partial_fit are both, or no eigengap")
            (k,), random = cardinalities(self.n_nonzero, 1, X.shape[1]), random_source(self.random_state)
            self._stream = self._new_stream(random, X.shape[1], k, self.n_total)
            self._running_mean = np.zeros(X.shape[1])
        for row in X:
            self._stream.read(self._centred(row.astype(np.float64)))
        self.components_ = positive_peak(self._stream.loading())[None].astype(X.dtype)
        self.mean_ = self._running_mean.astype(X.dtype)
        self.n_nonzero_ = np.count_nonzero(self.components_, axis=1)
        self.n_samples_seen_ = self._stream.n_rows
        return self

    def _centred(self, x: Array) -> Array:
        if self.assume_centered:
            return x
        self._running_mean += (x - self._running_mean) / (self._stream.n_rows + 1)
        return np.asarray(x - self._running_mean)

    def _new_stream(self, random: RandomSource, d: int, k: int, n: int | None) -> Stream:
        step = None
        if self.eigengap is not None and n is not None:
            step = self.alpha * math.log(n) / (n * self.eigengap)
        return Stream(random.standard_normal(d), k, n, step)


class Stream:
    """The directions that Oja's iterations have come to.

    Parameters
    ----------
    start : ndarray of shape (n_features,)
        The first direction.
    k : int
        How many entries a loading keeps.
    n_total : int or None
        How many samples there will be; the last tenth of them then chooses among the steps, and takes no other part.
        None: all samples choose, each before it takes part.
    step : float or None
        The one step; None: six.
    """

    def __init__(self, start: Array, k: int, n_total: int | None, step: float | None) -> None:
        self.n_rows = 0
        self._k, self._n_total, self._step = k, n_total, step
        self._directions = np.tile(unit(start), (len(SHARES) if step is None else 1, 1))
        self._loadings = self._directions
        self._values = np.zeros(len(self._directions))
        self._n_judged = 0
        self._mean_square = 0.0
        self._varies = np.zeros(len(start), dtype=bool)

    def read(self, x: Array) -> None:
        """Take the next sample, centred."""
        self.n_rows += 1
        self._mean_square += (float(x @ x) - self._mean_square) / self.n_rows
        self._varies |= x != 0.0
        held_out = self._n_total is not None and self.n_rows > (1.0 - HELD_OUT) * self._n_total
        if self._step is None and (held_out or self._n_total is None):
            self._judge(x)
        if self._mean_square > 0.0 and (self._step is not None or not held_out):
            self._directions += np.outer(self._steps * (self._directions @ x), x)
        if self.n_rows % BETWEEN_NORMALISATIONS == 0:
            self._directions /= np.linalg.norm(self._directions, axis=1, keepdims=True)

    def loading(self) -> Array:
        """Return the thresholded direction whose mean squared score of the samples that choose is the largest."""
        return self._thresholded(self._directions[int(np.argmax(self._values))])

    @property
    def _steps(self) -> Array:
        if self._step is None:
            return SHARES / self._mean_square
        return np.array([min(self._step, LARGEST / self._mean_square)])

    def _judge(self, x: Array) -> None:
        """Update the mean squared scores of all loadings."""
        if self._n_judged % REUSED == 0:
            self._loadings = np.array([self._thresholded(u) for u in self._directions])
        self._n_judged += 1
        recent = RECENT if self._n_total is None else 1
        self._values += ((self._loadings @ x) ** 2 - self._values) * (recent / (self._n_judged + recent - 1))

    def _thresholded(self, direction: Array) -> Array:
        return unit(top_k(np.where(self._varies, direction, 0.0), self._k))

"""Second moments of samples that arrive in blocks: merged without a sample kept, whatever their number."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import check_parameters, check_scale, checked_data, further_data, precision, warn
from spcabench_methods.core.moments import GRAM_LIMIT, Gram
from spcabench_methods.core.samples import column_means


@dataclass(frozen=True)
class Stream:
    """The number, the mean and the second moments of the samples seen so far.

    Parameters
    ----------
    n : int
        Number of samples.
    mean : ndarray of shape (n_features,)
    S : ndarray of shape (n_features, n_features)
        X'X/n of the centred samples.
    dtype : dtype
        The precision of the samples.
    rounding : float
        What computing S in single precision has changed, as a share of variances.

    References
    ----------
    T. F. Chan, G. H. Golub and R. J. LeVeque, Algorithms for computing the sample variance: analysis and
    recommendations, The American Statistician 37, 1983, 242-247: equation (2.1), here for matrices.
    """

    n: int
    mean: Array
    S: Array
    dtype: np.dtype[Any]
    rounding: float

    @classmethod
    def of(cls, X: Any) -> Self:
        """Return those of one block, centred at its own means."""
        mean = column_means(X)
        moments = Gram.of(X, mean)
        return cls(X.shape[0], mean, moments.S, precision(X), moments.rounding)

    def merged(self, other: Stream) -> Stream:
        """Return those of the samples of both: the means of S, and what the difference of the means adds."""
        n = self.n + other.n
        share = other.n / n
        between = other.mean - self.mean
        S = (1.0 - share) * self.S
        S += share * other.S
        S += np.multiply.outer((1.0 - share) * share * between, between)
        dtype = np.result_type(self.dtype, other.dtype)
        return Stream(n, self.mean + share * between, S, dtype, max(self.rounding, other.rounding))


def _learns_from_blocks(estimator: Streamed) -> bool:
    if estimator._needs_all_samples:
        reason = f"{estimator._needs_all_samples}; valid with partial_fit is another value"
        raise AttributeError(f"{type(estimator).__name__}: {reason}")
    return True


class Streamed:
    """The part of an estimator that learns from blocks of samples, through their second moments."""

    covariance: str | None
    _stream: Stream

    @property
    @abstractmethod
    def _formats(self) -> list[str] | bool:
        """The sparse formats that are taken."""

    @property
    @abstractmethod
    def _min_samples(self) -> int:
        """The least number of samples."""

    @abstractmethod
    def _check_number(self, n_features: int) -> None:
        """Raise a ValueError if there are fewer features than components."""

    @abstractmethod
    def _finish(self, mean: Array, data: Any, measure: Any, dtype: np.dtype[Any]) -> None:
        """Find the components and set the attributes."""

    @available_if(_learns_from_blocks)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: object = None) -> Self:
        """Add samples to those of earlier calls, and find the components of all of them.

        The result is that of `fit` on all samples together, up to rounding, whatever their order.  Means and second
        moments are kept and merged (Chan, Golub and LeVeque 1983), the samples are not: memory does not depend on
        their number, and is that of a few matrices of shape (n_features, n_features).  Each call adds
        O(n d^2) and the search for the components, so that few large blocks take less time than many small ones.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The next samples: at least two in the first call, one in each further call, always with the same features,
            at most 16384.
        y : None
            Ignored.

        Returns
        -------
        self
            With the attributes that `fit` sets, and `n_samples_seen_`, the number of samples of all calls.

        Raises
        ------
        ValueError
            If a parameter or the data is not valid.  What earlier calls have added is kept then.
        AttributeError
            If ``covariance="precomputed"``, or if the method needs all samples at once.

        Notes
        -----
        `fit` forgets the samples of earlier calls, and keeps no second moments: the first call after it starts anew,
        with a warning.
        """
        check_parameters(self)
        if hasattr(self, "components_") and not hasattr(self, "_stream"):
            message = "fit keeps no second moments to which partial_fit could add: it starts from these samples alone"
            warn(message)
        with np.errstate(over="ignore", invalid="ignore"):  # check_scale reports data that are too large
            seen = getattr(self, "_stream", None)
            if seen is None:
                X = checked_data(self, X, self._formats, self._min_samples)[0]
            else:
                X = further_data(self, X, self._formats)
            self._check_number(X.shape[1])
            if X.shape[1] > GRAM_LIMIT:
                raise ValueError(f"X has {X.shape[1]} features; valid with partial_fit is at most {GRAM_LIMIT}")
            block = Stream.of(X)
            stream = block if seen is None else seen.merged(block)
            moments = self._streamed(stream)
            check_scale(moments.trace)
        self._finish(stream.mean, moments, moments, stream.dtype)
        self._stream, self.n_samples_seen_ = stream, stream.n
        return self

    @property
    def _needs_all_samples(self) -> str:
        """Why this estimator cannot learn from blocks of samples; nothing if it can."""
        return "covariance is 'precomputed'" if self.covariance is not None else ""

    def _streamed(self, stream: Stream) -> Gram:
        """Return what the components are found in."""
        return Gram(stream.S, stream.rounding)


def forget(estimator: Any) -> None:
    """Remove what `partial_fit` has kept."""
    for attribute in ("_stream", "n_samples_seen_"):
        estimator.__dict__.pop(attribute, None)

"""RSPCA: sparse loadings of largest l1 variance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from numpy.typing import ArrayLike

from spcabench_methods.core.constraints import SHARED, number, starts
from spcabench_methods.core.parameters import Counted
from spcabench_methods.robust.l1_ascent import L1Components, Shrink
from spcabench_methods.truncations.lp import sparse_approximation


@dataclass(eq=False, repr=False, kw_only=True)
class RSPCA(L1Components, Counted):
    """Robust sparse principal component analysis: largest l1 norm of the scores under an l_p constraint.

    Each loading is a local solution of: maximise ``||X w||_1`` subject to ``||w||_2 = 1`` and
    ``||w||_p^p <= t``, for centred X; t is implied by the cardinality k.  All samples are turned to the positive
    side of w, ``s_i = +1`` if ``x_i' w >= 0`` else ``-1`` (AUGMENT, eq. 5); their sum ``X' s`` is shrunk to k
    entries (SPARSE, eqs. 7 to 13) and scaled to unit length, until w stays.  If a sample then lies in the
    hyperplane of w although their supports meet, w moves a little at random and the ascent goes on, at most ten
    times (step 2.6).  The next component is found in ``X - X w w'``.  Without truncation this is PCA-L1.

    An iteration costs at most O(n d + d log d), usually much less: see `spcabench_methods.robust.signed_sum`.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    p : float, default=0.0
        From 0 to 1.  0 keeps the k largest entries, 1 is the soft threshold, 1/2 the half threshold.
    init : {"several", "published", "multi", "ones", "pca", "max_variance", "random"} or array, default="several"
        The start of each component, see `spcabench_methods.core.starts`; "several" have the second moments of the
        deflated samples, "published" are "ones", and "multi" are "ones", "pca" and "random".  With several starts the
        result of largest ``||X w||_1`` is kept.
    n_init : int, default=1
        At least 1.  Random starts of a component.
    tol : float, default=1e-10
        At least 0.  Stop when no entry of w changes by more.
    max_iter : int, default=500
        At least 1.
    random_state : int, RandomState, Generator or None, default=None
        For random starts and restarts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds ``||X w||_1`` with the deflated X.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    Notes
    -----
    Where the paper and this class differ:

    - The paper's threshold is the k-th magnitude, which for p = 1 leaves k - 1 nonzeros; its tables have k.  The
      (k+1)-th is used for every p, and entries must exceed it.
    - ``||X w||_1`` never decreases for p = 0.  The paper's proof for p = 1 holds for a fixed t, not for a fixed
      k, as t changes with the iterations.  So for p > 0 the best iterate is kept, and an ascent also ends after 20
      iterations below it, or when the sides of all samples return.
    - The paper allows an all-zero start, which is useless, as the samples of centred data sum to zero.
    - The paper keeps the best of several starts (``init="multi"``).  On its own data with outliers the best loadings
      have the outliers' features, and only equal entries lead to the loadings that it prints (``init="published"``).
      Equal entries favour features of one sign: a feature of the opposite sign has another result.  The default
      starts turn with the features.

    References
    ----------
    Q. Zhao, D. Meng and Z. Xu, Robust sparse principal component analysis, Science China Information Sciences
    57, 2014, 092115, algorithm 1.

    Examples
    --------
    The two outliers have much of the variance, but less of its l1 counterpart:

    >>> import numpy as np
    >>> from spcabench_methods import RSPCA
    >>> x = np.linspace(-2.45, 2.45, 50)
    >>> y = np.zeros(50)
    >>> y[[37, 39]] = 7.0
    >>> X = np.column_stack([x, y])
    >>> RSPCA(n_components=1, n_nonzero=1).fit(X).components_
    array([[1., 0.]])
    """

    p: float = 0.0
    init: str | ArrayLike = "several"
    max_iter: int = 500

    _parameter_constraints = SHARED | {
        "p": [number(0, 1, closed="both")],
        "init": starts("several", "published", "multi"),
    }

    def _shrinks(self, n_features: int) -> list[tuple[int, Shrink]]:
        counts = self._counts(n_features)
        return [(k, partial(sparse_approximation, k=k, p=float(self.p))) for k in counts]

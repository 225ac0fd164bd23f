"""PCA-L1: dense loadings of largest l1 variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.constraints import SHARED, starts
from spcabench_methods.robust.l1_ascent import L1Components, Shrink


@dataclass(eq=False, repr=False, kw_only=True)
class PCAL1(L1Components):
    """Principal component analysis by maximising the l1 norm of the scores.

    Each loading is a local solution of: maximise ``||X w||_1`` subject to ``||w||_2 = 1``, for centred X.  All
    samples are turned to the positive side of w, ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, and w becomes their
    sum ``X' s``, scaled to unit length; ``||X w||_1`` never decreases, and as there are finitely many s, it
    settles.  If a sample then lies in the hyperplane of w, its side is arbitrary: w moves a little at random
    and the ascent goes on, at most ten times.  The next component is found in ``X - X w w'``, which makes the
    loadings orthogonal.

    An iteration costs at most O(n d), usually much less: see `spcabench_methods.robust.signed_sum`.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    init : {"max_norm", "ones", "pca", "max_variance", "random"} or array, default="max_norm"
        The start of each component, in the deflated samples: the sample of largest norm, which an outlier may be; for
        the others see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts of a component.
    tol : float, default=1e-10
        At least 0.  Stop when no entry of w changes by more.
    max_iter : int, default=1000
        At least 1.
    random_state : int, RandomState, Generator or None, default=None
        For random starts and restarts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds ``||X w||_1`` with the deflated X.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    N. Kwak, Principal component analysis based on L1-norm maximization, IEEE Transactions on Pattern Analysis
    and Machine Intelligence 30, 2008, 1672-1680, algorithm PCA-L1.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import PCAL1
    >>> X = np.array([[4.0, 0.0], [-4.0, 0.0], [3.0, 1.0], [-3.0, -1.0]])
    >>> PCAL1(n_components=2).fit(X).components_.round(3)
    array([[ 0.99 ,  0.141],
           [-0.141,  0.99 ]])
    """

    init: str | ArrayLike = "max_norm"

    _parameter_constraints = SHARED | {
        "init": starts("max_norm"),
    }

    def _shrinks(self, n_features: int) -> list[tuple[int, Shrink]]:
        return [(n_features, np.asarray)] * self.n_components

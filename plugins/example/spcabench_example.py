"""A plugin in a few lines: a method that takes the features of largest variance in turn, and a data set."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

import spcabench


class LargestVariance:
    """Component j has equal weights on the j-th `n_nonzero` features of largest variance.

    Parameters
    ----------
    n_components : int
        Components.
    n_nonzero : int
        Nonzeros of each.
    """

    def __init__(self, n_components: int = 2, n_nonzero: int = 4) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero

    def fit(self, X: NDArray[np.float64], y: object = None) -> Self:
        """Rank the features of `X`."""
        ranked = np.argsort(-np.var(X, axis=0), kind="stable")
        self.components_ = np.zeros((self.n_components, X.shape[1]))
        for j, component in enumerate(self.components_):
            chosen = ranked[j * self.n_nonzero : (j + 1) * self.n_nonzero]
            component[chosen] = 1 / np.sqrt(max(len(chosen), 1))
        return self


def load(rng: np.random.Generator, n: int) -> spcabench.Dataset:
    """Draw features of growing variance."""
    return spcabench.Dataset(X=rng.standard_normal((n, 12)) * np.arange(1, 13))


@spcabench.hookimpl
def spcabench_methods() -> list[spcabench.MethodSpec]:
    """Return the method."""
    return [
        spcabench.MethodSpec(
            name="largest_variance", estimator="spcabench_example:LargestVariance", knob=spcabench.CARDINALITY
        )
    ]


@spcabench.hookimpl
def spcabench_datasets() -> list[spcabench.DatasetSpec]:
    """Return the data set."""
    n = spcabench.Parameter(100, spcabench.Whole(2), "samples")
    return [spcabench.DatasetSpec(name="growing", load="spcabench_example:load", parameters={"n": n})]

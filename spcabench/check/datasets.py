"""Hold a data set to its promises."""

from __future__ import annotations

import numpy as np

from spcabench.check.script import SEEDED, STATE, Broken, NotApplicable, Script
from spcabench.dataset import Dataset
from spcabench.importing import resolve
from spcabench.specs import DatasetSpec, DataUnavailable

_SAME = """\
def same(a, b):
    A, B = (data.covariance if data.X is None else data.X for data in (a, b))
    return np.array_equal(A, B)"""

_AGREEMENTS = {
    "y": "data.y.shape == (n,)",
    "X_clean": "data.clean_rows is not None or len(data.X_clean) <= n",
    "clean_rows": "len(data.clean_rows) == len(data.X_clean) and set(data.clean_rows) <= set(range(n))",
    "y_test": "data.X_test is not None and data.y_test.shape == (len(data.X_test),)",
    "supports": "data.supports.ndim == 2 and data.supports.shape[1] == d and data.supports.dtype == bool",
    "image_shape": "np.prod(data.image_shape) == d",
    "feature_names": "len(data.feature_names) in (0, d)",
    "files": "all(file.is_file() for file in data.files)",
}
"""What must hold of each part of a data set that is there."""


class Draws(Script):
    """A script that draws from one data set, with its default parameters."""

    def __init__(self, spec: DatasetSpec) -> None:
        module, _, self._loader = spec.load.partition(":")
        header = ("import numpy as np", f"from {module} import {self._loader}")
        super().__init__({"np": np, self._loader: resolve(spec.load)}, header)
        self.spec = spec

    def draw(self, name: str, seed: int = 0) -> Dataset:
        """Draw into a name of the script.

        Raises
        ------
        NotApplicable
            If the data is unavailable here, which is no fault.
        """
        given = "".join(f", {key}={parameter.default!r}" for key, parameter in self.spec.parameters.items())
        try:
            self.run(f"{name} = {self._loader}(np.random.default_rng({seed}){given})")
        except Broken as broken:
            if isinstance(broken.__cause__, DataUnavailable):
                raise NotApplicable(f"the data is unavailable here: {broken.__cause__}") from broken
            raise
        drawn: Dataset = self.names[name]
        return drawn


def draw(draws: Draws) -> None:
    """Draw, and check the data as the host does.

    It returns a Dataset with finite samples or a finite covariance, or says that the data is unavailable.
    """
    draws.draw("data")
    draws.run("from spcabench.run.worker.draw import checked", "checked(data)")


def deterministic(draws: Draws) -> None:
    """Draw twice.

    The same seed leads to the same data, to the last bit.
    """
    draws.run(_SAME)
    draws.draw("a")
    draws.draw("b")
    draws.want("same(a, b)", "two draws with the same seed differ; draw from rng alone")


def seed(draws: Draws) -> None:
    """Draw with another seed.

    Another seed leads to other data, unless the specification says that nothing is random.
    """
    draws.run(_SAME)
    draws.draw("a")
    draws.draw("b", seed=1)
    if draws.spec.varies({name: parameter.default for name, parameter in draws.spec.parameters.items()}):
        draws.want("not same(a, b)", "two seeds lead to the same data; if nothing is random, set random=False")
    else:
        draws.want("same(a, b)", "two seeds lead to different data, although random=False is set")


def global_state(draws: Draws) -> None:
    """Compare the states of the global generators before and after a draw.

    It neither uses the global random generators nor changes their state.

    One draw comes before, as libraries that it imports may draw when they are imported.
    """
    draws.draw("data")
    draws.run(*SEEDED)
    draws.draw("data")
    draws.want(f"{STATE} == state", "it draws from a global random generator, or seeds it; draw from rng alone")


def facts(draws: Draws) -> None:
    """Look for facts that are not declared.

    It comes with no fact that the specification does not name.
    """
    declared = draws.spec.provides
    more = ", ".join(sorted(draws.draw("data").facts - declared))
    draws.want(f"data.facts <= {{*{sorted(declared)}}}", f"it comes with {more}, which provides does not name")


def provides(draws: Draws) -> None:
    """Look for declared facts that are not there.

    With its default parameters it comes with each fact that the specification names.
    """
    declared = draws.spec.provides
    less = ", ".join(sorted(declared - draws.draw("data").facts))
    draws.want(f"data.facts >= {{*{sorted(declared)}}}", f"provides names {less}, and it comes without")


def n_features(draws: Draws) -> None:
    """Count the features.

    It has as many features as the specification says.
    """
    declared = draws.spec.n_features
    if declared is None:
        raise NotApplicable("it declares no number of features")
    wanted = draws.spec.parameters[declared].default if isinstance(declared, str) else declared
    found = draws.draw("data").n_features
    draws.want(f"data.n_features == {wanted}", f"it has {found} features; n_features says {wanted}")


def agreement(draws: Draws) -> None:
    """Compare the shapes of all that comes with the samples.

    Labels, supports, clean and held-out samples, names and image shape fit the samples.
    """
    data = draws.draw("data")
    draws.run("n, d = (None if data.X is None else len(data.X)), data.n_features")
    for part, condition in _AGREEMENTS.items():
        if getattr(data, part) is not None:
            draws.want(condition, f"{part} does not fit the samples: {condition} is wanted")


def covariance(draws: Draws) -> None:
    """Look at the symmetry and the eigenvalues of a covariance.

    A covariance is symmetric and has no negative eigenvalue.
    """
    if draws.draw("data").covariance is None:
        raise NotApplicable("it has samples")
    draws.run("S = data.covariance")
    draws.want("S.shape[0] == S.shape[1] and np.allclose(S, S.T)", "its covariance is not symmetric")
    draws.want("np.linalg.eigvalsh(S)[0] >= -1e-8 * np.trace(S)", "its covariance has a negative eigenvalue")


_CHECKS = (draw, deterministic, seed, global_state, facts, provides, n_features, agreement, covariance)
DRAWN = {check.__name__: check for check in _CHECKS}
"""The checks of what is drawn, by their promises."""

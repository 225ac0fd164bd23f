"""The wrapped estimators of scikit-learn: their page and their limits."""

from __future__ import annotations

import numpy as np
import reference_power
from sklearn.decomposition import SparsePCA
from spcabench_methods import PCA
from spcabench_methods.specs import classic


def test_library_page_names_what_exists():
    specs = [spec for spec in classic.spcabench_methods() if spec.family == "library"]
    assert [spec.name for spec in specs] == ["sklearn_spca", "sklearn_minibatch"]
    for spec in specs:
        module, name = spec.estimator.split(":")
        defaults = getattr(__import__(module, fromlist=[name]), name)().get_params()
        for parameter, declared in spec.parameters.items():
            assert parameter in defaults
            assert declared.valid.accepts(declared.default)
            assert parameter == "n_components" or declared.default == defaults[parameter]
        assert spec.knob.parameter in spec.parameters


def test_library_limits():
    X = np.random.default_rng(0).standard_normal((20, 4)) * np.geomspace(3, 0.3, 4)
    A = X - X.mean(axis=0)
    peak = np.linalg.norm(A, axis=0).max()
    dense = SparsePCA(2, alpha=1e-4 * peak, method="cd", tol=1e-4, random_state=0).fit(X)
    assert abs(reference_power.cpev(X, dense.components_)[-1] - PCA(2).fit(X).cpev_[-1]) < 1e-3
    assert not SparsePCA(2, alpha=1.1 * peak, random_state=0).fit(X).components_.any()

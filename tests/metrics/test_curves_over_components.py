"""Metrics of the first m components are those of a fit with m components."""

import numpy as np
import pytest

from spcabench import Dataset, Evaluation, Fitted, Moments
from spcabench.metrics import reconstruction

STOPS = (1, 2, 4)


@pytest.fixture
def evaluated():
    """Evaluate the first m of five random loadings."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((30, 8)) * np.arange(1, 9) + 5.0
    W = rng.standard_normal((5, 8)) * (rng.random((5, 8)) < 0.5)
    W[:, 0] += 0.1
    W /= np.linalg.norm(W, axis=1, keepdims=True)

    def first(m):
        fitted = Fitted(components=W[:m], mean=X.mean(axis=0))
        return Evaluation(dataset=Dataset(X=X), fitted=fitted, moments=Moments(X=X, covariance=None))

    return first


@pytest.mark.parametrize("name", ["err", "err_raw", "err_ls", "rel_err"])
def test_an_error_of_the_first_m_components_is_that_of_a_fit_with_m(name, evaluated):
    metric = getattr(reconstruction, name)
    curve = metric(evaluated(5), m=STOPS)
    assert curve == pytest.approx({str(m): metric(evaluated(m))[str(m)] for m in STOPS})

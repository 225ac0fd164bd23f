"""Thresholded Oja: against a slow reference, in chunks, and on a stream larger than the memory that it takes."""

import numpy as np
import pytest
import reference_streaming as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import ThresholdedOja


def spiked(n=300, d=40, k=5, seed=0):
    rng = np.random.default_rng(seed)
    v = np.where(np.arange(d) < k, k**-0.5, 0.0)
    return rng.standard_normal((n, d)) + 2.0 * rng.standard_normal((n, 1)) * v


def start(d, seed=0):
    return np.random.RandomState(seed).standard_normal(d)


@pytest.mark.parametrize("k", [5, 12])
def test_reference_of_one_step(k):
    X = spiked() + 3.0
    found = ThresholdedOja(1, k, eigengap=4.0, random_state=0).fit(X).components_[0]
    assert_allclose(found, reference.oja(X, np.log(300) / (300 * 4.0), k, start(40)), atol=1e-10)


@pytest.mark.parametrize("seed", [0, 1])
def test_reference_of_six_steps(seed):
    X = spiked(seed=seed)
    found = ThresholdedOja(1, 5, random_state=0).fit(X).components_[0]
    assert_allclose(found, reference.best_of_six(X, 5, start(40)), atol=1e-10)


@pytest.mark.parametrize("params", [{}, {"n_total": 300}, {"n_total": 300, "eigengap": 4.0}, {"assume_centered": True}])
def test_chunks_of_any_size_lead_to_the_same(params):
    X = spiked()
    whole = ThresholdedOja(1, 5, random_state=0, **params).partial_fit(X)
    for size in (1, 7, 100):
        parts = ThresholdedOja(1, 5, random_state=0, **params)
        for i in range(0, len(X), size):
            parts.partial_fit(X[i : i + size])
        assert_array_equal(parts.components_, whole.components_)
        assert_array_equal(parts.mean_, whole.mean_)
        assert parts.n_samples_seen_ == 300


@pytest.mark.parametrize("params", [{}, {"eigengap": 4.0}])
def test_a_stream_of_centred_samples_is_a_fit(params):
    X = spiked()
    X -= X.mean(axis=0)
    X -= X.mean(axis=0)
    fitted = ThresholdedOja(1, 5, random_state=0, **params).fit(X)
    streamed = ThresholdedOja(1, 5, random_state=0, n_total=300, assume_centered=True, **params).partial_fit(X)
    assert_allclose(streamed.components_, fitted.components_, atol=1e-12)


def test_the_mean_of_a_stream_is_subtracted():
    X = spiked(n=2000) + 10.0
    X[:, 7] = 0.1
    found = ThresholdedOja(1, 5, random_state=0).partial_fit(X)
    assert_allclose(found.mean_, X.mean(axis=0), rtol=1e-12)
    assert_array_equal(np.flatnonzero(found.components_[0]), np.arange(5))
    assert not ThresholdedOja(1, 40, random_state=0).partial_fit(X).components_[0, 7]


def test_a_fit_ends_a_stream():
    X, other = spiked(), spiked(seed=1)
    again = ThresholdedOja(1, 5, random_state=0).partial_fit(other).fit(X).partial_fit(X)
    assert_array_equal(again.components_, ThresholdedOja(1, 5, random_state=0).partial_fit(X).components_)


def test_faults_of_a_stream_are_named():
    with pytest.raises(AttributeError, match="no attribute 'partial_fit'") as caught:
        ThresholdedOja().partial_fit(spiked())
    assert "n_components is 2; partial_fit is there with n_components=1" in str(caught.value.__cause__)
    with pytest.raises(ValueError, match="eigengap is given and n_total is not"):
        ThresholdedOja(1, eigengap=1.0).partial_fit(spiked())

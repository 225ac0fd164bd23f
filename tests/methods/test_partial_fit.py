"""Samples that arrive in blocks: the same loadings as from all of them at once, in memory that does not grow."""

import numpy as np
import pytest
import scipy.sparse as sp
from contract import every
from numpy.testing import assert_allclose, assert_array_equal
from peak_memory import memory
from sklearn.base import clone
from spcabench_methods import AMGPower, DiagonalThresholding, ThresholdedOja, TPower, VarProSPCA
from spcabench_methods.core import streamed


@pytest.fixture
def samples():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 8)) * np.arange(1, 9) + np.arange(8)
    X[:, 5] = 0.1
    return X


@every(lambda c: c.takes_covariance)
def test_blocks_add_up_to_the_fit_of_all(method, samples):
    whole, parts = method.new().fit(samples), method.new()
    for block in (samples[:7], samples[7:8], samples[8:]):
        assert parts.partial_fit(block) is parts
    assert parts.n_samples_seen_ == 60
    assert_allclose(parts.components_, whole.components_, atol=1e-8)
    assert_allclose(parts.mean_, whole.mean_, rtol=1e-13)
    assert parts.mean_[5] == 0.1
    assert_allclose(parts.explained_variance_, whole.explained_variance_, rtol=1e-9, atol=1e-12)
    assert_allclose(parts.cpev_, whole.cpev_, rtol=1e-9)


def test_levels_that_follow_from_the_number_of_samples_follow_from_all(samples):
    method = DiagonalThresholding(1, alpha=5.0)
    parts = clone(method).partial_fit(samples[:7]).partial_fit(samples[7:])
    assert_allclose(parts.components_, clone(method).fit(samples).components_, atol=1e-12)
    assert clone(method).set_params(n_samples=7).fit(samples).n_nonzero_ < parts.n_nonzero_


@pytest.mark.parametrize("apart", [0.0, 1e6])
def test_the_order_of_blocks_does_not_matter_and_means_far_from_zero_cost_no_digits(samples, apart):
    samples[:20] += apart  # blocks with means far apart
    samples += 2.0**30 if not apart else 0.0
    blocks = np.array_split(samples, 6)
    there, back = TPower(2, 3), TPower(2, 3)
    for block, other in zip(blocks, blocks[::-1], strict=True):
        there.partial_fit(block)
        back.partial_fit(other)
    exact = np.cov((samples - samples.mean(axis=0)).T, bias=True)
    for stream in (there, back):  # sums of squares would keep no digit: 2**60 eps = 256
        assert_allclose(stream._stream.S, exact, rtol=1e-12, atol=1e-6 + 1e-13 * np.abs(exact).max())
    assert_allclose(there.components_, back.components_, atol=1e-7)
    assert_allclose(there._stream.mean, samples.mean(axis=0), rtol=1e-14)


def test_sparse_blocks_and_single_precision(samples):
    samples[:, 4] = 0.0
    dense, mixed = TPower(2, 3).fit(samples), TPower(2, 3)
    mixed.partial_fit(sp.csr_array(samples[:30])).partial_fit(samples[30:])
    assert_allclose(mixed.components_, dense.components_, atol=1e-12)
    single = TPower(2, 3).partial_fit(samples[:30].astype(np.float32))
    assert single.components_.dtype == single.mean_.dtype == np.float32
    assert single.partial_fit(samples[30:]).components_.dtype == np.float64


def test_what_cannot_be_added_is_refused_and_changes_nothing(samples):
    stream = TPower(2, 3).partial_fit(samples[:30])
    W = stream.components_
    with pytest.raises(ValueError, match="X has 7 features, but TPower is expecting 8 features"):
        stream.partial_fit(samples[30:, :7])
    with pytest.raises(ValueError, match="NaN"):
        stream.partial_fit(np.where(samples == 0.1, np.nan, samples))
    stream.set_params(n_nonzero=0)
    with pytest.raises(ValueError, match=r"'n_nonzero' parameter of .* Got 0"):
        stream.partial_fit(samples[30:])
    assert stream.n_samples_seen_ == 30
    assert_array_equal(stream.components_, W)
    stream.set_params(n_nonzero=3)
    assert_allclose(stream.partial_fit(samples[30:]).components_, TPower(2, 3).fit(samples).components_, atol=1e-12)


def test_what_cannot_be_learnt_from_is_refused(samples, monkeypatch):
    for method, reason in (
        (TPower(covariance="precomputed"), "covariance is 'precomputed'"),
        (AMGPower(variance="l1"), "variance is 'l1'"),
        (VarProSPCA(variant="robust"), "variant is 'robust'"),
    ):
        assert not hasattr(method, "partial_fit")
        with pytest.raises(AttributeError) as caught:
            method.partial_fit(samples)
        assert str(caught.value.__cause__) == (
            f"{type(method).__name__}: {reason}; valid with partial_fit is another value"
        )
    with pytest.raises(ValueError, match="n_components is 9; valid is a whole number from 1 to n_features=8"):
        TPower(9).partial_fit(samples)
    with pytest.raises(ValueError, match="minimum of 2"):
        TPower().partial_fit(samples[:1])
    monkeypatch.setattr(streamed, "GRAM_LIMIT", 7)
    with pytest.raises(ValueError, match="X has 8 features; valid with partial_fit is at most 7"):
        TPower().partial_fit(samples)


def test_a_fit_forgets_the_samples_before_it(samples):
    stream = TPower(2, 3).partial_fit(samples).fit(samples[:30])
    assert not hasattr(stream, "n_samples_seen_")
    with pytest.warns(UserWarning, match="fit keeps no second moments to which partial_fit could add"):
        stream.partial_fit(samples[30:])
    assert stream.n_samples_seen_ == 30


@pytest.mark.parametrize(
    ("method", "d"),
    [(TPower(1, 10), 200), (ThresholdedOja(1, 10, random_state=0), 2000)],
    ids=["moments", "directions"],
)
def test_memory_does_not_grow_with_the_stream(method, d):
    rng, block = np.random.default_rng(0), np.empty((500, d))

    def stream(n_blocks):
        for _ in range(n_blocks):
            rng.standard_normal(out=block)
            block[:, :10] += 2.0 * rng.standard_normal((500, 1)) + 5.0
            method.partial_fit(block)

    stream(2)
    assert memory(lambda: stream(10))[1] < 4 * block.nbytes
    assert method.n_samples_seen_ == 6000
    assert_array_equal(np.flatnonzero(method.components_[0]), np.arange(10))

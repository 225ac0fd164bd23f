"""The shared pieces: truncations, signs, second moments in both forms, variances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array
from spcabench_methods import GPower
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.eigenvectors import ITERATIVE, leading_eigenvectors
from spcabench_methods.core.explained import adjusted_variances, orthonormal_basis, shares
from spcabench_methods.core.kernels import product
from spcabench_methods.core.moments import Data, Gram, OutOfCoreData, data_of, second_moments
from spcabench_methods.core.samples import centred_rows, column_means
from spcabench_methods.core.signs import first_largest, oriented, positive_peak
from spcabench_methods.power.ascent import penalised_ascent
from spcabench_methods.truncations import thresholds
from spcabench_methods.truncations.top_k import top_k

COPIES = 10
"""How often each eigenvalue is there: more often than an iteration from one start finds it."""


def test_signs_are_those_of_the_first_of_the_largest_entries_up_to_rounding():
    assert first_largest(np.array([0.5, 1.0 - 1e-15, 1.0])) == 1
    assert_array_equal(positive_peak(np.array([-1.0 + 1e-15, 1.0, 0.0])), [1.0 - 1e-15, -1.0, 0.0])
    rows = np.array([[-1.0 + 1e-15, 1.0, 0.0], [0.0, -3.0, 2.0], [0.5, 0.0, 0.25], [0.0, 0.0, 0.0]])
    expected = [positive_peak(row) for row in rows]
    assert_array_equal(oriented(rows), [2, 2, 2, 0])
    assert_array_equal(rows, expected)
    assert not np.signbit([rows[1, 0], *positive_peak(np.array([-1.0, 0.0]))]).any()


def test_gpower_needs_no_search_where_nothing_is_truncated():
    X = np.random.default_rng(0).standard_normal((20, 5)) * [1, 1, 1, 0, 1]
    gpower = GPower(2, 4).fit(X)
    assert gpower.n_fits_ == 2
    assert gpower.exact_cardinality_.all()
    assert gpower.calibrated_params_ == {"n_nonzero": [4, 4], "rho": [0.0, 0.0]}


@pytest.mark.parametrize("block", [9, 2**21])
@pytest.mark.parametrize("shape", [(3, 5), (600, 2), (2, 20_000)])
def test_means_and_centred_samples(shape, block, monkeypatch):
    for name in ("BLOCK", "CACHED"):
        monkeypatch.setattr(f"spcabench_methods.core.samples.{name}", block)
    X = np.random.default_rng(0).normal(3.0, size=shape)
    X[:, 1] = 0.1
    for samples in (X, np.asfortranarray(X)):
        mean = column_means(samples)
        centred, variances = centred_rows(samples, mean)
        assert_allclose(mean, X.mean(axis=0), rtol=1e-13)
        assert_array_equal(centred, X - mean)
        assert_allclose(variances, X.var(axis=0), rtol=1e-12, atol=1e-28)
        assert mean[1] == 0.1
        assert not centred[:, 1].any()


def test_nearly_dependent_columns_are_orthonormalised():
    W = np.random.default_rng(0).standard_normal((6, 3))
    W[:, 1] = W[:, 0] + 1e-8 * W[:, 1]
    W = np.column_stack([W, W[:, 0] - W[:, 2], np.zeros(6)]) / np.linalg.norm(W[:, 0])
    Q = orthonormal_basis(W)
    assert_allclose(Q.T @ Q, np.diag([1.0, 1.0, 1.0, 0.0, 0.0]), atol=1e-14)


def test_adjusted_variances_of_dependent_scores():
    Y = np.random.default_rng(0).standard_normal((9, 3))
    Y = np.column_stack([Y[:, 0], np.zeros(9), Y[:, 1], Y[:, 0] + Y[:, 1], Y[:, 2]])
    expected = np.zeros(5)
    expected[[0, 2, 4]] = np.diag(np.linalg.qr(Y[:, [0, 2, 4]])[1]) ** 2
    assert_allclose(adjusted_variances(Y.T @ Y), expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(8, 30), (600, 500)])
@pytest.mark.parametrize("scheme", ["deflate", "deflate_score"])
def test_eigenvectors_of_deflated_samples_are_those_of_their_matrix(shape, scheme):
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape) * np.linspace(1.0, 2.0, shape[1])
    X[:, 3] = 7.0
    mean = column_means(X)
    gram, data = Gram.of(X, mean), data_of(X, mean)
    for j in range(3):
        values, vectors = data.principal(1)
        expected, axes = gram.principal(1)
        assert_allclose(values, expected, rtol=1e-9)
        assert_allclose(np.abs(vectors.T @ axes), 1.0, rtol=1e-9)
        assert_array_equal(vectors[data.diagonal == 0.0], 0.0)
        w = np.eye(shape[1])[0] if j == 0 else unit(top_k(rng.standard_normal(shape[1]), 5))
        for moments in (gram, data):
            getattr(moments, scheme)(w)


@pytest.mark.parametrize("scheme", ["deflate", "deflate_score"])
def test_products_of_samples_are_formed_once_and_then_deflated(scheme, monkeypatch):
    rng = np.random.default_rng(0)
    data = Data(rng.standard_normal((5, 9)))
    data.principal(1)
    monkeypatch.setattr(data, "X", data.X.view(NoCrossProducts))
    for _ in range(2):
        getattr(data, scheme)(unit(rng.standard_normal(9)))
        values, _ = data.principal(1)
        Y = np.asarray(data.X) - data.T @ data.W.T
        assert_allclose(values, np.linalg.eigvalsh(Y @ Y.T / 5)[-1:], rtol=1e-12)


class NoCrossProducts(np.ndarray):
    """Samples that are not multiplied with each other."""

    def __matmul__(self, other):
        assert other.shape[-1] != len(self)
        return np.asarray(self) @ other


def test_no_copy_of_an_eigenvalue_is_missed():
    A = np.random.default_rng(0).standard_normal((60, 60))
    S = np.kron(np.eye(COPIES), A @ A.T)
    assert len(S) >= ITERATIVE
    expected = np.linalg.eigvalsh(S)[::-1]
    for r in (1, 5, 8, 12):
        values, vectors = leading_eigenvectors(S, r)
        assert_allclose(values, expected[:r], rtol=1e-9)
        assert_allclose(vectors.T @ vectors, np.eye(r), atol=1e-8)


@pytest.mark.parametrize("d", [1, 40, 450])
def test_leading_eigenvectors_of_any_order(d):
    A = np.random.default_rng(d).standard_normal((d, d))
    S = A @ A.T
    for r in {1, min(3, d), d}:
        values, vectors = leading_eigenvectors(S, r)
        assert_allclose(values, np.linalg.eigvalsh(S)[::-1][:r], rtol=1e-8, atol=1e-10 * d)
        assert_allclose(S @ vectors, vectors * values, atol=1e-8 * values[0])


@pytest.mark.parametrize("r", [1, 2, 4])
def test_captured_variances_are_those_in_an_orthonormal_basis(r):
    rng = np.random.default_rng(r)
    X, W = rng.standard_normal((30, 12)), rng.standard_normal((12, r))
    covariance = (X @ W).T @ (X @ W) / 30
    expected = ((X @ orthonormal_basis(W)) ** 2).sum(axis=0) / 30
    assert_allclose(shares(covariance, W.T @ W, 2.0)[2], expected.cumsum() / 2.0, rtol=1e-12)
    close = np.column_stack([W, W[:, 0] + 1e-3 * rng.standard_normal(12)])
    for dependent in (close, np.column_stack([W, np.zeros(12)]), np.zeros((12, 1))):
        m = dependent.shape[1]
        assert not len(shares(np.eye(m), dependent.T @ dependent, 1.0)[2])


@pytest.mark.parametrize("r", [1, 5])
def test_products_by_columns_and_at_once_are_the_same(r):
    X = np.random.default_rng(0).standard_normal((300, 200))
    for share in (0.05, 0.1, 0.2, 1.0):
        W = np.zeros((200, r))
        W[: int(200 * share)] = np.random.default_rng(1).standard_normal((int(200 * share), r))
        assert_allclose(Data(X).scores(W), X @ W, atol=1e-12)
        assert_allclose(Data(X).backwards(X @ W), X.T @ (X @ W) / 300, atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "density", "form"),
    [
        ((300, 290), 1.0, Gram),
        ((290, 300), 1.0, Data),
        ((3000, 300), 0.2, Gram),
        ((3000, 300), 0.05, OutOfCoreData),
    ],
)
def test_the_matrix_is_formed_if_it_has_no_more_numbers_than_the_samples(shape, density, form):
    X = np.zeros(shape)
    X[:, : int(density * shape[1])] = 1.0
    X = X if density == 1.0 else csc_array(X)
    assert type(second_moments(X, column_means(X))) is form
    assert type(second_moments(X, column_means(X), gram_ratio=np.inf)) is Gram


def test_samples_of_features_that_deflation_empties_are_exactly_zero():
    score = np.random.default_rng(0).standard_normal(9)
    rest = Data(np.column_stack([score, score, np.arange(9.0) - 4.0]))
    rest.deflate(np.array([0.5**0.5, 0.5**0.5, 0.0]))
    assert not rest.X[:, :2].any()
    assert rest.X[:, 2].any()


@pytest.mark.parametrize("share", [0.1, 0.3, 1.0])
def test_compiled_products_of_few_and_of_many_nonzeros(share):
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((7, 30)), rng.standard_normal(30) * (np.arange(30) < 30 * share)
    assert_allclose(product(X, False, w), X.T @ (X @ w) / 7)
    assert_allclose(product(X.T @ X, True, w), X.T @ (X @ w))


@pytest.mark.parametrize("d", [8, 200])
def test_features_that_cannot_enter_are_left_out(d):
    """Of many features, also of the products."""
    X = np.random.default_rng(0).standard_normal((50, d)) * np.where(np.arange(d) >= d - 3, 2.0, 0.3)
    X[:, 3] += 0.2 * X[:, -1]
    S, penalty = X.T @ X / 50, thresholds()["l1"]
    start = unit(np.where(np.arange(d) == 3, 3.0, 0.1 * (np.arange(d) == d - 2)))
    among = penalised_ascent(Gram(S), penalty, 0.6, start, 1e-6, 100)
    alone = penalised_ascent(Gram(S[-3:, -3:]), penalty, 0.6, start[-3:], 1e-6, 100)
    assert_allclose(among.loading[-3:], alone.loading)
    assert not among.loading[:-3].any()

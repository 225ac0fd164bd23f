"""What the default starts and exchanges find: proved optima, whatever the order of the features."""

from itertools import combinations

import numpy as np
import pytest
import spcabench_methods as library
from numpy.testing import assert_allclose, assert_array_equal
from reference_greedy import variance
from sklearn.base import clone
from sklearn.datasets import load_wine
from spcabench_methods.core.arrays import TIE
from spcabench_methods.core.default_starts import foremost, peak, promising, row_sums
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.greedy.leading_pair import LeadingPair, others
from spcabench_methods.greedy.polish import cheaply, exchange_bounds, exchanged, swapped

GIVEN = {"covariance": "precomputed"}
DEFAULTS = [
    library.TPower(1, **GIVEN),
    library.GPower(1, **GIVEN),
    library.GPower(1, penalty="l0", **GIVEN),
    library.PathSPCA(1, **GIVEN),
    library.GSPCA(1, direction="forward", **GIVEN),
    library.Splicing(1, **GIVEN),
]
methods = pytest.mark.parametrize("method", DEFAULTS, ids=repr)


@pytest.fixture(scope="module")
def wine():
    return np.corrcoef(load_wine().data.T)


def drawn(seed, d=12, n=30):
    X = np.random.default_rng(seed).standard_normal((n, d)) @ np.random.default_rng(seed + 100).standard_normal((d, d))
    return np.corrcoef(X.T)


@methods
@pytest.mark.parametrize("k", [4, 8])
def test_wine(method, wine, k):
    optimum = library.ExactSPCA(1, k, **GIVEN).fit(wine).objective_[0]
    for S in (wine, wine[::-1, ::-1]):
        fitted = method.set_params(n_nonzero=k).fit(S)
        w = fitted.components_[0]
        assert fitted.n_nonzero_[0] == k
        assert_allclose(w @ S @ w, optimum, rtol=1e-6)


# The starts


def test_the_sums_of_the_largest_entries_are_those_of_each_row():
    S, k = drawn(0), 4
    for i, row in enumerate(np.abs(S)):
        assert_allclose(row_sums(S, k)[i], S[i, i] + np.sort(np.delete(row, i))[-k + 1 :].sum())


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("method", [*DEFAULTS[:4], DEFAULTS[5], library.RSVD(1, penalty="l0", **GIVEN)], ids=repr)
def test_features_alone_with_large_variances_hide_no_direction(method, reverse):
    d, k = 200, 10
    v = np.zeros(d)
    v[:k] = k**-0.5
    S = np.outer(v, v)
    S[range(k, 20), range(k, 20)] = 0.9
    if reverse:
        S = S[::-1, ::-1]
    assert_allclose(clone(method).set_params(n_nonzero=k).fit(S).explained_variance_[0], 1.0)


def test_ties_are_decided_by_the_variance_and_then_by_the_leading_eigenvector():
    S = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.6], [0.0, 0.6, 1.0]])
    assert peak(Gram(S), S.diagonal() * [1.0, 1.0 - TIE / 2, 1.0]) == 1
    S[2, 2] = 1.1
    assert peak(Gram(S), np.ones(3)) == 2


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 2, 0, 3, 1]])
def test_the_foremost_features_of_those_that_tie_have_the_largest_entries_of_the_leading_eigenvector(order):
    S = np.diag([2.0, 1.0, 1.0 + TIE / 2, 1.0, 0.0])
    S[1, 3] = S[3, 1] = 0.9
    S[2, 3] = S[3, 2] = 0.2
    S[0, 3] = S[3, 0] = 0.5
    found = [set(np.array(order)[foremost(Gram(S[np.ix_(order, order)]), k)]) for k in (1, 2, 3, 4, 5)]
    assert found == [{0}, {0, 3}, {0, 1, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}]


# The exchanges


def test_the_bound_of_an_exchange_is_the_best_in_its_two_dimensions():
    S = drawn(1, d=7)
    found = LeadingPair.on(Gram(S), np.array([0, 2, 5]))
    outside = others(Gram(S), found.support)
    bounds = exchange_bounds(S, found, outside)
    for j, i in np.ndindex(bounds.shape):
        w = found.loading(7)
        w[found.support[j]] = 0.0
        basis = np.column_stack([w / np.linalg.norm(w), np.eye(7)[outside[i]]])
        assert_allclose(bounds[j, i], np.linalg.eigvalsh(basis.T @ S @ basis)[-1])
    alone = LeadingPair.on(Gram(S), np.array([3]))
    assert_allclose(exchange_bounds(S, alone, others(Gram(S), alone.support)), 1.0)


@pytest.mark.parametrize("form", [Gram, Data])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_which_exchanges_explain_more_is_known_beforehand(form, k):
    X = np.random.default_rng(k).standard_normal((9, 8))
    X -= X.mean(axis=0)
    S = X.T @ X / len(X)
    moments = Data(X) if form is Data else Gram(S)
    found = LeadingPair.on(moments, np.sort(np.argsort(S.diagonal())[1 : k + 1]))
    outside = others(moments, found.support)
    known = exchanged(moments.columns(found.support).T.copy(), moments.diagonal, outside, *found) > found.variance
    for j, i in np.ndindex(known.shape):
        after = np.append(np.delete(found.support, j), outside[i])
        assert known[j, i] == (variance(S, after) > found.variance)
    assert known.any()
    assert not known.all()


@pytest.mark.parametrize("S", [np.diag([2.0, 2.0, 1.0, 3.0]), np.diag([2.0, 1.0, 1.0, 3.0])], ids=["tied", "no weight"])
def test_an_exchange_is_tried_where_nothing_is_known_beforehand(S):
    found = swapped(Gram(S), LeadingPair(np.array([0, 1]), np.array([1.0, 0.0]), 2.0))
    assert found.variance == 3.0


@pytest.mark.parametrize("form", [Gram, Data])
@pytest.mark.parametrize("k", [1, 3, 20])
def test_no_start_is_made_worse_and_few_nonzeros_end_where_no_exchange_betters(form, k):
    X = np.random.default_rng(k).standard_normal((15, 60))
    X -= X.mean(axis=0)
    S = X.T @ X / len(X)
    moments = Data(X) if form is Data else Gram(S)
    start = LeadingPair.on(moments, np.arange(k))
    found = cheaply(moments, start)
    assert len(found.support) == k
    assert_allclose(found.variance, variance(S, found.support))
    assert found.variance > 1.1 * start.variance
    if k == 3:
        pull = np.abs(S @ found.loading(60))
        promising = [i for i in np.argsort(-pull) if i not in found.support][:32]
        for support in combinations(found.support, k - 1):
            assert max(variance(S, [*support, i]) for i in promising) <= found.variance * (1 + 1e-9)


@pytest.mark.parametrize(
    "method",
    [
        library.COPPCA(1, 5, **GIVEN),
        library.EMPCA(1, 5, random_state=0, **GIVEN),
        library.RSVDGP(1, 5, truncation="l1", **GIVEN),
        library.AMGPower(1, 5, sparsity="l1", random_state=0, **GIVEN),
    ],
    ids=repr,
)
@pytest.mark.parametrize("polish", [None, True])
def test_a_parameter_lets_methods_exchange_features(method, polish, wine):
    optimum = library.ExactSPCA(1, 5, **GIVEN).fit(wine).objective_[0]
    plain, better = (clone(method).set_params(polish=value).fit(wine).components_[0] for value in (False, polish))
    assert plain @ wine @ plain < 0.9995 * optimum
    assert_allclose(better @ wine @ better, optimum)


@pytest.mark.parametrize("given", [{"n_nonzero": 3}, {"l1": 0.5}], ids=["nonzeros", "penalty"])
def test_several_blocks_of_starts_are_as_good_as_the_leading_eigenvectors(given, wine):
    one, more = (library.SPCA(3, init=init, **given, **GIVEN).fit(wine) for init in ("pca", "several"))
    if "l1" in given:
        assert more.objective_.sum() <= one.objective_.sum()
    else:
        assert more.cpev_[-1] > 1.05 * one.cpev_[-1]


# The loadings of any method


@pytest.mark.parametrize(
    "method", [library.SPCArt(2, n_nonzero=4, truncation="sp", **GIVEN), library.SPCA(2, 4, **GIVEN)], ids=repr
)
def test_exchanges_better_the_loadings_of_any_method(method, wine):
    fitted = method.fit(wine)
    better = library.polish(wine, fitted.components_)
    assert_array_equal(np.count_nonzero(better, axis=1), fitted.n_nonzero_)
    assert_allclose(better[0] @ wine @ better[0], library.ExactSPCA(1, 4, **GIVEN).fit(wine).objective_[0])
    assert better[0] @ wine @ better[0] > 1.001 * fitted.components_[0] @ wine @ fitted.components_[0]


def test_exchanges_leave_zeros_and_what_does_not_vary():
    X = np.random.default_rng(0).standard_normal((30, 6))
    X[:, 5] = 1.0
    found = library.polish(X, [[1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], library.PCAL1(1).fit(X).components_[0]])
    assert_array_equal(np.count_nonzero(found, axis=1), [1, 0, 4])  # the first loading has taken its feature
    assert np.argmax(X.var(axis=0)) == found[0].argmax()


def test_what_cannot_be_polished():
    for components in (np.ones((1, 3)), np.full((1, 4), np.nan)):
        with pytest.raises(ValueError, match=r"components have shape \(1, .\); valid is a finite matrix of 4 columns"):
            library.polish(np.eye(4), components)
    with pytest.raises(ValueError, match="deflation is 'hotelling'; valid is one of projection, schur, gsd"):
        library.polish(np.eye(4), np.ones((1, 4)), deflation="hotelling")


@pytest.mark.parametrize(("d", "k", "compared"), [(40, 30, 40), (100, 10, 100), (100, 30, 0), (900, 200, 0)])
def test_rows_are_compared_where_there_is_much_to_choose_among(d, k, compared):
    X = np.random.default_rng(0).standard_normal((50, d))
    S = X.T @ X / 50
    assert len(promising(Gram(S), np.linalg.eigh(S)[1][:, -1], k)) == compared

"""COP-PCA against the step-by-step reference, and the laws of its path."""

import warnings

import numpy as np
import pytest
import reference_path as reference
from drawn import covariance, decaying
from numpy.testing import assert_allclose, assert_array_equal
from peak_memory import memory
from spcabench_methods import COPPCA, PCA
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.core.starts import pca
from spcabench_methods.path.cop import pairwise_path
from spcabench_methods.path.pair_steps import REFRESH, follow

pytestmark = pytest.mark.filterwarnings("ignore:n_steps is")


def path_of(moments, n_steps, m, stop=1, amended=False):
    return pairwise_path(moments, pca(moments, 1), stop, n_steps, m or moments.n_features, amended)


def whole(S, n_steps=300, m=None, stop=1, amended=False):
    return path_of(Gram(S), n_steps, m, stop, amended)


@pytest.mark.parametrize("m", [None, 1, 4])
@pytest.mark.parametrize("amended", [False, True])
def test_reference(m, amended):
    for seed in range(3):
        S = covariance(seed, 12, 40)
        iterates, steps = reference.pairwise_path(S, 200, m=m, amended=amended)
        path = whole(S, 200, m, amended=amended)
        assert_array_equal(path.pairs, [step[:2] for step in steps])
        sign = np.sign(path.start @ iterates[0])
        assert_allclose([path.iterate(t) for t in range(path.n_steps + 1)], sign * np.array(iterates), atol=1e-10)
        assert_allclose(path.lengths, [step[3] for step in steps], atol=1e-11)


def test_reference_of_the_estimator():
    X = decaying(3, 50, 14)
    S = np.cov(X.T, bias=True)
    cop = COPPCA(3, [5, 3, 4], n_steps=300, n_candidates=None).fit(X)
    for w, k in zip(cop.components_, [5, 3, 4], strict=True):
        expected = reference.refitted(S, reference.first_of_cardinality(reference.pairwise_path(S, 300, k)[0], k))
        assert_allclose(w, expected, atol=1e-9)
        P = np.eye(14) - np.outer(w, w)
        S = P @ S @ P


@pytest.mark.parametrize("m", [1, 4])
def test_equal_magnitudes_may_trade_either_way(m):
    S = np.diag([1.0, 3.0, 2.0, 0.5]) + 0.1
    start = np.array([0.5, 0.5, -0.5, 0.5])
    order = np.array([1, 3, 0, 2])
    pairs, lengths, *_ = follow(S, True, np.diag(S).copy(), start, order, 0.01, m, 1, False, 1)
    if m == 4:
        assert_array_equal(pairs, [reference.best_pair(S, start, 0.01, None, False)[:2]])
    assert {*pairs[0]} <= {*order[-m:], *order[:m]}
    assert_allclose(lengths, np.sqrt(0.005))


def test_sums_that_are_made_afresh_do_not_drift():
    S = covariance(1, 20, 60)
    path = whole(S, 20 * REFRESH, 10)
    w = path.iterate(path.first_step(3))
    assert_allclose(path.V[path.first_step(3)], w @ S @ w, rtol=1e-11)


@pytest.mark.parametrize(("d", "m"), [(40, 10), (40, None), (150, 10)])
def test_data_form_takes_the_same_path(d, m):
    X = decaying(2, 12, d)
    X -= X.mean(axis=0)
    gram, data = whole(X.T @ X / 12, 10 * d, m), path_of(Data(X), 10 * d, m)
    assert_array_equal(gram.pairs, data.pairs)
    assert_allclose(gram.lengths, data.lengths, atol=1e-12)
    assert_allclose(gram.V, data.V, rtol=1e-11)


def test_stopping_gives_the_same_loadings(X):
    stopped, followed = COPPCA(3, 4, whole_path=False).fit(X), COPPCA(3, 4).fit(X)
    assert_array_equal(stopped.components_, followed.components_)
    for short, long in zip(stopped.path_, followed.path_, strict=True):
        assert (short.nnz[-1], long.nnz[-1]) == (4, 1)
        assert_array_equal(short.pairs, long.pairs[: short.n_steps])
    for wrong in (3, 4.5, "a", None, True):
        with pytest.raises(ValueError, match=f"^k is {wrong!r}; valid is a whole number from 4"):
            stopped.path_[0].at_cardinality(wrong)


def test_loadings_of_a_path(X):
    path = COPPCA(1, 1).fit(X).path_[0]
    assert_allclose(path.at_step(0), PCA(1).fit(X).components_[0], atol=1e-10)
    for k in (1, 2, 5, X.shape[1]):
        w = path.at_cardinality(k)
        assert np.count_nonzero(w) == k
        assert_allclose(np.linalg.norm(w), 1.0)
        A = X - X.mean(axis=0)
        assert_allclose(np.linalg.norm(A @ w) ** 2 / len(A), path.variance[path.first_step(k)], rtol=1e-9)
    for bound in (1.0, 1.3, 2.0, 100.0):
        w = path.at_l1(bound)
        assert np.abs(w).sum() <= bound + 1e-9
    assert np.abs(path.at_l1(1.3)).sum() > 1.2
    for wrong in (-1, path.n_steps + 1, 2.5, "a"):
        with pytest.raises(ValueError, match=f"^t is {wrong!r}; valid is a whole number from 0 to {path.n_steps}$"):
            path.at_step(wrong)
    assert_array_equal(path.at_step(np.int32(3)), path.at_step(3))
    assert_array_equal(path.at_cardinality(np.int32(3)), path.at_cardinality(3))
    with pytest.raises(ValueError, match=r"the l1 bound is 0\.9; valid on this path is a number from 1"):
        path.at_l1(0.9)


def test_plot(X):
    pytest.importorskip("altair")
    path = COPPCA(1, 1).fit(X).path_[0]
    names = [f"gene {i}" for i in range(X.shape[1])]
    drawn = path.plot(names, n_features=5).to_dict()
    (rows,) = drawn["datasets"].values()
    assert {row["feature"] for row in rows} == {names[i] for i in np.flatnonzero(path.at_cardinality(5))}
    assert rows[0]["l1 norm"] == pytest.approx(path.l1[0])
    assert rows[-1]["nonzeros"] == 1
    assert path.plot().to_dict()
    assert path.plot(np.array(names)).to_dict()
    for wrong in (["a", "b"], [*names, "one too many"], "ab", 3):
        with pytest.raises(
            ValueError, match=f"feature_names has .* names; valid is one for each of {len(names)} features$"
        ):
            path.plot(wrong)


@pytest.mark.filterwarnings("ignore:component")
def test_paths_of_awkward_data():
    x = np.random.default_rng(0).standard_normal((20, 1))
    cop = COPPCA(3, 4).fit(x @ np.array([[3.0, 2.0, 1.0, 0.5]]))
    assert cop.path_[1:] == [None, None], "there is nothing past the rank"
    assert cop.path_[0].nnz[0] == 4
    assert not cop.components_[1:].any()
    alone = COPPCA(1, 1, covariance="precomputed").fit(np.diag([3.0, 2.0, 1.0]))
    assert alone.path_[0].n_steps == 0
    assert_array_equal(alone.components_, [[1.0, 0.0, 0.0]])
    assert COPPCA(1, 1).fit([[1.0], [2.0], [4.0]]).components_ == [[1.0]]


def test_coarse_steps_are_said():
    X = decaying(0, 30, 12)
    with pytest.warns(UserWarning, match="n_steps is 119, coarse for 12 features; 120 or more"):
        COPPCA(1, n_steps=119).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        COPPCA(1, n_steps=120).fit(X)


def test_a_path_of_many_more_features_than_samples_forms_no_matrix_of_them():
    X = decaying(0, 100, 400)
    COPPCA(1, 5).fit(X)
    assert memory(lambda: COPPCA(1, 5).fit(X))[1] < 400 * 400 * X.itemsize

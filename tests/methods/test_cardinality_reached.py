"""When a cardinality counts as reached, what is said of those that are not, and what a later fit says of it."""

import warnings
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array
from sklearn.base import clone
from spcabench_methods import (
    DCPCA,
    DSPCA,
    EMPCA,
    PMD,
    RSVDGP,
    AMGPower,
    GPower,
    JointSPCA,
    MultiExactSPCA,
    OrthogonalSPCA,
    SCoTLASS,
    SPCAGrid,
)
from spcabench_methods.core.centred_sparse import CentredSparse
from spcabench_methods.core.deflation import SCHEMES
from spcabench_methods.core.moments import Data, Gram, OutOfCoreData

COUNTING = [
    AMGPower(form="penalised", random_state=0),
    AMGPower(sparsity="l1", random_state=0),
    *(kind() for kind in (DCPCA, DSPCA, GPower, OrthogonalSPCA, PMD, RSVDGP, SCoTLASS, SPCAGrid)),
    *(RSVDGP(truncation=truncation) for truncation in ("l1", "en")),
    GPower(penalty="l0"),
    EMPCA(random_state=0),
]


@pytest.fixture
def samples():
    return np.random.default_rng(2).standard_normal((40, 8))


@pytest.mark.parametrize("method", COUNTING, ids=repr)
def test_all_that_vary_and_one_are_reached_and_more_are_missed_and_said(method, samples):
    samples[:, [2, 5]] = 3.7
    method = clone(method).set_params(n_components=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for wanted, found in ((1, 1), (6, 6), (8, 6), (1000, 6)):
            fitted = method.set_params(n_nonzero=wanted).fit(samples)
            assert_array_equal(fitted.n_nonzero_, [found])
            assert_array_equal(fitted.exact_cardinality_, [True])
    with pytest.warns(UserWarning, match="the requested cardinality was not reached; component 1: 6 for 7"):
        assert_array_equal(method.set_params(n_nonzero=7).fit(samples).exact_cardinality_, [False])


@pytest.mark.parametrize(
    ("method", "found"),
    [(EMPCA(1, 11, nonnegative=True, random_state=0), 10), (OrthogonalSPCA(2, [13, 5], disjoint=True), 3)],
    ids=repr,
)
def test_direct_methods_say_where_they_fall_short(method, found):
    X = np.random.default_rng(1).standard_normal((60, 16))
    wanted = np.broadcast_to(method.n_nonzero, method.n_components)
    with pytest.warns(
        UserWarning, match=f"the requested cardinality was not reached; component .: {found} for {wanted[-1]}"
    ):
        fitted = clone(method).fit(X)
    assert_array_equal(fitted.exact_cardinality_, fitted.n_nonzero_ == wanted)
    assert fitted.n_nonzero_[-1] == found


# Features that deflation empties


def test_rounding_errors_are_no_nonzeros(samples):
    samples[:, 1], samples[:, 7] = samples[:, 0], -samples[:, 6]
    with pytest.warns(UserWarning, match="not reached"):
        fitted = RSVDGP(8, 2).fit(samples)
    magnitudes = np.abs(fitted.components_)
    assert magnitudes[magnitudes > 0.0].min() > 1e-3
    assert_array_equal(fitted.exact_cardinality_, fitted.n_nonzero_ == 2)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("form", [Gram, Data, OutOfCoreData])
@pytest.mark.parametrize("m", [2, 3, 40])
def test_emptied_features_are_zero(scheme, form, m):
    random = np.random.default_rng(m)
    X = random.standard_normal((50, m + 3))
    X[:, :m] = X[:, :1] * random.choice([-1.0, 1.0], m) * 10.0 ** random.uniform(-3, 3, m)
    X -= X.mean(axis=0)
    matrix = {
        Gram: lambda: X.T @ X / 50,
        Data: lambda: X,
        OutOfCoreData: lambda: CentredSparse.of(csc_array(X), np.zeros(m + 3)),
    }
    moments = form(matrix[form]()).copy()
    emptied = np.arange(m)
    SCHEMES[scheme](moments)(moments.leading(emptied))
    assert_array_equal(moments.diagonal > 0.0, np.arange(m + 3) >= m)
    assert not moments.columns(emptied).any()
    assert not moments.matvec(random.standard_normal(m + 3))[emptied].any()
    if form is not Gram:
        assert not moments.samples(emptied).any()
        assert not moments.mean_magnitudes()[emptied].any()


def test_features_that_keep_a_trace_of_their_variance_are_kept():
    x, y = np.linalg.qr(np.random.default_rng(0).standard_normal((50, 2)))[0].T
    X = np.column_stack([x, x + 1e-6 * y])
    for moments in (Gram(X.T @ X), Data(X)):
        rest = moments.copy()
        rest.deflate(rest.leading(np.arange(2)))
        assert_allclose(rest.diagonal * (50 if isinstance(rest, Data) else 1), 0.25e-12, rtol=1e-2)


# The bracket of the search


@pytest.mark.parametrize(
    "method", [PMD(3, 4), SCoTLASS(3, 4), AMGPower(3, 4, sparsity="l1", init="max_variance")], ids=repr
)
def test_constant_columns_change_nothing(method, samples):
    method = clone(method).set_params(deflation="schur", tol=1e-14, max_iter=10_000)
    alone = clone(method).fit(samples)
    padded = clone(method).fit(np.column_stack([samples, np.zeros(40), np.full(40, 3.7)]))
    assert_allclose(padded.components_[:, :8], alone.components_, atol=1e-12)
    assert padded.n_fits_ == alone.n_fits_
    assert padded.calibrated_params_ == alone.calibrated_params_


@pytest.mark.parametrize("cls", [JointSPCA, MultiExactSPCA, partial(OrthogonalSPCA, disjoint=True, random_state=0)])
def test_more_nonzeros_than_features_are_all(cls):
    S = np.cov(np.random.default_rng(0).standard_normal((30, 6)), rowvar=False)
    most, all_of_them = (cls(2, [3, k], covariance="precomputed").fit(S) for k in (50, 6))
    np.testing.assert_array_equal(most.components_, all_of_them.components_)

"""What every method promises as an estimator, on ordinary and on awkward data."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest
import spcabench_methods
import spcabench_methods.alternating as alternating
import spcabench_methods.block as block
import spcabench_methods.classic as classic
import spcabench_methods.greedy as greedy
import spcabench_methods.joint as joint
import spcabench_methods.path as path
import spcabench_methods.penalised as penalised
import spcabench_methods.power as power
import spcabench_methods.relaxation as relaxation
import spcabench_methods.robust as robust
import spcabench_methods.rotation as rotation
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from spcabench_methods import (
    ALSPCA,
    COPPCA,
    DCPCA,
    DSPCA,
    EMPCA,
    GSPCA,
    ITSPCA,
    PCA,
    PMD,
    RSVD,
    RSVDGP,
    RSVDGPB,
    SPCA,
    AMGPower,
    ExactSPCA,
    FirstOrderDSPCA,
    GeoSPCA,
    GPower,
    GPowerBlock,
    LeastSquaresSPCA,
    OrthogonalSPCA,
    PathSPCA,
    Rotation,
    SCoTLASS,
    SimpleThresholding,
    SPCArt,
    Splicing,
    TPower,
    VarProSPCA,
)

METHODS = [
    PCA(),
    SimpleThresholding(),
    SimpleThresholding(n_nonzero=2),
    TPower(),
    TPower(init="pca"),
    TPower(init="decreasing", deflation="schur"),
    GPower(),
    GPower(penalty="l0"),
    GPower(n_nonzero=2),
    GPower(n_nonzero=2, penalty="l0"),
    RSVD(),
    RSVD(penalty="l0"),
    RSVD(penalty="scad"),
    RSVD(lam=0.1),
    RSVDGP(),
    RSVDGP(n_nonzero=2, truncation="l1"),
    RSVDGP(n_nonzero=2, truncation="sp", init="pca"),
    RSVDGP(truncation="en"),
    RSVDGPB(),
    RSVDGPB(truncation="l1"),
    RSVDGPB(truncation="sp"),
    RSVDGPB(truncation="en"),
    GPowerBlock(),
    GPowerBlock(penalty="l0", init="random", random_state=0),
    ITSPCA(gamma=0.1, n_samples=30),
    Rotation(n_nonzero=3),
    Rotation(criterion="quartimax", scaled=True),
    SPCArt(),
    SPCArt(truncation="l1"),
    SPCArt(truncation="sp"),
    SPCArt(truncation="en"),
    COPPCA(),
    COPPCA(n_candidates=None, refit=False),
    PathSPCA(),
    PathSPCA(search="full", polish=True),
    GSPCA(),
    GSPCA(deflation="gsd"),
    ExactSPCA(max_iter=300),
    Splicing(n_nonzero=4, init="top_variance"),
    LeastSquaresSPCA(),
    LeastSquaresSPCA(variant="correlated", search="variance"),
    LeastSquaresSPCA(variant="projection", n_nonzero=4),
    SCoTLASS(),
    SCoTLASS(bound=1.5, orth="exact"),
    SPCA(),
    SPCA(l1=0.5),
    SPCA(ridge="inf"),
    PMD(),
    PMD(bound=1.5, deflation="schur"),
    DCPCA(),
    EMPCA(random_state=0),
    EMPCA(nonnegative=True, n_init=1, random_state=0),
    EMPCA(deflation="schur", n_init=0, random_state=0),
    ALSPCA(),
    ALSPCA(max_correlation=0.1),
    DSPCA(),
    DSPCA(lam=0.5),
    FirstOrderDSPCA(tol=0.02, max_iter=21),
    AMGPower(random_state=0),
    AMGPower(sparsity="l1", random_state=0),
    AMGPower(form="penalised", rho=0.2, random_state=0),
    AMGPower(sparsity="l1", form="penalised", refit=True, random_state=0),
    VarProSPCA(alpha=0.01),
    VarProSPCA(alpha=0.001, penalty="l0"),
    VarProSPCA(alpha=0.01, variant="random", random_state=0),
    OrthogonalSPCA(max_iter=20, random_state=0),
    OrthogonalSPCA(disjoint=True, random_state=0),
    GeoSPCA(max_iter=2),
]
every = pytest.mark.parametrize("method", METHODS, ids=repr)


@pytest.fixture
def samples():
    return np.random.default_rng(0).standard_normal((30, 8)) * np.arange(1, 9)


@parametrize_with_checks([clone(m) for m in METHODS])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@parametrize_with_checks([clone(m).set_params(covariance="precomputed") for m in METHODS])
def test_scikit_learn_contract_on_a_covariance(estimator, check):
    check(estimator)


@every
def test_pickle_and_round_trip(method, samples):
    fitted = clone(method).fit(samples)
    again = pickle.loads(pickle.dumps(fitted))
    scores = again.transform(samples)
    assert_array_equal(scores, fitted.transform(samples))
    assert_allclose(scores, (samples - samples.mean(axis=0)) @ fitted.components_.T)
    assert_allclose(again.inverse_transform(scores), scores @ fitted.components_ + fitted.mean_)
    assert len(again.get_feature_names_out()) == 2


@every
def test_layout_and_precision_of_the_data(method, samples):
    W = clone(method).fit(samples).components_
    assert_array_equal(clone(method).fit(np.asfortranarray(samples)).components_, W)
    frozen = samples.copy()
    frozen.flags.writeable = False
    assert_array_equal(clone(method).fit(frozen).components_, W)
    single = clone(method).fit(samples.astype(np.float32))
    assert single.components_.dtype == single.transform(samples.astype(np.float32)).dtype == np.float32
    assert_allclose(single.components_, W, atol=1e-4)
    whole = np.rint(10 * samples).astype(int)
    assert_array_equal(clone(method).fit(whole).components_, clone(method).fit(whole.astype(float)).components_)


@every
def test_the_data_is_not_written_to(method, samples):
    before = samples.copy()
    clone(method).fit(samples)
    S = np.cov(samples.T, bias=True)
    S_before = S.copy()
    clone(method).set_params(covariance="precomputed").fit(S)
    assert_array_equal(samples, before)
    assert_array_equal(S, S_before)


@every
def test_deterministic_and_signed(method, samples):
    W = clone(method).fit(samples).components_
    assert_array_equal(clone(method).fit(samples).components_, W)
    assert np.all(W[np.arange(2), np.abs(W).argmax(axis=1)] > 0)


@every
def test_constant_columns_get_exact_zeros(method, samples):
    samples[:, 2] = 0.1
    samples[:, 5] = 1e6 + 0.3
    assert not clone(method).fit(samples).components_[:, [2, 5]].any()


@every
def test_duplicate_columns(method, samples):
    samples[:, 7] = samples[:, 6]
    fitted = clone(method).fit(samples)
    assert_allclose(np.linalg.norm(fitted.components_, axis=1), 1.0)


@every
@pytest.mark.parametrize("covariance", [None, "precomputed"])
def test_zero_matrix(method, covariance):
    with pytest.warns(ConvergenceWarning, match="components 0, 1 are zero") as caught:
        fitted = clone(method).set_params(covariance=covariance).fit(np.zeros((5, 5)))
    assert len(caught) == 1
    assert_array_equal(fitted.components_, np.zeros((2, 5)))
    assert_array_equal(fitted.n_iter_per_component_, [0, 0])
    assert_array_equal(fitted.explained_variance_ratio_, [0.0, 0.0])
    assert_array_equal(fitted.cpev_, [0.0, 0.0])


@pytest.mark.parametrize(
    "method",
    [
        PCA(4),
        SimpleThresholding(4, 4),
        TPower(4, 4),
        GPower(4, 4),
        GPower(4, rho=0.0),
        RSVD(4, 4),
        RSVD(4, lam=0.0),
        AMGPower(4, 4, random_state=0),
        VarProSPCA(4, alpha=0.0),
        OrthogonalSPCA(4, 4),
    ],
    ids=repr,
)
def test_past_the_rank_loadings_are_zero(method):
    x = np.random.default_rng(0).standard_normal((20, 1))
    with pytest.warns(ConvergenceWarning, match="components 1, 2, 3 are zero"):
        fitted = clone(method).fit(x @ np.array([[3.0, 2.0, 1.0, 0.5]]))
    assert_array_equal(fitted.n_nonzero_, [4, 0, 0, 0])
    assert_allclose(fitted.explained_variance_[1:], 0.0)


@every
def test_far_more_features_than_samples(method):
    X = np.random.default_rng(0).standard_normal((5, 300))
    fitted = clone(method).fit(X)
    assert_allclose(np.linalg.norm(fitted.components_, axis=1), 1.0)


@every
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_data_that_is_not_finite(method, samples, bad):
    samples[3, 4] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        clone(method).fit(samples)


@every
@pytest.mark.parametrize(("scale", "words"), [(1e200, "overflow"), (1e90, "overflow"), (1e-90, "underflow")])
def test_variances_that_double_precision_cannot_square(method, samples, scale, words):
    with pytest.raises(ValueError, match=f"and products of them {words}; .*scale X"):
        clone(method).fit(scale * samples)


@every
def test_faults_name_what_is_valid(method, samples):
    with pytest.raises(ValueError, match=r"n_components is 9; valid is a whole number from 1 to n_features=8"):
        clone(method).set_params(n_components=9).fit(samples)
    with pytest.raises(ValueError, match="n_components is 0; valid") as fault:
        clone(method).set_params(n_components=0, covariance="S").fit(samples)
    assert "covariance is 'S'; valid is one of None, precomputed" in str(fault.value)
    with pytest.raises(ValueError, match="minimum of 2"):
        clone(method).fit(samples[:1])


@pytest.mark.parametrize("method", [TPower(), GPower(), RSVD(), SimpleThresholding()], ids=repr)
@pytest.mark.parametrize("k", [0, -1, 2.5, "4", [], [3, 0]])
def test_invalid_cardinalities(method, samples, k):
    with pytest.raises(ValueError, match="n_nonzero is"):
        clone(method).set_params(n_nonzero=k).fit(samples)


@pytest.mark.parametrize("method", [TPower(), GPower(), RSVD(), SimpleThresholding()], ids=repr)
def test_one_cardinality_per_component(method, samples):
    with pytest.raises(ValueError, match="n_nonzero has 3 values"):
        clone(method).set_params(n_nonzero=[3, 3, 3]).fit(samples)


@pytest.mark.parametrize("method", [RSVD(n_nonzero=3, lam=0.1), SimpleThresholding(n_nonzero=3, threshold=0.1)])
def test_two_ways_to_set_sparsity(method, samples):
    with pytest.raises(ValueError, match="both given"):
        method.fit(samples)


@every
def test_covariance_faults(method, samples):
    method = clone(method).set_params(covariance="precomputed")
    with pytest.raises(ValueError, match=r"shape \(30, 8\)"):
        method.fit(samples)
    S = np.cov(samples.T)
    S[0, 1] += 1.0
    with pytest.raises(ValueError, match="not symmetric"):
        method.fit(S)
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        method.fit(np.diag([4.0, 3.0, 2.0, -1.0]))
    assert not method.components_[:, 3].any()


@every
def test_running_out_of_iterations_is_said(method, samples):
    if "max_iter" not in method.get_params():
        pytest.skip("not iterative")
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        fitted = clone(method).set_params(max_iter=1).fit(samples)
    assert not fitted.converged_.all()
    assert fitted.n_iter_ == 1


@every
def test_declarations_match_the_constructor(method):
    signature = inspect.signature(type(method)).parameters
    declared = type(method)._parameters
    assert {name: p.default for name, p in signature.items()} == {n: p.default for n, p in declared.items()}


@pytest.mark.parametrize(
    "page",
    [alternating, block, classic, greedy, joint, path, penalised, power, relaxation, robust, rotation],
)
def test_pages_name_what_exists(page):
    for spec in page.spcabench_methods():
        module, name = spec.estimator.split(":")
        estimator = getattr(__import__(module, fromlist=[name]), name)
        assert estimator(**spec.params).get_params().keys() == {*spec.parameters, *spec.params}
        settable = spec.parameters.keys() & spec.params.keys()
        assert all(spec.parameters[name].default == spec.params[name] for name in settable)
        assert spec.knob.kind == "none" or spec.knob.parameter in spec.parameters
        assert spec.title
        assert spec.reference


def test_pages_are_light():
    code = (
        "import sys, spcabench_methods, spcabench_methods.classic, spcabench_methods.power;"
        "print([m for m in ('sklearn', 'numba', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names():
    assert set(spcabench_methods.__all__) <= set(dir(spcabench_methods))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        spcabench_methods.Nothing  # noqa: B018

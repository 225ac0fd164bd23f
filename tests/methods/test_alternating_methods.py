"""AMGPower and VarProSPCA against slow references, identities with other methods, and published numbers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import reference_alternating as reference
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import PCA, PMD, RSPCA, AMGPower, GPower, TPower, VarProSPCA
from spcabench_methods.specs import robust as specs

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EIGHT = [(v, s, f) for v in ("l2", "l1") for s in ("l0", "l1") for f in ("constrained", "penalised")]
eight = pytest.mark.parametrize(("variance", "sparsity", "form"), EIGHT)


def given(sparsity, form, X, variance):
    """Return a parameter of moderate sparsity, and the level that it stands for."""
    A = reference.centred(X)
    deviations = [reference.deviation(A, e, variance) for e in np.eye(X.shape[1])]
    if form == "penalised":
        return {"rho": 0.2}, 0.2 * max(deviations) ** (2 if sparsity == "l0" else 1)
    return ({"n_nonzero": 4}, 4) if sparsity == "l0" else ({"bound": 1.7}, 1.7)


@eight
def test_iterates_are_those_of_the_paper(X, variance, sparsity, form):
    parameters, level = given(sparsity, form, X, variance)
    A = reference.centred(X)
    deviations = [reference.deviation(A, e, variance) for e in np.eye(X.shape[1])]
    start = np.eye(X.shape[1])[np.argmax(deviations)]
    short = f"{sparsity}{form[0]}"
    for m, w in enumerate(reference.path(A, start, variance, short, level, 5), start=1):
        method = AMGPower(1, variance=variance, sparsity=sparsity, form=form, init="max_variance", **parameters)
        fitted = method.set_params(tol=0.0, max_iter=m).fit(X)
        w = w * np.sign(w[np.argmax(np.abs(w))])
        assert_allclose(fitted.components_[0], w, atol=1e-7)
        assert fitted.objective_[0] == pytest.approx(reference.objective(A, w, variance, short, level), rel=1e-8)


@eight
def test_objective_never_decreases(X, variance, sparsity, form):
    parameters = given(sparsity, form, X, variance)[0]
    method = AMGPower(1, variance=variance, sparsity=sparsity, form=form, init="ones", tol=0.0, **parameters)
    path = [clone(method).set_params(max_iter=m).fit(X).objective_[0] for m in range(1, 15)]
    assert np.all(np.diff(path) >= -1e-12)
    assert path[-1] > path[0]


SAME = {"tol": 0.0, "init": "max_variance"}


@pytest.mark.parametrize("m", [1, 2, 4, 8])
def test_l2_is_tpower_and_gpower(X, m):
    found = AMGPower(2, 4, max_iter=m, **SAME).fit(X)
    assert_allclose(
        found.components_, TPower(2, 4, tol=0.0, max_iter=m, init="max_variance").fit(X).components_, atol=1e-7
    )
    for penalty in ("l0", "l1"):
        found = AMGPower(1, sparsity=penalty, form="penalised", rho=0.15, max_iter=m + 1, **SAME).fit(X)
        other = GPower(1, penalty=penalty, rho=0.15, refit=False, tol=0.0, max_iter=m, init="published").fit(X)
        assert_allclose(found.components_, other.components_, atol=1e-7)


def test_l2_l1_constrained_ends_where_pmd_stays(X):
    w = PMD(1, bound=1.6).fit(X).components_[0]
    A = reference.centred(X)
    assert_allclose(reference.path(A, w, "l2", "l1c", 1.6, 1)[0], w, atol=1e-4)
    many = AMGPower(1, sparsity="l1", bound=1.6, random_state=0, tol=1e-10, max_iter=2000).fit(X)
    assert many.objective_[0] >= reference.deviation(A, w, "l2") - 1e-6


def test_l1_l0_constrained_is_rspca(X):
    found = AMGPower(3, 4, variance="l1", init="ones", tol=0.0).fit(X)
    rspca = RSPCA(3, 4, init="published").fit(X)
    assert_allclose(found.components_, rspca.components_, atol=1e-10)
    assert_allclose(found.objective_ * len(X), rspca.objective_)


@eight
def test_more_starts_are_no_worse(tall, variance, sparsity, form):
    parameters = given(sparsity, form, tall, variance)[0]
    method = AMGPower(1, variance=variance, sparsity=sparsity, form=form, random_state=0, tol=1e-8, **parameters)
    one = clone(method).set_params(init="max_variance").fit(tall).objective_[0]
    many = clone(method).set_params(n_init=40).fit(tall).objective_[0]
    assert many >= one * (1 - 1e-6)


def test_random_starts_find_the_optimum(pitprops):
    found = [AMGPower(1, k, random_state=0, covariance="precomputed").fit(pitprops).objective_[0] for k in (4, 6, 9)]
    assert_allclose(np.square(found), [2.9375, 3.7710, 4.1386], atol=1e-4)


@eight
def test_search_repeats_and_records(tall, variance, sparsity, form):
    method = AMGPower(3, [4, 3, 6], variance=variance, sparsity=sparsity, form=form, random_state=1)
    fitted = method.fit(tall)
    if (sparsity, form) == ("l0", "constrained"):
        assert_array_equal(fitted.n_nonzero_, [4, 3, 6])
        return
    assert_array_equal(fitted.exact_cardinality_, fitted.n_nonzero_ == [4, 3, 6])
    assert fitted.n_fits_ >= 3
    again = clone(method).set_params(**fitted.calibrated_params_).fit(tall)
    assert_array_equal(again.components_, fitted.components_)
    assert not hasattr(again, "n_fits_")


@eight
def test_one_nonzero_and_all(tall, variance, sparsity, form):
    d = tall.shape[1]
    method = AMGPower(1, 1, variance=variance, sparsity=sparsity, form=form, random_state=0)
    assert clone(method).fit(tall).n_nonzero_[0] == 1
    dense = clone(method).set_params(n_nonzero=d, tol=0.0, max_iter=2000).fit(tall)
    other = PCA(1) if variance == "l2" else AMGPower(1, d, variance="l1", random_state=0, tol=0.0)
    assert_allclose(dense.components_, other.fit(tall).components_, atol=1e-5)


@eight
def test_refit_gives_variance(tall, variance, sparsity, form):
    method = AMGPower(1, 4, variance=variance, sparsity=sparsity, form=form, random_state=0)
    plain, refit = clone(method).fit(tall), clone(method).set_params(refit=True).fit(tall)
    assert_array_equal(plain.components_ != 0, refit.components_ != 0)
    A = reference.centred(tall)
    before, after = (reference.deviation(A, f.components_[0], variance) for f in (plain, refit))
    assert after >= before - 1e-12


@pytest.mark.parametrize("penalty", ["l1", "l0"])
def test_varpro_reference(X, penalty):
    A = reference.centred(X)
    for n_iter in (1, 3, 12):
        B, reached = reference.varpro(A, 3, 0.02, 0.01, n_iter, penalty)
        method = VarProSPCA(3, alpha=0.02, beta=0.01, penalty=penalty, tol=0.0, max_iter=n_iter)
        fitted = method.fit(X)
        expected = (B / np.linalg.norm(B, axis=0)).T
        assert_allclose(np.abs(fitted.components_), np.abs(expected), atol=1e-8)
        assert fitted.objective_[0] == pytest.approx(reached[-1], rel=1e-10)
        assert np.all(np.diff(reached) <= 1e-12)


def test_robust_varpro_reference(X):
    A = reference.centred(X)
    for n_iter in (1, 3, 12):
        B, reached = reference.robust_varpro(A, 2, 0.01, 0.01, 0.8, n_iter)
        method = VarProSPCA(2, variant="robust", alpha=0.01, beta=0.01, gamma=0.8, tol=0.0, max_iter=n_iter)
        fitted = method.fit(X)
        assert_allclose(np.abs(fitted.components_), np.abs(B / np.linalg.norm(B, axis=0)).T, atol=1e-8)
        assert fitted.objective_[0] == pytest.approx(reached[-1], rel=1e-10)
        assert np.all(np.diff(reached) <= 1e-12)


def test_robust_varpro_without_outliers_is_plain(X):
    robust = VarProSPCA(3, variant="robust", alpha=0.05, gamma=1e6).fit(X)
    assert_allclose(robust.components_, VarProSPCA(3, alpha=0.05).fit(X).components_, atol=1e-9)


def test_robust_varpro_ignores_outliers():
    rng = np.random.default_rng(0)
    X = np.outer(rng.standard_normal(300), np.repeat([3.0, 0.0], 4)) + 0.3 * rng.standard_normal((300, 8))
    X += 30.0 * rng.standard_normal(X.shape) * (rng.random(X.shape) < 0.05)
    inside = [
        np.linalg.norm(VarProSPCA(1, variant=variant, alpha=0.01).fit(X).components_[0, :4])
        for variant in ("plain", "robust")
    ]
    assert inside[0] < 0.5
    assert inside[1] > 0.999


@pytest.mark.parametrize("alpha", [0.05, 0.1])
@pytest.mark.parametrize("variant", ["plain", "random"])
def test_varpro_pitprops(pitprops, alpha, variant):
    method = VarProSPCA(6, alpha=alpha, variant=variant, covariance="precomputed", random_state=0)
    assert_array_equal(method.set_params(tol=1e-8, max_iter=5000).fit(pitprops).n_nonzero_, [6, 2, 2, 1, 1, 1])


def test_varpro_ends_at_a_stationary_point(tall):
    alpha, beta = 0.03, 0.01
    A = reference.centred(tall)
    C = A.T @ A / len(A)
    top = np.linalg.eigvalsh(C)[-1]
    B, _ = reference.varpro(A, 3, alpha, beta, 20_000)
    polar = reference.polar(C @ B)
    gradient = C @ (B - polar) + beta * top * B
    assert_allclose(gradient[B != 0], -alpha * top * np.sign(B[B != 0]), atol=1e-6 * top)
    assert np.all(np.abs(gradient[B == 0]) <= alpha * top * (1 + 1e-6))
    fitted = VarProSPCA(3, alpha=alpha, beta=beta, tol=0.0, max_iter=20_000).fit(tall)
    assert_allclose(np.abs(fitted.components_.T), np.abs(B / np.linalg.norm(B, axis=0)), atol=1e-4)


def test_varpro_limits(X):
    pca = PCA(3).fit(X)
    assert_allclose(VarProSPCA(3, alpha=0.0, beta=0.0).fit(X).components_, pca.components_, atol=1e-8)
    sketched = VarProSPCA(3, alpha=0.0, beta=0.0, variant="random", n_power_iter=6, random_state=0).fit(X)
    assert_allclose(sketched.components_, pca.components_, atol=1e-4)
    with pytest.warns(ConvergenceWarning, match="are zero"):
        assert not VarProSPCA(3, alpha=2.0).fit(X).components_.any()


def test_varpro_sketch_of_few_vectors_is_near():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6)) @ rng.standard_normal((6, 400)) + 0.01 * rng.standard_normal((40, 400))
    plain = VarProSPCA(3, alpha=0.02).fit(X)
    sketched = VarProSPCA(3, alpha=0.02, variant="random", random_state=0).fit(X)
    assert_allclose(sketched.components_, plain.components_, atol=1e-3)


def test_start_without_variance_is_replaced():
    X = np.array([[1.0, -1.0], [-1.0, 1.0], [2.0, -2.0], [-2.0, 2.0]])
    for variance in ("l2", "l1"):
        w = AMGPower(1, 2, variance=variance, init="ones").fit(X).components_[0]
        assert_allclose(w, np.sqrt([0.5, 0.5]) * [1, -1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rho": 0.1}, "rho is given; .* valid is None"),
        ({"bound": 2.0, "form": "penalised"}, "bound is given; .* valid is None"),
        ({"bound": 0.5, "sparsity": "l1"}, r"'bound' parameter .*\[1.*, inf\).* Got 0.5"),
        ({"rho": 1.0, "form": "penalised"}, r"'rho' parameter .*\[0.0, 1.0\).* Got 1.0"),
        ({"rho": 0.1, "form": "penalised", "n_nonzero": 2}, "both given"),
        ({"rho": [0.1], "form": "penalised"}, "rho has 1 values"),
        ({"n_nonzero": [3]}, "n_nonzero has 1 values"),
        ({"variance": "l3"}, "'variance' parameter .*l1.* Got 'l3'"),
        ({"n_init": 0}, "'n_init' parameter .* Got 0"),
    ],
)
def test_am_gpower_refuses(parameters, message):
    with pytest.raises(ValueError, match=message):
        AMGPower(**parameters).fit(np.random.default_rng(0).standard_normal((10, 4)))


def test_names():
    names = [spec.name for spec in specs.spcabench_methods() if spec.family == "alternating"]
    assert names == [f"am_{v}_{s}{f}" for v in ("l2", "l1") for f in "cp" for s in ("l0", "l1")] + [
        "varpro",
        "varpro_random",
        "varpro_robust",
    ]


def test_settled_starts_say_so(X):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert AMGPower(2, 4, random_state=0, max_iter=2000).fit(X).converged_.all()

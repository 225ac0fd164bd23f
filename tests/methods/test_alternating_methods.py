"""AMGPower and VarProSPCA against slow references, identities with other methods, and published numbers."""

import numpy as np
import pytest
import reference_alternating as reference
from numpy.testing import assert_allclose
from spcabench_methods import AMGPower, VarProSPCA

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


@pytest.mark.parametrize(
    "options", [{"penalty": "l1"}, {"penalty": "l0"}, {"variant": "robust", "gamma": 0.8}], ids=str
)
def test_varpro_reference(X, options):
    A = reference.centred(X)
    plain = {name: value for name, value in options.items() if name != "variant"}
    for n_iter in (1, 3, 12):
        B, reached = reference.varpro(A, 3, 0.02, 0.01, n_iter, **plain)
        method = VarProSPCA(3, alpha=0.02, beta=0.01, init="published", tol=0.0, max_iter=n_iter, **options)
        fitted = method.fit(X)
        assert_allclose(np.abs(fitted.components_), np.abs((B / np.linalg.norm(B, axis=0)).T), atol=1e-8)
        assert fitted.objective_[0] == pytest.approx(reached[-1], rel=1e-10)
        assert np.all(np.diff(reached) <= 1e-12)


def test_several_starts_of_hard_thresholds_end_below_the_published_one(pitprops):
    """Many random starts end 1 to 37 % below the published one too; several end below most of these."""
    method = VarProSPCA(3, alpha=0.01, penalty="l0", covariance="precomputed", n_init=10, random_state=0)
    ends = {
        init: method.set_params(init=init).fit(pitprops).objective_[0] for init in ("several", "published", "random")
    }
    assert ends["several"] < 0.99 * ends["published"]
    assert ends["several"] < ends["random"]


def test_varpro_sketch_of_few_vectors_is_near():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6)) @ rng.standard_normal((6, 400)) + 0.01 * rng.standard_normal((40, 400))
    plain = VarProSPCA(3, alpha=0.02).fit(X)
    sketched = VarProSPCA(3, alpha=0.02, variant="random", random_state=0).fit(X)
    assert_allclose(sketched.components_, plain.components_, atol=1e-3)

"""Far more features than samples, and large arrays of any kind: no matrix of features, and no copy without need."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from peak_memory import peaks
from sklearn.base import clone
from spcabench_methods import (
    GSPCA,
    PCA,
    SPCA,
    ExactSPCA,
    GeoSPCA,
    GPower,
    SPCArt,
    VarProSPCA,
)
from spcabench_methods.core import samples
from spcabench_methods.core.moments import Data
from spcabench_methods.penalised.elastic_net import ridge_regression

FAMILIES = {
    "power": "m.TPower(2, 20), m.GPower(2, 20), m.RSVD(2, 20), m.RSVDGP(2, 20, refit=True)",
    "rotation": "m.Rotation(2, 20), m.SPCArt(2), m.PCA(2), m.SimpleThresholding(2, 20)",
    "path": "m.COPPCA(1, 20)",
    "robust": "m.PCAL1(2), m.RSPCA(2, 20, init='pca'), *grids",
    "greedy, block": "m.PathSPCA(2, 20), m.Splicing(2, 20), m.RSVDGPB(2), m.GPowerBlock(2), m.ITSPCA(2)",
}


@pytest.mark.nightly
@pytest.mark.parametrize("family", FAMILIES)
def test_fifty_thousand_features_take_less_than_a_gigabyte(family):
    prepare = f"""
import numpy as np, spcabench_methods as m
grids = [m.SPCAGrid(2, scale=s, lam=1.0, n_angles=3, n_halvings=0) for s in ("mad", "sd")]
methods = [{FAMILIES[family]}]
rng = np.random.default_rng(0)
X = rng.standard_normal((100, 50_000))
X[:, :20] += 3.0 * rng.standard_normal((100, 1))
"""
    run = """
for method in methods:
    method.fit(X)
    assert method.components_.any(axis=1).all()
"""
    before, after = peaks(prepare, run)
    assert after < 1e9
    assert after - before < 6 * 40e6 + 60e6, "X takes 40 MB, libraries 60"


@pytest.mark.parametrize("method", [PCA(), GPower(), SPCArt(), SPCA(n_nonzero=3)], ids=repr)
@pytest.mark.parametrize("kind", ["C", "F", "single", "mapped"])
def test_second_moments_need_no_copy(method, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "BLOCK", 20_000)
    X = np.random.default_rng(0).standard_normal((20_000, 20)) * np.arange(1, 21)
    W = clone(method).fit(X).components_
    given = {"C": X, "F": np.asfortranarray(X), "single": X.astype(np.float32)}.get(kind)
    if kind == "mapped":
        np.save(tmp_path / "X.npy", X)
        given = np.load(tmp_path / "X.npy", mmap_mode="r")
    tracemalloc.start()
    fitted = clone(method).fit(given)
    scores = fitted.transform(given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 2
    assert scores.shape == (20_000, 2)
    if kind != "single":
        assert_array_equal(fitted.components_, W)


def memory(method, X):
    """Fit; give the bytes that stay and the most there were."""
    clone(method).fit(X)  # what is compiled or imported stays too
    method = clone(method)
    tracemalloc.start()
    method.fit(X)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept, peak


@pytest.mark.parametrize("direction", ["backward", "both"])
@pytest.mark.parametrize("n", [10, 300], ids=["wide", "tall"])
def test_a_path_from_all_features_holds_their_loadings_alone(direction, n):
    X = np.random.default_rng(0).standard_normal((n, 120))
    kept, peak = memory(GSPCA(1, 5, direction=direction), X)
    matrix = 8 * 120**2
    assert kept < 2.0 * matrix, "indices and values of k = 120, 119, ... take one matrix"
    assert peak < kept + 7.0 * matrix


@pytest.mark.filterwarnings("ignore:components .* did not converge")
@pytest.mark.parametrize("method", [ExactSPCA(1, 5, max_iter=1), GeoSPCA(2, 5, max_iter=1)], ids=repr)
def test_searches_of_a_matrix_make_few_copies_of_it(method, monkeypatch):
    monkeypatch.setattr(samples, "BLOCK", 20_000)
    d = 500
    X = np.random.default_rng(0).standard_normal((30, d)) * np.arange(1, d + 1) ** -0.3
    assert memory(method, X)[1] < 2.5 * 8 * d**2


@pytest.mark.parametrize("method", [ExactSPCA(), GeoSPCA()], ids=repr)
def test_searches_of_a_matrix_refuse_more_features_than_they_can_form_it_of(method):
    X = np.random.default_rng(0).standard_normal((3, 16_385))
    message = f"{type(method).__name__}: X has 16385 features; valid is at most 16384"
    with pytest.raises(ValueError, match=message):
        method.fit(X)


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_regressions_without_penalty_form_no_matrix_of_features(scale):
    n, d, ridge = 20, 400, 1e-6
    X = np.random.default_rng(0).standard_normal((n, d)) * scale
    X -= X.mean(axis=0)
    S = X.T @ X / n
    assert memory(SPCA(2, l1=0.0), X)[1] < 8 * d**2 / 2
    values, W = np.linalg.eigh(S)
    for value, w in zip(values[:-4:-1], W.T[:-4:-1], strict=True):
        assert_allclose(ridge_regression(Data(X), ridge)(S @ w), value / (value + ridge) * w, atol=1e-12)
    given_S = SPCA(2, l1=0.0, covariance="precomputed").fit(S)
    assert_allclose(SPCA(2, l1=0.0).fit(X).components_, given_S.components_, atol=1e-10)


@pytest.mark.filterwarnings("ignore:components .* did not converge")
def test_outliers_are_found_in_two_arrays_beside_the_samples():
    X = np.random.default_rng(0).standard_normal((100, 3000))
    assert memory(VarProSPCA(2, variant="robust", max_iter=5, tol=0.0), X)[1] < 3.5 * X.nbytes

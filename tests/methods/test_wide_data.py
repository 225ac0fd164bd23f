"""Far more features than samples, and large arrays of any kind: no matrix of features, and no copy without need."""

import numpy as np
import pytest
import spcabench_methods as library
from numpy.testing import assert_allclose, assert_array_equal
from peak_memory import memory
from sklearn.base import clone
from spcabench_methods.core import samples
from spcabench_methods.core.moments import Data
from spcabench_methods.penalised.elastic_net import ridge_regression

WIDE = [
    *(library.TPower(2, 20), library.PathSPCA(2, 20), library.SPCArt(2), library.RSVDGPB(2), library.COPPCA(1, 20)),
    *(library.RSPCA(2, 20, init="pca"), library.SPCAGrid(2, scale="mad", lam=1.0, n_angles=3, n_halvings=0)),
    *(library.GPowerBlock(2), library.ITSPCA(2)),
]


@pytest.mark.nightly
@pytest.mark.parametrize("method", WIDE, ids=repr)
def test_fifty_thousand_features_take_a_few_copies_of_the_samples(method):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 50_000))
    X[:, :20] += 3.0 * rng.standard_normal((100, 1))
    clone(method).fit(X[:, :50])  # what is compiled or imported stays
    assert memory(lambda: clone(method).fit(X))[1] < 5 * X.nbytes


@pytest.mark.parametrize(
    "method", [library.PCA(), library.GPower(), library.SPCArt(), library.SPCA(n_nonzero=3)], ids=repr
)
@pytest.mark.parametrize("kind", ["C", "F", "single", "mapped"])
def test_second_moments_need_no_copy(method, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "BLOCK", 20_000)
    X = np.random.default_rng(0).standard_normal((20_000, 20)) * np.arange(1, 21)
    W = clone(method).fit(X).components_
    given = {"C": X, "F": np.asfortranarray(X), "single": X.astype(np.float32)}.get(kind)
    if kind == "mapped":
        np.save(tmp_path / "X.npy", X)
        given = np.load(tmp_path / "X.npy", mmap_mode="r")
    fitted = clone(method)
    assert memory(lambda: fitted.fit(given).transform(given))[1] < X.nbytes / 2
    if kind != "single":
        assert_array_equal(fitted.components_, W)


def memory_of(method, X):
    """Fit twice; return the bytes that stay after the second fit, and the most there were."""
    clone(method).fit(X)  # what is compiled or imported stays too
    return memory(lambda: clone(method).fit(X))


@pytest.mark.parametrize("direction", ["backward", "both"])
@pytest.mark.parametrize("n", [10, 300], ids=["wide", "tall"])
def test_a_path_from_all_features_holds_their_loadings_alone(direction, n):
    X = np.random.default_rng(0).standard_normal((n, 120))
    kept, peak = memory_of(library.GSPCA(1, 5, direction=direction), X)
    matrix = 8 * 120**2
    assert kept < 2.0 * matrix, "indices and values of k = 120, 119, ... take one matrix"
    assert peak < kept + 7.0 * matrix


@pytest.mark.filterwarnings("ignore:components .* did not converge")
@pytest.mark.parametrize("method", [library.ExactSPCA(1, 5, max_iter=1), library.GeoSPCA(2, 5, max_iter=1)], ids=repr)
def test_searches_of_a_matrix_make_few_copies_of_it(method, monkeypatch):
    monkeypatch.setattr(samples, "BLOCK", 20_000)
    d = 500
    X = np.random.default_rng(0).standard_normal((30, d)) * np.arange(1, d + 1) ** -0.3
    assert memory_of(method, X)[1] < 2.5 * 8 * d**2


@pytest.mark.parametrize("method", [library.ExactSPCA(), library.GeoSPCA()], ids=repr)
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
    assert memory_of(library.SPCA(2, l1=0.0), X)[1] < 8 * d**2 / 2
    values, W = np.linalg.eigh(S)
    for value, w in zip(values[:-4:-1], W.T[:-4:-1], strict=True):
        assert_allclose(ridge_regression(Data(X), ridge)(S @ w), value / (value + ridge) * w, atol=1e-12)
    given_S = library.SPCA(2, l1=0.0, covariance="precomputed").fit(S)
    assert_allclose(library.SPCA(2, l1=0.0).fit(X).components_, given_S.components_, atol=1e-10)

"""Samples in a mapped file: the same loadings as from memory, and no more than a block of them copied."""

import numpy as np
import pytest
import spcabench_methods as library
from drawn import is_the_operator
from numpy.testing import assert_allclose
from peak_memory import memory
from sklearn.base import clone
from spcabench_methods.core import centred_mapped, out_of_core
from spcabench_methods.core import samples as core_samples
from spcabench_methods.core.centred_mapped import CentredMapped
from spcabench_methods.core.moments import Data, OutOfCoreData, data_of
from spcabench_methods.core.moments import data as moments_data
from spcabench_methods.core.moments import streamed as unmoved
from spcabench_methods.core.samples import column_means
from spcabench_methods.robust import bounded_sum

METHODS = [
    library.TPower(2, 5),
    library.SPCArt(2),
    library.PathSPCA(2, 4),
    library.COPPCA(1, 4),
    library.AMGPower(2, 4, variance="l1", random_state=0),
    library.PCAL1(2, init="pca", random_state=0),
    library.RSPCA(2, 5, random_state=0),
]
LAYOUTS = {"rows": "C", "columns": "F"}


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(out_of_core, "BLOCK", 100)
    monkeypatch.setattr(centred_mapped, "CACHED", 300)


def samples(n, d):
    """Draw samples with two strong groups of features, a constant feature, and means far from zero."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d)) + 1000.0
    for start, strength in ((0, 6.0), (5, 4.0)):
        X[:, start : start + 5] += strength * rng.standard_normal((n, 1)) * [1.0, 0.9, 0.8, 0.7, 0.6]
    X[:, 11] = 0.1
    return X


def mapped(folder, X, layout="rows"):
    np.save(folder / "X.npy", np.asarray(X, order=LAYOUTS[layout]))
    return np.load(folder / "X.npy", mmap_mode="r")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("n", "d"), [(20, 90), (150, 20)], ids=["wide", "tall"])
@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_agrees_with_the_fit_in_memory(method, n, d, layout, tmp_path, small_blocks):
    X = samples(n, d)
    wanted, given = clone(method).fit(X), mapped(tmp_path, X, layout)
    found = clone(method).fit(given)
    assert_allclose(found.components_, wanted.components_, atol=1e-9)
    assert_allclose(found.explained_variance_, wanted.explained_variance_, rtol=1e-10)
    assert_allclose(found.objective_, wanted.objective_, rtol=1e-9)
    assert_allclose(found.transform(given), wanted.transform(X), atol=1e-9)
    assert not found.components_[:, 11].any()


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4"])
def test_whole_numbers_and_single_precision_are_read_as_they_are(dtype, tmp_path, small_blocks):
    X = np.clip(np.rint(10.0 * (samples(20, 90) - 1000.0) + 128.0), 0, 255)
    wanted = library.TPower(2, 5).fit(X)
    found = library.TPower(2, 5).fit(mapped(tmp_path, X.astype(dtype)))
    assert found.components_.dtype == (np.float32 if dtype == "f4" else np.float64)
    assert_allclose(found.components_, wanted.components_, atol=1e-6 if dtype == "f4" else 1e-10)
    assert_allclose(found.score(mapped(tmp_path, X.astype(dtype))), found.cpev_[-1], rtol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("chosen", [None, np.array([16, 2, 30, 3])], ids=["all", "chosen"])
def test_centred_samples_as_an_operator(layout, chosen, tmp_path, small_blocks, monkeypatch):
    X = samples(12, 40)
    C = X - X.mean(axis=0)
    centred = CentredMapped(mapped(tmp_path, X, layout), column_means(X))
    if chosen is not None:
        centred, C = centred.restricted(chosen), C[:, chosen]
    is_the_operator(centred, C)
    assert_allclose(centred.cross_products(), C @ C.T, atol=1e-9)
    monkeypatch.setattr(centred_mapped, "BLOCK", 143)
    assert centred.cross_products() is None


def test_large_mapped_samples_alone_stay_in_their_file(tmp_path, monkeypatch):
    X = samples(20, 30)
    given, mean = mapped(tmp_path, X), column_means(X)
    assert type(data_of(given.view(np.ndarray), mean)) is Data
    monkeypatch.setattr(out_of_core, "BLOCK", 599)
    assert type(data_of(given.view(np.ndarray)[:, :], mean)) is OutOfCoreData
    assert type(data_of(X, mean)) is Data


@pytest.mark.filterwarnings("ignore:components .* did not converge")
def test_outliers_are_found_in_a_copy(tmp_path, small_blocks):
    method = library.VarProSPCA(2, variant="robust", max_iter=3)
    X = samples(20, 30)
    assert_allclose(clone(method).fit(mapped(tmp_path, X)).components_, clone(method).fit(X).components_, atol=1e-12)


@pytest.mark.parametrize("dtype", ["f8", pytest.param("u1", marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "method",
    [
        *(library.TPower(2, 20), library.RSPCA(2, 20, init="published")),
        *(pytest.param(method, marks=pytest.mark.nightly) for method in (library.PathSPCA(2, 20), library.SPCArt(2))),
    ],
    ids=repr,
)
def test_nothing_larger_than_a_block_is_copied(method, dtype, tmp_path, monkeypatch):
    for module in (out_of_core, centred_mapped, core_samples, moments_data, unmoved):
        monkeypatch.setattr(module, "BLOCK", 2**15)
    monkeypatch.setattr(bounded_sum, "LARGE", 0)  # so that its loops are compiled beforehand
    X = np.random.default_rng(0).integers(0, 200, (400, 7_500), dtype=np.uint8)
    given = mapped(tmp_path, X.astype(dtype))
    clone(method).fit(X[:20, :50].astype(dtype))  # what is compiled or imported stays
    assert memory(lambda: clone(method).fit(given).transform(given))[1] < 4.5e6, "a centred copy takes 24 MB"

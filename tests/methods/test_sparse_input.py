"""Sparse samples: the same loadings as from dense ones, by products in which means are implicit."""

import numpy as np
import pytest
import scipy.sparse as sp
import spcabench_methods as library
from contract import Configuration, every, registered
from drawn import is_the_operator
from numpy.testing import assert_allclose, assert_array_equal
from peak_memory import memory
from sklearn.base import clone
from spcabench_methods.core import centred_sparse, eigenvectors
from spcabench_methods.core.centred_sparse import CentredSparse, sparse_means
from spcabench_methods.core.moments import Gram, OutOfCoreData, data, data_of
from spcabench_methods.core.moments import streamed as unmoved
from spcabench_methods.core.samples import column_means
from spcabench_methods.greedy import least_squares

SPARSE_STARTS = [
    library.AMGPower(variance="l1", init="ones", random_state=0),
    library.RSPCA(init="multi", random_state=0),
    library.RSPCA(p=0.5, random_state=0),
    library.PCAL1(init="pca", random_state=0),
]
"""They compute a start, or shrink, in code of their own for sparse samples."""

SLOW = {"ExactSPCA", "GeoSPCA"}
"""They prove what they find; more nonzeros than three would take minutes."""


def samples(n, d):
    """Draw sparse samples with three strong blocks of features, a full column far from zero and a constant one."""
    rng = np.random.default_rng(0)
    X = sp.random_array((n, d), density=0.1, rng=rng, data_sampler=rng.standard_normal).toarray()
    for start, strength in ((0, 8.0), (5, 5.0), (10, 3.0)):
        score = strength * np.where(rng.random(n) < 0.5, rng.standard_normal(n), 0.0)
        X[:, start : start + 5] += np.outer(score, [1.0, 0.9, 0.8, 0.7, 0.6])
    X[:, 16] = 1000.0 + rng.standard_normal(n)
    X[:, 17] = 0.1
    return sp.csr_array(X)


@every(lambda c: c.takes_sparse, [Configuration(repr(method), method) for method in SPARSE_STARTS])
@pytest.mark.parametrize(("n", "d"), [(80, 24), (15, 70)], ids=["tall", "wide"])
def test_agrees_with_the_dense_fit(method, n, d, monkeypatch):
    """Also with supports that are not made dense, where there are more features than samples."""
    X = samples(n, d)
    few = {"n_nonzero": 3} if method.kind in SLOW else {}
    dense = method.new(**few).fit(X.toarray())
    for block in (unmoved.BLOCK, 100) if d > n else (100,):
        monkeypatch.setattr(unmoved, "BLOCK", block)
        sparse = method.new(**few).fit(X)
        assert_allclose(sparse.components_, dense.components_, atol=1e-10)
        assert_allclose(sparse.mean_, dense.mean_, rtol=1e-13, atol=1e-14)
        assert_allclose(sparse.explained_variance_, dense.explained_variance_, rtol=1e-10, atol=1e-10)
        assert_allclose(sparse.cpev_, dense.cpev_, rtol=1e-10)
        assert_allclose(sparse.objective_, dense.objective_, rtol=1e-9, atol=1e-9)
        assert_allclose(sparse.transform(X), dense.transform(X.toarray()), atol=1e-9)
        assert not sparse.components_[:, 17].any()


def test_a_method_that_needs_dense_samples_says_so():
    refusing = [method for method in registered().values() if not method.takes_sparse]
    assert {method.kind for method in refusing} == {
        *("R1PCA", "ROSPCA", "RobustSubspace", "SPCAGrid", "ThresholdedOja", "VarProSPCA")
    }
    for method in refusing:
        with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
            method.new().fit(samples(80, 24))


@pytest.mark.parametrize("method", [library.TPower(), library.RSPCA()], ids=repr)
@pytest.mark.parametrize(("n", "d"), [(80, 24), (15, 70)], ids=["tall", "wide"])
def test_formats_and_types(method, n, d):
    X = samples(n, d)
    fitted = clone(method).fit(X)
    for other in (X.tocsc(), X.tocoo(), X.tolil(), sp.csr_matrix(X), sp.csc_matrix(X)):
        again = clone(method).fit(other)
        assert_array_equal(again.components_, fitted.components_)
        assert_allclose(again.transform(other), fitted.transform(X), atol=1e-10)
    single = clone(method).fit(X.astype(np.float32))
    assert single.components_.dtype == single.transform(X.astype(np.float32)).dtype == np.float32
    assert_allclose(single.components_, fitted.components_, atol=1e-5)
    whole = sp.csr_array(np.rint(10.0 * X.toarray()).astype(int))
    assert_array_equal(clone(method).fit(whole).components_, clone(method).fit(whole.astype(float)).components_)


@pytest.mark.parametrize("method", [library.TPower(), library.RSPCA()], ids=repr)
def test_the_data_is_not_written_to_even_where_entries_repeat(method):
    halves = samples(30, 20).tocsc()
    X = sp.csc_array((np.repeat(halves.data / 2, 2), np.repeat(halves.indices, 2), 2 * halves.indptr), shape=(30, 20))
    before = X.copy()
    dense = clone(method).fit(X.toarray())
    assert_allclose(clone(method).fit(X).components_, dense.components_, atol=1e-10)
    for mine, old in ((X.data, before.data), (X.indices, before.indices), (X.indptr, before.indptr)):
        assert_array_equal(mine, old)


def test_a_sparse_covariance():
    S = np.diag([4.0, 3.0, 2.0, 1.0])
    S[0, 1] = S[1, 0] = 1.0
    dense = library.TPower(n_nonzero=2, covariance="precomputed").fit(S)
    assert_array_equal(
        library.TPower(n_nonzero=2, covariance="precomputed").fit(sp.csr_array(S)).components_, dense.components_
    )


@pytest.fixture
def in_parts(monkeypatch):
    """Read sparse samples where they are, a few entries at a time."""
    monkeypatch.setattr(centred_sparse, "ENTRIES", 10)
    monkeypatch.setattr(centred_sparse, "PART", 30)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_entries_in_disorder_are_put_in_order_in_a_copy(form, in_parts):
    X = samples(30, 20).toarray()
    X[:, 16:18] = 0.0
    given = form(X)
    given.indices = given.indices[::-1].copy()
    given.data = given.data[::-1].copy()
    given.indptr = given.nnz - given.indptr[::-1]  # all in reverse order
    given.has_sorted_indices = given.has_canonical_format = False
    before = given.indices.copy()
    turned = X[::-1] if form is sp.csr_array else X[:, ::-1]
    assert_allclose(library.TPower().fit(given).components_, library.TPower().fit(turned).components_, atol=1e-12)
    assert_array_equal(given.indices, before)


def test_large_samples_are_not_copied(in_parts):
    X = sp.csr_array(samples(30, 20))
    X = X[:, :16]
    for given in (X, X.tocsc()):
        centred = CentredSparse.of(given, sparse_means(given))
        assert np.shares_memory(centred.values.data, given.data)
        assert np.shares_memory(centred.values.indices, given.indices)


@pytest.mark.parametrize(("n", "d"), [(40, 18), (7, 50)])
@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("entries", [2**21, 10], ids=["copied", "in parts"])
def test_centred_samples_as_an_operator(n, d, form, entries, monkeypatch):
    monkeypatch.setattr(centred_sparse, "ENTRIES", entries)
    monkeypatch.setattr(centred_sparse, "PART", 30)
    X = samples(n, d).asformat(form)
    C, mean = X.toarray() - X.toarray().mean(axis=0), sparse_means(X)
    assert_allclose(mean, column_means(X.toarray()), rtol=1e-13, atol=1e-14)
    assert mean[17] == 0.1
    centred = CentredSparse.of(X, mean)
    is_the_operator(centred, C)
    assert_allclose(centred.second_moments(), C.T @ C / n, atol=1e-11)
    assert centred.variances()[17] == 0.0


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_a_part_of_the_matrix_after_deflation(form, in_parts, monkeypatch):
    monkeypatch.setattr(unmoved, "BLOCK", 1)
    X = samples(60, 80).asformat(form)
    sparse, gram, support = data_of(X, column_means(X)), Gram.of(X, column_means(X)), np.array([40, 17, 3, 16, 2])
    for _ in range(2):
        assert_allclose(sparse.submatrix(support), gram.submatrix(support), atol=1e-10)
        for each in (sparse, gram):
            each.deflate(0.6 * np.eye(80)[2] + 0.8 * np.eye(80)[3])


@pytest.mark.parametrize(("n", "d"), [(410, 900), (900, 410)])
def test_eigenvectors_without_a_matrix(n, d, monkeypatch):
    monkeypatch.setattr(unmoved, "BLOCK", 10_000)
    monkeypatch.setattr(eigenvectors, "eigh", None)  # what needs a whole matrix
    X = samples(n, d)
    mean = column_means(X)
    sparse, S = data_of(X, mean), Gram.of(X, mean).S
    assert isinstance(sparse, OutOfCoreData)
    for _ in range(3):
        values, vectors = sparse.principal(2)
        assert_allclose(S @ vectors, vectors * values, atol=1e-9 * values[0])
        assert_allclose(vectors.T @ vectors, np.eye(2), atol=1e-12)
        assert_allclose(values, np.linalg.eigvalsh(S)[-2:][::-1], rtol=1e-10)
        w = vectors[:, 0]
        sparse.deflate(w)
        S = S - values[0] * np.outer(w, w)


@pytest.mark.parametrize(
    "method",
    [
        *(library.TPower(n_nonzero=20), library.RSPCA(n_nonzero=20)),
        *(pytest.param(method, marks=pytest.mark.nightly) for method in (library.GPowerBlock(), library.ITSPCA())),
    ],
    ids=repr,
)
def test_a_large_sparse_matrix_is_not_made_dense(method):
    rng = np.random.default_rng(0)
    X = sp.random_array((2000, 50_000), density=0.001, rng=rng, format="csr", data_sampler=rng.standard_normal)
    clone(method).fit(samples(30, 20))  # what is compiled or imported stays
    assert memory(lambda: clone(method).fit(X).transform(X))[1] < 100e6, "dense samples take 800 MB"


@pytest.mark.filterwarnings("ignore:n_steps is 1000")
@pytest.mark.parametrize("method", [library.COPPCA(2, 5), library.LeastSquaresSPCA(2, 5, search="variance")], ids=repr)
def test_what_needs_all_samples_dense_makes_them_so_once(method, monkeypatch):
    for module in (data, unmoved, least_squares):
        monkeypatch.setattr(module, "BLOCK", 20_000)
    X = sp.random_array((200, 5000), density=0.02, rng=np.random.default_rng(0), format="csr")
    clone(method).fit(samples(30, 20))  # compile
    assert memory(lambda: clone(method).fit(X))[1] < 1.5 * 8 * 200 * 5000


@pytest.mark.parametrize("part", ["columns", "submatrix"])
def test_chosen_columns_of_many_samples_are_not_made_dense(part):
    n, per = 100_000, 5
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(0, 400, (n, per)) + 400 * np.arange(per))
    X = sp.csr_array((rng.standard_normal(n * per), columns.ravel(), np.arange(0, n * per + 1, per)), shape=(n, 2000))
    sparse, chosen = data_of(X, column_means(X)), np.arange(0, 2000, 20)
    take = getattr(sparse, part)
    assert memory(lambda: take(chosen))[1] < 60e6, "a hundred dense columns take 80 MB"
    wanted = Gram.of(X, column_means(X)).S[:, chosen]
    assert_allclose(take(chosen), wanted if part == "columns" else wanted[chosen], atol=1e-12)

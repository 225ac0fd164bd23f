"""Far more features than samples, and large arrays of any kind: no matrix of features, and no copy without need."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from peak_memory import peaks
from registry import registered
from sklearn.base import clone
from spcabench_methods import PCA, PCAL1, RSPCA, SPCA, GPower, SPCAGrid, SPCArt
from spcabench_methods.core import samples

FAMILIES = {
    "power": "m.TPower(2, 20), m.GPower(2, 20), m.RSVD(2, 20), m.RSVDGP(2, 20, refit=True)",
    "rotation": "m.Rotation(2, 20), m.SPCArt(2), m.PCA(2), m.SimpleThresholding(2, 20)",
    "path": "m.COPPCA(1, 20)",
    "robust": "m.PCAL1(2), m.RSPCA(2, 20, init='pca'), *grids",
    "greedy, block": "m.PathSPCA(2, 20), m.Splicing(2, 20), m.RSVDGPB(2), m.GPowerBlock(2), m.ITSPCA(2)",
}


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


@pytest.mark.parametrize("name", registered())
def test_memory_maps_are_read_only_and_enough(name, tmp_path):
    X = np.random.default_rng(0).standard_normal((12, 7)) * np.arange(1, 8)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    method = registered()[name]
    assert_array_equal(clone(method).fit(mapped).components_, clone(method).fit(X).components_)


@pytest.mark.parametrize("method", [RSPCA(random_state=0), PCAL1(), SPCAGrid(n_nonzero=3)], ids=repr)
def test_samples_of_any_layout_are_left_alone(method):
    X = np.random.default_rng(0).standard_normal((30, 8)) * np.arange(1, 9)
    W = clone(method).fit(X).components_
    for other in (np.asfortranarray(X), X.copy(), np.repeat(X, 2, axis=0)[::2]):
        before = other.copy()
        assert_array_equal(clone(method).fit(other).components_, W)
        assert_array_equal(other, before)

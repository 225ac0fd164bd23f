"""Real data that is not of MNIST: found where SPCABENCH_DATA says, and checked against what its source says."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from spcabench_datasets import covariances, measured

from spcabench import DataUnavailable

ROOT = Path(os.environ.get("SPCABENCH_DATA", ""))
needs = {
    name: pytest.mark.skipif(not (ROOT / name).is_dir() or not ROOT.name, reason=f"SPCABENCH_DATA has no {name}")
    for name in ("colon", "golub", "natural_images")
}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@needs["colon"]
def test_colon_is_as_published(rng):
    dataset = measured.load_colon(rng, path=None)
    assert dataset.X.shape == (62, 2000)
    assert dataset.y.sum() == 40
    assert (dataset.X.min(), dataset.X.max()) == (5.81625, 20903.177)
    assert len(np.unique(dataset.X, axis=1).T) == 1991
    values = np.linalg.svd(dataset.X - dataset.X.mean(axis=0), compute_uv=False) ** 2
    assert values[:10].sum() / values.sum() == pytest.approx(0.841821, abs=5e-7)  # COP-PCA paper, section 3.3


@needs["golub"]
@pytest.mark.parametrize(("form", "shape", "aml"), [("raw", (72, 7129), 25), ("preprocessed", (38, 3051), 11)])
def test_golub_is_as_published(rng, form, shape, aml):
    dataset = measured.load_golub(rng, form=form, path=None)
    assert dataset.X.shape == shape
    assert dataset.y.sum() == aml
    assert len(dataset.feature_names) == shape[1]
    if form == "preprocessed":
        np.testing.assert_allclose(dataset.X.mean(axis=1), 0, atol=1e-5)


@needs["natural_images"]
def test_patches_are_those_of_the_images(rng):
    dataset = measured.load_natural_images(rng, n=3000, size=13, remove_mean=False, path=None)
    assert dataset.X.shape == (3000, 169)
    assert dataset.image_shape == (13, 13)
    values = np.linalg.svd(dataset.X - dataset.X.mean(axis=0), compute_uv=False) ** 2
    assert values[0] / values.sum() > 0.6  # the mean grey level, by far
    flat = measured.load_natural_images(rng, n=50, size=5, remove_mean=True, path=None).X
    np.testing.assert_allclose(flat.mean(axis=1), 0, atol=1e-10)
    with pytest.raises(ValueError, match="size is 300; valid is up to 256"):
        measured.load_natural_images(rng, n=5, size=300, remove_mean=False, path=None)


def test_what_is_missing_is_said_with_where_to_get_it(rng, monkeypatch, tmp_path):
    monkeypatch.delenv("SPCABENCH_DATA", raising=False)
    with pytest.raises(DataUnavailable, match=r"SPCABENCH_DATA is not set.*colon/colon.csv.gz.*Alon"):
        measured.load_colon(rng, path=None)
    monkeypatch.setenv("SPCABENCH_DATA", str(tmp_path))
    with pytest.raises(DataUnavailable, match=r"there is no .*golub.csv.gz"):
        measured.load_golub(rng, form="raw", path=None)
    with pytest.raises(DataUnavailable, match=r"there is no nowhere.npz"):
        measured.load_natural_images(rng, n=5, size=3, remove_mean=False, path="nowhere.npz")


def covariance_from(rng, path=None, name=None, sha256=None):
    return covariances.load_covariance_file(
        rng, name=name, path=path and str(path), sha256=sha256, source=None
    ).covariance


def test_a_covariance_is_read_from_each_kind_of_file(rng, tmp_path, monkeypatch):
    S = np.array([[2.0, 0.5], [0.5, 1.0]])
    (tmp_path / "covariances").mkdir()
    np.savez(tmp_path / "covariances" / "ours.npz", covariance=S)
    np.save(tmp_path / "ours.npy", S)
    np.savetxt(tmp_path / "ours.csv", S, delimiter=",")
    monkeypatch.setenv("SPCABENCH_DATA", str(tmp_path))
    for found in (
        covariance_from(rng, name="ours"),
        covariance_from(rng, tmp_path / "ours.npy"),
        covariance_from(rng, tmp_path / "ours.csv"),
    ):
        np.testing.assert_array_equal(found, S)
    with pytest.raises(DataUnavailable, match=r"there is no .*theirs\.npz"):
        covariance_from(rng, name="theirs")
    with pytest.raises(ValueError, match="one of the parameters name and path"):
        covariance_from(rng)


def test_a_covariance_with_another_hash_is_refused_with_both(rng, tmp_path):
    file = tmp_path / "ours.npy"
    np.save(file, np.eye(2))
    right, wrong = hashlib.sha256(file.read_bytes()).hexdigest(), "0" * 64
    assert covariance_from(rng, file, sha256=right.upper()).shape == (2, 2)
    with pytest.raises(ValueError, match=f"(?s){right}.*{wrong}"):
        covariance_from(rng, file, sha256=wrong)

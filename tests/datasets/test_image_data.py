"""MNIST, the small digits, and their contamination."""

import gzip
import os
import socket
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pytest
from spcabench_datasets import _images, digits, mnist

from spcabench import DataUnavailable

REAL = Path(os.environ.get("SPCABENCH_DATA", "")) / "mnist"
needs_mnist = pytest.mark.skipif(
    not os.environ.get("SPCABENCH_DATA") or not REAL.is_dir(),
    reason="SPCABENCH_DATA does not name a folder with mnist in it",
)


def load_digits(seed=0, **given):
    return digits.load(np.random.default_rng(seed), **given)


def load_mnist(**given):
    return mnist.load(np.random.default_rng(0), **given)


def write_idx(file, array):
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, dtype=">u4").tobytes()
    file.write_bytes(gzip.compress(header + array.astype(np.uint8).tobytes()))


@pytest.fixture
def small_mnist(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "images").mkdir()
    for name, n in (("train", 30), ("t10k", 10)):
        write_idx(tmp_path / "images" / f"{name}-images-idx3-ubyte.gz", rng.integers(256, size=(n, 28, 28)))
        write_idx(tmp_path / "images" / f"{name}-labels-idx1-ubyte.gz", np.arange(n) % 10)
    return tmp_path / "images"


# The small digits


def test_all_and_one():
    dataset = load_digits()
    assert (dataset.X.shape, dataset.image_shape) == ((1797, 64), (8, 8))
    assert (dataset.X.min(), dataset.X.max()) == (0, 255)
    np.testing.assert_array_equal(load_digits(digit=6).X, dataset.X[dataset.y == 6])


def test_enlarging_passes_through_the_pixels():
    small, large = load_digits(digit=3).X.reshape(-1, 8, 8), load_digits(digit=3, enlarge=15).X
    np.testing.assert_allclose(large.reshape(-1, 15, 15)[:, ::2, ::2], small, atol=1e-9)
    assert (large.min(), large.max()) == (0, 255)
    assert load_digits(enlarge=28).image_shape == (28, 28)


def test_some_of_each_digit_are_kept_and_some_held_out_clean():
    dataset = load_digits(per_class=20, test_per_class=5, contamination={"kind": "noise", "fraction": 1.0})
    assert np.bincount(dataset.y).tolist() == [20] * 10
    assert np.bincount(dataset.y_test).tolist() == [5] * 10
    whole = {tuple(row) for row in load_digits().X}
    assert {tuple(row) for row in dataset.X_test} <= whole
    assert not {tuple(row) for row in dataset.X} <= whole
    with pytest.raises(ValueError, match="200 images of each digit are requested, but there are 178 of 0"):
        load_digits(per_class=200)


# Contamination, and MNIST as files


def test_none_leaves_no_clean_samples_apart():
    for contamination in (None, {}, {"kind": "none"}):
        assert load_digits(contamination=contamination).facts == {"samples", "labels", "image"}


def test_noise_is_a_block_of_dots_anywhere_in_a_share_of_the_images():
    dataset = load_digits(enlarge=28, contamination={"kind": "noise", "fraction": 0.25, "block": [5, 7]})
    changed = (dataset.X_clean != dataset.X).reshape(-1, 28, 28)
    touched = changed.any(axis=(1, 2))
    assert touched.sum() == round(0.25 * 1797)
    dots = dataset.X.reshape(-1, 28, 28)[changed]
    assert set(np.unique(dots)) == {0.0, 255.0}
    for image in changed[touched]:
        rows, columns = np.nonzero(image)
        assert np.ptp(rows) < 5
        assert np.ptp(columns) < 7
    np.testing.assert_array_equal(dataset.clean_rows, np.arange(1797))
    np.testing.assert_array_equal(dataset.X_clean, load_digits(enlarge=28).X)
    one, other = (load_digits(s, contamination={"kind": "noise", "fraction": 1.0, "block": [2, 2]}) for s in (0, 1))
    assert (one.X_clean != one.X).any(axis=0).all()
    assert not np.array_equal(other.X, one.X)
    with pytest.raises(ValueError, match=r"block is \[10, 18\]; the images have 8 by 8 pixels"):
        load_digits(contamination={"kind": "noise", "block": [10, 18]})
    assert (_images._block(None, (28, 28)), _images._block(None, (8, 8))) == ((10, 18), (3, 5))


def test_outliers_are_images_added_after_the_originals():
    dataset = load_digits(digit=6, contamination={"kind": "outliers", "fraction": 0.5})
    n = len(dataset.X_clean)
    assert len(dataset.X) == n + round(0.5 * n)
    np.testing.assert_array_equal(dataset.X[dataset.clean_rows], dataset.X_clean)
    added = dataset.X[n:]
    assert set(np.unique(added)) == {0.0, 255.0}
    assert added.mean() == pytest.approx(127.5, rel=0.05)
    np.testing.assert_array_equal(np.unique(dataset.y[n:]), [_images.NO_CLASS])
    assert np.all(dataset.y[:n] == 6)


@pytest.mark.parametrize(("kind", "share"), [("noise", 2000 / 6876), ("outliers", 3000 / 6876)])
def test_the_published_share_is_the_default(kind, share):
    dataset = load_digits(contamination={"kind": kind})
    corrupted = len(dataset.X) - len(dataset.X_clean)
    if kind == "noise":
        corrupted = (dataset.X_clean != dataset.X).any(axis=1).sum()
    assert corrupted == pytest.approx(share * 1797, abs=3)


@pytest.mark.parametrize("value", [{"kind": "noise", "fraction": 0}, {"kind": "noisy"}, {"block": [10]}])
def test_the_declaration_knows_what_is_valid(value):
    assert _images.Contamination.__metadata__[0].accepts({"kind": "noise", "fraction": 0.3, "block": [10, 18]})
    assert not _images.Contamination.__metadata__[0].accepts(value)


def test_train_and_test_are_read_together_also_where_the_environment_names_the_folder_above(small_mnist, monkeypatch):
    dataset = load_mnist(path=str(small_mnist))
    assert (dataset.X.shape, dataset.image_shape) == ((40, 784), (28, 28))
    assert {file.name for file in dataset.files} == set(mnist.FILES)
    np.testing.assert_array_equal(dataset.y, np.r_[np.arange(30), np.arange(10)] % 10)
    assert len(load_mnist(path=str(small_mnist), digit=6).X) == 4
    monkeypatch.setenv("SPCABENCH_DATA", str(small_mnist.parent))
    small_mnist.rename(small_mnist.with_name("mnist"))
    dataset = load_mnist(per_class=2, test_per_class=1)
    assert (np.bincount(dataset.y).tolist(), np.bincount(dataset.y_test).tolist()) == ([2] * 10, [1] * 10)


def test_a_limit_draws_images_at_random_and_keeps_their_order(small_mnist):
    path = str(small_mnist)
    whole, some = load_mnist(path=path).X, load_mnist(path=path, limit=7).X
    rows = [int(np.flatnonzero((whole == image).all(axis=1))[0]) for image in some]
    assert len(rows) == 7
    assert rows == sorted(rows)
    assert len(load_mnist(path=path, limit=1000).X) == 40


def test_missing_files_are_named(small_mnist):
    (small_mnist / mnist.FILES[2]).unlink()
    with pytest.raises(DataUnavailable, match=f"no {mnist.FILES[2]} in .*SPCABENCH_DATA"):
        load_mnist(path=str(small_mnist))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"plain", "cannot be read"),
        (gzip.compress(bytes([0, 0, 13, 1, 0, 0, 0, 1, 9])), "not an IDX file of unsigned bytes"),
        (gzip.compress(b""), "not an IDX file"),
        (gzip.compress(bytes([0, 0, 8, 1, 0, 0, 0, 9, 9])), r"ends early: .*\(9,\)"),
        (gzip.compress(bytes([0, 0, 8, 1, 0, 0, 0, 1, 9])), r"shape \(1,\)"),
        (gzip.compress(bytes(5000))[:20], "cannot be read"),
    ],
    ids=["no gzip", "other numbers", "empty", "cut", "one dimension", "cut gzip"],  # gzip writes the time of day
)
def test_a_faulty_file_is_named_with_what_is_wrong(small_mnist, content, message):
    (small_mnist / mnist.FILES[0]).write_bytes(content)
    with pytest.raises(DataUnavailable, match=f"(?s){mnist.FILES[0]}.*{message}"):
        load_mnist(path=str(small_mnist))


def test_without_files_or_network_the_message_says_what_to_do(tmp_path, monkeypatch):
    from sklearn.datasets import _openml

    timeouts = []

    def unreachable(*args, **kwargs):
        timeouts.append(socket.getdefaulttimeout())
        raise URLError("Name or service not known")

    monkeypatch.delenv("SPCABENCH_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr(_openml, "urlopen", unreachable)
    with pytest.raises(DataUnavailable) as raised:
        load_mnist()
    for words in ("Name or service not known", "SPCABENCH_DATA", "path", *mnist.FILES):
        assert words in str(raised.value)
    assert timeouts == [mnist.NETWORK_TIMEOUT] * 2
    assert socket.getdefaulttimeout() is None


def test_openml_gives_the_same_as_the_files(small_mnist, monkeypatch):
    import sklearn.datasets
    from sklearn.utils import Bunch

    files = load_mnist(path=str(small_mnist))
    answer = Bunch(data=files.X.astype(np.int64), target=files.y.astype(str).astype(object))
    monkeypatch.delenv("SPCABENCH_DATA", raising=False)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda *args, **kwargs: answer)
    fetched = load_mnist()
    np.testing.assert_array_equal(fetched.X, files.X)
    np.testing.assert_array_equal(fetched.y, files.y)
    assert fetched.X.dtype == np.float64


@pytest.mark.nightly
@needs_mnist
class TestRealMnist:
    def test_the_split_is_that_of_the_original_files(self):
        found = [load_mnist(digit=6, split=split).X for split in ("train", "test", "all")]
        assert [X.shape for X in found] == [(5918, 784), (958, 784), (6876, 784)]
        assert (found[2].min(), found[2].max()) == (0, 255)

    @pytest.mark.parametrize(("kind", "added", "published"), [("noise", 2000, 905.0617), ("outliers", 3000, 570.3221)])
    def test_dense_pca_of_the_training_images_is_as_published(self, kind, added, published):
        from spcabench import Evaluation, Fitted, Moments
        from spcabench.metrics import reconstruction

        dataset = load_mnist(digit=6, split="train", contamination={"kind": kind, "fraction": added / 5918})
        covariance = np.cov(dataset.X, rowvar=False, ddof=0)
        components = np.linalg.eigh(covariance)[1][:, ::-1][:, :100].T
        fitted = Fitted(components=components, mean=dataset.X.mean(axis=0))
        given = Evaluation(dataset=dataset, fitted=fitted, moments=Moments(X=dataset.X))
        assert reconstruction.err(given)["100"] == pytest.approx(published, rel=0.005)

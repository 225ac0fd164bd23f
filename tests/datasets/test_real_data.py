"""Real data: what SPCABENCH_DATA has is what is meant, and what is fetched is what was kept."""

import csv
import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from spcabench_datasets import collection, covariances, natural_images

from spcabench import DataUnavailable, RemoteFile, fetched
from spcabench.originals import whereabouts

ROOT = Path(os.environ.get("SPCABENCH_DATA", ""))
needs = {
    name: pytest.mark.skipif(not (ROOT / name).is_dir() or not ROOT.name, reason=f"SPCABENCH_DATA has no {name}")
    for name in ("real", "colon", "golub", "natural_images")
}
SPECS = {spec.name: spec for spec in collection.spcabench_datasets()}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.mark.nightly
@needs["real"]
@needs["colon"]
@needs["golub"]
def test_each_table_of_the_collection_is_the_one_that_is_meant(rng):
    """The loader compares checksums; here what else is announced."""
    for name, about in collection.TABLES.items():
        given = {"missing": about["missing"]} if about["missing"] else {}
        n = 552 if given.get("missing") == "drop" else int(about["n"])
        halves = collection.load(name, rng, train=0.5, **given)
        assert len(halves.X) + len(halves.X_test) == n, name
        assert 0.35 < len(halves.X) / n < 0.65, name
        assert halves.X.shape[1] == len(set(halves.feature_names)) == int(about["d"]), name
        assert halves.facts == SPECS[name].provides - {"clean"}, name


@needs["real"]
def test_dependent_rows_are_held_out_together(rng):
    faces = collection.load("olivetti", rng, train=0.5)
    assert set(faces.y).isdisjoint(faces.y_test)
    whole = collection.load("hmp_16s", rng, train=None).X
    halves = collection.load("hmp_16s", rng, train=0.5)
    person = np.array(collection.TABLES["hmp_16s"]["rows"].split(), dtype=int)
    rows = {row.tobytes(): one for row, one in zip(whole, person, strict=True)}
    assert len(rows) == len(whole)
    assert {rows[row.tobytes()] for row in halves.X}.isdisjoint(rows[row.tobytes()] for row in halves.X_test)
    trained = {row.tobytes() for row in collection.load("fred_md", rng, train=0.5).X}
    inside = np.array([row.tobytes() in trained for row in collection.load("fred_md", rng, train=None).X])
    assert np.sum(inside[1:] != inside[:-1]) < 10  # ten blocks of months, not single ones


def test_rows_of_a_table_are_moved_along_one_direction(rng):
    dataset = collection.load("breast_cancer", rng, train=0.5, outliers=0.1)
    moves = (dataset.X - dataset.X_clean) / dataset.X_clean.std(axis=0)
    rows, features = moves.any(axis=1), moves.any(axis=0)
    assert (rows.sum(), features.sum()) == (round(0.1 * len(moves)), 3)
    assert np.linalg.matrix_rank(moves, tol=1e-6) == 1
    assert 5 < np.abs(moves[rows][:, features]).mean() < 12  # that of N(0, 100) is 8
    whole = {row.tobytes() for row in collection.load("breast_cancer", rng, train=None).X}
    assert {row.tobytes() for row in np.vstack([dataset.X_clean, dataset.X_test])} == whole


def test_what_can_be_fetched_is_pinned():
    """Every table but those of scikit-learn has an address with a commit, checksums, a source and a licence."""
    assert sum(bool(about["core"]) for about in collection.TABLES.values()) >= 25
    for name, about in collection.TABLES.items():
        assert len(about["sha256_X"]) == 64
        assert about["source"]
        assert about["licence"]
        for file in collection.remote_files(about):
            assert about["commit"] in file.url, name
            assert len(about["commit"]) == 40
            assert len(file.sha256) == 64
        assert bool(about["path"]) == (about["repository"] != "scikit-learn")


RATINGS = "rownames,a,b,flat\n" + "\n".join(f"x{i},{i}.1,{i * i},7" for i in range(6))


def in_place_of(name, X, original, url, monkeypatch):
    """Serve an original in place of that of a table, whose values are X from now on."""
    file = RemoteFile(f"{url}/{original.name}", sha256(original.read_bytes()))
    monkeypatch.setitem(collection.TABLES, name, dict(collection.TABLES[name], sha256_X=sha256(X.tobytes())))
    monkeypatch.setattr(collection, "remote_files", lambda about: (file,))
    return file


def judge(monkeypatch, folder, url):
    """Serve a table in place of the judges'."""
    (folder / "ratings.csv").write_text(RATINGS)
    X = np.array([[i + 0.1, i * i] for i in range(6)])
    return X, in_place_of("judge_ratings", X, folder / "ratings.csv", url, monkeypatch)


@pytest.mark.usefixtures("alone")
def test_a_table_is_fetched_once_cut_and_kept(rng, monkeypatch, served):
    X, file = judge(monkeypatch, *served)
    (spec,) = (spec for spec in collection.spcabench_datasets() if spec.name == "judge_ratings")
    assert whereabouts(spec) == file.url
    dataset = collection.judge_ratings(rng, train=None)
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.feature_names == ("a", "b")  # without what does not vary
    assert whereabouts(spec) == "fetched"
    (served[0] / "ratings.csv").unlink()
    np.testing.assert_array_equal(collection.judge_ratings(rng, train=None).X, X)


@pytest.mark.usefixtures("alone")
def test_an_original_of_r_is_read(rng, monkeypatch, served):
    rdata = pytest.importorskip("rdata")
    X = np.random.default_rng(1).standard_normal((5, 10))
    original = served[0] / "prostate.RData"
    rdata.write_rda(original, {"prostate": {"x": X, "y": np.array([1.0, 0, 1, 0, 0])}})
    in_place_of("prostate", X, original, served[1], monkeypatch)
    dataset = collection.prostate(rng, train=None)
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.feature_names[:2] == ("V1", "V2")
    assert dataset.y.tolist() == [1, 0, 1, 0, 0]


@pytest.mark.usefixtures("alone")
def test_what_cannot_be_fetched_is_unavailable_in_one_sentence(rng, monkeypatch, served):
    folder, url = served
    _, file = judge(monkeypatch, folder, url)
    with pytest.raises(
        DataUnavailable, match=r"^http.*/none.csv cannot be fetched \(HTTPError\); connect to a network"
    ):
        fetched(RemoteFile(f"{url}/none.csv", file.sha256))
    (folder / "ratings.csv").write_text("changed")
    with pytest.raises(DataUnavailable, match=f"^http.*/ratings.csv has another SHA-256 than {file.sha256}"):
        fetched(file)
    with pytest.raises(DataUnavailable, match=r"cannot be fetched \(ConnectionError\)"):
        fetched(RemoteFile("http://127.0.0.1:9/a.csv", file.sha256))
    monkeypatch.setitem(__import__("sys").modules, "pooch", None)
    with pytest.raises(DataUnavailable, match=r"needs pooch: pip install 'spcabench\[data\]'"):
        collection.judge_ratings(rng, train=None)


def test_a_file_that_is_another_table_is_refused(rng, monkeypatch, tmp_path):
    (tmp_path / "real").mkdir()
    np.savez(tmp_path / "real" / "decathlon.npz", X=np.eye(3), feature_names=["a", "b", "c"])
    monkeypatch.setenv("SPCABENCH_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=r"decathlon.npz is not the table that is meant: the SHA-256 .*remove it"):
        collection.decathlon(rng, train=None)


@needs["real"]
def test_the_list_of_sources_is_that_of_the_folder():
    """What is said here of each table is what its collectors said."""
    by_place = {Path(about["place"]).stem: about for about in collection.TABLES.values()}
    with (ROOT / "real" / "SOURCES.csv").open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            about = by_place[row["name"]]
            for ours, theirs in {"sha256": "sha256_original", "sha256_X": "sha256_X", "licence": "licence"}.items():
                assert about[ours] == row[theirs], row["name"]
            assert collection.remote_files(about)[0].url == row["url"]
            assert bool(about["core"]) == (row["core"] == "yes")


@pytest.mark.parametrize(
    ("name", "ones"),
    [
        pytest.param("colon", 40, marks=needs["colon"]),
        *(pytest.param(name, ones, marks=needs["golub"]) for name, ones in (("golub_raw", 25), ("golub", 11))),
    ],
)
def test_as_many_labels_are_one_as_in_the_papers(rng, name, ones):
    """The values have their checksum."""
    assert collection.load(name, rng, train=None).y.sum() == ones


@needs["natural_images"]
def test_patches_are_those_of_the_images(rng):
    dataset = natural_images.load_natural_images(rng, n=3000)
    assert (dataset.X.shape, dataset.image_shape) == ((3000, 169), (13, 13))
    values = np.linalg.svd(dataset.X - dataset.X.mean(axis=0), compute_uv=False) ** 2
    assert values[0] / values.sum() > 0.6  # the mean grey level, by far
    flat = natural_images.load_natural_images(rng, n=50, size=5, remove_mean=True).X
    np.testing.assert_allclose(flat.mean(axis=1), 0, atol=1e-10)
    with pytest.raises(ValueError, match="size is 300; valid is up to 256"):
        natural_images.load_natural_images(rng, n=5, size=300)


def test_what_is_missing_is_said_with_where_to_get_it(rng, monkeypatch, tmp_path):
    with pytest.raises(DataUnavailable, match=r"there is no nowhere.npz; set the parameter path"):
        natural_images.load_natural_images(rng, path="nowhere.npz")
    monkeypatch.setenv("SPCABENCH_DATA", str(tmp_path))
    with pytest.raises(DataUnavailable, match=r"SPCABENCH_DATA names no folder with natural_images/.*Hyvarinen"):
        natural_images.load_natural_images(rng)


def test_a_covariance_is_read_from_each_kind_of_file(rng, tmp_path, monkeypatch):
    S = np.array([[2.0, 0.5], [0.5, 1.0]])
    (tmp_path / "covariances").mkdir()
    np.savez(tmp_path / "covariances" / "ours.npz", covariance=S)
    np.save(tmp_path / "ours.npy", S)
    np.savetxt(tmp_path / "ours.csv", S, delimiter=",")
    monkeypatch.setenv("SPCABENCH_DATA", str(tmp_path))
    for given in ({"name": "ours"}, {"path": str(tmp_path / "ours.npy")}, {"path": str(tmp_path / "ours.csv")}):
        np.testing.assert_array_equal(covariances.load_covariance_file(rng, **given).covariance, S)
    with pytest.raises(DataUnavailable, match=r"names no folder with covariances/theirs\.npz"):
        covariances.load_covariance_file(rng, name="theirs")
    with pytest.raises(ValueError, match="one of the parameters name and path"):
        covariances.load_covariance_file(rng)


def test_a_covariance_with_another_hash_is_refused_with_both(rng, tmp_path):
    file = tmp_path / "ours.npy"
    np.save(file, np.eye(2))
    right, wrong = sha256(file.read_bytes()), "0" * 64
    assert covariances.load_covariance_file(rng, path=str(file), sha256=right.upper()).covariance.shape == (2, 2)
    with pytest.raises(ValueError, match=f"(?s){right}.*{wrong}"):
        covariances.load_covariance_file(rng, path=str(file), sha256=wrong)

"""Data of a run stays as it was drawn, whatever is done to its files."""

from __future__ import annotations

import mmap
import os

import numpy as np
import pytest

from spcabench.run.executors import sealed
from spcabench.run.executors.sealed import SealedData
from spcabench.run.worker.data_files import load, save
from spcabench.specs import Dataset


@pytest.fixture
def in_use():
    return set()


@pytest.fixture
def data(in_use):
    kept = SealedData(lambda: in_use)
    yield kept
    kept.close()


@pytest.fixture
def file(tmp_path):
    (tmp_path / "data").write_bytes(b"as it was drawn")
    return tmp_path / "data"


needs_memfd = pytest.mark.skipif(sealed._memory() is None, reason="there is no memfd")


@needs_memfd
@pytest.mark.parametrize(
    "change",
    [
        lambda place: place.write_bytes(b"spoiled"),
        lambda place: os.truncate(place, 3),
        lambda place: os.pwrite(os.open(place, os.O_RDWR), b"x", 0),
        lambda place: mmap.mmap(os.open(place, os.O_RDWR), 0, mmap.MAP_SHARED)[0],
    ],
    ids=["write", "truncate", "pwrite", "mmap"],
)
def test_a_copy_cannot_be_changed(data, file, change):
    assert data.keep(file)
    place = data.place(file)
    with pytest.raises(PermissionError):
        change(place)
    assert place.read_bytes() == b"as it was drawn"


@needs_memfd
def test_what_becomes_of_the_file_does_not_matter(data, file):
    data.keep(file)
    file.write_bytes(b"spoiled")
    assert data.place(file).read_bytes() == b"as it was drawn"
    file.unlink()
    assert data.has(file)
    assert data.place(file).read_bytes() == b"as it was drawn"


@needs_memfd
def test_a_copy_made_again_is_what_was_drawn(data, in_use, file, tmp_path):
    in_use.add(file)
    data.keep(file)
    others = [tmp_path / str(number) for number in range(4)]
    for other in others:
        other.write_bytes(other.name.encode())
        data.keep(other)
        assert data.place(other)
    assert data.place(file).read_bytes() == b"as it was drawn", "a copy in use is dropped"
    assert len(os.listdir(tmp_path)) == 5
    assert len(data._copies) == sealed.KEPT + 2, "one in use, the newest, and the last idle ones"
    data._drop(file)
    assert data.place(file).read_bytes() == b"as it was drawn"
    data._drop(file)
    file.write_bytes(b"as it was drawN")
    assert data.place(file) is None
    assert not data.has(file)


def test_without_memory_a_changed_file_is_told(data, file, monkeypatch):
    monkeypatch.setattr(sealed, "_memory", lambda: None)
    assert data.keep(file)
    assert data.place(file) == file
    with file.open("r+b") as stream:
        stream.write(b"x")
    assert not data.has(file)
    assert data.place(file) is None


def test_without_memory_a_file_that_was_touched_is_what_was_drawn(data, file, monkeypatch):
    """It was drawn again whenever a method touched it, or its file system changed the time."""
    read = []
    written = sealed._written
    monkeypatch.setattr(sealed, "_memory", lambda: None)
    monkeypatch.setattr(sealed, "_written", lambda *handles: read.append(handles) or written(*handles))
    assert data.keep(file)
    for mode in (0o600, 0o640, 0o600):
        file.chmod(mode)
        assert data.has(file)
        assert data.has(file)
    assert len(read) == 4, "it is read once for each change"


@pytest.mark.parametrize("kind", ["none", "pipe", "link"])
def test_what_is_no_file_is_no_data(data, file, kind):
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "link":
        file.symlink_to("/dev/zero")
    assert not data.keep(file)


def test_a_data_set_arrives_as_it_was(tmp_path):
    rng = np.random.default_rng(0)
    dataset = Dataset(
        X=rng.standard_normal((7, 3)),
        X_clean=rng.standard_normal((2, 3)),
        clean_rows=np.array([1, 4]),
        X_test=rng.standard_normal((0, 3)),
        y=np.array(["é", "b", "long"] * 2 + [""]),
        feature_names=("a", "b", "c"),
        image_shape=(1, 3),
        notes="n",
    )
    summary = save(dataset, tmp_path)
    found = load(tmp_path / "data")
    for name in ("X", "X_clean", "clean_rows", "X_test", "y"):
        np.testing.assert_array_equal(getattr(found, name), getattr(dataset, name))
        assert getattr(found, name).dtype == getattr(dataset, name).dtype
        assert not getattr(found, name).flags.writeable
    assert found.covariance is None
    assert (found.feature_names, found.image_shape, found.notes) == (("a", "b", "c"), (1, 3), "n")
    assert found.X.ctypes.data % 64 == 0
    assert save(dataset, tmp_path / "again").fingerprint == summary.fingerprint

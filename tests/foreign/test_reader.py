"""What is read from outside is what is there; what is not sound is refused in one sentence, whatever it holds."""

from __future__ import annotations

import contextlib
import csv
import os
import resource
import signal
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from fuzzing import seeds
from malformed import malformed, npy
from scipy import sparse
from spcabench_datasets.files import load_file

from spcabench import InputError, read_arrays, read_table
from spcabench.explore.understanding import understand
from spcabench.foreign.confined import Refused, confined
from spcabench.foreign.formats import UNNAMED


@pytest.mark.parametrize(
    ("columns", "encoding", "how"),
    [
        (["länge", "größe", "c"], "latin-1", {}),
        (["länge", "größe", "c"], "utf-16", {"sep": ";", "decimal": ","}),
        ([f"gene number {j}" for j in range(20_000)], "utf-8", {}),
        (["a", "b", "c"], "utf-8", {"index": True, "quoting": csv.QUOTE_NONNUMERIC}),
    ],
    ids=["latin-1", "utf-16", "many names", "write.csv of R"],
)
def test_text_of_any_encoding_and_width_is_read_table(tmp_path, columns, encoding, how):
    numbers = pd.DataFrame(np.random.default_rng(0).standard_normal((6, len(columns))), columns=columns)
    numbers.index = [f"row {i}" for i in range(6)]
    numbers.to_csv(tmp_path / "t.csv", **{"index": False, "encoding": encoding} | how)
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.csv").frame[columns], numbers.reset_index(drop=True))


@pytest.mark.parametrize("about", [{}, {"_is_array": True}], ids=["matrix", "array"])
@pytest.mark.parametrize("shift", [1, 1_000_000, -1])
def test_a_sparse_matrix_with_indices_beyond_its_shape_is_refused(tmp_path, shift, about):
    matrix = sparse.random(30, 9, density=0.5, random_state=0, format="csr")
    parts = {"data": matrix.data, "indptr": matrix.indptr, "indices": matrix.indices + shift, **about}
    np.savez(tmp_path / "t.npz", format=b"csr", shape=matrix.shape, **parts)
    with pytest.raises(InputError, match=r"t\.npz: it cannot be read: .*indices.*; save it anew"):
        read_table(tmp_path / "t.npz")


def test_a_file_that_is_not_in_the_encoding_of_its_mark_is_refused(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbfa\tb\n1,5\t2,5\n\xc9\x18\xd3\n")
    with pytest.raises(InputError, match="its mark says UTF-8, and it is not"):
        read_table(tmp_path / "t.csv")


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "t.parquet").write_bytes(b"x")
    with pytest.raises(InputError, match=r"reading it needs pyarrow: pip install 'spcabench\[parquet\]'"):
        read_table(tmp_path / "t.parquet")


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("a b c\nr1 1 2 3\nr2 4 5 6\n", ["a", "b", "c"], [[1, 2, 3], [4, 5, 6]]),
        ("a,b\n1,2,\n3,4,\n", ["a", "b"], [[1, 2], [3, 4]]),
        ("1,5;2;3\n2,5;3;4\n", ["x0", "x1", "x2"], [[1.5, 2, 3], [2.5, 3, 4]]),
        ("a\tb\n1,5\t2\n2\t2,5e3\n", ["a", "b"], [[1.5, 2], [2, 2500]]),
        ('"a;b","c"\n1,2\n3,4\n', ["a;b", "c"], [[1, 2], [3, 4]]),
        ("  1.5   2\n  3  4\n", ["x0", "x1"], [[1.5, 2], [3, 4]]),
    ],
)
def test_what_separates_cells_is_found(tmp_path, text, columns, rows):
    (tmp_path / "t.txt").write_text(text)
    frame = read_table(tmp_path / "t.txt").frame
    assert frame.columns.tolist() == columns
    np.testing.assert_array_equal(frame.to_numpy(), rows)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.xyz", b"1", "ends in '.xyz'; valid are .csv"),
        ("t.csv", b"", "is empty; valid is"),
        ("t.csv", b"a,b\n1.5,2,3\n", "header has a name fewer than its rows; name each"),
        ("t.csv", b"a;b,4;5\n11,1;-4,2\n6,5;-6,8\n", "its rows have 2 numbers, and its header 3 names; name each"),
        ("t.csv", b"a,b\n", r"has 0 rows"),
        ("t.csv", b"a\n1\n2\n", "nothing separates its cells; valid are commas"),
        ("t.csv", b"a,b\n1,\0\n", "zero bytes"),
        ("t.csv", "a,ü\n".encode()[:-2], "ends within a character"),
        ("t.csv", b"1,2\n3,4\n5,6,7\n", r"Expected 2 fields in line 3, saw 3; save it anew"),
        ("t.npy", npy(np.array([[1, "a"]], dtype=object)), "Object arrays cannot be loaded.*; save it anew"),
        ("t.npy", npy(np.array([["a", "b"]])), "holds <U1; valid are real numbers"),
        ("t.npy", npy(np.eye(2) * 1j), "holds complex128"),
        ("t.npy", npy(np.eye(2, dtype=np.longdouble)), "holds float128; valid are real numbers of at most 64 bits"),
        ("t.npy", npy(np.ones(2)), r"shape \(2,\)"),
        ("t.npy", npy(np.eye(2)) + npy(np.eye(2)), "160 bytes follow the array; save each"),
        ("t.npz", b"PK\x03\x04", "File is not a zip file; save it anew"),
        ("t.parquet", b"words", "cannot be read.*; save it anew"),
    ],
)
def test_what_is_not_sound_is_refused_in_a_sentence(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        read_table(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert "\n" not in str(caught.value)


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for part in range(5):
            archive.writestr(f"{part}.npy", bytes(2**28))
    before = time.process_time()
    with pytest.raises(InputError, match=r"unpacks to 1.25 GiB; valid is up to 1 GiB: save it uncompressed"):
        read_arrays(tmp_path / "t.npz")
    assert time.process_time() - before < 1


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: time.sleep(60), "longer than 0.3 s"),
        (lambda: [None for _ in iter(int, 1)], "longer than 0.3 s|of memory"),
        (lambda: bytearray(2**31), "more than 1 GiB of memory"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "the process that reads it ended"),
        (lambda: Path("t").write_bytes(b"1"), "File too large|ended"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: sys.exit(3), "SystemExit"),
    ],
)
def test_a_process_is_held_within_limits(tmp_path, monkeypatch, work, words):
    monkeypatch.chdir(tmp_path)
    before = time.monotonic()
    with pytest.raises(Refused, match=words):
        confined(work, 0.3, 2**30)
    assert time.monotonic() - before < 20
    assert not any(file.stat().st_size for file in tmp_path.iterdir())


def test_what_is_returned_is_as_it_was_and_can_be_changed():
    sent = {"a": np.arange(6.0).reshape(2, 3).T, "b": [1, "x"], "empty": np.empty(0)}
    found = confined(lambda: sent, 60, 2**30)
    np.testing.assert_array_equal(found["a"], sent["a"])
    found["a"][0] = 9
    assert (found["b"], found["empty"].shape) == ([1, "x"], (0,))


def oracle(file, dialect, rows_named):
    """Read a file as numpy, scipy, pandas and pyarrow do, with all the checks that they have."""
    if dialect is not None:
        dialect = dialect if rows_named else {"index_col": False, **dialect}
        try:
            return pd.read_csv(file, **dialect).to_numpy()
        except UnicodeDecodeError:
            return pd.read_csv(file, **dialect | {"encoding": "latin-1"}).to_numpy()
    if file.suffix == ".npy":
        return np.load(file, allow_pickle=False)
    if file.suffix == ".parquet":
        return pd.read_parquet(file, page_checksum_verification=True).to_numpy()
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
    with np.load(file, allow_pickle=False) as held:
        if "format" not in held:
            return (
                held["X"] if "X" in held else next(a for a in held.values() if a.ndim == 2 and a.dtype.kind in "biuf")
            )
    matrix = sparse.load_npz(file)
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return matrix.toarray()


def tried(seed, folder):
    """Read a malformed file and do with it what follows reading; return whether it was accepted."""
    file, dialect = malformed(seed, folder)
    try:
        table = read_table(file, seconds=20)
    except InputError as error:
        said = str(error)
        assert "\n" not in said.replace(str(file), ""), said
        assert len(said) < 3000 + len(str(file)), said
        return False
    if dialect or file.suffix != ".csv":
        values = table.frame.drop(columns=[table.label] if table.label else []).to_numpy()
        pd.testing.assert_frame_equal(
            pd.DataFrame(values), pd.DataFrame(oracle(file, dialect, UNNAMED in table.notes)), check_dtype=False
        )
    for follow in (
        lambda: understand(table.frame, label=table.label),
        lambda: load_file(np.random.default_rng(0), str(file)),
    ):
        with contextlib.suppress(InputError, ValueError):
            follow()
    return True


@pytest.mark.parametrize("seed", range(40))
def test_malformed_files_are_refused_or_read_as_others_read_them(tmp_path, seed):
    tried(seed, tmp_path)


@pytest.mark.nightly
def test_many_malformed_files(tmp_path, monkeypatch):
    monkeypatch.setenv("FUZZ", os.environ.get("FUZZ", "500"))
    accepted = []
    for seed in seeds():
        print(seed, end=" ")
        accepted.append(tried(seed, tmp_path))
    assert 0.05 < np.mean(accepted) < 0.95, "the files are all sound, or all hopeless"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 4 * 2**20  # KiB

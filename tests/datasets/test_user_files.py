"""The user's own files: what is read, and what is said of those that cannot be."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from spcabench_datasets import files
from spcabench_methods import MomentSPCA, TPower

from spcabench import InputError

RNG = np.random.default_rng(0)
X = np.array([[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]])
S = np.array([[2.0, 0.5], [0.5, 1.0]])


def load(path, kind="samples", **how):
    return files.load_file(RNG, str(path), kind, **how)


@pytest.fixture
def write(tmp_path):
    def write(text, name="data.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


# Text


@pytest.mark.parametrize("header", [True, False])
def test_a_header_is_recognised(write, header, monkeypatch):
    path = write("a,b\n" * header + "1,2\n3,4.5\n5,7\n")
    monkeypatch.setenv("HOME", str(path.parent))
    dataset = load("~/data.csv", missing="em")
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.files == (path,)
    assert dataset.feature_names == (("a", "b") if header else ())


@pytest.mark.parametrize(("cells", "y"), [("3,1,3", [3, 1, 3]), ("b,a,b", [1, 0, 1]), ("2.5,0.5,2.5", [1, 0, 1])])
def test_labels_are_taken_out(write, cells, y):
    rows = "\n".join(f"1,{cell},2" for cell in cells.split(","))
    dataset = load(write(f"a,class,b\n{rows}\n"), label="class")
    assert dataset.X.shape == (3, 2)
    assert dataset.feature_names == ("a", "b")
    np.testing.assert_array_equal(dataset.y, y)
    np.testing.assert_array_equal(load(write("1,2,0\n3,4,1\n"), label=2).y, [0, 1])


def test_covariance_with_names_at_both_sides(tmp_path):
    pd.DataFrame(S, index=["a", "b"], columns=["a", "b"]).to_csv(tmp_path / "S.csv")
    dataset = load(tmp_path / "S.csv", kind="covariance")
    np.testing.assert_array_equal(dataset.covariance, S)
    assert dataset.X is None
    assert dataset.feature_names == ("a", "b")


def test_an_index_is_no_feature(tmp_path):
    pd.DataFrame(X, columns=["a", "b"]).to_csv(tmp_path / "nameless.csv")
    dataset = load(tmp_path / "nameless.csv")
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.feature_names == ("a", "b")
    assert dataset.notes == "the first column has no name: left out, as the index of a table"


# Columns that are left out, and values that are missing

TABLE = "id,class,a,b,c,d\nr1,x,1,2,5,\nr2,y,,3,5,\nr3,x,4,7,5,\n"


def test_columns_are_left_out_by_name_or_number(write):
    assert load(write("a,b,c\n1,x,2\n3,y,5\n"), drop=["b"]).feature_names == ("a", "c")
    np.testing.assert_array_equal(load(write("1,9,2\n3,8,5\n"), drop=[1]).X, [[1, 2], [3, 5]])


def test_rows_that_lack_values_are_left_out_with_their_labels(write):
    dataset = load(write(TABLE), label="class", drop=["id", "d"], missing="drop")
    np.testing.assert_array_equal(dataset.X, [[1, 2, 5], [4, 7, 5]])
    np.testing.assert_array_equal(dataset.y, [0, 0])
    assert dataset.notes == "1 of 3 rows left out, which lack values of 'a'"


def test_missing_values_are_filled_with_medians(write):
    dataset = load(write(TABLE), label="class", drop=["id", "d"], missing="median", constant="drop")
    np.testing.assert_array_equal(dataset.X, [[1, 2], [2.5, 3], [4, 7]])
    np.testing.assert_array_equal(dataset.y, [0, 1, 0])
    assert dataset.feature_names == ("a", "b")
    assert dataset.notes == (
        "1 missing values of 'a' filled with medians, which makes variances smaller; constant, left out: 'c'"
    )


def test_of_samples_that_lack_values_em_keeps_second_moments(write):
    text = TABLE + "r4,x,2,4,5,\nr5,y,0,,5,\nr6,y,,,,\n"
    dataset = load(write(text), label="class", drop=["id", "d"], missing="em", constant="drop", factors=1)
    assert (dataset.X, dataset.y) == (None, None)
    assert dataset.feature_names == ("a", "b")
    assert dataset.notes == (
        "1 of 6 rows left out, which have no value; constant, left out: 'c'; only second moments, by "
        "expectation maximisation, as 2 values are missing"
    )
    known = np.array([[1, 2], [np.nan, 3], [4, 7], [2, 4], [0, np.nan]])
    scale = np.nanstd(known, axis=0)
    fitted = MomentSPCA(TPower(1, 1), rank=1, max_iter=1000, tol=1e-5).fit(known / scale)
    np.testing.assert_allclose(dataset.covariance, fitted.covariance_ * np.outer(scale, scale))


def test_the_unit_of_a_column_changes_no_correlation_of_em(write):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.standard_normal((40, 6)) @ rng.standard_normal((6, 6)), columns=list("abcdef"))
    frame = frame.mask(rng.random(frame.shape) < 0.2)
    S = load(write(frame.to_csv(index=False)), missing="em").covariance
    unit = np.array([1.0, 1000.0, 1.0, 1.0, 0.01, 1.0])
    again = load(write((frame * unit).to_csv(index=False)), missing="em").covariance
    np.testing.assert_allclose(again, S * np.outer(unit, unit), rtol=1e-9)
    assert np.linalg.eigvalsh(S)[0] > 0


@pytest.mark.parametrize(
    ("text", "how", "message"),
    [
        (
            "a,b\n1,2\n3,\n",
            {},
            r"data.csv: column 'b', row 2 is nan; leave out such rows by missing: drop, fill .* missing: em",
        ),
        ("1,inf\n3,nan\n", {}, r"column 2, row 1 is inf, and 1 more like it$"),
        (
            "a,b,c\n1,x,2\n3,y,z\n",
            {},
            r"not numeric: 'b', 'c' \(column 'b', row 1 is 'x'\).*by drop: \[b, c\], or name one as label",
        ),
        ("a,b\n1,2\n3,four\n", {}, r"not numeric: 'b' \(column 'b', row 2 is 'four'\)"),
        ("1,2\n", {}, "one sample only"),
        ("a,class\n1,x\n2,\n", {"label": "clas"}, r"no column 'clas' \(did you mean 'class'\?\)"),
        ("a,class\n1,x\n2,\n", {"label": "class"}, "label of row 2 is missing"),
        (TABLE, {"drop": ["clas"]}, r"no column 'clas' to drop \(did you mean 'class'\?\)"),
        ("a,b\n1,2\n,\n", {"missing": "em"}, "data.csv has one sample only"),
        ("a,b\n1,2\n,inf\n3,4\n", {"missing": "em"}, "column 'b', row 2 is inf$"),
        (TABLE, {"drop": ["id", "class"], "missing": "median"}, r"no value in 'd'; leave them out by drop: \[d\]"),
        ("a,b\n1,\n,2\n", {"missing": "drop"}, "each row lacks a value of 'a', 'b'; set missing: median"),
        ("a,b\n1,2\n1,2\n", {"constant": "drop"}, "no column varies"),
        ("a,b\n2,1\n1,2\n", {"constant": "drop", "kind": "covariance"}, "missing and constant are for samples"),
    ],
)
def test_what_cannot_be_done_is_named(write, text, how, message):
    with pytest.raises(ValueError, match=message):
        load(write(text), **how)


# Arrays


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, bool, ">f8"])
def test_numbers_of_any_kind(tmp_path, dtype):
    np.save(tmp_path / "x.npy", X.astype(dtype))
    dataset = load(tmp_path / "x.npy")
    np.testing.assert_array_equal(dataset.X, X.astype(dtype))
    assert (dataset.X.dtype, dataset.feature_names) == (np.float64, ())


@pytest.mark.parametrize("named", [True, False])
def test_labels_and_names_of_an_archive_are_the_classes_and_the_names(tmp_path, named):
    names = {"feature_names": np.array(["a", "b"])} if named else {}
    np.savez(tmp_path / "x.npz", X=X, labels=np.array(["v", "u", "v"]), other=S, **names)
    dataset = load(tmp_path / "x.npz")
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.y.tolist() == [1, 0, 1]
    assert dataset.feature_names == (("a", "b") if named else ())
    assert dataset.notes == "it holds also other: not used"


def test_a_matrix_among_several_has_a_name(tmp_path):
    np.savez(tmp_path / "x.npz", first=X, second=S)
    with pytest.raises(InputError, match=r"holds 2 arrays \(first, second\); name the matrix 'X'"):
        load(tmp_path / "x.npz")


def test_a_sparse_matrix_is_read_whole(tmp_path):
    sparse.save_npz(tmp_path / "x.npz", sparse.csr_matrix(X))
    np.testing.assert_array_equal(load(tmp_path / "x.npz").X, X)


# Covariances


def test_a_covariance_is_kept_and_made_exactly_symmetric(tmp_path):
    np.save(tmp_path / "S.npy", S + np.array([[0, 1e-12], [0, 0]]))
    found = load(tmp_path / "S.npy", kind="covariance").covariance
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(found, S)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (X, "a covariance is square"),
        (np.array([[1, 0.5], [0.4, 1]]), "not symmetric: row 1, column 2 is 0.5, and row 2, column 1 is 0.4"),
        (np.array([[1.0, 2], [2, 1]]), "smallest eigenvalue is -1"),
    ],
)
def test_what_is_no_covariance_is_refused(tmp_path, matrix, message):
    np.save(tmp_path / "S.npy", matrix)
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "S.npy", kind="covariance")


# Parquet


def test_parquet_takes_the_same_as_text_and_points_at_the_same(tmp_path):
    pytest.importorskip("pyarrow", reason="reading parquet needs pyarrow")
    file, dates = tmp_path / "data.parquet", pd.to_datetime(["2020-01-01"] * 3)
    frame = pd.DataFrame({"id": dates, "a": pd.array([1, None, 3], dtype="Int64"), "b": 2.0, "c": [1.0, 0.0, 5.0]})
    frame.to_parquet(file)
    dataset = load(file, drop=["id"], missing="median", constant="drop")
    assert dataset.feature_names == ("a", "c")
    np.testing.assert_array_equal(dataset.X, [[1, 1], [2, 0], [3, 5]])
    with pytest.raises(ValueError, match="column 'a', row 2 is nan"):
        load(file, drop=["id"])
    with pytest.raises(ValueError, match="not numeric: 'id'"):
        load(file)


# Rows that are held out


def halves(path, seed=0, **how):
    return files.load_file(np.random.default_rng(seed), str(path), train=0.5, **how)


def test_rows_are_drawn_anew_with_each_seed(tmp_path):
    X = np.arange(22.0).reshape(11, 2)
    np.save(tmp_path / "x.npy", X)
    first, second = (halves(tmp_path / "x.npy", seed) for seed in (0, 1))
    assert first.X.shape == (6, 2)
    assert sorted([*first.X[:, 0], *first.X_test[:, 0]]) == X[:, 0].tolist()
    assert not np.array_equal(first.X, second.X)


@pytest.mark.parametrize("seed", range(3))
def test_groups_and_blocks_stay_together(write, seed):
    path = write("who,class,a\n" + "".join(f"{'pqrst'[i % 5]},{i % 2},{i}\n" for i in range(20)))
    by_group = halves(path, seed, groups="who", label="class")
    assert {int(a) % 5 for a in by_group.X[:, 0]}.isdisjoint(int(a) % 5 for a in by_group.X_test[:, 0])
    assert by_group.feature_names == ("a",)
    np.testing.assert_array_equal(by_group.y_test, by_group.X_test[:, 0] % 2)
    by_block = halves(path, seed, blocks=4, drop=["who", "class"])
    assert {int(a) // 5 for a in by_block.X[:, 0]}.isdisjoint(int(a) // 5 for a in by_block.X_test[:, 0])


def test_what_cannot_be_held_out(write, tmp_path):
    with pytest.raises(ValueError, match=r"train is 0.5: of 3 rows in 1 groups, 3 would be trained on"):
        halves(write("a,b\n1,2\n1,3\n1,4\n"), groups="a")
    np.save(tmp_path / "S.npy", S)
    with pytest.raises(ValueError, match="second moments have no rows to hold out; leave train out"):
        halves(tmp_path / "S.npy", kind="covariance")

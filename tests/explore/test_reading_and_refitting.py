"""Tables are read, and the Python that is printed reads and fits them as the try did."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import spcabench
from spcabench.explore.trying import MOST_SPARSE
from spcabench.explore.understanding import understand
from spcabench.foreign.reader import read_table
from spcabench.wording import InputError

read = partial(read_table, widest=MOST_SPARSE)


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    values = pd.DataFrame(rng.standard_normal((40, 6)) * [30, 2, 1, 1, 1, 0.5], columns=list("abcdef"))
    values["name"] = [f"s{i}" for i in rng.permutation(40)]
    values["kind"] = ["x", "y"] * 20
    values["flat"] = 3
    return values


def refitted(file, **how):
    """Run the printed script, and return its loadings, those of the answer, and what was understood."""
    answer = spcabench.explore(file, n_components=2, n_nonzero=3, **how)
    names = {}
    exec(compile(answer.script, "refit.py", "exec"), names)
    assert names["loadings"].index.tolist() == list(answer.table.features)
    return names["loadings"].to_numpy(), answer.components.to_numpy(), answer.table


@pytest.mark.parametrize("missing", [None, "drop", "median"])
def test_the_script_fits_what_was_tried(tmp_path, frame, missing, capsys):
    if missing:
        frame.loc[[3, 8], "c"] = np.nan
    frame.to_csv(tmp_path / "own.csv", index=False)
    found, expected, how = refitted(tmp_path / "own.csv", missing=missing)
    np.testing.assert_allclose(found, expected, atol=1e-8)
    assert (how.label, how.preprocess) == ("kind", "standardise")
    assert set(how.drop) == {"name", "flat"}
    assert "PC1" in capsys.readouterr().out


def test_percent_and_currency_are_read_as_numbers(tmp_path, frame, capsys):
    texts = frame.assign(b=frame["b"].map("{:.1f} %".format), a=(1e5 * frame["a"]).map("${:,.2f}".format))
    texts.to_csv(tmp_path / "own.csv", index=False)
    found, expected, how = refitted(tmp_path / "own.csv")
    np.testing.assert_allclose(found, expected, atol=1e-8)
    assert {"a", "b"} <= set(how.features)
    answer = spcabench.explore(tmp_path / "own.csv", n_components=1)
    assert str(answer.remarks[0]).startswith("'a', 'b' have a sign of percent or of a currency: read as numbers")
    np.testing.assert_allclose(answer.table.X[:, 0], 1e5 * frame["a"], atol=0.006)


@pytest.mark.parametrize(
    "kind", ["t.tsv", "semicolon.csv", "headless.csv", "t.parquet", "t.xlsx", "t.npy", "t.npz", "sparse.npz"]
)
def test_each_format_is_read_as_its_script_reads_it(tmp_path, frame, kind, capsys):
    numbers, file = frame[list("abcdef")], tmp_path / kind
    ways = {
        "t.tsv": lambda: numbers.to_csv(file, sep="\t", index=False),
        "semicolon.csv": lambda: numbers.to_csv(file, sep=";", decimal=",", index=False),
        "headless.csv": lambda: numbers.to_csv(file, header=False, index=False),
        "t.parquet": lambda: numbers.to_parquet(file),
        "t.xlsx": lambda: numbers.to_excel(file, index=False),
        "t.npy": lambda: np.save(file, numbers),
        "t.npz": lambda: np.savez(file, X=numbers),
        "sparse.npz": lambda: sparse.save_npz(file, sparse.csr_matrix(numbers)),
    }
    for ending, package in ((".parquet", "pyarrow"), (".xlsx", "openpyxl")):
        if file.suffix == ending:
            pytest.importorskip(package)
    ways[kind]()
    source, names = read(file), {}
    np.testing.assert_allclose(source.frame.to_numpy(), numbers.to_numpy())
    exec("\n".join(["import pandas as pd", *source.imports, source.code]), names)
    pd.testing.assert_frame_equal(names["table"], source.frame)
    if kind in ("semicolon.csv", "t.npz"):
        found, expected, _ = refitted(file)
        np.testing.assert_allclose(found, expected, atol=1e-8)


def test_of_a_wide_sparse_table_the_most_variable_columns_are_kept(tmp_path, capsys):
    matrix = sparse.random(30, MOST_SPARSE + 50, density=0.3, random_state=0, format="csc")
    matrix = sparse.csc_matrix(matrix.multiply(~np.isin(np.arange(matrix.shape[1]), range(5, 20))))
    sparse.save_npz(tmp_path / "t.npz", matrix)
    source = read(tmp_path / "t.npz")
    assert source.frame.shape == (30, MOST_SPARSE)
    assert not {"x5", "x19"} & set(source.frame.columns)
    assert source.notes[0][0] == f"a sparse table of {MOST_SPARSE + 50} columns"
    names = {}
    exec(spcabench.explore(source.file, n_components=2).script, names)
    pd.testing.assert_frame_equal(names["table"], source.frame)


def test_faults_name_the_column_the_row_and_the_remedy(tmp_path, frame):
    def fault(frame, **how):
        with pytest.raises(InputError) as caught:
            understand(frame, **how)
        return str(caught.value)

    odd = frame.astype({"b": object})
    odd.loc[[4, 6], "b"] = "?"
    assert fault(odd) == (
        "column 'b', row 5 is '?', and 1 more cells like it, where the others are numbers; write missing values as NA, "
        "or leave the column out by --drop 'b'"
    )
    infinite = frame.assign(c=np.where(np.arange(40) == 9, np.inf, frame["c"]))
    assert fault(infinite).startswith(
        "column 'c', row 10 is inf; write it as NA, or leave the column out by --drop 'c'"
    )
    lacking = frame.assign(c=np.where(np.arange(40) == 9, np.nan, frame["c"]))
    assert fault(lacking, missing="error").startswith("column 'c', row 10 has no value, and 0 more cells; leave such")
    assert fault(frame, drop=["knd"]).startswith("--drop: no column 'knd'; valid are ")
    assert "did you mean 'kind'" in fault(frame, label="knd")
    assert fault(frame[["a", "name"]]).startswith("1 columns of numbers are left; valid are two or more")


def test_a_missing_header_is_said_and_names_that_repeat_get_a_number(tmp_path, frame):
    numbers = frame[list("abcd")]
    numbers.to_csv(tmp_path / "none.csv", header=False, index=False)
    numbers.to_csv(tmp_path / "repeats.csv", header=["a", "b", "b", "b"], index=False)
    assert [found for found, _, _ in read_table(tmp_path / "none.csv").notes] == ["the first row is all numbers"]
    source = read_table(tmp_path / "repeats.csv")
    assert source.notes == ()
    understood = understand(source.frame)
    assert understood.features == ("a", "b", "b.1", "b.2")


def test_unscaled_features_far_apart_are_warned_of(frame):
    remarks = [one for one in understand(frame, standardise=False).remarks if one.warning]
    assert len(remarks) == 1
    assert "'a' has 9" in remarks[0].found
    assert remarks[0].otherwise == "--standardise"


def test_rows_are_left_out_by_their_places_also_if_the_table_names_them(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 8))
    X[:, :3] += 2 * rng.standard_normal((60, 1))
    X[9] += 30 * rng.standard_normal(8)
    pd.DataFrame(X, index=np.arange(1, 61)).to_csv(tmp_path / "r.csv", header=[f'"v{j}"' for j in range(8)], quoting=3)
    text = (tmp_path / "r.csv").read_text().removeprefix(",")  # as R writes names of rows
    (tmp_path / "r.csv").write_text(text)
    found, expected, _ = refitted(tmp_path / "r.csv")
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_numbers_among_percentages_are_read(frame):
    mixed = frame.assign(b=["10%" if i % 2 else float(i) for i in range(40)])
    answer = spcabench.explore(mixed, n_components=1)
    assert answer.table.X[:4, list(answer.table.features).index("b")].tolist() == [0.0, 10.0, 2.0, 10.0]

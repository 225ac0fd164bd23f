import io
import json
import math
import sys

import pandas as pd
import pytest

from spcabench.report.export import EXPORTS
from spcabench.store.frame import ABOUT_FIT, Level
from spcabench.wording import InputError


def test_csv_has_a_row_for_every_cell_and_every_digit(full):
    read = pd.read_csv(io.BytesIO(EXPORTS[".csv"](full)), keep_default_na=False, na_values=[""])
    assert len(read) == len(full.frame) == 12
    assert read["cpev"].iloc[0] == full.frame["cpev"].iloc[0]
    assert read["reason"].iloc[3] == "600 s | over"


def test_json_is_strict_and_null_where_nothing_is_known(make):
    rows = [make.cell(cpev=0.1 + 0.2, n_nonzero=4), make.cell("б<", cpev=math.nan, err=math.inf, n_nonzero=None)]
    first, second = json.loads(EXPORTS[".json"](make(rows)), parse_constant=pytest.fail)
    assert (first["cpev"], first["n_nonzero"], first["seed"]) == (0.1 + 0.2, 4, 0)
    assert (second["method"], second["cpev"], second["err"], second["n_nonzero"]) == ("б<", None, "inf", None)


def test_parquet_reads_back_the_frame(full):
    read = pd.read_parquet(io.BytesIO(EXPORTS[".parquet"](full)))
    kept = full.frame.columns.drop(list(ABOUT_FIT))
    other = kept.drop("n_nonzero")
    pd.testing.assert_frame_equal(read[other], full.frame[other], check_dtype=False)
    assert list(read.columns) == list(kept)
    assert read["n_nonzero"].dropna().unique().tolist() == [4]
    assert read["n_nonzero"].isna().sum() == (full.frame["n_nonzero"] == Level()).sum() == 4


def test_parquet_names_what_it_needs(full, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'spcabench\[parquet\]'"):
        EXPORTS[".parquet"](full)


def test_levels_are_text_where_one_has_a_number_for_each_component(make):
    results = make([make.cell(n_nonzero=level, cpev=0.5) for level in (None, 4, (5, 3))])
    assert [row["n_nonzero"] for row in json.loads(EXPORTS[".json"](results))] == [None, "4", "[5, 3]"]
    for read in (
        pd.read_csv(io.BytesIO(EXPORTS[".csv"](results)), dtype=str)["n_nonzero"],
        pd.read_parquet(io.BytesIO(EXPORTS[".parquet"](results)))["n_nonzero"],
    ):
        assert read.isna().tolist() == [True, False, False]
        assert read.tolist()[1:] == ["4", "[5, 3]"]


def test_latex_is_the_main_table(full):
    text = EXPORTS[".tex"](full).decode()
    assert text.startswith(r"\begin{table*}")
    assert r"\label{tab:main}" in text
    assert r"gpower\_l1" in text

import io
import json
import math
import sys

import pandas as pd
import pytest

from spcabench.cli.export_verb import FORMATS
from spcabench.report.export import EXPORTS, LOADINGS
from spcabench.store.frame import ABOUT_FIT, Level
from spcabench.wording import InputError


def test_the_command_line_knows_every_format():
    assert set(EXPORTS) == set(LOADINGS) == set(FORMATS)


def test_csv_has_a_row_for_every_cell_and_every_digit(full):
    read = pd.read_csv(io.BytesIO(EXPORTS["csv"](full)), keep_default_na=False, na_values=[""])
    assert len(read) == len(full.frame) == 12
    assert read["cpev"].iloc[0] == full.frame["cpev"].iloc[0]
    assert read["reason"].iloc[3] == "600 s | over"


def test_json_is_strict_and_null_where_nothing_is_known(make):
    rows = [make.cell(cpev=0.1 + 0.2, n_nonzero=4), make.cell("б<", cpev=math.nan, err=math.inf, n_nonzero=None)]
    first, second = json.loads(EXPORTS["json"](make(rows)), parse_constant=pytest.fail)
    assert (first["cpev"], first["n_nonzero"], first["seed"]) == (0.1 + 0.2, 4, 0)
    assert (second["method"], second["cpev"], second["err"], second["n_nonzero"]) == ("б<", None, "inf", None)


def test_parquet_reads_back_the_frame(full):
    read = pd.read_parquet(io.BytesIO(EXPORTS["parquet"](full)))
    kept = full.frame.columns.drop(list(ABOUT_FIT))
    other = kept.drop("n_nonzero")
    pd.testing.assert_frame_equal(read[other], full.frame[other], check_dtype=False)
    assert list(read.columns) == list(kept)
    assert read["n_nonzero"].dropna().unique().tolist() == [4]
    assert read["n_nonzero"].isna().sum() == (full.frame["n_nonzero"] == Level()).sum() == 4


def test_parquet_names_what_it_needs(full, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'spcabench\[parquet\]'"):
        EXPORTS["parquet"](full)


def test_levels_are_text_where_one_has_a_number_for_each_component(make):
    results = make([make.cell(n_nonzero=level, cpev=0.5) for level in (None, 4, (5, 3))])
    assert [row["n_nonzero"] for row in json.loads(EXPORTS["json"](results))] == [None, "4", "[5, 3]"]
    for read in (
        pd.read_csv(io.BytesIO(EXPORTS["csv"](results)), dtype=str)["n_nonzero"],
        pd.read_parquet(io.BytesIO(EXPORTS["parquet"](results)))["n_nonzero"],
    ):
        assert read.isna().tolist() == [True, False, False]
        assert read.tolist()[1:] == ["4", "[5, 3]"]


def test_loadings_have_a_row_for_each_nonzero(make):
    make.draw(feature_names=list("abcdef"))
    make.loadings("mine-0")
    results = make([make.cell("mine", n_nonzero=(1, 1, 1)), make.cell("other", key="", status="error")])
    read = pd.read_csv(io.BytesIO(LOADINGS["csv"](results)))
    assert read[["component", "feature", "value"]].to_numpy().tolist() == [[1, "a", 1.0], [2, "b", -1.0], [3, "c", 1.0]]
    assert set(read["method"]) == {"mine"}
    assert set(read["n_nonzero"]) == {"[1, 1, 1]"}
    assert json.loads(LOADINGS["json"](results))[1]["value"] == -1.0
    pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(LOADINGS["parquet"](results))), read, check_dtype=False)


def test_without_loadings_there_are_headings_alone(make):
    text = LOADINGS["csv"](make([make.cell(key="", status="error")])).decode()
    assert text == "dataset,method,start,n_components,n_nonzero,seed,component,feature,value\n"

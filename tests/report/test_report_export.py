import io

import pandas as pd

from spcabench.report.export import EXPORTS, LOADINGS


def test_csv_has_a_row_for_every_cell_and_every_digit(full):
    read = pd.read_csv(io.BytesIO(EXPORTS["csv"](full)), keep_default_na=False, na_values=[""])
    assert len(read) == len(full.frame) == 12
    assert read["cpev"].iloc[0] == full.frame["cpev"].iloc[0]
    assert read["reason"].iloc[3] == "600 s | over"


def test_levels_are_numbers_but_one_for_each_component_is_text(make):
    results = make([make.cell(n_nonzero=level, cpev=0.5) for level in (None, 4, (5, 3))])
    read = pd.read_csv(io.BytesIO(EXPORTS["csv"](results)), dtype=str)["n_nonzero"]
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
    assert "latex" not in LOADINGS


def test_loadings_of_features_without_names_are_numbered(make):
    make.draw()
    make.loadings("mine-0")
    results = make([make.cell("mine")])
    assert pd.read_csv(io.BytesIO(LOADINGS["csv"](results)))["feature"].tolist() == ["x0", "x1", "x2"]


def test_without_loadings_there_are_headings_alone(make):
    text = LOADINGS["csv"](make([make.cell(key="", status="error")])).decode()
    assert text == "dataset,method,start,n_components,n_nonzero,seed,component,feature,value\n"


def test_latex_is_the_main_table(full):
    text = EXPORTS["latex"](full).decode()
    assert text.startswith(r"\begin{table*}")
    assert r"\label{tab:main}" in text
    assert r"gpower\_l1" in text

"""Runs from Python: what they are asked for, and what they show."""

import numpy as np
import pytest
import yaml

import spcabench
from spcabench import InputError

SUITE = {
    "name": "small",
    "datasets": ["pitprops"],
    "methods": ["tpower", "rsvd_l0", "pca"],
    "n_components": 2,
    "n_nonzero": (3, 5),
    "metrics": ["cpev"],
}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the results of a run, not to be changed."""
    return spcabench.run(SUITE, tmp_path_factory.mktemp("runs") / "small", isolation=False, progress=False)


def test_a_suite_is_a_mapping_a_file_or_a_name(small, tmp_path):
    file = tmp_path / "suite.yaml"
    file.write_text(yaml.safe_dump(SUITE | {"n_nonzero": [3, 5]}))
    read = spcabench.run(file, tmp_path / "run", isolation=False, progress=False, settings={"n_nonzero": [5]})
    assert read.frame["n_nonzero"].tolist() == [5, 5, None]
    assert small.frame["n_nonzero"].tolist() == [3, 5, 3, 5, None]
    with pytest.raises(InputError, match=r"nor a suite of that name; .*did you mean 'smoke'"):
        spcabench.run("smok")


def test_each_fault_of_a_mapping_is_named_once():
    with pytest.raises(InputError) as error:
        spcabench.run({**SUITE, "methods": ["tpowr"], "metrics": ["cpve"]})
    assert [(fault.where, fault.line) for fault in error.value.faults] == [("the suite", None)] * 2
    assert "did you mean 'tpower'" in str(error.value)
    assert "did you mean 'cpev'" in str(error.value)


def test_a_mapping_with_arrays_and_ranges_is_read_as_a_file(tmp_path):
    arrays = {"n_nonzero": np.array([2, 3]), "seeds": range(2), "n_components": np.int64(2)}
    suite = {**SUITE, "methods": ("tpower",), **arrays}
    found = spcabench.run(suite, tmp_path, isolation=False, progress=False)
    assert found.frame[["n_nonzero", "seed"]].to_numpy().tolist() == [[2, 0], [3, 0], [2, 1], [3, 1]]


def test_a_run_is_loaded_from_its_folder(small):
    again = spcabench.load(small.folder)
    assert again.frame.equals(small.frame)
    with pytest.raises(InputError, match="no run there"):
        spcabench.load(small.folder.parent / "other")


def test_a_stand_in_is_warned_of_when_progress_is_not_shown(tmp_path):
    mnist = {"name": "mnist", "params": {"path": str(tmp_path / "nothing")}, "stand_in": "pitprops"}
    suite = {**SUITE, "datasets": [mnist], "methods": ["tpower"]}
    with pytest.warns(UserWarning, match="STAND-IN: mnist cannot be had, pitprops is used"):
        found = spcabench.run(suite, tmp_path / "run", isolation=False, progress=False)
    assert "Stand-in data: mnist" in found._repr_html_()


def test_loadings_are_named(small):
    loadings = small.loadings("rsvd_l0", n_nonzero=3)
    assert list(loadings.columns) == ["PC1", "PC2"]
    assert loadings.index[:3].tolist() == ["topdiam", "length", "moist"]
    assert (loadings != 0).sum().tolist() == [3, 3]
    np.testing.assert_allclose((loadings**2).sum(), 1.0)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({}, "5 cells have loadings; choose one: method is tpower, rsvd_l0, pca; n_nonzero is 3, 5, none"),
        ({"method": "tpower"}, "2 cells have loadings; choose one: n_nonzero is 3, 5"),
        ({"method": "tpowr"}, r"no method tpowr here; valid are .*did you mean 'tpower'"),
        ({"method": "tpower", "n_nonzero": 4}, "no n_nonzero 4 here; valid are 3, 5"),
    ],
)
def test_loadings_are_those_of_one_cell(small, choice, words):
    with pytest.raises(InputError, match=words):
        small.loadings(**choice)


def test_the_best_come_with_the_call_that_makes_them(small):
    best = small.best("cpev")
    assert best["sparsity"].tolist() == ["3 nonzeros", "5 nonzeros"]
    call = best["call"].iloc[0]
    assert call == f"spcabench.make('{best['method'].iloc[0]}', n_components=2, n_nonzero=3)"
    made = eval(call)
    assert made.get_params()["n_nonzero"] == 3
    with pytest.raises(InputError, match=r"methods are not ranked by 'cpv'.*did you mean 'cpev'"):
        small.best("cpv")


def test_tables_are_frames_in_full_precision(small):
    table = small.table()
    assert table["n_nonzero"].tolist() == [3, 3, 5, 5, None]
    assert set(table["cpev"]) == set(small.frame["cpev"])
    assert table["seeds"].tolist() == [1] * 5
    with pytest.raises(InputError, match=r"no table 'mian'.*did you mean 'main'"):
        small.table("mian")
    with pytest.raises(InputError, match="the run has nothing for the table published"):
        small.table("published")


def test_figures_show_themselves(small, tmp_path):
    figure = small.figure("cpev_curve")
    assert figure._repr_svg_().startswith("<svg")
    assert figure.save(tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"a figure ends in one of \.svg, \.png, \.pdf"):
        figure.save(tmp_path / "curve.jpg")
    with pytest.raises(InputError, match=r"no figure 'paretto'.*did you mean 'pareto'"):
        small.figure("paretto")
    with pytest.raises(InputError, match="the figure reconstructions needs a data set of images"):
        small.figure("reconstructions")


def test_a_notebook_shows_the_main_table_as_text(tmp_path):
    suite = {**SUITE, "title": "<b>&", "methods": [{"name": "tpower", "label": "<i>mine</i>"}]}
    page = spcabench.run(suite, tmp_path, isolation=False, progress=False)._repr_html_()
    assert "&lt;b&gt;&amp;" in page
    assert "&lt;i&gt;mine&lt;/i&gt;" in page
    assert "<i>" not in page


def test_a_report_has_the_calls_of_its_winners(small):
    page = small.report().read_text()
    assert small.best("cpev")["call"].iloc[0] in page
    assert "\nimport spcabench\n" in page

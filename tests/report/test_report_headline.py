"""What a run comes to, in a sentence."""

import math
from dataclasses import replace

import pytest

from spcabench.parameters import NOTHING, Parameter
from spcabench.report.build import document
from spcabench.report.ranking import leads, sentence, wins
from spcabench.report.render.html import html_page
from spcabench.report.render.markdown import markdown_page, markdown_table


@pytest.fixture
def said(make):
    def say(values, **changes):
        cells = [
            make.cell(name, seed, n_nonzero=4, cpev=value, **changes)
            for name, draws in values.items()
            for seed, value in enumerate(draws)
        ]
        return sentence(make(cells))

    return say


def test_the_leader_and_what_it_reached(said):
    assert said({"a": [0.5, 0.52, 0.54], "b": [0.4, 0.43, 0.43], "c": [0.1, 0.1, 0.1]}) == (
        "a has the highest Explained variance (cpev) of 3 methods on toy with 4 nonzeros: 0.5200."
    )


def test_those_that_are_not_ruled_out_are_named(said):
    ties = {name: [0.5, 0.6] for name in "abcde"}
    assert said({"a": [0.5, 0.6], "b": [0.5, 0.6]}).endswith(": 0.5500; b is not ruled out as the best.")
    assert said(ties).endswith(": 0.5500; 4 others are not ruled out as the best.")


def test_who_leads_by_the_second_criterion_is_named_where_it_is_another(make):
    def said(other):
        cells = [
            make.cell(name, n_nonzero=4, cpev=cpev, nor=nor) for name, cpev, nor in (("a", 0.5, other), ("b", 0.1, 0.2))
        ]
        return sentence(make(cells))

    assert said(0.9).endswith(": 0.5000.  By Nonorthogonality (nor), b leads.")
    assert said(0.1).endswith(": 0.5000.")
    assert said(0.2).endswith(": 0.5000.")


def test_a_run_without_rivals_says_nothing(said):
    assert said({"a": [0.5, 0.6]}) == ""


def test_several_comparisons_are_counted(make):
    cells = [
        make.cell(name, n_nonzero=k, cpev=value + k / 100)
        for k in (2, 3, 4)
        for name, value in zip("abcde", (0.5, 0.5, 0.5 if k == 2 else 0.1, 0.1, 0.5 if k == 3 else 0.1), strict=True)
    ]
    assert sentence(make(cells)) == (
        "By Explained variance (cpev), a is best, or not ruled out as the best, in 3 of 3 comparisons at equal "
        "sparsity; b in 3; c in 1."
    )


def test_methods_and_metrics_have_the_names_that_readers_know(make):
    cells = [make.cell(name, n_nonzero=4, **{"err@2": error}) for name, error in (("pca", 0.5), ("b", 1.0))]
    results = make(cells, report={"names": {"pca": "PCA"}})
    several = replace(results.metrics["err"], parameters={"m": Parameter(None, NOTHING, "numbers of components")})
    results = replace(results, metrics=results.metrics | {"err": several})
    said = sentence(results)
    assert "PCA (pca) has the lowest Reconstruction error at 2 components (err@2) of 2" in said
    assert markdown_page(document(results)).splitlines()[2] == f"**{said}**", "the page opens with it"
    assert "| err@2 ↓, Reconstruction error at 2 components |" in " ".join(markdown_page(document(results)).split())
    page = html_page(document(results))
    assert "pca<small>PCA</small>" in page
    assert "<small>Reconstruction error at 2 components</small></th>" in page


def test_a_page_shows_six_columns_and_has_the_rest_on_demand(make):
    values = {f"err@{m}": 1.0 / m for m in range(1, 9)}
    cells = [make.cell(name, n_nonzero=4, dataset=dataset, **values) for name in "ab" for dataset in "xy"]
    shown = document(make(cells, report={"columns": list(values)}))
    page = markdown_page(shown)
    heading = next(line for line in page.splitlines() if line.startswith("| data set") and "err@1" in line)
    assert [part.split(",")[0].strip() for part in heading.split("|")[1:-1]] == [
        *("data set", "nonzeros", "method", "err@1 ↓", "err@2 ↓", "err@3 ↓")
    ]
    assert "More columns in the files: err@4 ↓, err@5 ↓, err@6 ↓, err@7 ↓, err@8 ↓, seeds." in page
    assert "All 12 columns" in html_page(shown)
    assert "err@8" in markdown_table(shown.tables["main"])


def test_nothing_leads_where_a_rival_still_lacks_cells(make):
    def cells(**last):
        return [
            *(make.cell("a", seed, n_nonzero=4, cpev=value) for seed, value in enumerate((0.5, 0.9))),
            make.cell("b", 0, n_nonzero=4, cpev=0.6),
            make.cell("b", 1, n_nonzero=4, **last),
        ]

    for status in ("pending", "interrupted"):
        results = make(cells(cpev=math.nan, status=status))
        assert leads(results) == []
        assert "Nothing is bold where cells of a comparison are still to come." in markdown_page(document(results))
        assert not list(wins(results, results.ranked[0]))
    assert leads(make(cells(cpev=math.nan, status="timeout")))[0].methods[0] == "a", "a failure is an answer"
    assert leads(make(cells(cpev=0.7)))

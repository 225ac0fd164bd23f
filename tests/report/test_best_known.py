"""The best known variances beside those of a run."""

import pandas as pd
import pytest
from shown import values

from spcabench.report import best_known
from spcabench.report.best_known import LINE, beside, several_table, table
from spcabench.report.document import records
from spcabench.suite.yaml_source import suite_folders

KNOWN = pd.DataFrame(
    [("draw0", "toy", 1, 3, 2.0, 2.0, "exact", "2020-01-01"), ("draw0", "toy", 3, 4, 0.6, 0.8, "exact", "2020-01-01")],
    columns=LINE,
)


@pytest.fixture
def run(make, monkeypatch):
    """Make results of fits with values, by method and nonzeros; one value is known."""
    monkeypatch.setattr(best_known, "known", lambda: KNOWN)

    def go(*fits):
        return make(
            [
                make.cell(name, n_nonzero=k, nnz=(k, 1), **{"component_value@1": value, "component_bound@1": bound})
                for name, k, value, bound in fits
            ]
        )

    return go


@pytest.mark.parametrize(
    ("value", "verdict", "proposed"),
    [(2.1, "better", True), (2.0 * (1 + 1e-12), "as good", False), (1.9, "5 % below", False)],
)
def test_a_value_is_compared_with_the_best_known(run, value, verdict, proposed):
    results = run(("a", 3, 1.0, 3.0), ("b", 3, value, 2.5), ("c", 3, value, 2.6))
    (one,) = beside(results).itertuples()
    assert (one.method, one.value, one.bound, one.verdict) == ("b", value, 2.5, verdict)
    line = values(table(results))["line"][0]
    assert line.startswith("draw0,toy,1,3,2.1,2.5,b,") if proposed else line is None


def test_what_counts_are_the_nonzeros_that_a_fit_has(run, make):
    results = run(("a", 4, 2.5, 2.5))
    (one,) = beside(results).itertuples()
    assert (one.nonzeros, one.verdict) == (4, "not known")
    assert "0 of 1 are better, 1 are not known there" in table(results).caption
    assert table(make([make.cell("a", n_nonzero=2, cpev=0.5)])) is None


def shares(make, **methods):
    """Make results of three components on fixed data, by method."""
    dense = make.cell("pca", cpev=0.8, nnz=(6, 6, 6), random_data=False)
    sparse = [
        make.cell(name, n_nonzero=4, nnz=nnz, cpev=share, random_data=False) for name, (share, nnz) in methods.items()
    ]
    return make([dense, *sparse])


def test_several_components_are_compared_with_the_best_known_and_with_dense_ones(run, make):
    results = shares(make, a=(0.7, (4, 4, 4)), b=(0.3, (4, 4, 4)), uneven=(0.75, (6, 4, 2)))
    (one,) = beside(results).itertuples()
    assert (one.verdict, one.method, one.components, one.bound) == ("better", "a", 3, 0.8)
    found = several_table(results)
    assert [[entry.value for entry in row[3:]] for row in found.rows] == [
        ["a", 0.7, 0.0, pytest.approx(1 / 8)],
        ["b", 0.3, pytest.approx(4 / 7), pytest.approx(5 / 8)],
    ]
    ((_, below),) = [row[4:6] for row in several_table(shares(make, a=(0.3, (4, 4, 4)))).rows]
    assert below.value == pytest.approx(0.5)  # of the best known
    assert several_table(make([make.cell("a", n_nonzero=4, nnz=(4, 4, 4), cpev=0.5)])) is None  # data of chance


def test_loadings_that_capture_nothing_are_the_best_of_no_place(run, make):
    results = shares(make, zeros=(0.0, (0, 0, 0)), constant=(0.0, (5, 5, 5)), a=(0.7, (4, 4, 4)))
    assert [row[3].value for row in several_table(results).rows] == ["a"]
    assert beside(run(("zeros", 5, 0.0, 2.5))).empty


def test_the_file_is_read_and_written_alike():
    best_known.known.cache_clear()
    text = (suite_folders()[1] / best_known.FILE).read_text(encoding="utf-8").splitlines()
    assert text[0] == ",".join(LINE)
    assert [best_known.text_of(line) for line in records(best_known.known())] == text[1:]
    assert (best_known.known()["value"] <= best_known.known()["bound"] * (1 + 1e-9)).all()

"""Columns as values, and what is known of a cell whichever metrics the suite asks for."""

import pytest

from spcabench.report.tables import main
from spcabench.specs import MetricSpec
from spcabench.suite.columns import Column, column_of

METRICS = {
    name: MetricSpec(name=name, compute="m:f", unit=unit, better="higher", range=(0, 1))
    for name, unit in (("cpev", "share"), ("very_clean", ""), ("err", ""), ("more_refitted", ""))
}


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("cpev", Column("cpev")),
        ("cpev_clean", Column("cpev", "clean")),
        ("rel_err_test@10", Column("rel_err", "test", 10)),
        ("loading@1.5", Column("loading", index="1.5")),
        ("err@007", Column("err", index="007")),
        ("very_clean", Column("very_clean")),
        ("cpev_refitted", Column("cpev", refitted=True)),
        ("err_refitted_clean@10", Column("err", "clean", 10, refitted=True)),
        ("more_refitted_refitted_test", Column("more_refitted", "test", refitted=True)),
    ],
)
def test_a_name_is_taken_apart_and_put_together(name, column):
    found = column_of(name, METRICS)
    assert found == column
    assert found.name == name


def test_a_series_rises_by_number_and_a_suite_may_name_it(make):
    cells = [make.cell(cpev=0.5, **{f"err@{m}": 1.0 / m for m in (10, 2, 1)}, **{"loading@1.5": 0.1})]
    results = make(cells)
    assert [column.index for column in results.series["err"]] == [1, 2, 10]
    assert [column.name for column in results.columns] == ["cpev", "err@10", "loading@1.5"]
    chosen = make(cells, report={"columns": ["err", "err@2", "cpev"]})
    assert [column.name for column in chosen.columns] == ["err@10", "err@2", "cpev"]


def test_a_metric_of_many_numbers_is_laid_out_without_comparing_each_with_each(make, monkeypatch):
    values = {f"cpev@k{number}": number / 300 for number in range(300)}
    results = make([make.cell(method, seed, **values) for method in ("pca", "tpower") for seed in range(2)])
    compared, same = [], Column.__eq__
    monkeypatch.setattr(Column, "__eq__", lambda a, b: compared.append(1) or same(a, b))
    assert len(main(results).rows) == 2
    assert len(compared) < 10 * len(values)

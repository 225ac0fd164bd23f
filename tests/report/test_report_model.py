"""Columns as values, and what is known of a cell whichever metrics the suite asks for."""

import math

import pytest
from kept import TIMING, keep
from shown import best_of, cells, values

from spcabench.plugins import load_registry
from spcabench.report.model import Results
from spcabench.report.tables import main
from spcabench.specs import MetricSpec
from spcabench.store.folder import RunFolder
from spcabench.store.frame import Level, results_frame
from spcabench.store.record import Facts, Record
from spcabench.suite.columns import Column, column_of
from spcabench.suite.load import load_suite

METRICS = {
    name: MetricSpec(name=name, compute="m:f", unit=unit, better="higher", range=(0, 1))
    for name, unit in (("cpev", "share"), ("very_clean", ""), ("err", ""), ("more_refitted", ""))
}

SUITE = """\
name: tiny
datasets: [pitprops]
methods: [pca, tpower, gpower_l0, rsvd_l0, rsvd_l1]
n_components: 2
n_nonzero: [2]
metrics: [cpev]
"""


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("cpev", Column("cpev")),
        ("cpev_clean", Column("cpev", "clean")),
        ("cpev_test", Column("cpev", "test")),
        ("err@100", Column("err", index=100)),
        ("rel_err_test@10", Column("rel_err", "test", 10)),
        ("loading@1.5", Column("loading", index="1.5")),
        ("err@007", Column("err", index="007")),
        ("very_clean", Column("very_clean")),
        ("very_clean_clean", Column("very_clean", "clean")),
        ("cpev_refitted", Column("cpev", refitted=True)),
        ("err_refitted_clean@10", Column("err", "clean", 10, refitted=True)),
        ("more_refitted", Column("more_refitted")),
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


def test_times_are_in_seconds_and_every_unit_is_a_word():
    specs = load_registry(()).metrics.specs
    timed = {name for name, spec in specs.items() if spec.unit == "s"}
    assert timed == {"fit_time", "search_time", "time_to", "total_time"}
    assert {spec.unit for spec in specs.values()} == {"s", "share", "count", ""}
    assert specs["cpev"].unit == "share"


@pytest.mark.parametrize(
    ("target", "text", "mean"), [(None, "", math.nan), (4, "4", 4.0), ((5, 2), "[5, 2]", 3.5)], ids=str
)
def test_a_level_knows_its_number(target, text, mean):
    level = Level(target)
    assert (str(level), bool(level)) == (text, target is not None)
    assert level.mean == pytest.approx(mean, nan_ok=True)


@pytest.fixture
def cpev_alone(tmp_path):
    """Return a run that asks for cpev alone: tpower is dense, gpower_l0 misses its target, uneven; two reach it."""
    folder = RunFolder(tmp_path / "run")
    folder.make()
    folder.keep_suite(SUITE)
    loaded = load_suite(str(folder.suite_file), load_registry(()))
    kept = {
        "pca": (0.9, Facts(nnz=(13, 13))),
        "tpower": (0.8, Facts(nnz=(13, 13), target_missed=(0, 1))),
        "gpower_l0": (0.4, Facts(nnz=(3, 1), target_missed=(0, 1))),
        "rsvd_l0": (0.5, Facts(nnz=(2, 2), target_missed=())),
        "rsvd_l1": (0.3, Facts(nnz=(2, 2), target_missed=())),
    }
    for cell in loaded.plan.cells:
        cpev, fit = kept[cell.method.label]
        known = {"cell": cell.identity, "metrics": {"cpev": cpev}, "fit": fit, "timing": TIMING}
        keep(folder, Record(key=cell.method.label, status="ok", **known))
    folder.keep_index({cell.id: cell.method.label for cell in loaded.plan.cells})
    metrics = {"cpev": load_registry(()).metrics["cpev"]}
    frame = results_frame(folder, loaded.plan)
    return Results(suite=loaded.suite, folder=folder, frame=frame, metrics=metrics, command="", about={})


def test_dense_loadings_are_not_the_best_whatever_the_metrics(cpev_alone):
    table = main(cpev_alone)
    methods = values(table)["method"]
    assert {methods[row] for row, _ in best_of(table)} == {"rsvd_l0"}


def test_a_missed_target_is_shown_whatever_the_metrics(cpev_alone):
    shown = cells(main(cpev_alone)).set_index("method")["nonzeros"].to_dict()
    assert shown == {
        "pca": "dense",
        "tpower": "2 (got 13)",
        "gpower_l0": "2 (got [3, 1])",
        "rsvd_l0": "2",
        "rsvd_l1": "2",
    }


def test_a_note_stands_alone_where_there_is_no_value(make):
    table = main(make([make.cell("a", cpev=0.5), make.cell("b", status="timeout")], report={"columns": ["cpev"]}))
    assert cells(table)["cpev ↑"].tolist() == ["0.5000", "timeout"]
    assert math.isnan(values(table)["cpev_sd"][1])
    assert values(table)["cpev"].isna().tolist() == [False, True]


def test_a_metric_of_thousands_of_numbers_is_laid_out_without_comparing_each_with_each(make, monkeypatch):
    values = {f"cpev@k{number}": number / 3000 for number in range(3000)}
    results = make([make.cell(method, seed, **values) for method in ("pca", "tpower") for seed in range(2)])
    compared, same = [], Column.__eq__
    monkeypatch.setattr(Column, "__eq__", lambda a, b: compared.append(1) or same(a, b))
    assert len(main(results).rows) == 2
    assert len(compared) < 10 * len(values)

"""Figures that need a grid of data sets, several levels, or records."""

import numpy as np
import pytest
from kept import TIMING, keep
from shown import rows_of

from spcabench.report.build import document
from spcabench.report.figures import FIGURES
from spcabench.report.figures.curves import Extent, geometric
from spcabench.report.figures.sweeps import by_parameter
from spcabench.store.record import Facts, Record
from spcabench.suite.columns import Column

SIZES = (10, 20, 40)


def swept_run(make, params=lambda d: {"d": d, "noise": {"kind": "gauss"}}, sizes=SIZES):
    """Return a run over sizes of one data set: sparse uses 2, 4 of d, its time grows as d squared."""
    cells = []
    for d in sizes:
        make.draw(f"draw{d}", n_features=d)
        for method, level in (("pca", None), ("sparse", 2), ("sparse", 4)):
            for seed in range(2):
                key = f"{method}{level}-{d}-{seed}"
                nonzeros = [int(level or d)] * 2 + [int(level or d) // 2 if level else d]
                draw = {"dataset": "toy", "params": params(d)}
                facts = Facts(nnz=tuple(nonzeros))
                keep(make.folder, Record(key=key, cell={"draw": draw}, status="ok", fit=facts, timing=TIMING))
                about = {"dataset": f"toy(d={d})", "draw_id": f"draw{d}", "key": key, "n_nonzero": level}
                about |= {"nnz": tuple(nonzeros), "fitted_nonzeros": float(level or d)}
                cpev, nor, power = (0.5 + level / 50, 0.01 * (seed + 1), 2) if level else (0.8, 0.0, 1)
                cells.append(make.cell(method, seed, cpev=cpev, nor=nor, fit_time=1e-4 * d**power, **about))
    return make(cells)


@pytest.fixture
def swept(make):
    return swept_run(make)


def test_none_is_drawn_without_what_it_needs(full):
    drawn = {figure.name for figure in document(full).figures}
    assert not {"cpev_curve", "nor_cpev", "sparsity_balance", "scaling", "parameter_curve", "convergence"} & drawn


def test_cpev_stands_at_the_targets_below_the_dense_bound(swept):
    chart = FIGURES["cpev_curve"].draw(swept)
    points = {(row["method"], row["x"]): row["y"] for row in rows_of(chart) if "low" in row}
    assert points == {("sparse", 2.0): pytest.approx(0.54), ("sparse", 4.0): pytest.approx(0.58)}
    bounds = {row["said"]: row["y"] for row in rows_of(chart) if "said" in row}
    assert bounds == {"dense: pca": pytest.approx(0.8)}
    assert "'values': [2.0, 4.0]" in str(chart.to_dict())


def test_nor_and_cpev_have_a_point_for_each_method(swept):
    rows = rows_of(FIGURES["nor_cpev"].draw(swept), "low")
    assert {(row["method"], round(row["x"], 3), round(row["y"], 4)) for row in rows} == {
        ("pca", 0.8, 0.0),
        ("sparse", 0.58, 0.015),
    }


def test_the_balance_counts_components_and_leaves_dense_methods_out(swept):
    rows = rows_of(FIGURES["sparsity_balance"].draw(swept))
    counted = {(row["method"], row["nonzeros"]): row["count"] for row in rows if "count" in row}
    assert counted == {("sparse", 4): 4, ("sparse", 2): 2}
    assert {"nonzeros": 4.0} in rows


def test_slopes_are_the_powers_of_the_times(swept):
    chart = FIGURES["scaling"].draw(swept)
    labels = {row["label"] for row in rows_of(chart) if "label" in row}
    assert labels == {"pca: slope 1.0", "sparse: slope 2.0"}
    assert str(chart.to_dict()).count("'type': 'log'") > 2


def test_contended_times_are_called_so(make, swept):
    contended = make(swept.frame.assign(contended=True).to_dict("records"))
    assert "Contended" in str(FIGURES["scaling"].draw(contended).to_dict())
    assert "Contended" not in str(FIGURES["scaling"].draw(swept).to_dict())


def test_metrics_stand_against_the_parameter(swept):
    chart = FIGURES["parameter_curve"].draw(swept)
    rows = rows_of(chart, "low")
    assert {row["x"] for row in rows} == set(map(float, SIZES))
    assert "cpev (higher is better)" in str(chart.to_dict())


@pytest.mark.parametrize(
    ("params", "axis"),
    [
        (lambda d: {"noise": {"kind": "gauss", "variance": d / 10}}, "noise.variance"),
        (lambda d: {"spikes": [d / 10]}, "spikes"),
    ],
)
def test_an_inner_parameter_and_a_list_of_one_number_are_axes(make, params, axis):
    (sweep,) = by_parameter(swept_run(make, params))
    assert (sweep.parameter, list(sweep.values.values())) == (axis, [1.0, 2.0, 4.0])


def test_two_axes_or_lists_or_words_are_no_axis(make):
    assert not list(by_parameter(swept_run(make, lambda d: {"spikes": [d, 1]})))
    assert not list(by_parameter(swept_run(make, lambda d: {"d": d, "n": 2 * d})))
    assert not list(by_parameter(swept_run(make, lambda d: {"kind": f"k{d}"})))
    assert not list(by_parameter(swept_run(make, sizes=(10,))))


def test_one_value_still_has_an_extent():
    for extent in (Extent.of([3.0, 3.0]), Extent.of([0.0]), Extent.of([3.0], log=True)):
        assert extent.low < extent.high


def test_the_mean_of_times_is_geometric(make):
    (group,) = make([make.cell("a", seed, fit_time=time) for seed, time in enumerate((1.0, 4.0, 2.0))]).groups
    (point,) = geometric([(10.0, group)], Column("fit_time"))
    half = 4.302652729911275 * np.log(2.0) / np.sqrt(3.0)
    assert (point.x, point.y) == (10.0, pytest.approx(2.0))
    assert point.ends == (pytest.approx(2.0 * np.exp(-half)), pytest.approx(2.0 * np.exp(half)))

"""What the axes of curves show, and the marks on them."""

import re

import pytest
from kept import TIMING, keep
from shown import rows_of

from spcabench.report.figures import FIGURES
from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.style import looks
from spcabench.store.record import Record


@pytest.mark.parametrize("figure", ["metric_bars", "pareto", "cpev_curve"])
def test_shares_are_drawn_between_0_and_1(figure, make):
    make.draw(n_features=6)
    cells = [
        make.cell(method, seed, n_nonzero=k, cpev=value, fitted_nonzeros=float(k))
        for k in (2, 4)
        for method, values in {"a": (0.0, 0.3), "b": (0.7, 1.0)}.items()
        for seed, value in enumerate(values)
    ]
    chart = FIGURES[figure].draw(make(cells))
    spreads = [row for row in rows_of(chart, "low") if 0.0 < row.get("y", 1.0) <= 1.0]
    assert spreads
    assert all(0.0 <= row["low"] <= row["high"] <= 1.0 for row in spreads)


@pytest.mark.parametrize("values", [(0.9486, 0.9486), (0.9486, 0.9486 * (1 + 1e-15)), (0.9486, 0.94861)])
def test_ticks_beside_a_single_value_say_what_it_is(values, make):
    import vl_convert

    cells = [make.cell(method, cpev=value) for method, value in zip("ab", values, strict=True)]
    svg = vl_convert.vegalite_to_svg(FIGURES["metric_bars"].draw(make(cells)).to_dict())
    labels = [float(text) for text in re.findall(r"<text[^>]*>([-\d.]+)</text>", svg)]
    assert len(labels) >= 2
    assert all(abs(label / 0.9486 - 1) < 0.1 for label in labels)
    assert len(set(labels)) == len(labels)


def test_names_of_points_at_one_height_go_from_left_to_right(make):
    methods = ["a", "b", "c", "d"]
    points = [Point(name, x, 1e-9 * x) for name, x in zip(methods, (3.0, 1.0, 4.0, 2.0), strict=True)]
    points.append(Point("e", 1.5, 1.0))
    drawn = panel(points, looks(make([make.cell(name) for name in [*methods, "e"]])), Axes("x", "y"))
    places = {row["method"]: row["place"] for row in rows_of(drawn) if "place" in row}
    assert sorted(places, key=places.get) == ["e", "b", "d", "a", "c"]


def test_accuracies_stand_beside_all_features_and_are_compared_seed_by_seed_in_percentage_points(make):
    values = {"a": {1: (0.5, 0.7), 2: (0.6, 0.8)}, "b": {1: (0.6, 0.8), 2: (0.5, 0.7)}}
    cells = [
        make.cell(method, seed, accuracy_raw=0.75, **{f"accuracy@{m}": pair[seed] for m, pair in series.items()})
        for method, series in values.items()
        for seed in range(2)
    ]
    rows = rows_of(FIGURES["accuracy_curve"].draw(make(cells)))
    assert [row["y"] for row in rows if row.get("said") == "all features"] == [0.75]
    (high,) = {row["high"] for row in rows if row.get("method") == "a" and row["y"] == pytest.approx(0.6)}
    assert high == pytest.approx(0.6 + 12.706 * 0.1, abs=1e-3)  # Student's interval of two values
    apart = {(row["method"], row["x"]): row for row in rows if "low" in row and abs(row["y"]) > 1}
    assert {name: row["y"] for name, row in apart.items()} == pytest.approx({("b", 1.0): 10.0, ("b", 2.0): -10.0})
    assert all(row["high"] - row["low"] < 1e-9 for row in apart.values())


def test_pareto_has_a_panel_for_each_number_of_components(make):
    cells = [
        make.cell(method, n_nonzero=k, nnz=(k,) * n, fitted_nonzeros=k, n_components=n, cpev=0.1 * n + 0.01 * k)
        for n in (1, 5)
        for k in (2, 4)
        for method in ("a", "b")
    ]
    one, five = FIGURES["pareto"].draw(make(cells)).to_dict()["vconcat"]
    assert [panel["title"]["text"] for panel in (one, five)] == [["toy, 1 component"], ["toy, 5 components"]]


def test_pareto_has_the_front_and_a_logarithmic_axis_where_it_is_wide(make):
    make.draw(n_features=100)
    cells = [make.cell("pca", cpev=0.9, fitted_nonzeros=100.0)]
    cells += [make.cell("a", n_nonzero=k, cpev=k / 50, fitted_nonzeros=float(k)) for k in (5, 20)]
    spec = FIGURES["pareto"].draw(make(cells)).to_dict()["vconcat"][0]
    assert spec["layer"][0]["mark"]["interpolate"] == "step-after"
    assert spec["layer"][1]["encoding"]["x"]["scale"]["type"] == "log"
    narrow = FIGURES["pareto"].draw(make(cells[1:])).to_dict()["vconcat"][0]
    assert narrow["layer"][1]["encoding"]["x"]["scale"].get("type") != "log"


@pytest.mark.parametrize(("n_values", "n_points"), [(100, 100), (120, 12)])
def test_only_long_curves_are_averaged(make, n_values, n_points):
    cells = []
    for value in range(1, n_values + 1):
        key = f"a-{value}"
        draw = {"dataset": "toy", "params": {"v": value}}
        keep(make.folder, Record(key=key, cell={"draw": draw}, status="ok", timing=TIMING))
        cells.append(make.cell("a", dataset=f"toy(v={value})", key=key, cpev=value / 200))
    chart = FIGURES["parameter_curve"].draw(make(cells))
    assert len(rows_of(chart, "low")) == n_points
    assert ("averaged over 10 successive values" in str(chart.to_dict())) == (n_points < n_values)


def test_the_first_component_has_a_panel_of_its_own(make):
    make.draw(n_features=6)
    cells = [
        make.cell("a", n_nonzero=k, cpev=k / 10, **{"component_variance@1": k / 20}, fitted_nonzeros=float(k))
        for k in (2, 4)
    ]
    (row,) = FIGURES["cpev_curve"].draw(make(cells)).to_dict()["vconcat"]
    assert len(row["concat"]) == 2
    (row,) = FIGURES["cpev_curve"].draw(make(cells, n_components=1)).to_dict()["vconcat"]
    assert len(row["concat"]) == 1

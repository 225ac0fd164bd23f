import json
import math
import re
import struct
import zlib
from dataclasses import astuple

import altair as alt
import numpy as np
import pytest
from shown import rows_of

from spcabench.analysis.intervals import wilson
from spcabench.report.figures import FIGURES, Figure
from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.loadings import diverging, encode, grey, matched, reconstruct
from spcabench.report.figures.style import QUIET, looks, one_level
from spcabench.store.frame import Level
from spcabench.wording import InputError


def test_zero_is_neutral_and_the_signs_differ():
    pixels = diverging(np.array([[-2.0, 0.0, 2.0]]), 2.0)[0].astype(int)
    assert len(set(pixels[1])) == 1
    assert pixels[1].min() > 230
    assert pixels[0][2] > pixels[0][0]
    assert pixels[2][0] > pixels[2][2]


def test_grey_spans_its_range_and_cuts_beyond():
    assert grey(np.array([[-5.0, 0.0, 10.0, 99.0]]), 0.0, 10.0)[0, :, 0].tolist() == [0, 0, 255, 255]


def test_a_png_can_be_read_back():
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    content = encode(pixels)
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", content[16:24]) == (3, 2)
    start = content.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", content[start - 8 : start - 4])
    lines = np.frombuffer(zlib.decompress(content[start : start + length]), np.uint8).reshape(2, 1 + 9)
    assert (lines[:, 1:].reshape(2, 3, 3) == pixels).all()


def test_reconstruction_projects_about_the_mean():
    X = np.array([[3.0, 5.0]])
    W = np.array([[1.0, 0.0]])
    assert reconstruct(X, W, np.array([1.0, 1.0])).tolist() == [[3.0, 1.0]]


def test_methods_are_told_apart_without_colour(make):
    names = [f"{family}_{member}" for family in "abc" for member in range(3)]
    found = looks(make([make.cell(name) for name in names]))
    assert len({look.colour for look in found.values()}) == 9
    family = [found[f"a_{member}"] for member in range(3)]
    assert len({str(look.dash) for look in family}) == 3
    assert len({look.shape for look in family}) == 3
    chosen = looks(make([make.cell(name) for name in names], report={"emphasis": ["a_1", "c_2"]}))
    assert [name for name, look in chosen.items() if look.colour != QUIET] == ["a_1", "c_2"]


def test_one_level_is_the_middle_one_and_the_dense_methods(make):
    cells = [make.cell("pca")] + [make.cell("a", n_nonzero=k) for k in (2, 4, 6)]
    groups = one_level(make(cells), "toy")
    assert [(group.method, group.level) for group in groups] == [("pca", Level()), ("a", Level(4))]


def test_many_data_sets_are_cut_and_it_is_said(make):
    cells = [make.cell(name, dataset=f"set {number}", cpev=0.5) for number in range(11) for name in "ab"]
    chart = FIGURES["metric_bars"].draw(make(cells)).to_dict()
    assert " ".join(chart["title"]["subtitle"]).endswith("The first 8 of 11 panels.")
    assert "set 10" not in str(chart)


@pytest.mark.parametrize("name", ["metric_bars", "pareto"])
def test_a_method_looks_the_same_in_panels_with_other_methods(name, make):
    cells = [
        make.cell(method, dataset=dataset, cpev=0.5 + level / 10, fitted_nonzeros=float(level), n_nonzero=level)
        for dataset, methods in (("first", ("a", "b")), ("second", ("b", "c")))
        for method in methods
        for level in (2, 4)
    ]
    text = json.dumps(FIGURES[name].draw(make(cells)).to_dict(), sort_keys=True)
    domains = set(re.findall(r'"field": "method", "legend": null, "scale": \{"domain": (\[[^]]*\])', text))
    assert domains == {'["a", "b", "c"]'}


@pytest.mark.parametrize("name", ["err_curve", "pareto", "metric_bars", "loadings", "reconstructions", "loading_bars"])
def test_figures_are_as_vega_lite_has_them(name, full):
    spec = FIGURES[name].draw(full).to_dict()
    alt.VConcatChart.from_dict(spec, validate=True)
    shown = set(re.findall(r'"data": \{"name": "([^"]+)"', json.dumps(spec)))
    assert shown == set(spec["datasets"])


def test_shares_of_right_fits_have_wilsons_interval_and_means_students(make):
    right = {"a": [1.0] * 10, "b": [1.0] * 5 + [0.0] * 5}
    cells = [make.cell(name, seed, n_nonzero=4, cpev=v) for name, vs in right.items() for seed, v in enumerate(vs)]
    drawn = rows_of(FIGURES["metric_bars"].draw(make(cells)), "low")
    assert {row["method"]: (row["low"], row["high"]) for row in drawn} == {
        name: astuple(wilson(int(sum(vs)), 10))[:2] for name, vs in right.items()
    }
    cells = [make.cell(name, seed, n_nonzero=4, cpev=0.5 + seed / 10) for name in "ab" for seed in range(3)]
    ends = {row["method"]: row["high"] for row in rows_of(FIGURES["metric_bars"].draw(make(cells)), "low")}
    assert ends["a"] == pytest.approx(0.6 + 4.302652729911275 * 0.1 / math.sqrt(3))


def test_the_best_is_on_top_and_dense_methods_do_not_set_the_axis(make):
    cells = [make.cell("pca", cpev=0.9)]
    cells += [make.cell(name, n_nonzero=4, cpev=value) for name, value in (("a", 0.50), ("b", 0.52), ("c", 0.51))]
    chart = FIGURES["metric_bars"].draw(make(cells))
    (domain,) = {str(found) for found in re.findall(r"'domain': \[(0[^]]*)\]", str(chart.to_dict()))}
    assert max(map(float, domain.split(","))) < 0.6
    (written,) = re.findall(r"'!inrange\(datum.mean, \[([^]]*)\]\)'", str(chart.to_dict()))
    assert float(written.split(", ")[1]) < 0.9, "its number is written at the end of the axis"
    assert re.search(r"'sort': \['b', 'c', 'a', 'pca'\]", str(chart.to_dict()))


def test_components_stand_below_those_that_they_resemble_with_their_signs():
    wanted = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    found = matched(np.array([[0.0, 0.0, -0.8, -0.6], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]), wanted)
    assert [(number, loading.tolist()) for number, loading in found] == [
        (1, [0.0, 0.0, 0.8, 0.6]),
        (0, [1.0, 0.0, 0.0, 0.0]),
        (2, [0.0, 1.0, 0.0, 0.0]),
    ]


def test_loadings_have_a_panel_for_each_target_and_mark_the_true_variables(make):
    make.draw(supports=[[0], [2, 3]])
    for name in ("a-0", "b-0"):
        make.loadings(name)
    cells = [make.cell(name, n_nonzero=k) for name, k in (("a", 1), ("b", 2))]
    chart = FIGURES["loading_bars"].draw(make(cells))
    assert len(chart.to_dict()["vconcat"]) == 2
    shaded = {(row["component"], row["variable"]) for row in rows_of(chart, "true") if row["true"]}
    assert shaded == {(1, 0), (2, 2), (2, 3)}


def test_of_many_curves_those_in_colour_are_named(make):
    names = [f"m{i:02}" for i in range(15)]
    results = make([make.cell(name) for name in names])
    for count, named in ((12, 12), (15, 10)):
        points = [Point(name, x, 1.0) for name in names[:count] for x in (1.0, 2.0)]
        rows = rows_of(panel(points, looks(results), Axes("x", "y")))
        assert {row["method"] for row in rows if "place" in row} == set(names[:named])
        assert {row["method"] for row in rows if "sd" in row} == set(names[:count])


def test_a_place_on_the_axis_is_marked_and_named_above_the_panel_if_it_is_on_it(make):
    points = [Point("a", 1.0, 1.0), Point("a", 2.0, 2.0)]
    drawn = panel(points, looks(make([make.cell("a")])), Axes("x", "y", places={"here": 1.5, "beyond": 9.0}))
    assert [row for row in rows_of(drawn) if row.keys() == {"said", "x"}] == [{"said": "here", "x": 1.5}]
    (name,) = [one for one in drawn.to_dict()["layer"] if one["encoding"].get("text", {}).get("field") == "said"]
    assert name["encoding"]["y"] == {"value": 0}
    assert (name["mark"]["baseline"], name["mark"]["clip"]) == ("bottom", False)


def test_a_limit_under_which_vega_would_end_the_process_is_refused(monkeypatch):
    chart = alt.Chart(alt.InlineData(values=[])).mark_point()
    monkeypatch.setattr("resource.getrlimit", lambda which: (2**31, 2**31))
    with pytest.raises(InputError, match=r"empty cannot be drawn: the address space is limited to 2 GiB.*96; lift"):
        Figure("empty", "", "", chart).svg  # noqa: B018

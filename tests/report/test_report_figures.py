import base64
import json
import re
import struct
import zlib
from itertools import pairwise

import altair as alt
import numpy as np
import pytest

from spcabench.report.figures import FIGURES
from spcabench.report.figures.labels import spread
from spcabench.report.figures.png import diverging, encode, grey
from spcabench.report.figures.reconstructions import reconstruct
from spcabench.report.figures.selection import one_level
from spcabench.report.figures.style import QUIET, looks
from spcabench.store.frame import Level


def test_zero_is_neutral_and_the_signs_differ():
    pixels = diverging(np.array([[-2.0, 0.0, 2.0]]), 2.0)[0].astype(int)
    assert len(set(pixels[1])) == 1
    assert pixels[1].min() > 230
    assert pixels[0][2] > pixels[0][0]
    assert pixels[2][0] > pixels[2][2]


def test_colours_on_both_sides_go_evenly_from_zero():
    near, far = diverging(np.array([[0.1, 1.0]]), 1.0)[0].astype(int)
    assert near.sum() > far.sum()


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
    assert base64.b64encode(content)


def test_labels_keep_apart_and_in_order():
    wanted = {"a": 1.0, "b": 1.0, "c": 1.1, "d": 9.0}
    placed = spread(wanted, gap=1.0, low=0.0, high=10.0)
    heights = [placed[name] for name in "abcd"]
    assert all(b - a >= 1.0 - 1e-9 for a, b in pairwise(heights))
    assert placed["d"] == 9.0
    assert sum(heights[:3]) == pytest.approx(3.1)


def test_labels_stay_within_the_panel():
    placed = spread(dict.fromkeys("abc", 10.0), gap=1.0, low=0.0, high=10.0)
    assert sorted(placed.values()) == pytest.approx([8.0, 9.0, 10.0])


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


def test_at_most_ten_methods_are_emphasised(make):
    found = looks(make([make.cell(f"m{number}") for number in range(14)]))
    assert sum(look.colour != QUIET for look in found.values()) == 10


def test_one_level_is_the_middle_one_and_the_dense_methods(make):
    cells = [make.cell("pca")] + [make.cell("a", n_nonzero=k) for k in (2, 4, 6)]
    groups = one_level(make(cells), "toy")
    assert [(group.method, group.level) for group in groups] == [("pca", Level()), ("a", Level(4))]


def test_many_data_sets_are_cut_and_it_is_said(make):
    cells = [make.cell(name, dataset=f"set {number}", cpev=0.5) for number in range(11) for name in "ab"]
    chart = FIGURES["metric_bars"].draw(make(cells)).to_dict()
    assert " ".join(chart["title"]["subtitle"]).endswith("The first 8 of 11 data sets.")
    assert "set 10" not in str(chart)


def test_differences_are_paired_by_seed(make):
    def errors(m):
        return {"err@1": m, "err@2": m}

    cells = [make.cell("pca", seed, **errors(10.0 * (seed + 1))) for seed in range(2)]
    cells += [make.cell("a", seed, n_nonzero=4, **errors(11.0 * (seed + 1))) for seed in range(2)]
    chart = FIGURES["err_curve"].draw(make(cells)).to_dict()
    rows = [row for rows in chart["datasets"].values() for row in rows if row.get("method") == "a" and "low" in row]
    differences = [row for row in rows if row["y"] < 15]
    assert {round(row["y"], 9) for row in differences} == {10.0}
    assert all(row["high"] - row["low"] < 1e-9 for row in differences)


@pytest.mark.parametrize("name", ["metric_bars", "pareto"])
def test_a_method_looks_the_same_in_panels_with_other_methods(name, make):
    cells = [
        make.cell(method, dataset=dataset, cpev=0.5 + level / 10, fitted_nonzeros=float(level), n_nonzero=level)
        for dataset, methods in (("first", ("a", "b")), ("second", ("b", "c")))
        for method in methods
        for level in (2, 4)
    ]
    text = json.dumps(FIGURES[name].draw(make(cells)).to_dict())
    domains = set(re.findall(r'"field": "method", "legend": null, "scale": \{"domain": (\[[^]]*\])', text))
    assert domains == {'["a", "b", "c"]'}


@pytest.mark.parametrize("name", ["err_curve", "pareto", "metric_bars", "loadings", "reconstructions", "loading_bars"])
def test_figures_are_as_vega_lite_has_them(name, full):
    spec = FIGURES[name].draw(full).to_dict()
    alt.VConcatChart.from_dict(spec, validate=True)
    shown = set(re.findall(r'"data": \{"name": "([^"]+)"', json.dumps(spec)))
    assert shown == set(spec["datasets"])

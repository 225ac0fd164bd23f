"""Failures and missed targets: named in every figure, and never in one mean with seeds that reached the target."""

import math

import numpy as np
import pytest
from kept import TIMING, keep
from path_runs import Estimator, staircase
from shown import cells, rows_of, values

from spcabench.report.figures import FIGURES
from spcabench.report.figures.style import shortfalls
from spcabench.report.tables import main, timing
from spcabench.store.record import Facts, Record
from spcabench.traces import Trace, thinned_paths

IMAGES = ("loadings", "reconstructions")
"""Figures of data sets of images."""


def troubled(make, image_shape=None):
    """Return a run with what every figure needs: ``slow`` never finishes, ``loose`` misses its target on one seed."""
    trace = Trace(iterations=(1, 2), cpu_time=(0.1, 0.2), wall_time=(0.1, 0.2), objective=(1.0, 2.0))
    cells = []
    for d in (4, 6):
        paths, _ = thinned_paths(Estimator(staircase(d)), d)
        for seed in range(2):
            make.draw(f"d{d}-{seed}", n_features=d, image_shape=image_shape and [2, d // 2])
        for level, method, seed in [(k, m, s) for k in (2, 3) for m in ("a", "bb", "slow", "loose") for s in range(2)]:
            key = f"{method}-{d}-{level}-{seed}"
            about = {"cell": {"draw": {"dataset": "toy", "params": {"d": d}}}, "fit": Facts(nnz=(level,) * 3)}
            record = Record(key=key, status="ok", timing=TIMING, **about)
            keep(make.folder, record, components=np.eye(3, d), mean=np.zeros(d), **paths)
            reached = {
                "cpev": 0.5 + level / 100 + len(method) / 50,
                "nor": 0.1,
                "err@1": 3.0,
                "err@2": 2.0,
                "accuracy@1": 0.8,
                "accuracy@2": 0.9,
                "fitted_nonzeros": float(level),
                "nnz": (level,) * 3,
                "trace": trace,
                "key": key,
                "draw_id": f"d{d}-{seed}",
            }
            if method == "slow":
                reached |= {
                    "status": "timeout",
                    **dict.fromkeys(("cpev", "nor", "err@1", "err@2", "accuracy@1", "accuracy@2"), math.nan),
                }
            if method == "loose" and seed:
                reached |= {"missed_components": 3.0, "nnz": (1, 1, 1)}
            cells.append(make.cell(method, seed, dataset=f"toy(d={d})", n_nonzero=level, **reached))
    return make(cells)


@pytest.fixture(scope="module")
def runs(another):
    """Return two runs, without images and with them."""
    return [troubled(another(), image_shape) for image_shape in (None, True)]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_names_who_failed_and_who_missed(name, runs):
    text = str(FIGURES[name].draw(runs[name in IMAGES]).to_dict())
    assert "Did not finish in some or all fits: slow (timeout)." in text
    assert "Missed the target in some or all fits: loose." in text


def test_methods_that_failed_are_named_by_how_and_those_that_did_not_enter_are_not(make):
    tallies = {"a": ["ok", "ok"], "b": ["timeout", "error"], "c": ["ok", "out_of_memory"], "d": ["skipped", "skipped"]}
    rows = [make.cell(name, seed, status=s) for name, of in tallies.items() for seed, s in enumerate(of)]
    assert list(shortfalls(make(rows).groups)) == [
        "Did not finish in some or all fits: b (timeout); b (error); c (out of memory)."
    ]
    assert list(shortfalls(make([make.cell("a")]).groups)) == []


def seeds(make, reached, missed, **changes):
    """Return a cell for each value of cpev, those that missed last."""
    about = {"n_nonzero": 4, "nnz": (4,) * 3, **changes}
    known = enumerate([*reached, *missed])
    return [make.cell("loose", s, cpev=v, missed_components=float(s >= len(reached)), **about) for s, v in known]


def test_a_mean_is_of_the_seeds_that_reached_the_target(make):
    results = make(seeds(make, [0.4, 0.6], [0.9, 0.9, 0.9]))
    (row,) = values(main(results)).to_dict("records")
    assert row["cpev"] == pytest.approx(0.5)
    assert row["cpev_sd"] == pytest.approx(0.2 / math.sqrt(2))
    assert (row["seeds"], row["planned"]) == (2, 5)
    assert cells(main(results))["seeds"].tolist() == ["2 of 5"]
    for table in (main(results), timing(results)):
        assert "the numbers are of the seeds that reached it" in table.caption


@pytest.mark.parametrize(
    ("first", "mean", "n"), [({}, 0.3, 2), ({"status": "error", "missed_components": 0.0}, 0.4, 1)]
)
def test_where_no_seed_reached_it_the_mean_is_of_what_they_got_also_if_one_failed(make, first, mean, n):
    cells = seeds(make, [], [0.2, 0.4])
    cells[0] |= first
    (row,) = values(main(make(cells))).to_dict("records")
    assert (row["cpev"], row["seeds"]) == (pytest.approx(mean), n)


def test_curves_and_times_are_of_the_seeds_that_reached_the_target(make):
    cells = [make.cell("pca", seed, **{"err@1": 1.0, "err@2": 1.0}) for seed in range(2)]
    for seed in range(2):
        errors = dict.fromkeys(("err@1", "err@2"), 2.0 + 7 * seed)
        cells.append(make.cell("a", seed, n_nonzero=4, missed_components=float(seed), **errors))
    results = make(cells)
    heights = {row["y"] for row in rows_of(FIGURES["err_curve"].draw(results), "low") if row["method"] == "a"}
    assert heights == {2.0, 100.0}, "the error, and by how much it is above that of pca in percent"

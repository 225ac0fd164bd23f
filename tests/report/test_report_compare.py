import math

import numpy as np
import pandas as pd
import pytest

from spcabench.report.compare import compare
from spcabench.suite.columns import Column

COLUMNS = [Column("cpev", better="higher"), Column("err", better="lower")]


def runs(make, methods=("a",), seeds=4, change=lambda row: row):
    """Return the frames of two runs: the same cells, the second changed."""
    first = [
        make.cell(method, seed, n_nonzero=4, cpev=0.5 + seed / 10, err=float(seed))
        for method in methods
        for seed in range(seeds)
    ]
    second = [change(dict(row)) for row in first]
    return pd.DataFrame(first), pd.DataFrame([row for row in second if row])


def times(rng, size, factor=1.0):
    return factor * rng.lognormal(0, 0.2, size)


def test_the_same_run_has_not_changed(make):
    found = compare(*runs(make), COLUMNS)
    assert (found.n_pairs, found.n_compared) == (4, 4)
    assert found.metrics.empty
    assert found.statuses.empty
    assert found.unpaired.empty
    assert set(found.times["verdict"]) <= {"within noise", "unchanged"}


@pytest.mark.parametrize(("factor", "rows"), [(1 + 1e-11, 0), (1 + 1e-6, 1)])
def test_rounding_is_no_change(make, factor, rows):
    changed = runs(make, change=lambda row: row | {"cpev": row["cpev"] * factor, "err": row["err"] + 1e-16})
    assert compare(*changed, COLUMNS).metrics["seed"].tolist() == list(range(4)) * rows


def test_a_change_is_told_with_its_direction(make):
    found = compare(*runs(make, change=lambda row: row | {"cpev": row["cpev"] + 0.1, "err": row["err"] + 1}), COLUMNS)
    rows = found.metrics.groupby("metric")
    assert rows["verdict"].unique().map(list).to_dict() == {"cpev": ["better"], "err": ["worse"]}
    assert rows["difference"].mean().to_dict() == pytest.approx({"cpev": 0.1, "err": 1.0})
    assert rows.size().to_dict() == {"cpev": 4, "err": 4}


def test_seeds_may_disagree_and_a_metric_may_vanish(make):
    def mixed(row):
        return row | {"cpev": row["cpev"] + (0.1 if row["seed"] else -0.1), "err": math.nan}

    rows = compare(*runs(make, change=mixed), COLUMNS).metrics.groupby("metric")["verdict"].apply(list)
    assert rows.to_dict() == {"cpev": ["worse", "better", "better", "better"], "err": ["changed"] * 4}


def test_statuses_that_changed_are_not_compared_but_listed(make):
    def fail(row):
        return row | ({"status": "timeout", "reason": "600 s", "cpev": math.nan} if row["seed"] == 2 else {})

    found = compare(*runs(make, change=fail), COLUMNS)
    assert found.statuses[["seed", "A", "B", "reason in B"]].to_numpy().tolist() == [[2, "ok", "timeout", "600 s"]]
    assert found.n_compared == 3
    assert found.metrics.empty


def test_cells_in_one_run_only_are_listed(make):
    a, b = runs(make, change=lambda row: row if row["seed"] else None)
    found = compare(a, b, COLUMNS)
    assert found.unpaired[["seed", "only"]].to_numpy().tolist() == [[0, "A"]]
    assert compare(b, a, COLUMNS).unpaired["only"].tolist() == ["B"]
    assert found.n_pairs == 3


def test_noise_is_not_called_a_change(make):
    rng, called = np.random.default_rng(0), 0
    for seeds in (3, 10, 30):
        for _ in range(6):
            methods = [f"m{number}" for number in range(20)]
            a, b = runs(make, methods, seeds, lambda row: row)
            a["fit_time"], b["fit_time"] = times(rng, len(a)), times(rng, len(b))
            called += compare(a, b, COLUMNS).times["verdict"].isin(["slower", "faster"]).any()
    assert called <= 3


@pytest.mark.parametrize(
    ("seeds", "factor", "verdict"), [(3, 10.0, "slower"), (30, 1.5, "slower"), (30, 0.5, "faster")]
)
def test_a_real_change_is_found(make, seeds, factor, verdict):
    rng = np.random.default_rng(1)
    a, b = runs(make, ("fixed", "other", "third"), seeds)
    a["fit_time"], b["fit_time"] = times(rng, len(a)), times(rng, len(b))
    b.loc[b["method"] == "fixed", "fit_time"] *= factor
    verdicts = compare(a, b, COLUMNS).times.set_index("method")["verdict"]
    assert verdicts["fixed"] == verdict
    assert verdicts["other"] == verdicts["third"] == "within noise"


@pytest.mark.parametrize(("seeds", "factor", "verdict"), [(30, 1.02, "unchanged"), (1, 100.0, "too few pairs")])
def test_a_small_change_and_a_single_pair_tell_nothing(make, seeds, factor, verdict):
    a, b = runs(make, seeds=seeds)
    b["fit_time"] *= factor
    assert compare(a, b, COLUMNS).times["verdict"].tolist() == [verdict]

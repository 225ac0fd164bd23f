"""What methods reach from several starts."""

from dataclasses import replace

import pytest
from shown import best_of, values

from spcabench.metrics.support import spcabench_metrics
from spcabench.report.tables import main, timing, unfinished

STARTS = ["own", "ones", "pca"]
HITS = {("power", "ones"): [1, 1, 1, 1], ("power", "pca"): [0, 0, 0, 0], ("robust", "pca"): [0, 0, 0, 1]}


def made(make, hits):
    """Return a run of methods from starts: the own start is that from equal entries."""
    hits = hits | {(method, "own"): reached for (method, start), reached in hits.items() if start == "ones"}
    rows = [
        make.cell(method, seed, n_nonzero=4, start=start, own_start="ones", exact_support=hit, cpev=0.5 + hit / 10)
        for (method, start), reached in hits.items()
        for seed, hit in enumerate(reached)
    ]
    return with_exact(make([*rows, make.cell("dense", 0, exact_support=0, cpev=0.9)], starts=STARTS))


def with_exact(results):
    """Let a run know the metric of exact supports."""
    exact = {spec.name: spec for spec in spcabench_metrics()}["exact_support"]
    return replace(results, metrics={**results.metrics, "exact_support": exact})


@pytest.fixture
def results(make):
    return made(make, HITS | {("robust", "ones"): [1, 1, 1, 1]})


def test_the_main_table_has_each_start_and_all_else_the_own_alone(results):
    found = values(main(results)).set_index("method")["exact_support"].to_dict()
    assert found == {
        "power": 1.0,
        "power from ones": 1.0,
        "power from pca": 0.0,
        "robust": 1.0,
        "robust from ones": 1.0,
        "robust from pca": 0.25,
        "dense": 0.0,
    }
    assert "rows from other starts are never bold" in main(results).caption
    assert {values(main(results))["method"][row] for row, _ in best_of(main(results))} == {"power", "robust"}
    assert values(timing(results))["method"].tolist() == ["power", "robust", "dense"]


def test_what_did_not_finish_is_named_with_its_start(make):
    rows = [make.cell("a", start=start, cpev=0.5) for start in STARTS]
    rows[1] |= {"status": "error", "reason": "boom"}
    assert values(unfinished(make(rows, starts=STARTS)))["method"].tolist() == ["a from ones"]

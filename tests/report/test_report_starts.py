"""The tables of starts, and the sentence on what decides."""

import math
from dataclasses import replace

import pytest
from shown import cells, values

from spcabench.metrics.support import spcabench_metrics
from spcabench.report.contents import document
from spcabench.report.document import Note
from spcabench.report.starts import starts_table
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


def test_shares_of_exact_supports_by_start(results):
    found = values(starts_table(results, "exact_support")).set_index("method")
    assert found[STARTS].to_dict("index") == {
        "power": {"own": 100, "ones": 100, "pca": 0},
        "robust": {"own": 100, "ones": 100, "pca": 25},
    }
    shown = cells(starts_table(results, "exact_support")).set_index("method")
    assert shown["pca"].to_dict() == {"power": "0 (0 of 4, 0 to 49)", "robust": "25 (1 of 4, 5 to 70)"}
    assert set(shown["own start"]) == {"ones"}


def test_means_by_start(results):
    found = values(starts_table(results, "cpev")).set_index("method")
    assert found.loc["robust", ["ones", "pca"]].to_dict() == pytest.approx({"ones": 0.6, "pca": 0.525})
    assert starts_table(results, "err") is None


def test_a_draw_that_failed_has_no_exact_support(make):
    rows = [make.cell("a", seed, start=start, exact_support=1.0) for start in STARTS for seed in range(4)]
    rows[-1] |= {"status": "error", "exact_support": math.nan}
    rows[0:4] = [row | {"status": "timeout", "exact_support": math.nan} for row in rows[0:4]]
    (found,) = cells(starts_table(with_exact(make(rows, starts=STARTS)), "exact_support")).to_dict("records")
    assert found["pca"] == "75 (3 of 4, 30 to 95)"
    assert found["own"] == "timeout"


def test_all_else_shows_the_own_start_alone(results):
    for shown in (main(results), timing(results)):
        assert values(shown)["method"].tolist() == ["power", "robust", "dense"]
    assert values(main(results))["exact_support"].tolist() == [1.0, 1.0, 0.0]


def test_what_did_not_finish_is_named_with_its_start(make):
    rows = [make.cell("a", start=start, cpev=0.5) for start in STARTS]
    rows[1] |= {"status": "error", "reason": "boom"}
    assert values(unfinished(make(rows, starts=STARTS)))["method"].tolist() == ["a from ones"]


def test_the_report_has_a_section_if_a_method_has_several_starts(results, make):
    (section,) = [section for section in document(results).sections if section.name == "starts"]
    tables = [block.name for block in section.blocks if not isinstance(block, Note)]
    assert tables == ["starts_exact_support", "starts_cpev"]
    assert "starts" not in {section.name for section in document(make([make.cell(cpev=0.5)])).sections}

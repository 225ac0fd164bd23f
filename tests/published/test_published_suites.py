"""The suites that set published numbers beside ours: what snapshots of default runs, and the README, say of them."""

import functools
import os
import re
from pathlib import Path

import numpy as np
import pytest
from published import CLAIMS, NUMBERS, claims, numbers
from published_checks.estimators import covariance
from shipped import shipped
from snapshots import read

from spcabench.analysis.verdicts import VERDICTS
from spcabench.plugins import load_registry
from spcabench.report.model import Results
from spcabench.report.papers import judged_claims, overview
from spcabench.report.published import CAN_FAIL, COMPUTED, judged_together
from spcabench.report.render.markdown import markdown_page
from spcabench.run import host
from spcabench.store.about import About
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import load_suite

ROOT = Path(__file__).parents[2]
ROWS = read(NUMBERS).rows
SUITES = sorted(file.stem for file in (ROOT / "suites").glob("*.yaml"))
FAST = ("pitprops", "spcart_pitprops")
SLOW = dict.fromkeys(("cop_hastie", "spcart_synthetic", "cop_path_curves"), pytest.mark.nightly)
SLOW |= {"cop_pitprops": pytest.mark.weekly}
"""Suites without chance; what depends on draws is judged together with all other suites."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a suite in this process, once."""
    return functools.cache(lambda suite: results_of(suite, tmp_path_factory.mktemp(suite)))


def results_of(suite, folder):
    registry = load_registry()
    loaded = load_suite(suite, registry, ["repeats=1"])
    place = RunFolder(folder)
    host.run(loaded.suite, loaded.plan, registry, place, host.Options(isolation=False), lambda event: None)
    metrics = {entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics}
    frame = results_frame(place, loaded.plan)
    return Results(suite=loaded.suite, folder=place, frame=frame, metrics=metrics, about=About())


@pytest.mark.parametrize("suite", [*FAST, *(pytest.param(name, marks=when) for name, when in SLOW.items())])
def test_what_the_snapshots_say_is_true(suite, run):
    if suite == "cop_path_curves" and not Path(os.environ.get("SPCABENCH_DATA", ""), "colon").is_dir():
        pytest.skip("SPCABENCH_DATA has no colon")
    made = [run(suite)]
    told = ("dataset", "n_nonzero", "method", "metric", "published", "kind", "verdict")
    now = [tuple(row[name] for name in told) for row in numbers(made, judged_together(made))]
    assert now == [tuple(row[name] for name in told) for row in ROWS if row["suite"] == suite]
    held = [(row["claim"], row["verdict"]) for row in read(CLAIMS).rows if row["suite"] == suite]
    assert [(row["claim"], row["verdict"]) for row in claims(made)] == held


def test_one_page_has_the_numbers_of_several_runs(run):
    text = markdown_page(overview([run(suite) for suite in ("spcart_pitprops", "pitprops")]))
    assert text.startswith("# Published numbers beside ours\n\n60 numbers of 2 suites; 31 can fail.\n")
    assert "| gpower_l0 (rho = 0.1)" in text


def by_hand(W, S):
    """Compute the metrics of Table 4 of the SPCArt paper from the loadings, in rows."""
    basis = np.linalg.qr(W.T)[0]
    units = W / np.linalg.norm(W, axis=1, keepdims=True)
    zeros = (W == 0).mean(axis=1)
    return {
        "cpev": np.trace(basis.T @ S @ basis) / np.trace(S),
        "nor": (np.abs(units @ units.T).sum() - len(W)) / (len(W) * (len(W) - 1)),
        "sp_std": zeros.std(ddof=1),
        "mean_nnz": np.count_nonzero(W) / len(W),
    }


SPCART, ALSPCA = "SPCArt T-l0 1/sqrt(13)", "ALSPCA 0.152"
ONE_BY_ONE = ("rSVD-GP T-l0 0.27", "GPower T-l0 0.1")
IN_BLOCKS = ("GPowerB T-l0 0.115", "rSVD-GPB T-l0 0.3")


def test_verdicts_are_those_computed_by_hand_from_the_records(run):
    results = run("spcart_pitprops")
    S = covariance("pitprops")
    ours = {
        group.method: by_hand(results.folder.loadings(group.first("key"))["components"], S) for group in results.groups
    }

    found = [pair for pair in judged_together([results]) if pair.kind == "measured"]
    assert len(found) >= 10
    for pair in found:
        reached = ours[pair.method][pair.column.name]
        rivals = [row.metrics[pair.column.name] for row in pair.block.rows if pair.column.name in row.metrics]
        assert pair.measured.mean == pytest.approx(reached, abs=1e-9)
        near = abs(reached - pair.published) <= min(0.006 * pair.published, np.ptp(rivals) / 2) + 1e-9 * pair.published
        assert (pair.verdict == "reproduced") == near, (pair.method, pair.column.name)
        assert near or pair.verdict == "explained"

    spread, angle, explained = ({name: one[key] for name, one in ours.items()} for key in ("sp_std", "nor", "cpev"))
    best_first = [explained[name] for name in (*ONE_BY_ONE, IN_BLOCKS[0], SPCART, IN_BLOCKS[1])]
    so = {
        "most_balanced": spread[SPCART] < min(spread[name] for name in (*ONE_BY_ONE, *IN_BLOCKS, ALSPCA)),
        "deflation_orthogonal": max(angle[name] for name in ONE_BY_ONE) < min(angle[name] for name in IN_BLOCKS),
        "order_of_cpev": best_first == sorted(best_first, reverse=True),
    }
    assert so == {"most_balanced": True, "deflation_orthogonal": False, "order_of_cpev": True}
    told = {one.claim.name: one.verdict for one in judged_claims(results)}
    assert told == {name: "reproduced" if holds else "refuted" for name, holds in so.items()}


# What the snapshots have


@pytest.mark.parametrize("suite", SUITES)
def test_each_number_of_a_suite_is_there_and_a_miss_has_its_reason(suite):
    blocks = shipped(suite).suite.published
    found = [row for row in ROWS if row["suite"] == suite]
    assert {row["table"] for row in found} == {str(place) for place in range(1, len(blocks) + 1)}
    for place, block in enumerate(blocks, 1):
        here = {}
        for row in found:
            if row["table"] == str(place):
                here.setdefault((row["method"], row["metric"]), []).append(row)
        for entry in block.rows:
            name = entry.method + (f" minus {entry.minus}" if entry.minus else "")
            for metric, number in entry.metrics.items():
                shown = [
                    row for row in here[name, metric] if float(row["published"]) == pytest.approx(number, rel=1e-3)
                ]
                assert shown, f"{name}, {metric}: {number}"
                reasons = {row["reason"] for row in shown if row["reason"]}
                assert reasons <= {" ".join(other.reason.split()) for other in block.rows}


def test_each_verdict_is_known_and_a_miss_alone_has_a_reason():
    assert {row["verdict"] for row in ROWS} <= {*VERDICTS, ""}
    assert all(bool(row["verdict"]) == (row["kind"] in CAN_FAIL) for row in ROWS)
    assert all(COMPUTED.search(row["reason"]) for row in ROWS if row["verdict"] == "explained")
    assert [row for row in ROWS if row["reason"] and row["verdict"] == "reproduced"] == []


def test_the_readme_shows_numbers_of_the_snapshot():
    errors = [row for row in ROWS if row["suite"] == "mnist_outlier" and row["metric"] == "err@100"]
    known = sorted(tuple(float(row[name]) for name in ("published", "measured", "sd")) for row in errors)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\|.*\| ([\d.]+) \| ([\d.]+) ± ([\d.]+) \|$", readme, re.MULTILINE)
    for shown, exact in zip(sorted(tuple(map(float, cells)) for cells in table), known, strict=True):
        assert shown == pytest.approx(exact, abs=0.051)

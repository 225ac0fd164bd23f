"""Snapshots of reports: each has its rows, and holds what its program computes today."""

import platform
import re

import instances
import mutants
import newer
import optima
import pytest
import reasons
import trying
from checks import CSV as CHECKS
from gaps import CSV as GAPS
from published_checks.estimators import OPTIMA, correlations, proved
from published_reasons import all_reasons
from shipped import shipped
from snapshots import read, write

SPECS = {spec.name: spec for spec in optima.exact_cardinality()}
REASONS = all_reasons()
ROOT = CHECKS.parents[1]
ROUNDED = {"capped_iterations", "alspca_pitprops", "cop_candidates", "outlier_supports", "colon_differences"}
"""Reasons with ties, or iterations to no tolerance: off ARM, where the snapshot was made, digits differ."""


def test_a_snapshot_is_read_as_it_is_written(tmp_path):
    rows = [{"a": "1,2", "b": "# no note"}, {"a": "", "c": "ä"}]
    write(tmp_path / "one.csv", rows, ["made here", "and now"])
    found = read(tmp_path / "one.csv")
    assert found.notes == ("made here", "and now")
    assert list(found.rows) == [{"a": "1,2", "b": "# no note", "c": ""}, {"a": "", "b": "", "c": "ä"}]


# Gaps of all methods, and times of the newer ones


@pytest.mark.parametrize("data", OPTIMA)
def test_each_method_has_its_gaps_to_the_proved_optima(data):
    rows = {row["method"]: row for row in read(GAPS).rows if row["data"] == data}
    sizes = [str(k) for k in range(1, 14)]
    assert [rows["optimum"][k] for k in sizes] == [f"{proved(data, int(k)).objective_[0]:.5g}" for k in sizes]
    assert [rows["exact"][k] for k in (*sizes, "optima", "of supports")] == ["0"] * 13 + ["13", "13"]
    plan = shipped("proven_gaps").plan
    for method in {cell.method.label for cell in plan.cells if cell.method.spec.knob.kind != "none"}:
        assert int(rows[method]["optima"]) == sum(rows[method][k] == "0" for k in sizes)


def test_proven_gaps_has_the_methods_of_the_leaderboard():
    suites = (shipped(name).suite for name in ("proven_gaps", "leaderboard"))
    assert len({frozenset(entry.name for entry in suite.methods) for suite in suites}) == 1


def test_each_newer_method_has_its_time():
    rows = {row["method"]: row for row in read(newer.CSV).rows}
    assert {newer.BESIDE, newer.PUBLISHED, *newer.NEWER} <= rows.keys()
    assert rows[newer.BESIDE]["ratio"] == "1.00"


# Proofs on the instances of the exact literature


def test_each_instance_is_certified_within_a_second():
    rows = read(instances.CSV).rows
    assert {row["data"] for row in rows} == {*OPTIMA, *instances.NAMES}
    assert [(row["data"], row["k"]) for row in rows[:26]] == [(name, str(k)) for name in OPTIMA for k in range(1, 14)]
    assert len(rows) == 26 + sum(k < int(row["d"]) for row in rows[26:] for k in [int(row["k"])]) == 71
    for row in rows:
        assert row["certified"] == "yes"
        assert float(row["proof alone"]) <= float(row["seconds"]) <= 1


@pytest.mark.parametrize("data", OPTIMA)
def test_pitprops_and_wine_are_proved_as_the_snapshot_says(data):
    exact = ("d", "k", "value", "certified", "nodes")
    held = {row["k"]: row for row in read(instances.CSV).rows if row["data"] == data}
    for k in range(1, 14):
        now = instances.row(data, correlations(data), k)
        assert [now[name] for name in exact] == [held[str(k)][name] for name in exact]


# Optima that methods find

NEARLY_ALL = (
    *("tpower", "gpower_l0", "gpower_l1", "rsvd_l0", "rsvdgp_sp", "pathspca", "pathspca_full", "gspca", "splicing"),
    *("gspca_forward", "gspca_backward", "exact", "cop", "empca", "dcpca", "geospca", "multi_orth", "am_l2_l0c"),
)
"""Methods that maximise the variance with so many nonzeros: by default they find 12 of 13 or more."""


def test_nearly_all_optima_are_found_by_default():
    rows = [row for row in read(optima.CSV).rows if row["start"] == "default" and row["method"] in NEARLY_ALL]
    assert len(rows) == len(OPTIMA) * len(NEARLY_ALL)
    assert [row for row in rows if int(row["found"]) < 12] == []


@pytest.mark.parametrize("data", OPTIMA)
@pytest.mark.parametrize("name", ["tpower", "gpower_l0", "rsvd_l0"])
def test_what_a_method_finds_is_as_the_snapshot_says(name, data):
    (row,) = (
        row for row in read(optima.CSV).rows if (row["method"], row["data"], row["start"]) == (name, data, "default")
    )
    assert optima.found(SPECS[name], data) == (row["found"], row["worst"])


@pytest.mark.weekly
def test_the_snapshot_is_what_all_methods_find():
    assert list(optima.rows()) == list(read(optima.CSV).rows), f"remake the snapshot: {optima.COMMAND}"


# Reasons that name a computation


def test_cited_reasons_are_those_of_the_snapshot():
    texts = [path.read_text(encoding="utf-8") for path in (CHECKS, *ROOT.glob("suites/*.yaml"))]
    cited = {name for text in texts for name in reasons.cited(text)}
    assert cited <= REASONS.keys()
    assert list(dict.fromkeys(row["name"] for row in read(reasons.CSV).rows)) == list(REASONS)


def test_an_unknown_name_is_refused():
    with pytest.raises(SystemExit, match="no reason is named nothing; valid are cop_iterations, "):
        reasons.main(["nothing"])


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.weekly if name in reasons.SLOW else pytest.mark.nightly) for name in REASONS],
)
def test_a_reason_computes_what_the_snapshot_has(name):
    held = [row for row in read(reasons.CSV).rows if row["name"] == name]
    now = list(reasons.rows(REASONS[name]))
    if name in ROUNDED and platform.machine() != "aarch64":
        held, now = ([{key: re.sub(r"\d+", "0", row[key]) for key in row} for row in rows] for rows in (held, now))
    assert now == held, f"remake the snapshot: {reasons.COMMAND}"


# Programs without a snapshot


@pytest.mark.nightly
def test_the_transcript_of_a_table_that_is_tried_has_the_commands_and_what_they_print():
    page = trying.page()
    assert page.startswith(trying.HEAD)
    assert all(f"\n$ {command}\n" in page for command in (trying.TRY, trying.USED))
    assert trying.USE in page
    assert "accuracy, five folds: 0." in page


@pytest.mark.nightly  # in the fast set it would notice every mutant
def test_forty_mutants_or_more_have_their_place():
    found = mutants.mutants()
    assert len({mutant.name for mutant in found}) == len(found) >= 40

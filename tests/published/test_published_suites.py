"""The suites that set published numbers beside ours reach those that suites.csv says that they reach."""

from dataclasses import replace

import pytest

from spcabench.report.published_tables import overview
from spcabench.report.render.markdown import markdown_page
from suites import COMMAND, SETTINGS, SLOW, Row, changes, has_data, held, run, verdicts

HELD = held()
FAST = ("pitprops", "cop_hastie", "spcart_synthetic")


def marks(suite):
    here = pytest.mark.skipif(not has_data(suite), reason="SPCABENCH_DATA has no colon")
    return [here] if suite in FAST else [here, pytest.mark.weekly]


@pytest.mark.parametrize(
    ("suite", "slow"),
    [
        *(pytest.param(suite, SLOW.get(suite), id=suite, marks=marks(suite)) for suite in SETTINGS),
        *(pytest.param(suite, None, id=f"{suite}, all", marks=pytest.mark.weekly) for suite in SLOW),
    ],
)
def test_what_the_snapshot_says_is_true_and_a_miss_has_a_reason(suite, slow, tmp_path):
    now, unexplained = verdicts(run(suite, tmp_path / "run", [slow] if slow else []))
    before = [row for row in HELD if row.suite == suite and row.method != slow]
    changed = changes(before, [row for row in now if row.method != slow])
    assert not changed, "\n".join([*changed, f"to accept it, state a reason in the suite, then remake: {COMMAND}"])
    assert not [miss for miss in unexplained if not slow or slow not in miss]


def test_the_snapshot_has_the_suites_that_are_run():
    assert list(dict.fromkeys(row.suite for row in HELD)) == list(SETTINGS)
    assert len({row.name for row in HELD}) == len(HELD)


def test_one_page_has_the_numbers_of_several_runs(tmp_path):
    text = markdown_page(overview([run(suite, tmp_path / suite) for suite in ("cop_hastie", "pitprops")]))
    assert text.startswith(
        "# Published numbers beside ours\n\n10 numbers of 2 suites; 9 of them are of a method and can fail.\n"
    )
    assert text.count("\n## ") == 4
    assert "| gpower_l0 (rho = 0.1)" in text


# The snapshot itself

ROW = Row("mine", "a paper", "toy", "", "pca", "cpev", "0.8", "measured", "matches")


def test_matches_that_are_lost_or_new_are_described():
    within, miss = replace(ROW, verdict="consistent"), replace(ROW, verdict="differs")
    assert changes([ROW], [ROW]) == []
    for worse, better in ((miss, ROW), (miss, within), (within, ROW)):
        assert [text.split(":")[0] for text in changes([better], [worse])] == ["a match is lost"]
        assert [text.split(":")[0] for text in changes([worse], [better])] == ["a match is new"]


def test_numbers_that_come_and_go_are_described():
    other = replace(ROW, metric="nor")
    assert changes([ROW], [ROW, other]) == ["a number is new: mine: a paper: toy, pca, nor: 0.8"]
    assert changes([ROW, other], [ROW]) == ["a number is gone: mine: a paper: toy, pca, nor: 0.8"]

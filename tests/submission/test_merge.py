"""What is merged into a run, what is refused and why."""

import re
import sqlite3
from contextlib import closing

import pytest
from submitted import ADDED, KEPT, NAME, run

from spcabench.check.subjects import Finding
from spcabench.report.find_run import gathered
from spcabench.site.build import site
from spcabench.submission import FILE
from spcabench.wording import InputError


def test_a_method_of_others_has_a_row_and_nothing_else_changes(place):
    before = {record.key: record for record in place.run.records()}
    said = place.merge()
    assert said == {NAME: "all 4 results fitted again here"}
    mine, apart = place.rows(place.run), place.rows(place.apart)
    assert list(mine["status"]) == ["skipped", "skipped", "ok", "ok"]
    assert mine[["cpev", "nnz", "key", "note"]].equals(apart[["cpev", "nnz", "key", "note"]])
    after = {record.key: record for record in place.run.records()}
    assert {key: after.get(key) for key in before} == before
    loaded, folder, registry = place.loaded(place.run, place.submission.path / f"{NAME}.py")
    results = gathered(loaded, folder, registry)
    made = site([results], registry.datasets.specs)
    assert f",{NAME},default,".encode() in made.files["leaderboard.csv"]
    assert results.about.merged == {NAME: said[NAME]}


def test_merging_again_changes_nothing(place):
    place.merge()
    kept = (place.run.suite_text(), place.run.index, place.run.about())
    place.merge()
    assert (place.run.suite_text(), place.run.index, place.run.about()) == kept


def test_a_merge_that_was_stopped_goes_on(place, monkeypatch):
    def stopped(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("spcabench.run.host.run", stopped)
        with pytest.raises(KeyboardInterrupt):
            place.merge()
    assert place.run.about().merged == {NAME: "not all results fitted yet"}
    assert place.merge() == {NAME: "all 4 results fitted again here"}
    assert place.run.about().merged == {NAME: "all 4 results fitted again here"}


def test_a_method_that_the_run_was_to_have_and_skipped_is_merged(place):
    place.run.forget([record.key for record in place.run.records()])
    run(place.path / "tiny.yaml", place.path / "run", [place.plugin], settings=ADDED, skip=[f"method={NAME}"])
    assert NAME in place.run.suite_text()
    assert place.merge() == {NAME: "all 4 results fitted again here"}


def emptied(place):
    place.run.forget([record.key for record in place.run.records()])


def linked(place):
    source = place.submission.path / f"{NAME}.py"
    source.rename(place.path / "elsewhere.py")
    source.symlink_to(place.path / "elsewhere.py")


def database(sql):
    """Run SQL on the records of a submission."""

    def change(place):
        with closing(sqlite3.connect(place.submission.file)) as connection, connection:
            connection.execute(sql)

    return change


def edited(old, new):
    """Change the text of the manifest."""

    def change(place):
        file = place.submission.path / FILE
        file.write_text(file.read_text().replace(old, new, 1))

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            database("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END"),
            "its tables are not those",
        ),
        (edited('"schema": 5', '"schema": 1'), r"submission\.json: it is not what .* writes: (.|\n)*Input should be 5"),
        (edited(f'"{NAME}.py"', f'"../{NAME}.py"'), r"source is '\.\./shortened\.py'; valid is the name of a file"),
        (emptied, "run: it has no results to merge into; run its suite first"),
        (lambda place: place.forge(params={"colour": "red"}), "entry: unknown parameter 'colour'"),
        (lambda place: place.forge(label="st"), "has a method st of its own, whose records stay"),
        (linked, r"source is 'shortened\.py'; valid is the name of a file in the folder that is no link"),
        (edited("entry", "enter"), r"submission\.json: it is not what .* writes: (.|\n)*write it again"),
        (lambda place: (place.submission.path / FILE).unlink(), r"no submission there: submission\.json is missing"),
    ],
)
def test_what_is_no_submission_is_refused_with_the_remedy_and_nothing_is_merged(place, change, message):
    change(place)
    kept = (place.run.suite_text(), place.run.index, place.run.about(), list(place.run.records()))
    with pytest.raises(InputError) as error:
        place.merge()
    assert re.search(message, str(error.value)), error.value
    assert kept == (place.run.suite_text(), place.run.index, place.run.about(), list(place.run.records()))


def test_a_method_that_breaks_a_promise_is_not_merged(place):
    with pytest.raises(InputError, match="shortened breaks the promise 'sign': it turns; mend the method until"):
        place.merge(findings=[*KEPT[:-1], Finding("sign", "broken", "it turns")])
    assert NAME not in place.run.suite_text()


def test_one_fault_among_several_submissions_keeps_all_out(place):
    run(place.path / "tiny.yaml", place.apart.path, [place.plugin], settings=ADDED, only=["method=st"])
    of_a_package = place.submit("other", label="st")
    assert not list(of_a_package.path.glob("*.py"))
    with pytest.raises(InputError, match="has a method st of its own"):
        place.merge(place.submission, of_a_package)
    assert NAME not in place.run.suite_text()

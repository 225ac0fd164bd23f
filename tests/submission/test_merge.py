"""What is merged into a run, what is refused and why."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from submitted import ADDED, NAME, PLUGIN, run

from spcabench.check.subjects import Finding
from spcabench.report.find_run import gathered
from spcabench.site.build import site
from spcabench.store.about import About
from spcabench.store.frame import results_frame
from spcabench.submission.manifest import FILE, read_manifest
from spcabench.wording import InputError


def frame_of(place, folder, *plugins):
    loaded, folder, _ = place.loaded(folder, *plugins)
    return results_frame(folder, loaded.plan)


def test_a_method_of_others_has_a_row_and_nothing_else_changes(place):
    before = {record.key: record for record in place.run.records()}
    (taken,) = place.merge()
    assert (taken.method, taken.records, taken.factor) == (NAME, 4, 1.0)
    source = place.submission.path / f"{NAME}.py"
    frame = frame_of(place, place.run, source)
    theirs = frame_of(place, place.apart, source)
    mine, apart = (one[one["method"] == NAME].reset_index(drop=True) for one in (frame, theirs))
    assert list(mine["status"]) == ["ok", "ok", "skipped", "skipped"]
    assert mine[["cpev", "total_time", "key"]].equals(apart[["cpev", "total_time", "key"]])
    after = {record.key: record for record in place.run.records()}
    assert {key: after.get(key) for key in before} == before
    loaded, folder, registry = place.loaded(place.run, source)
    made = site([gathered(loaded, folder, registry)], registry.datasets.specs)
    assert f"\n{NAME},".encode() in made.files["leaderboard.csv"]


def test_merging_again_changes_nothing_and_a_method_of_the_run_is_not_replaced(place):
    place.merge()
    kept = (place.run.suite_text(), place.run.index, place.run.about())
    place.merge()
    assert (place.run.suite_text(), place.run.index, place.run.about()) == kept
    place.forge(method="st", entry={**read_manifest(place.submission.path).entry, "label": "st"})
    with pytest.raises(InputError, match=r"has a method st of its own, whose records stay"):
        place.merge()


def test_parameters_that_the_method_does_not_have_are_refused(place):
    place.forge(entry={**read_manifest(place.submission.path).entry, "params": {"colour": "red"}})
    with pytest.raises(InputError, match=r"entry: unknown parameter 'colour'"):
        place.merge()


def records(change):
    """Change each record of a submission: what is returned of it is replaced."""
    return lambda place: place.forge_records(lambda record: replace(record, **change(record)))


def manifest(change):
    """Change what a submission says of its method."""
    return lambda place: place.forge(**change(read_manifest(place.submission.path)))


def database(sql):
    """Run SQL on the records of a submission."""

    def change(place):
        with closing(sqlite3.connect(place.submission.file)) as connection, connection:
            connection.execute(sql)

    return change


def environment(**changes):
    """Let a submission be of another machine."""

    def change(place):
        about = place.submission.about()
        place.submission.keep_about(replace(about, environment={**about.environment, **changes}))

    return change


def untimed(place):
    environment(CPU="another")(place)
    place.submission.keep_about(replace(place.submission.about(), references=()))


def another_code(place):
    source = place.submission.path / f"{NAME}.py"
    source.write_text(PLUGIN.replace("full_matrices=False", "full_matrices=True"))


def edited(place):
    file = place.submission.path / FILE
    file.write_text(file.read_text().replace("checks", "check", 1))


metric = records(lambda record: {"metrics": {**record.metrics, "cpev": 0.99}})
nonzeros = records(lambda record: {"fit": replace(record.fit, nnz=(3, 3))})
another_version = records(lambda record: {"about": {**record.about, "numpy": "0.9.1"}})
another_data = records(lambda record: {"cell": {**record.cell, "fingerprint": "0123456789"}})
another_metric = records(lambda record: {"scored": {**record.scored, "cpev": "0:0"}})
missing = database("DELETE FROM loadings WHERE key = (SELECT min(key) FROM loadings)")
hostile = database("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END")
more_time = manifest(lambda said: {"limits": {**said.limits, "time": 900.0}})
broken = manifest(lambda said: {"checks": (Finding(said.checks[0].promise, "broken"), *said.checks[1:-1])})
undeclared = manifest(lambda said: {"checks": (*said.checks[:-1], Finding(said.checks[-1].promise, "exempt", "so"))})
newer = manifest(lambda said: {"schema": 1})
outside = manifest(lambda said: {"source": f"../{NAME}.py"})


def foreign(place):
    place.submission.keep_index({"another": "another"})


def nothing(place):
    (place.submission.path / FILE).unlink()


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (metric, [r"run\.sqlite, record \w+: its cpev is 0.99; from its loadings it is 0\.\d+; valid are"] * 2),
        (nonzeros, [r"it has \[3, 3\] nonzeros; its loadings have \[4, 4\]"] * 2),
        (missing, [r"1 of 4 cells without a whole record, such as shortened on spiked.*; run the suite of"]),
        (hostile, [r"submission/run\.sqlite: its tables are not those of a run"]),
        (foreign, [r"a record is of no cell of the suite of .*run"]),
        (another_version, [r"numpy was 0\.9\.1; valid is \d+\.\d+, as in .*: install that and run"]),
        (another_data, [r"the data spiked, seed 0, have the hash 0123456789; valid is \w+", "seed 1"]),
        (another_metric, [r"2 of 2 cells with metrics by other code or parameters, such as .*: spcabench report RUN"]),
        (another_code, [r"2 of 4 records of other code than that of shortened\.py here: run the suite, and submit"]),
        (environment(system="Plan9 4 mips"), [r"the machine was Plan9 mips; valid is \w+ \w+, as in"]),
        (untimed, [r"submission/run\.sqlite: no reference fit was timed"]),
        (more_time, [r"limits\.time was 900\.0; valid is 600, as in"]),
        (broken, ["the promise 'resolves' is broken; valid is one of kept, exempt", "the promise 'growth' is missing"]),
        (undeclared, ["the promise 'growth' is exempt"]),
        (newer, [r"submission\.json: its schema is 1; valid is 2"]),
        (outside, [r"source is '\.\./shortened\.py'; valid is the name of a file"]),
        (edited, [r"submission\.json: it is not what spcabench submission write writes: (.|\n)*write it again"]),
        (nothing, [r"no submission there: submission\.json is missing; valid is a folder that spcabench submission "]),
    ],
)
def test_what_does_not_agree_is_refused_with_the_remedy_and_nothing_is_merged(place, change, messages):
    change(place)
    kept = (place.run.suite_text(), place.run.index, place.run.about(), len(list(place.run.records())))
    with pytest.raises(InputError) as error:
        place.merge()
    said = list(map(str, error.value.faults))
    assert len(said) == len(messages), said
    for message, found in zip(messages, said, strict=True):
        assert re.search(message, found), found
    assert kept == (place.run.suite_text(), place.run.index, place.run.about(), len(list(place.run.records())))


def test_times_of_another_machine_are_multiplied_by_the_ratio_of_the_reference_fits(place):
    environment(CPU="another chip")(place)
    place.submission.keep_about(replace(place.submission.about(), references=(0.02, 0.04, 0.03)))
    place.run.keep_about(replace(place.run.about(), references=(0.06,)))
    (taken,) = place.merge()
    assert taken.factor == pytest.approx(2)
    source = place.submission.path / f"{NAME}.py"
    times = ["fit_time", "cpu_time", "total_time"]
    mine, theirs = (
        one.loc[one["status"].eq("ok") & one["method"].eq(NAME), times].to_numpy()
        for one in (frame_of(place, folder, source) for folder in (place.run, place.apart))
    )
    np.testing.assert_allclose(mine, 2 * theirs)
    loaded, folder, registry = place.loaded(place.run, source)
    assert "multiplied by 2" in gathered(loaded, folder, registry).about[f"merged {NAME}"]
    assert loaded.suite.methods[-1].note == "fitted on another machine; times are multiplied by 2"


def test_one_fault_among_several_submissions_keeps_all_out(place):
    run(place.path / "tiny.yaml", place.apart.path, [place.plugin], settings=ADDED, only=["method=st"])
    of_a_package = place.submit("other", label="st")
    assert not list(of_a_package.path.glob("*.py"))
    with pytest.raises(InputError, match="has a method st of its own"):
        place.merge(place.submission, of_a_package)
    assert NAME not in place.run.suite_text()


def test_the_reference_is_the_median_of_the_sessions():
    assert About(references=(3.0, 1.0, 2.0)).reference == 2.0
    assert About().reference is None


def test_each_session_of_a_run_times_the_reference_fit(place):
    before = place.apart.about().references
    run(place.path / "tiny.yaml", place.apart.path, [place.plugin], settings=ADDED, only=[f"method={NAME}"])
    after = place.apart.about().references
    assert after[:-1] == before
    assert 0 < after[-1] < 1

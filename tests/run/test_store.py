"""A run's file: what is kept is read back by anybody, and what a stranger or an accident put there is refused."""

import errno
import io
import math
import os
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from after_runs import change, rows
from tasks import draw_record

from spcabench.store.about import About
from spcabench.store.files import new_folder, text_of, write_bytes
from spcabench.store.folder import RunFolder
from spcabench.store.record import Facts, Record, Timing
from spcabench.wording import InputError, Unwritable

TIMING = Timing(fit_time=(0.25, 0.125), cpu_time=(0.5,), search_time=(1.5,), n_fits=(7.0,))
CELL = {"dataset": "toy", "method": "m", "n_components": 2, "n_nonzero": [3, 4], "seed": 5}
METRICS = {"a": math.inf, "b": -math.inf, "c": math.nan, "d": 0.1}
RECORD = Record(key="key", cell=CELL, status="ok", metrics=METRICS, timing=TIMING, about={"time": "now"})
ARRAYS = {"components": np.asfortranarray(np.eye(2, 40)), "mean": np.zeros(40), "knots": np.arange(3)}
DRAW = draw_record(stamp={"code": "1"}, image_shape=(5, 8), n_features=40, files=(("a\udce9", 1, 2),))


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a run of one cell, and a second cell without a record."""
    folder = RunFolder(tmp_path / "run")
    folder.keep_suite("name: toy\n")
    folder.keep_about(About(command="spcabench run \udce9", merged={"m": "2 of 3"}))
    folder.keep_index({"cell": "key", "other": "none"})
    folder.save(RECORD, ARRAYS)
    folder.save_draw(DRAW, {"X": np.eye(3)})
    folder.close()
    return RunFolder(folder.path)


def test_what_is_kept_is_read_back(folder):
    assert folder.suite_text() == folder.suite_file.read_text() == "name: toy\n"
    assert folder.about() == About(command="spcabench run \udce9", merged={"m": "2 of 3"})
    assert About.loads('{"command": "made before", "suite": "mine.yaml"}') == About(command="made before")
    assert folder.index == {"cell": "key", "other": "none"}
    record = folder.record("key")
    assert math.isnan(record.metrics.pop("c"))
    assert record.metrics == {"a": math.inf, "b": -math.inf, "d": 0.1}
    assert (record.timing, record.cell, record.about) == (TIMING, CELL, {"time": "now"})
    found = folder.loadings("key")
    assert found.keys() == ARRAYS.keys()
    assert all(np.array_equal(found[name], values) for name, values in ARRAYS.items())
    assert folder.draw_record("draw") == DRAW
    assert np.array_equal(folder.samples("draw")["X"], np.eye(3))
    assert folder.record("none") is folder.loadings("none") is None
    assert folder.draw_record("none") is folder.samples("none") is None


def test_the_summary_of_a_record_is_what_decides_whether_its_cell_needs_more(folder):
    (summary,) = folder.summaries().values()
    assert (summary.key, summary.status, summary.finished, summary.fit_time) == ("key", "ok", True, (0.25, 0.125))
    assert (summary.repeats, summary.repeat_failed, summary.traced) == (2, 0, 0)
    timed_out = Record(key="key", cell={}, status="timeout", reason="slow", fit=Facts(worker="tcp"))
    folder.save(timed_out)
    (summary,) = folder.summaries().values()
    assert (summary.finished, summary.reason, summary.by_worker) == (False, "slow", 1)
    assert folder.loadings("key") is None, "they were of the fit that was replaced"


def test_a_record_without_arrays_keeps_those_of_its_fit(folder):
    folder.save(RECORD)
    assert np.array_equal(folder.loadings("key")["components"], np.eye(2, 40))


def test_anybody_reads_a_row_for_each_cell_and_one_for_each_metric(folder):
    with closing(sqlite3.connect(folder.file)) as connection:
        results = pd.read_sql("SELECT * FROM results ORDER BY cell", connection)
        metrics = pd.read_sql("SELECT * FROM metrics ORDER BY metric", connection)
    assert results.status.tolist() == ["ok", "pending"]
    assert results[["dataset", "method", "n_components", "n_nonzero", "seed"]].iloc[0].tolist() == [
        "toy", "m", 2, "[3,4]", 5,
    ]  # fmt: skip
    assert (results.repeats[0], results.least_fit_time[0], results.least_cpu_time[0]) == (2, 0.125, 0.5)
    assert metrics.metric.tolist() == ["a", "b", "c", "d"]
    assert metrics.value.tolist()[:2] == [math.inf, -math.inf]
    assert math.isnan(metrics.value[2])
    assert metrics.value[3] == 0.1


def test_text_of_a_method_is_kept_printable(folder):
    odd = Record(key="odd", cell={}, status="error", reason="a\x1b[31m\u202e\udce9\nb\\u001b", fit=Facts(output="\x07"))
    folder.save(odd)
    record = folder.record("odd")
    assert record.reason == "a\\x1b[31m\\u202e\\udce9\nb\\u001b"
    assert record.fit.output == "\\x07"


def test_records_are_removed_with_their_loadings(folder):
    folder.save(Record(key="stale", cell={}, status="skipped"))
    folder.forget(["key"])
    assert [record.key for record in folder.records()] == ["stale"]
    assert folder.index == {"other": "none"}
    assert folder.loadings("key") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"no database at all " * 100,
        lambda content: content[: len(content) // 2],
        lambda content: content[:5000] + bytes(4000) + content[9000:],
    ],
    ids=["other", "cut", "zeros"],
)
def test_a_damaged_file_is_said_by_every_verb(folder, command, damage):
    folder.file.write_bytes(damage(folder.file.read_bytes()))
    for words in (["status", folder.path], ["report", folder.path], ["run", "pitprops", "-o", folder.path]):
        code, _, err = command(*words)
        assert code == 2
        assert "run.sqlite: it" in err
        assert "run the suite again" in err


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM loadings; END",
        "ALTER TABLE draws ADD COLUMN more",
        "DROP TABLE samples",
        "PRAGMA user_version = 99",
    ],
)
def test_other_tables_and_triggers_are_refused(folder, sql):
    change(folder.path, sql)
    for look in (folder.suite_text, lambda: folder.keep_suite("")):
        with pytest.raises(InputError, match="its tables are not those of a run"):
            look()


def test_views_and_tables_of_ones_own_are_let_be(folder):
    change(folder.path, "CREATE VIEW mine AS SELECT * FROM results")
    assert folder.record("key").status == "ok"


@pytest.mark.parametrize(
    "body",
    [
        *('{"key":"key"', "[]", "null", "1e999", "[" * 100_000, '{"key":' + "9" * 10_000 + "}"),
        '{"key":"another","cell":{},"status":"error"}',
        '{"key":"key","cell":{},"status":"great"}',
        '{"key":"key","cell":{},"status":"ok"}',
        '{"key":"key","cell":[],"status":"error"}',
        '{"key":"key","cell":{},"status":"error","reason":5}',
        '{"key":"key","cell":{},"status":"error","metrics":{"a":[1.0]}}',
        '{"key":"key","cell":{},"status":"error","timing":{"fit_time":["NaN"]}}',
        '{"key":"key","cell":{},"status":"error","fit":{"nnz":[1208925819614629174706176]}}',
    ],
    ids=lambda body: body[:60],
)
def test_what_is_no_record_is_said(folder, body):
    change(folder.path, "UPDATE records SET body = ?", body)
    with pytest.raises(InputError, match=r"run\.sqlite: it is damaged: record key: "):
        folder.record("key")


def saved(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


HARMFUL = saved(np.array([len], dtype=object))
"""A function that loading it would have to import."""


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"PK\x03\x04", HARMFUL, saved(1j * np.ones(2)), saved(np.array(["a"])), saved(np.full(2, np.nan))),
        saved(np.eye(2, 40)).replace(b"(2, 40)", b"(9**9,)"),
        saved(np.eye(2, 40)).replace(b"(2, 40), ", b"(99999999,)"[:9]),
        saved(np.eye(2, 40))[:-1],
    ],
)
def test_what_is_no_array_of_finite_numbers_is_said(folder, content):
    change(folder.path, "UPDATE loadings SET array = ? WHERE name = 'components'", content)
    with pytest.raises(InputError, match="loadings of key: "):
        folder.loadings("key")


def test_links_are_neither_read_nor_written_through(folder, tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "file").write_text("theirs")
    (folder.path / ".lock").symlink_to(theirs / "file")
    (folder.path / "tables").symlink_to(theirs)
    (folder.path / "figure.svg").symlink_to(theirs / "file")
    with pytest.raises(InputError, match="cannot be locked"), folder.held():
        pass
    assert folder.holder() == ""
    with pytest.raises(InputError, match="a link leads out of the run's folder"):
        folder.write_text("tables/main.csv", "mine")
    assert text_of(folder.path / "figure.svg") == ""
    folder.write_text("figure.svg", "mine")
    assert [file.read_text() for file in theirs.iterdir()] == ["theirs"]
    folder.file.rename(tmp_path / "elsewhere.sqlite")
    folder.file.symlink_to(tmp_path / "elsewhere.sqlite")
    with pytest.raises(InputError, match=r"run\.sqlite: it is a link"):
        folder.suite_text()


def test_a_reader_sees_each_record_as_soon_as_it_is_kept(folder):
    with folder.held():
        folder.save(Record(key="new", cell={}, status="skipped"))
        assert rows(folder.path, "SELECT count(*) FROM records") == [(2,)]
        assert len(RunFolder(folder.path).summaries()) == 2
    assert not list(folder.path.glob("run.sqlite-*"))


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    file = write_bytes(tmp_path / "a" / "b.json", b"before")

    def full(source, target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(Unwritable, match="No space left"):
        write_bytes(file, b"after")
    assert file.read_bytes() == b"before"
    assert list(file.parent.iterdir()) == [file]


def test_a_new_folder_is_made_although_its_place_is_gone(tmp_path):
    first, second = new_folder(tmp_path / "place"), new_folder(tmp_path / "place")
    assert first != second
    assert first.parent == tmp_path / "place"
    (tmp_path / "file").touch()
    with pytest.raises(Unwritable, match="Not a directory"):
        new_folder(tmp_path / "file")


def test_a_folder_of_many_files_is_refused(tmp_path, command):
    run = tmp_path / "run"
    run.mkdir()
    (run / "index.json").write_text("{}")
    for words in (["status", run], ["run", "pitprops", "-o", run]):
        code, _, err = command(*words)
        assert (code, "Run the suite again, into another folder" in err) == (2, True)

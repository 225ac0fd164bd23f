"""What a run notices of a store that changes under it."""

import os

import pytest
from after_runs import change

from spcabench.store.files import write_bytes
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.wording import StoreChanged


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a run with one record."""
    run = RunFolder(tmp_path / "run")
    run.save(Record(key="key", cell={}, status="skipped"))
    return run


def removed(folder):
    folder.file.unlink()


def replaced(folder):
    write_bytes(folder.file, folder.file.read_bytes())


def overwritten(folder):
    folder.file.write_bytes(bytes(100))


def one_byte_changed(folder):
    with folder.file.with_name("run.sqlite-wal").open("r+b") as file:
        file.seek(-100, os.SEEK_END)
        file.write(b"x")


def forgotten(folder):
    change(folder.path, "DELETE FROM records")


@pytest.mark.parametrize("way", [removed, replaced, overwritten, one_byte_changed, forgotten])
def test_a_store_that_changes_under_the_run_ends_it(folder, way):
    folder.see_unchanged()
    way(folder)
    with pytest.raises(StoreChanged, match=r"run\.sqlite: "):
        folder.see_kept(1)


HARMFUL = """
import sqlite3
from odd_methods import Axes
class Removes(Axes):
    def fit(self, X, y=None):
        connection = sqlite3.connect({file!r})
        connection.execute('DELETE FROM records')
        connection.commit()
        return super().fit(X, y)
"""


def test_a_method_that_harms_the_store_ends_the_program_with_1(cli, suite_file, plugin, place):
    spec = "MethodSpec(name='removes', estimator='harmful_to_store:Removes', knob=CARDINALITY)"
    file = plugin("harmful_to_store", HARMFUL.format(file=str(place / "out" / "run.sqlite")), spec)
    host = cli("--plugin", file, "run", suite_file(methods=["axes", "removes"]), "-o", "out")
    _, err = host.communicate(timeout=60)
    assert host.returncode == 1, err
    assert "run.sqlite: it was removed, replaced or written to" in err
    assert "Traceback" not in err

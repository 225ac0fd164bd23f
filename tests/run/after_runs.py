"""What a run leaves: what it kept, as far as it must not depend on when, where or how often, and its processes."""

import json
import sqlite3
import time
from contextlib import closing

import numpy as np
import psutil


def rows(folder, sql, *values):
    """Return what a query finds in the file of a run, as anybody reads it; nothing before there is a file."""
    file = (folder / "run.sqlite").absolute()
    if not file.exists():
        return []
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError:  # its tables are made at this moment
            return []


def records(folder):
    """Return the records that a run kept, as text, by their keys."""
    return dict(rows(folder, "SELECT key, body FROM records"))


def statuses(folder):
    """Return the status of each record."""
    return [status for (status,) in rows(folder, "SELECT status FROM records")]


def arrays(folder):
    """Return the loadings that a run kept, as bytes."""
    return {row[:2]: row[2] for row in rows(folder, "SELECT key, name, array FROM loadings")}


def results(folder):
    """Return records, loadings, the main table and the figures by name, without times and places."""
    kept = dict(arrays(folder))
    for key, body in records(folder).items():
        record = json.loads(body)
        fit = {k: v for k, v in record["fit"].items() if k not in ("contended", "worker")}
        kept[key] = (record["status"], record.get("reason"), record.get("metrics"), record["cell"], fit)
    for file in sorted((folder / "tables").glob("main.*")) + sorted((folder / "figures").glob("*.svg")):
        kept[file.name] = file.read_text()
    return kept


def same(one, other):
    """Return whether two sets of arrays are the same, bit by bit."""
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def change(folder, sql, *values):
    """Change the file of a run behind its back."""
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        connection.execute(sql, values)


def until(condition, host=None, seconds=60, said=""):
    """Wait until a condition holds, while the host, if there is one, goes on."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, said
        assert host is None or host.poll() is None, host.stderr.read()
        time.sleep(0.01)


def outlived(processes, seconds):
    """Return those of the processes that still live after so many seconds; a zombie that nobody waits for does not."""
    alive = psutil.wait_procs(processes, timeout=seconds)[1]
    return [process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]

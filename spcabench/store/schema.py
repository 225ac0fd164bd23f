"""The tables of a run's file, ``run.sqlite``.

The file is one SQLite database, which ``sqlite3``, `pandas.read_sql` and DuckDB read.

========== ==================================================================================================
run        what is known of the run as a whole, by name: ``suite`` (YAML), ``about`` (JSON of
           `spcabench.store.about.About`), and ``state`` while it runs (JSON of `spcabench.run.state.Snapshot`)
cells      the key of the record of each planned cell; cells that differ in their labels alone share one
records    a row for each record: what shows whether its cell needs anything more, and ``body``, the JSON of
           `spcabench.store.record.Record`; ``times`` are the wall seconds of its fits, with spaces between
loadings   the arrays of a finished fit, each as a .npy file: ``components`` (n_components, n_features), ``mean``
           (n_features,), and the solution paths of a method that has any
draws      what is known of each draw of a data set: the JSON of `spcabench.store.about.DrawRecord`
samples    a few samples of a draw to look at, each array as a .npy file: ``X`` as used, ``X_clean``
========== ==================================================================================================

Two views are for people and never read by spcabench: ``results`` has a row for each cell, and ``metrics`` one for each
cell and metric.  Numbers that JSON does not have are the texts ``NaN``, ``Infinity`` and ``-Infinity`` in bodies; in
``metrics``, nan is NULL.

The host alone writes, in a transaction for each record, to a disk of its own: SQLite's log (WAL) is not for network
file systems.  The file of a run that has ended can be copied anywhere.
"""

from __future__ import annotations

VERSION = 4
"""The version of these tables, kept as SQLite's ``user_version``."""

TABLES = """
CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE cells (cell TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    key TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    scored TEXT NOT NULL,
    times TEXT NOT NULL,
    repeat_failed INTEGER NOT NULL,
    traced INTEGER NOT NULL,
    by_worker INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE loadings (key TEXT, name TEXT, array BLOB NOT NULL, PRIMARY KEY (key, name));
CREATE TABLE draws (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE samples (id TEXT, name TEXT, array BLOB NOT NULL, PRIMARY KEY (id, name));
CREATE VIEW results AS SELECT
    cells.cell,
    cells.key,
    coalesce(status, 'pending') AS status,
    reason,
    json_extract(body, '$.cell.dataset') AS dataset,
    json_extract(body, '$.cell.method') AS method,
    json_extract(body, '$.cell.n_components') AS n_components,
    json_extract(body, '$.cell.n_nonzero') AS n_nonzero,
    json_extract(body, '$.cell.seed') AS seed,
    json_array_length(body, '$.timing.fit_time') AS repeats,
    (SELECT min(value) FROM json_each(body, '$.timing.fit_time')) AS least_fit_time,
    (SELECT min(value) FROM json_each(body, '$.timing.cpu_time')) AS least_cpu_time,
    json_extract(body, '$.timing.search_time[0]') AS search_time,
    json_extract(body, '$.about.time') AS fitted_at
FROM cells LEFT JOIN records ON records.key = cells.key;
CREATE VIEW metrics AS SELECT
    cells.cell,
    json_extract(body, '$.cell.dataset') AS dataset,
    json_extract(body, '$.cell.method') AS method,
    json_extract(body, '$.cell.n_components') AS n_components,
    json_extract(body, '$.cell.n_nonzero') AS n_nonzero,
    json_extract(body, '$.cell.seed') AS seed,
    metric.key AS metric,
    CASE metric.value WHEN 'NaN' THEN NULL WHEN 'Infinity' THEN 9e999 WHEN '-Infinity' THEN -9e999
        ELSE metric.value END AS value
FROM cells JOIN records ON records.key = cells.key, json_each(body, '$.metrics') AS metric;
"""

"""Forged submissions: any field of any record, manifest or array, changed to what would help the method."""

import io
import json
import random
import sqlite3
from contextlib import closing

import numpy as np

from spcabench.submission import FILE

WORDS = ("ok", "not_converged", "skipped", "unavailable", "interrupted", "error", "timeout", "pca", "st", "")
VALUES = (0.0, 1e-9, 0.999, 1e308, -1.0, "Infinity", "NaN", 0, 1, 3, None, True, [], [1e-9], [4, 4], {}, *WORDS)
TABLES = {"records": ("key", "body"), "run": ("name", "value")}
"""The tables of a run with JSON in them: the column that names a row, and that with the JSON."""
SQL = (
    *(f"UPDATE records SET {name} = 'ok'" for name in ("status", "scored", "reason")),
    *(f"UPDATE records SET {name} = 1e-9" for name in ("times", "repeat_failed")),
    "UPDATE cells SET key = (SELECT max(key) FROM cells)",
    "UPDATE cells SET key = 'none' WHERE cell = (SELECT min(cell) FROM cells)",
    "DELETE FROM cells WHERE cell = (SELECT min(cell) FROM cells)",
    "DELETE FROM records WHERE key = (SELECT min(key) FROM records)",
    "DELETE FROM loadings WHERE name = 'mean'",
    "DELETE FROM loadings",
)
ARRAYS = {
    "long": lambda array: 1000 * array,
    "dense": lambda array: np.full_like(array, array.shape[-1] ** -0.5),
    "wide": lambda array: np.concatenate([array, array], axis=-1),
    "flat": lambda array: array.ravel()[:1],
    "nan": lambda array: np.full_like(array, np.nan),
    "whole": lambda array: np.sign(array).astype(int),
    "more": lambda array: np.stack([array, array]),
    "tiny": lambda array: array + 1e-14,
    "objects": lambda array: np.array([{}], dtype=object),
    "other": lambda array: np.roll(array, 1, axis=-1),
}
"""What becomes of components or a mean; but for the last, no loadings of such a cell."""


def places_in(value, way=()):
    """Yield the way to each value in a tree, inner ones too."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inside:
        yield (*way, name)
        yield from places_in(item, (*way, name))


def changed(tree, rng):
    """Change or remove a value of a tree, and say which."""
    *way, name = rng.choice(sorted(places_in(tree), key=str))
    inside = tree
    for step in way:
        inside = inside[step]
    inside[name] = value = rng.choice((*VALUES, changed))
    if value is changed:
        del inside[name]
    return f"{way}, {name} = {value!r}"


def of_rows(connection, rng):
    """Change a value in the JSON of a record or the run, or one metric, time or status of every record."""
    table = rng.choice(("records", "records", "records", "run"))
    name, column = TABLES[table]
    query = f"SELECT {name}, {column} FROM {table} WHERE {name} <> 'suite' ORDER BY {name}"
    rows, seed = connection.execute(query).fetchall(), rng.random()
    for key, text in rows if table == "records" and rng.random() < 0.5 else [rng.choice(rows)]:
        tree = json.loads(text)
        said = changed(tree, random.Random(seed))
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {name} = ?", (json.dumps(tree), key))
    return f"{table}: {said}"


def of_arrays(connection, how, name, count, rng):
    """Change the components or the means of some finished records."""
    query = "SELECT key, array FROM loadings WHERE name = ? ORDER BY key"
    for key, content in rng.sample(connection.execute(query, (name,)).fetchall(), count):
        file = io.BytesIO()
        np.save(file, ARRAYS[how](np.load(io.BytesIO(content))), allow_pickle=True)
        connection.execute("UPDATE loadings SET array = ? WHERE key = ? AND name = ?", (file.getvalue(), key, name))
    return f"{name}: {how}"


def forged(folder, seed):
    """Forge the submission in a folder; return what was changed, for the message of a test."""
    rng = random.Random(seed)
    kind = rng.choice(("rows", "rows", "rows", "rows", "sql", "array", "manifest"))
    if kind == "manifest":
        tree = json.loads((folder / FILE).read_text())
        said = changed(tree, rng)
        (folder / FILE).write_text(json.dumps(tree))
        return said
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        if kind == "rows":
            return of_rows(connection, rng)
        if kind == "array":
            return of_arrays(connection, rng.choice(list(ARRAYS)[:-1]), rng.choice(("components", "mean")), 1, rng)
        said = rng.choice(SQL)
        connection.execute(said)
        return said


def exchanged_loadings(folder, count, rng):
    """Put well-formed loadings that are not the method's into some finished records."""
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        of_arrays(connection, "other", "components", count, rng)

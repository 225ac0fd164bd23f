"""Forged submissions: any field of any record, manifest, draw or array, changed to what would help the method."""

import io
import json
import random
import sqlite3
from contextlib import closing

import numpy as np

from spcabench.submission.manifest import FILE

BETTER = (
    0.0,
    1e-9,
    0.999,
    1.0,
    1e308,
    -1.0,
    "Infinity",
    "NaN",
    0,
    1,
    3,
    None,
    True,
    [],
    [1e-9],
    [0.999],
    [4, 4],
    {},
    "",
)
WORDS = ("ok", "not_converged", "skipped", "unavailable", "interrupted", "error", "timeout", "pca", "st", "kept")
ABOUT = {"records": ("key", "body"), "draws": ("id", "body"), "run": ("name", "value")}
"""The tables of a run with JSON in them: the column that names a row, and that with the JSON."""
EXTRA = {
    "metrics": {"cpev": 0.999, "mean_nnz": 1.0, "won": 1.0},
    "scored": {"cpev": "1:0"},
    "status": "ok",
    "fit": {"nnz": [4, 4], "target_missed": [], "upper_bound": 1e-9, "objective": 1e9, "own_clock": True},
    "timing": {"fit_time": [1e-9], "cpu_time": [1e-9], "search_time": [0.0], "n_fits": [0.0]},
    "cell": {"fingerprint": "0", "n_nonzero": 12},
    "about": {"submitted": True, "numpy": "0.1"},
}
"""What a record may not have, of all that it can."""


def places_in(value, way=()):
    """Yield the way to each value in a tree, inner ones too."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inside:
        yield (*way, name)
        yield from places_in(item, (*way, name))


def changed(tree, rng):
    """Change or remove a value of a tree, and say which."""
    way = rng.choice(sorted(places_in(tree), key=str))
    inside = tree
    for name in way[:-1]:
        inside = inside[name]
    value = rng.choice((*BETTER, *WORDS, "removed"))
    if value == "removed":
        del inside[way[-1]]
    else:
        inside[way[-1]] = value
    return f"{'.'.join(map(str, way))} = {value!r}"


def of_a_row(connection, rng):
    """Change a value of the JSON of a record, a draw or the run, or add one."""
    table = rng.choice(("records", "records", "records", "draws", "run"))
    name, column = ABOUT[table]
    rows = connection.execute(f"SELECT {name}, {column} FROM {table} ORDER BY {name}").fetchall()
    if table == "run":
        rows = [row for row in rows if row[0] == "about"]
    key, text = rng.choice(rows)
    tree = json.loads(text)
    if table == "records" and rng.random() < 0.5:
        part = rng.choice(sorted(EXTRA))
        tree[part] = {**tree.get(part, {}), **EXTRA[part]} if isinstance(EXTRA[part], dict) else EXTRA[part]
        said = f"{part} = {tree[part]}"
    else:
        said = changed(tree, rng)
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE {name} = ?", (json.dumps(tree), key))
    return f"{table}: {said}"


def of_every_record(connection, rng):
    """Make the same change to every record: each hides a failure, has no time, or a better value."""
    part = rng.choice(sorted(EXTRA))
    status = rng.choice(WORDS[:5])
    for key, text in connection.execute("SELECT key, body FROM records").fetchall():
        tree = json.loads(text)
        tree[part] = {**tree.get(part, {}), **EXTRA[part]} if isinstance(EXTRA[part], dict) else status
        connection.execute("UPDATE records SET body = ? WHERE key = ?", (json.dumps(tree), key))
    return f"{part} of every record, {status}"


def of_a_column(connection, rng):
    column = rng.choice(("status", "times", "search_time", "reason", "scored", "time_limit", "repeat_failed"))
    value = rng.choice((0, 1e-9, "1e-9", *WORDS))
    connection.execute(f"UPDATE records SET {column} = ?", (value,))
    return f"column {column} = {value!r}"


def of_the_index(connection, rng):
    cells = connection.execute("SELECT cell, key FROM cells ORDER BY cell").fetchall()
    one, other = rng.sample(cells, 2)
    how = rng.choice(("another's record", "none", "no such record", "removed record"))
    if how == "none":
        connection.execute("DELETE FROM cells WHERE cell = ?", one[:1])
    elif how == "removed record":
        connection.execute("DELETE FROM records WHERE key = ?", one[1:])
    else:
        key = other[1] if how == "another's record" else "0" * 20
        connection.execute("UPDATE cells SET key = ? WHERE cell = ?", (key, one[0]))
    return f"index: {how}"


def of_an_array(connection, rng):
    """Change the components or the mean of a fit, to what are no loadings of such a cell."""
    key, name, content = rng.choice(connection.execute("SELECT * FROM loadings ORDER BY key, name").fetchall())
    array = np.load(io.BytesIO(content))
    how = rng.choice(("long", "dense", "wide", "flat", "nan", "whole", "more", "none", "objects", "tiny"))
    dense = np.full_like(array, array.shape[-1] ** -0.5)
    forged = {
        "long": 1000 * array,
        "dense": dense,
        "wide": np.concatenate([array, array], axis=-1),
        "flat": array.ravel()[:1],
        "nan": np.full_like(array, np.nan),
        "whole": np.sign(array).astype(int),
        "more": np.stack([array, array]),
        "tiny": array + 1e-14,
    }
    if how == "none":
        connection.execute("DELETE FROM loadings WHERE key = ? AND name = ?", (key, name))
    else:
        file = io.BytesIO()
        np.save(file, forged.get(how, np.array([{}], dtype=object)), allow_pickle=True)
        connection.execute("UPDATE loadings SET array = ? WHERE key = ? AND name = ?", (file.getvalue(), key, name))
    return f"{name}: {how}"


def forged(folder, seed):
    """Forge the submission in a folder; return what was changed, for the message of a test."""
    rng = random.Random(seed)
    way = rng.choice((of_a_row, of_a_row, of_a_row, of_every_record, of_a_column, of_the_index, of_an_array, None))
    if way is None:
        tree = json.loads((folder / FILE).read_text())
        said = changed(tree, rng)
        (folder / FILE).write_text(json.dumps(tree))
        return f"{FILE}: {said}"
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        return way(connection, rng)


def exchanged_loadings(folder, count, rng):
    """Give some finished records well-formed loadings that are not those of the method."""
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        rows = connection.execute("SELECT key, array FROM loadings WHERE name = 'components' ORDER BY key").fetchall()
        for key, content in rng.sample(rows, count):
            file = io.BytesIO()
            np.save(file, np.roll(np.load(io.BytesIO(content)), 1, axis=1))
            connection.execute(
                "UPDATE loadings SET array = ? WHERE key = ? AND name = 'components'", (file.getvalue(), key)
            )

"""Damage to the folder of a small finished run, of the kinds that disks, editors and strangers do."""

import json
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

DEEP = "[" * 100_000
JUNK = (b"", b"\0", b"SQLite format 3\0", DEEP.encode(), os.urandom(5000))
HUGE = int("9" * 400)
WRONG = (None, HUGE, -1, "x" * 100, [], {}, "\x1b]0;title\x07", [[[[]]]], "Infinity", "../../secret")
TABLES = {"run": "value", "records": "body", "draws": "body", "loadings": "array", "samples": "array"}
"""The column of each table that holds a text or an array."""


def flipped(file, rng):
    content = bytearray(file.read_bytes())
    for _ in range(rng.choice((1, 1, 3, 30))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    file.write_bytes(content)


def cut(file, rng):
    content = file.read_bytes()
    file.write_bytes(content[: rng.randrange(len(content))])


def junk(file, rng):
    file.write_bytes(rng.choice(JUNK))


def removed(file, rng):
    file.unlink()


def linked(file, rng):
    file.unlink()
    file.symlink_to(rng.choice((file.parents[1] / "secret", Path("/dev/zero"), file)))


def made_a_folder(file, rng):
    file.unlink()
    file.mkdir()


def made_a_pipe(file, rng):
    file.unlink()
    os.mkfifo(file)


def wrong_values(file, rng):
    """Put wrong values into texts and arrays, each in a file that is whole."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for _ in range(rng.choice((1, 1, 4))):
            table = rng.choice(sorted(TABLES))
            rows = connection.execute(f"SELECT rowid, {TABLES[table]} FROM {table}").fetchall()
            row, text = rng.choice(rows)
            value = wrong_text(text, rng) if isinstance(text, str) else wrong_array(text, rng)
            connection.execute(f"UPDATE {table} SET {TABLES[table]} = ? WHERE rowid = ?", (value, row))


def wrong_text(text, rng):
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return rng.choice((DEEP, "", "\0", text[: rng.randrange(len(text) + 1)]))
    inside = found
    while isinstance(inside, dict) and inside:
        name = rng.choice(sorted(inside))
        if not isinstance(inside[name], dict) or rng.random() < 0.3:
            inside[name] = rng.choice(WRONG)
            break
        inside = inside[name]
    return json.dumps(found)


def wrong_array(content, rng):
    if not content:
        return b"\0"
    changed = bytearray(content)
    changed[rng.randrange(min(128, len(changed)))] ^= 1 << rng.randrange(8)  # in its header
    claims = content.replace(b"'shape': (", b"'shape': (99999999999, ").replace(b"   ", b"", 1)
    return rng.choice((b"", content[: rng.randrange(len(content))], bytes(changed), claims))


def exchanged(file, rng):
    """Exchange the keys of cells."""
    with closing(sqlite3.connect(file)) as connection, connection:
        cells, keys = zip(*connection.execute("SELECT cell, key FROM cells"), strict=True)
        connection.executemany("UPDATE cells SET key = ? WHERE cell = ?", zip(keys[::-1], cells, strict=True))


def of_other_tables(file, rng):
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            rng.choice(
                (
                    "DROP VIEW results",
                    "DROP TABLE draws",
                    "CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM records; END",
                    "ALTER TABLE cells RENAME TO cell",
                    "PRAGMA user_version = 5",
                )
            )
        )


IN_THE_WAY = (linked, made_a_folder, made_a_pipe)
WAYS = (*(flipped, cut, junk, removed, wrong_values, wrong_values, exchanged, of_other_tables), *IN_THE_WAY)


def damage(folder, seed):
    """Damage the file of a run, or a folder beside it; return what was done, for the message of a test."""
    rng = random.Random(seed)
    way = rng.choice(WAYS)
    way(folder / "run.sqlite", rng)
    if rng.random() < 0.1:
        name = rng.choice((".lock", "tables", "report.md", "suite.yaml"))
        place = folder / name
        if place.is_dir():
            place.rename(folder / f"{name} before")
        place.unlink(missing_ok=True)
        place.symlink_to(folder.parent / rng.choice(("secret", "outside")))
    return way.__name__

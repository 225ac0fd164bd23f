"""Tables and arrays as strangers may send them: sound ones, and what becomes of them by chance and by intent."""

from __future__ import annotations

import io
import os
import zipfile

import numpy as np
import pandas as pd
from scipy import sparse

NAMES = ("a", "größe", "c d", "e")
DIALECTS = [
    {"sep": sep, "decimal": decimal, "encoding": encoding}
    for sep, decimal in ((",", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."))
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16")
]


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def header(rng):
    """Return a .npy file whose header says anything."""
    shape = [(10**12, 3), (2**32, 2**32), (2**63, 2), (-1, 4), (-3, 4), (3, 0), (6,), (2, 3, 4), (12.0, 2), ()]
    types = ["<f8", "|O", "<f16", "<c16", "<U3", "|S2", "<M8[s]", "|V4", ">f8", "<f2", "<i4", "<U0", "<x9"]
    said = {
        "descr": types[rng.integers(len(types))],
        "fortran_order": bool(rng.integers(2)),
        "shape": shape[rng.integers(len(shape))],
    }
    if rng.random() < 0.2:
        said.pop(list(said)[rng.integers(3)])
    text = repr(said) if rng.random() < 0.8 else "(" * int(rng.integers(2, 9000)) + repr(said)
    version = (b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x09")[int(rng.choice(4, p=(0.5, 0.25, 0.2, 0.05)))]
    length = len(text).to_bytes(2 if version[0] == 1 else 4, "little")
    return b"\x93NUMPY" + version + length + text.encode() + rng.bytes(int(rng.integers(0, 400)))


def archive(parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts:
            file.writestr(name, content)
    return stream.getvalue()


def forged(rng, content):
    """Change what the directory of an archive says: encryption, method, checksum, sizes."""
    content = bytearray(content)
    place = content.rfind(b"PK\x01\x02")
    at, values = [(8, [1, 8]), (10, [1, 9, 12, 14, 99]), (16, [7]), (20, [0, 2**31]), (24, [0, 5, 2**32 - 1])][
        rng.integers(5)
    ]
    size = 2 if at < 16 else 4
    content[place + at : place + at + size] = int(rng.choice(values)).to_bytes(size, "little")
    return bytes(content)


def dense(rng, X):
    d = X.shape[1]
    names = [np.array(NAMES[:d]), np.array(["a"] * d), np.array(NAMES[: d - 1]), np.array(["\udce9"] * d), np.arange(d)]
    labels = [np.array(["u", "v"] * len(X))[: len(X)], np.arange(3), np.array([object()] * len(X)), X]
    parts = [("X.npy", npy(X)), ("feature_names.npy", npy(names[rng.integers(5)]))]
    parts += [("labels.npy", npy(labels[rng.integers(4)]))] * int(rng.choice(3, p=(0.4, 0.5, 0.1)))
    return archive(parts[int(rng.random() < 0.2) :])


def sparse_parts(rng, X):
    form = ("csr", "csc", "coo", "bsr", "dia")[rng.integers(5)]
    matrix = sparse.csr_matrix(X).asformat(form)
    names = {"coo": ("row", "col"), "dia": ("offsets",)}.get(form, ("indices", "indptr"))
    parts = {"format": np.array(form.encode()), "shape": np.array(matrix.shape), "data": matrix.data}
    parts |= {name: getattr(matrix, name) for name in names}
    name = list(parts)[rng.integers(len(parts))]
    if rng.random() < 0.8:
        shifts = (1, -1, 5, 10_000, 10**6, 2**31 - 9)
        parts[name] = {
            "format": lambda: np.array([b"xyz", "csc"][rng.integers(2)]),
            "shape": lambda: np.array([[3, 2], [10**12, 4], [4, 10**12], [-4, 4], [2**40, 2**40]][rng.integers(5)]),
            "data": lambda: matrix.data.astype([object, np.longdouble, complex, ">f8", "U9"][rng.integers(5)]),
        }.get(name, lambda: np.where(rng.random(parts[name].shape) < 0.3, shifts[rng.integers(6)], 0) + parts[name])()
    return archive((f"{name}.npy", npy(value)) for name, value in parts.items())


def parquet(rng, frame):
    cells = [[1, 2], {"x": 1}, b"\xff", None, "text", 10**30]
    with_odd = frame.assign(odd=pd.Series([cells[rng.integers(len(cells))]] * len(frame), dtype=object))
    stream = io.BytesIO()
    try:
        (with_odd if rng.random() < 0.5 else frame).to_parquet(stream, write_page_checksum=True)
    except (OverflowError, ValueError):  # no such type
        frame.to_parquet(stream)
    return stream.getvalue()


def damaged(rng, content):
    """Cut, flip, insert, repeat, blank or append bytes."""
    start, stop = sorted(map(int, rng.integers(0, len(content) + 1, 2)))
    stop = min(stop, start + 40)
    part = content[start:stop]
    flipped = bytes(byte ^ (1 << int(rng.integers(8))) for byte in part[:2])
    ways = [
        content[:start],
        content[:start] + flipped + content[start + 2 :],
        content[:start] + rng.bytes(int(rng.integers(1, 9))) + content[start:],
        content[:stop] + part + content[stop:],
        content[:start] + bytes(len(part)) + content[stop:],
        content[:start] + content[stop:],
        content + rng.bytes(int(rng.integers(1, 60))),
        b"",
    ]
    return ways[rng.integers(len(ways))]


def malformed(seed, folder):
    """Write a file of some kind into a folder; return it, and the dialect that it was written in, if it is text."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.standard_normal((int(rng.integers(1, 12)), int(rng.integers(1, 5)))) * 10, 3)
    frame, dialect, ending = pd.DataFrame(X, columns=NAMES[: X.shape[1]]), None, "npy"
    kind = ("text", "text", "npy", "header", "npz", "forged", "sparse", "sparse", "parquet", "name")[rng.integers(10)]
    if kind == "text":
        dialect, ending = DIALECTS[rng.integers(len(DIALECTS))], ("csv", "csv.gz", "tsv", "txt")[rng.integers(4)]
        frame.to_csv(folder / f"{seed}.{ending}", index=False, **dialect)
        content = (folder / f"{seed}.{ending}").read_bytes()
    elif kind == "npy":
        content = npy(X.astype([">f8", float, np.longdouble, complex, object, "U4"][rng.integers(6)]))
    elif kind == "header":
        content = header(rng)
    elif kind == "name":
        return odd_name(rng, folder, seed), None
    else:
        ending = "parquet" if kind == "parquet" else "npz"
        make = {"sparse": sparse_parts, "parquet": parquet}.get(kind, dense)
        content = make(rng, frame if kind == "parquet" else X)
        content = forged(rng, content) if kind == "forged" else content
    file = folder / f"{seed}.{ending}"
    file.write_bytes(damaged(rng, content) if rng.random() < 0.6 else content)
    return file, dialect


def odd_name(rng, folder, seed):
    """Return a name that is no file, or a strange one."""
    way = rng.integers(7)
    file = folder / f"{seed}.csv"
    if way == 0:
        os.mkfifo(file)
    elif way == 1:
        file.symlink_to(file)
    elif way == 2:
        file.symlink_to("/dev/zero")
    elif way == 3:
        file.mkdir()
    elif way == 4:
        file = folder / os.fsdecode(b"\xff\xe9{}'\"\n%d.csv" % seed)
        file.write_text("a,b\n1,2\n3,4\n")
    return [folder / ("x" * 300 + ".csv"), f"{folder}/a\0b.csv"][way - 5] if way > 4 else file

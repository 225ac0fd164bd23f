"""Damage to the folder of a small finished run, of the kinds that disks, editors and strangers do."""

import json
import os
import random
import shutil
import struct
import zipfile
from pathlib import Path

import numpy as np

from spcabench.store.sealed import sealed_json

DEEP = b"[" * 100_000
JUNK = (b"", b"\0", b"[]", b"{}", b"null", b"1e999", b"\xff\xfe", DEEP, b'{"key": ' + b"9" * 5000 + b"}")
HUGE = int("9" * 400)
WRONG = (None, HUGE, -1, "x" * 100, [], {}, "\x1b]0;title\x07", [[[[]]]], float("inf"), "../../secret")


def files_of(folder):
    """Return the files that a run keeps, in a fixed order."""
    kept = [*folder.glob("*.json"), *folder.glob("*.index"), folder / "suite.yaml"]
    return sorted([*kept, *(file for kind in ("records", "loadings", "draws") for file in (folder / kind).iterdir())])


def flipped(file, rng):
    content = bytearray(file.read_bytes())
    for _ in range(rng.choice((1, 1, 3, 30))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    file.write_bytes(content)


def cut(file, rng):
    content = file.read_bytes()
    file.write_bytes(content[: rng.randrange(len(content))])


def zeroed(file, rng):
    content = file.read_bytes()
    start = rng.randrange(len(content))
    file.write_bytes(content[:start] + bytes(rng.randrange(1, 600)) + content[start + 300 :])


def junk(file, rng):
    file.write_bytes(rng.choice(JUNK))


def removed(file, rng):
    file.unlink()


def copied(file, rng):
    """Put another file of the same kind over it, or any file at all."""
    others = [other for other in file.parent.iterdir() if other.is_file() and other != file]
    if others:
        shutil.copyfile(rng.choice(sorted(others)), file)


def linked(file, rng):
    outside = file.parents[2 if file.parent.name in ("records", "loadings", "draws") else 1] / "secret"
    file.unlink()
    file.symlink_to(rng.choice((outside, Path("/dev/zero"), file)))


def made_a_folder(file, rng):
    file.unlink()
    file.mkdir()


def made_a_pipe(file, rng):
    file.unlink()
    os.mkfifo(file)


def wrong_values(file, rng):
    """Put wrong values into a JSON file, and seal it as a run would."""
    if file.suffix != ".json":
        return flipped(file, rng)
    try:
        found = json.loads(file.read_bytes())
        del found["format"], found["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):  # damaged already
        return flipped(file, rng)
    for _ in range(rng.choice((1, 1, 4))):
        inside = found
        while isinstance(inside, dict) and inside:
            name = rng.choice(sorted(inside))
            if not isinstance(inside[name], dict) or rng.random() < 0.3:
                inside[name] = rng.choice(WRONG)
                break
            inside = inside[name]
    file.write_bytes(sealed_json(json.dumps(found).encode()))
    return None


def archive(file, rng):
    """Put an archive of another kind in the place of arrays."""
    if file.suffix != ".npz":
        return cut(file, rng)
    header = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118)
    claim = str({"descr": "<f8", "fortran_order": False, "shape": (10**11, 1)}).encode()
    kind = rng.choice(("claims", "bomb", "encrypted", "method", "pickle", "names", "complex", "nan"))
    packing = zipfile.ZIP_DEFLATED if kind == "bomb" else zipfile.ZIP_LZMA if kind == "method" else zipfile.ZIP_STORED
    names = ["components.npy", "../../secret.npy"] if kind == "names" else ["components.npy", "mean.npy"]
    with zipfile.ZipFile(file, "w", packing) as packed:
        for name in names:
            packed.writestr(name, bytes(10**7) if kind == "bomb" else header + claim.ljust(117) + b"\n" + bytes(8))
    if kind == "encrypted":
        content = bytearray(file.read_bytes())
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
        file.write_bytes(content)
    if kind in ("pickle", "complex", "nan"):
        value = {
            "pickle": np.array([print], dtype=object),
            "complex": np.ones((1, 8)) * 1j,
            "nan": np.full((1, 8), np.nan),
        }
        np.savez(file, components=value[kind], mean=np.zeros(8))
    return None


WAYS = (
    *(flipped, flipped, cut, zeroed, junk, removed, copied, copied, linked, made_a_folder, made_a_pipe),
    *(wrong_values, wrong_values, archive),
)


def damage(folder, seed):
    """Damage some files of a run; return what was done, for the message of a test."""
    rng = random.Random(seed)
    done = []
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        files = [file for file in files_of(folder) if file.is_file() and not file.is_symlink() and file.stat().st_size]
        file, way = rng.choice(files), rng.choice(WAYS)
        way(file, rng)
        done.append(f"{way.__name__} {file.relative_to(folder)}")
    if rng.random() < 0.05:
        kind = folder / rng.choice(("records", "loadings", "draws"))
        shutil.rmtree(kind)
        kind.symlink_to(folder.parent / "outside")
        done.append(f"linked {kind.name}")
    if rng.random() < 0.03:
        (folder / ".lock").unlink(missing_ok=True)
        (folder / ".lock").symlink_to(folder.parent / "secret")
        done.append("linked .lock")
    return done

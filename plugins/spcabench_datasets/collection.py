"""The collection: real tables of many fields, each known by the address and the checksum of its original.

None is in this package.  A table is read from the folder that SPCABENCH_DATA names, or cut from its original files,
which are fetched once; either way its values must have the checksum that ``collection.csv`` says.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spcabench import Dataset, DatasetSpec, OneOf, Parameter, RemoteFile, fetched, hookimpl, local_file
from spcabench_datasets import files as own_files
from spcabench_datasets._tables import OUTLIERS, blocks_of, dataset_of_table, with_outliers

if TYPE_CHECKING:
    import pandas as pd

BLOCKS = 10
"""Of tables whose neighbouring rows depend on each other, as in time."""
COMPUTED = ("stock_returns", "fred_md")
"""Made of logarithms, whose last bit depends on the C library: the checksum of their originals has to do."""

with Path(__file__).with_name("collection.csv").open(newline="", encoding="utf-8") as _lines:
    TABLES: Mapping[str, Mapping[str, str]] = {row["name"]: row for row in csv.DictReader(_lines)}


def remote_files(about: Mapping[str, str]) -> tuple[RemoteFile, ...]:
    """Return the original files of a table."""
    if not about["path"]:
        return ()
    base = f"https://raw.githubusercontent.com/{about['repository']}/{about['commit']}"
    more = [tuple(one.split()) for one in about["more"].split(";") if one]
    return tuple(RemoteFile(f"{base}/{path}", sha256) for path, sha256 in [(about["path"], about["sha256"]), *more])


def load(
    name: str, rng: np.random.Generator, train: float | None, outliers: float | None = None, missing: str = "error"
) -> Dataset:
    """Return a table of the collection.

    Raises
    ------
    DataUnavailable
        If it is neither here nor can be fetched.
    ValueError
        If what is here is another table.
    """
    about = TABLES[name]
    place = local_file(about["place"]) if about["place"] else None
    files: tuple[Path, ...]
    if place is not None:
        files, (frame, labels) = (place,), _read(place)
    else:
        from spcabench_datasets._originals import cut

        files = tuple(fetched(file) for file in remote_files(about))
        frame, labels = cut(name, files)
    file = files[0] if files else Path(name)
    values = np.ascontiguousarray(frame.to_numpy(), dtype="<f8")
    found = hashlib.sha256(values.tobytes()).hexdigest()
    if found != about["sha256_X"] and not (place is None and name in COMPUTED):
        raise ValueError(
            f"{file} is not the table that is meant: the SHA-256 of its values is {found}, and {about['sha256_X']} is "
            "wanted; remove it, and the original is fetched"
        )
    y = np.unique(np.asarray(labels, dtype=str), return_inverse=True)[1] if about["labels"] else None
    groups = _groups(about["rows"], y, len(frame))
    options: dict[str, Any] = {"y": y, "missing": missing, "train": train, "groups": groups}
    dataset = replace(dataset_of_table(rng, file, frame, notes=[about["remarks"]], **options), files=files)
    return with_outliers(rng, dataset, outliers) if outliers else dataset


def _read(file: Path) -> tuple[pd.DataFrame, Any]:
    """Return the table of a file of SPCABENCH_DATA, and the labels of its rows if it has them."""
    import pandas as pd

    from spcabench import read_arrays, read_table

    if file.suffix == ".npz":
        held = read_arrays(file)
        return pd.DataFrame(held["X"], columns=held["feature_names"]), held.get("labels")
    frame = read_table(file).frame
    return frame.drop(columns=["sample", "split", "label"], errors="ignore"), frame["label"]


def _groups(rows: str, y: NDArray[np.intp] | None, n: int) -> NDArray[np.intp] | None:
    """Return the group of each row, where rows depend on each other; groups are held out whole."""
    if rows == "neighbours":
        return blocks_of(n, BLOCKS)
    if rows == "labels":
        return y
    if rows.endswith(" each"):
        return np.arange(n) // int(rows.split()[0])
    return np.array(rows.split(), dtype=np.intp) if rows else None


def _spec(about: Mapping[str, str]) -> DatasetSpec:
    (declared,) = (spec.parameters for spec in own_files.spcabench_datasets())
    missing = Parameter(about["missing"], OneOf("drop", "median", "em"), declared["missing"].meaning)
    own = {"train": declared["train"], "outliers": OUTLIERS}
    return DatasetSpec(
        name=about["name"],
        load=f"spcabench_datasets.collection:{about['name']}",
        title=f"{about['title']}, {about['n']} x {about['d']}",
        parameters=own | ({"missing": missing} if about["missing"] else {}),
        provides=frozenset({"samples", "test", "clean"} | ({"labels"} if about["labels"] else set())),
        n_features=int(about["d"]),
        random="train outliers",
        source=about["source"],
        licence=about["licence"],
        place=about["place"],
        fetches=remote_files(about),
        exempt={"provides": "held-out samples come with train, clean ones with outliers"},
    )


def __getattr__(name: str) -> Callable[..., Dataset]:
    """Return the loader of a table."""
    if name not in TABLES:
        raise AttributeError(f"module {__name__} has no attribute {name!r}")
    missing = TABLES[name]["missing"]
    return partial(load, name, missing=missing) if missing else partial(load, name)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the tables."""
    return [_spec(about) for about in TABLES.values()]

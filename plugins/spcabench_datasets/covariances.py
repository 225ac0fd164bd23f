"""Covariances without samples: Jeffers' pitprops, and those of the folder that SPCABENCH_DATA names."""

from __future__ import annotations

import csv
import hashlib
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np

from spcabench import NOTHING, Dataset, DatasetSpec, Either, OneOf, Text, hookimpl
from spcabench_datasets.files import load_file
from spcabench_datasets.natural_images import FileName, file_at

TABLE = Path(__file__).with_name("pitprops.csv")


def load_pitprops(
    rng: np.random.Generator, order: Annotated[str | None, Either(NOTHING, OneOf("random"))] = None
) -> Dataset:
    """Read the correlations.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the order.
    order : {"random"}, optional
        Of the features: all variances are one, so that many methods start where the order says; null: as published.
    """
    with TABLE.open(newline="", encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    correlations = np.array([[float(value) for value in row[1:]] for row in rows])
    places = np.arange(len(rows)) if order is None else rng.permutation(len(rows))
    names = tuple(header[1 + place] for place in places)
    return Dataset(covariance=correlations[np.ix_(places, places)], feature_names=names)


ADVICE = "the twelve instances of the suite exact_instances are those of Li and Xie (doi 10.1287/ijoc.2022.0372)"


def load_covariance_file(
    rng: np.random.Generator,
    name: Annotated[str | None, Either(NOTHING, Text("an instance"))] = None,
    path: FileName = None,
    sha256: Annotated[str | None, Either(NOTHING, Text("a hash"))] = None,
    source: Annotated[str | None, Either(NOTHING, Text("a source"))] = None,
) -> Dataset:
    """Read a covariance.

    Parameters
    ----------
    rng : numpy.random.Generator
        Not used.
    name : str, optional
        Of covariances/NAME.npz below the folder that SPCABENCH_DATA names; not used if path is set.
    path : str, optional
        The file; null: the folder that SPCABENCH_DATA names is searched.
    sha256 : str, optional
        Of the file; any other file is refused; null: any is read.
    source : str, optional
        Where the covariance comes from; kept with the records.

    Raises
    ------
    DataUnavailable
        If the file is not there.
    ValueError
        If it is not named, not the one that is meant, or no covariance.
    """
    if name is None and path is None:
        raise ValueError("one of the parameters name and path is needed: which covariance to read")
    file = file_at(path, f"covariances/{name}.npz", ADVICE)
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if sha256 is not None and found != sha256.lower():
        raise ValueError(f"{file} is not the file that is meant: its SHA-256 is {found}, and {sha256} is wanted")
    return load_file(rng, str(file), "covariance")


_dataset = partial(DatasetSpec, provides=frozenset())


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the data sets of this page."""
    return [
        _dataset(
            name="pitprops",
            load="spcabench_datasets.covariances:load_pitprops",
            title="pitprops, 13 x 13 correlations",
            n_features=13,
            random="order",
            source="Jeffers 1967, Applied Statistics 16, 225-236; checked against the R package elasticnet",
            licence="a published table; as distributed with elasticnet, GPL (>= 2)",
        ),
        _dataset(
            name="covariance_file",
            load="spcabench_datasets.covariances:load_covariance_file",
            title="a covariance from a file, known by its hash",
            random=False,
            source="a file of covariances",
            place="covariances",
            exempt={"draw": "it reads a file of yours"},
        ),
    ]

"""What is kept of a draw of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spcabench.store.about import Kept

FileStamp = tuple[str, int, int]
"""A file that was read: its path, size and time of modification."""


@dataclass(frozen=True, kw_only=True)
class DataSummary:
    """What a worker reports of the data set that it drew.

    Parameters
    ----------
    fingerprint : str
        A hash of the arrays.
    facts : tuple of str
        Which of `spcabench.specs.FACTS` are known of it.
    n_samples : int or None
        None if there is only a covariance.
    n_features : int
        Columns of the data.
    image_shape : (height, width), optional
        If the features are pixels.
    feature_names : tuple of str
        Empty if they have none.
    files : tuple of FileStamp
        The files that were read.
    notes : str
        Anything that a reader of the results must know.
    supports : tuple of tuple of int
        The features on which each true component lies, counted from 0; empty if they are not known, or many.
    """

    fingerprint: str
    facts: tuple[str, ...]
    n_samples: int | None
    n_features: int
    image_shape: tuple[int, int] | None
    feature_names: tuple[str, ...]
    files: tuple[FileStamp, ...]
    notes: str
    supports: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class DrawRecord(DataSummary, Kept):
    """What a run's folder keeps of a draw.

    Parameters
    ----------
    id : str
        Names the draw.
    label : str
        The name of the data set in tables; it says where a stand-in is used.
    stand_in : str
        The name of the data set that stands in; empty if none does.
    stamp : mapping of str to str
        What determines the arrays besides the draw's identity: the loader's code and versions.
    """

    id: str
    label: str
    stand_in: str
    stamp: Mapping[str, str]

"""Where the files of a data set are: in the folder that SPCABENCH_DATA names, in the user's cache, or elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from spcabench.process import user_cache
from spcabench.specs import DatasetSpec, DataUnavailable, RemoteFile

SECONDS = 10
"""An address that does not answer for so long is not reached."""


def local_file(place: str) -> Path | None:
    """Return what lies at a place below the folder that SPCABENCH_DATA names; None if nothing does."""
    root = os.environ.get("SPCABENCH_DATA")
    found = Path(root).expanduser() / place if root else None
    return found if found is not None and found.exists() else None


def kept_file(file: RemoteFile) -> Path:
    """Return where a file is once it was fetched: in the user's cache, named by its checksum."""
    return user_cache(os.environ) / "spcabench" / "data" / f"{file.sha256[:16]}-{file.url.rpartition('/')[2]}"


def fetched(file: RemoteFile) -> Path:
    """Return a file from the user's cache, after fetching it if it is not there.

    Raises
    ------
    DataUnavailable
        If it cannot be fetched, or has another checksum.
    """
    try:
        import pooch
    except ImportError as reason:
        raise DataUnavailable("fetching data needs pooch: pip install 'spcabench[data]'") from reason
    kept = kept_file(file)
    pooch.get_logger().setLevel("ERROR")
    try:
        ask = pooch.HTTPDownloader(timeout=SECONDS)
        return Path(pooch.retrieve(file.url, f"sha256:{file.sha256}", kept.name, kept.parent, downloader=ask))
    except OSError as reason:
        advice = f"connect to a network, or fetch it elsewhere and put it at {kept}"
        raise DataUnavailable(f"{file.url} cannot be fetched ({type(reason).__name__}); {advice}") from reason
    except ValueError as reason:
        raise DataUnavailable(f"{file.url} has another SHA-256 than {file.sha256}, and is not used") from reason


def whereabouts(spec: DatasetSpec) -> str:
    """Return in a few words whether a data set is here, or where it comes from."""
    if not (spec.place or spec.fetches):
        return "always"
    if spec.place and local_file(spec.place):
        return "in SPCABENCH_DATA"
    if not spec.fetches:
        return f"SPCABENCH_DATA has no {spec.place}"
    return "fetched" if all(kept_file(file).is_file() for file in spec.fetches) else spec.fetches[0].url

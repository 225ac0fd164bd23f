"""What a submission says of its method: the file ``submission.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, JsonValue, TypeAdapter

from spcabench.store.files import text_of
from spcabench.wording import Fault, InputError, bounded

FILE = "submission.json"
SCHEMA = 4
"""The version of what a submission's folder holds."""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What ``submission.json`` holds.

    Parameters
    ----------
    schema : int
        The version of the folder's form.
    method : str
        The label of the method in the suite.
    entry : mapping
        Its entry in the suite, with every default.
    source : str
        The name of the file of a single-file plugin, which is in the folder; empty of a distribution.
    """

    schema: int
    method: str
    entry: Mapping[str, JsonValue]
    source: str

    __pydantic_config__ = ConfigDict(extra="forbid")

    def dumps(self) -> str:
        """Write it as JSON."""
        return _MANIFESTS.dump_json(self, indent=1).decode() + "\n"


_MANIFESTS = TypeAdapter(Manifest)


def read_manifest(folder: Path) -> Manifest:
    """Return what a submission says of its method.

    Raises
    ------
    InputError
        If the folder is no submission, its file is not one or of another schema, or its plugin is no file in it.
    """
    where, text = str(folder / FILE), text_of(folder / FILE)
    if not text:
        message = f"no submission there: {FILE} is missing; valid is a folder that spcabench submission write wrote"
        raise InputError(Fault(message, str(folder)))
    try:
        manifest = _MANIFESTS.validate_json(text)
    except ValueError as error:
        message = f"it is not what spcabench submission write writes: {bounded(str(error))}; write it again"
        raise InputError(Fault(message, where)) from error
    if manifest.schema != SCHEMA:
        message = f"its schema is {manifest.schema}; valid is {SCHEMA}: write it again with this version of spcabench"
        raise InputError(Fault(message, where))
    if manifest.source and not _is_a_file_in(folder, manifest.source):
        message = f"source is {bounded(manifest.source)!r}; valid is the name of a file in the folder that is no link"
        raise InputError(Fault(message, where))
    return manifest


def _is_a_file_in(folder: Path, name: str) -> bool:
    return Path(name).name == name and name.endswith(".py") and bool(text_of(folder / name))


def plugin_file(folder: Path, manifest: Manifest) -> Path | None:
    """Return the file of a submission's plugin; None if it is of a distribution."""
    return folder / manifest.source if manifest.source else None

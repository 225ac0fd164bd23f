"""What a submission says of its method: the file ``submission.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, JsonValue

from spcabench.store.inside import Damaged, Inside
from spcabench.store.sealed import sealed_json, unsealed_json
from spcabench.store.typed_json import TypedJson
from spcabench.store.whole_files import MOST_TEXT
from spcabench.wording import Fault, InputError

FILE = "submission.json"
SCHEMA = 1
"""The version of what a submission's folder holds."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """What `spcabench check` found of a promise; see `spcabench.check.findings.Finding`."""

    promise: str
    verdict: str
    reason: str = ""


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
    spec : mapping of str to str
        What its plugin declares: name, title, estimator, knob, requirements, reference.
    origin : str
        The plugin: the file, or the distribution and its version.
    source : str
        The name of the file of a single-file plugin, which is in the folder; empty of a distribution.
    code : str
        The hash of what computes in the plugin, as of `spcabench.run.code_hash`.
    licence : str
        Of the plugin.
    limits : mapping of str to float
        What a fit might use.
    checks : tuple of Check
        What `spcabench check` found.
    """

    schema: int
    method: str
    entry: Mapping[str, JsonValue]
    spec: Mapping[str, str]
    origin: str
    source: str
    code: str
    licence: str
    limits: Mapping[str, float]
    checks: tuple[Check, ...]

    __pydantic_config__ = ConfigDict(extra="forbid")

    def dumps(self) -> bytes:
        """Write it as a sealed file."""
        return sealed_json(_MANIFESTS.dumps(self))


_MANIFESTS: TypedJson[Manifest] = TypedJson(Manifest)


def read_manifest(folder: Path) -> Manifest:
    """Return what a submission says of its method.

    Raises
    ------
    InputError
        If the folder is no submission, or its file is damaged or of another schema.
    """
    where = str(folder / FILE)
    try:
        manifest = _MANIFESTS.loads(unsealed_json(Inside(folder).read(FILE, MOST_TEXT)))
    except (FileNotFoundError, NotADirectoryError):
        message = f"no submission there: {FILE} is missing; valid is a folder that spcabench submission write wrote"
        raise InputError(Fault(message, str(folder))) from None
    except (Damaged, ValueError) as error:
        message = f"{error}; write the submission again with spcabench submission write"
        raise InputError(Fault(message, where)) from error
    if manifest.schema != SCHEMA:
        message = f"its schema is {manifest.schema}; valid is {SCHEMA}: write it again with this version of spcabench"
        raise InputError(Fault(message, where))
    if manifest.source and Path(manifest.source).name != manifest.source:
        message = f"source is {manifest.source!r}; valid is the name of a file in the folder"
        raise InputError(Fault(message, where))
    return manifest

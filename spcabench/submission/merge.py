"""Merge submissions into a run: check each, then take its records."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from spcabench.plugins import Registry
from spcabench.store.about import Merged
from spcabench.store.folder import RunFolder
from spcabench.submission.candidate import Candidate, candidate, factor
from spcabench.submission.manifest import Manifest
from spcabench.submission.rules import faults
from spcabench.suite.load import Loaded, resolved_yaml
from spcabench.wording import InputError


class Taken(NamedTuple):
    """What was merged: the label of the method, how many records, and what its times are multiplied by."""

    method: str
    records: int
    factor: float


def plugin_file(folder: Path, manifest: Manifest) -> Path | None:
    """Return the file of a submission's plugin; None if it is of a distribution."""
    return folder / manifest.source if manifest.source else None


def merge(
    submissions: Sequence[tuple[Path, Manifest]], loaded: Loaded, run: RunFolder, registry: Registry
) -> list[Taken]:
    """Merge submissions into a run, all of them or none.

    Parameters
    ----------
    submissions : sequence of (Path, Manifest)
        Each folder with what it says of its method.
    loaded, run : Loaded, RunFolder
        The run.
    registry : Registry
        With the plugins of the run and of the submissions.

    Raises
    ------
    InputError
        With all that is wrong; nothing is merged then.
    """
    with run.held():
        accepted: list[Candidate] = []
        wrong = []
        for path, manifest in submissions:
            found = candidate(path, manifest, loaded, run, registry)
            wrong += faults(found)
            accepted.append(found)
            loaded = found.loaded
        if wrong:
            raise InputError(wrong)
        return [_take(found, path) for found, (path, _) in zip(accepted, submissions, strict=True)]


def _take(found: Candidate, path: Path) -> Taken:
    """Take the records of a submission that has no fault."""
    run, (about, _) = found.ours, found.abouts
    for pair in found.pairs:
        run.save(pair.record, found.theirs.loadings(pair.record.key))
    value = factor(*found.abouts)
    run.keep_index({pair.cell.id: pair.record.key for pair in found.pairs})
    merged = Merged(machine=about.environment.get("CPU", "an unknown machine"), factor=value)
    labels = dict.fromkeys((pair.cell.method.label for pair in found.pairs), merged)
    file = plugin_file(path, found.manifest)
    plugin = {f"plugin {file}": hashlib.sha256(file.read_bytes()).hexdigest()[:20]} if file else {}
    own = run.about()
    run.keep_about(replace(own, merged={**own.merged, **labels}, environment={**own.environment, **plugin}))
    run.keep_suite(resolved_yaml(found.loaded.suite))
    return Taken(found.manifest.method, len(found.pairs), value)

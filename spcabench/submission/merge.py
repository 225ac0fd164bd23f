"""Merge submissions into a run: check each, then take its records."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spcabench.plugins import Registry
from spcabench.store.about import About, Merged
from spcabench.store.folder import RunFolder
from spcabench.submission.candidate import Candidate, candidate, factor
from spcabench.submission.manifest import Manifest
from spcabench.submission.rules import faults
from spcabench.suite.load import Loaded, resolved_yaml
from spcabench.wording import InputError


@dataclass(frozen=True)
class Taken:
    """What was merged.

    Parameters
    ----------
    method : str
        The label of the method.
    records : int
        How many records.
    factor : float
        What its times are multiplied by.
    """

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
    run = found.ours
    records = [(pair.cell, pair.record) for pair in found.pairs if pair.record is not None]
    for _, record in records:
        run.save(record, found.theirs.loadings(record.key))
    value = factor(found.about, found.about_ours)
    run.keep_index({cell.id: record.key for cell, record in records})
    run.keep_about(_about(run.about(), found, path, value))
    run.keep_suite(resolved_yaml(found.loaded.suite))
    return Taken(found.manifest.method, len(records), value)


def _about(about: About, found: Candidate, path: Path, value: float) -> About:
    """Add to what a run says of itself where the records are from, and the plugin that its suite needs now."""
    merged = Merged(machine=found.about.environment.get("CPU", "an unknown machine"), factor=value)
    labels = dict.fromkeys((pair.cell.method.label for pair in found.pairs), merged)
    file = plugin_file(path, found.manifest)
    plugin = {f"plugin {file}": hashlib.sha256(file.read_bytes()).hexdigest()[:20]} if file else {}
    return replace(about, merged={**about.merged, **labels}, environment={**about.environment, **plugin})

"""Merge submissions into a run: all cells are fitted again here, and compared with what was submitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.foreign.reader import within_limits
from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run import host
from spcabench.run.cells import SAME
from spcabench.run.environment import describe
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.specs import Array
from spcabench.store.folder import RunFolder
from spcabench.submission.write import FILE, Manifest, Promised, cells_of, label_of, see_promises
from spcabench.suite.load import Loaded, load_resolved, resolved_yaml
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError


def merge(
    submissions: Sequence[tuple[Path, Manifest]],
    loaded: Loaded,
    run: RunFolder,
    registry: Registry,
    options: Options,
    promised: Promised,
    tell: Listener,
) -> Mapping[str, str]:
    """Merge submissions into a run; if one cannot be merged, none is.

    The methods join the suite of the run, which goes on with their cells; if it is stopped, merging again resumes.

    Parameters
    ----------
    submissions : sequence of (Path, Manifest)
        Each folder with what it says of its method.
    loaded, run : Loaded, RunFolder
        The run.
    registry : Registry
        With the plugins of the run and of the submissions.
    options : Options
        How to fit.
    promised : callable
        Tries the promises of a method, by its name.
    tell : Listener
        Hears what happens.

    Returns
    -------
    mapping of str to str
        How much of each method was fitted here, and how much of that is unlike what was submitted, by its label.

    Raises
    ------
    InputError
        With all that is wrong of the submissions, and nothing is merged then; or if the fits cannot go on, and merging
        again resumes.
    """
    index, about = run.index, run.about()
    begun = {cell.draw.id for cell in loaded.plan.cells if cell.id in index}
    if not begun:
        raise InputError(Fault("it has no results to merge into; run its suite first", str(run.path)))
    for path, manifest in submissions:
        loaded = _with_method(path, manifest, loaded, run, registry)
    cells = {
        manifest.label: [cell for cell in cells_of(loaded.plan, manifest.label) if cell.draw.id in begun]
        for _, manifest in submissions
    }
    submitted = {manifest.label: _components(RunFolder(path), cells[manifest.label]) for path, manifest in submissions}
    see_promises([manifest.entry.name for _, manifest in submissions], promised)
    every = [cell for own in cells.values() for cell in own]
    with run.held():
        labels = {cell.method.label: "not all results fitted yet" for cell in every}
        environment = {**describe(options.plugins), **about.environment}
        run.keep_about(replace(about, merged={**about.merged, **labels}, environment=environment))
        run.keep_suite(resolved_yaml(loaded.suite))
    host.run(loaded.suite, Plan(every), registry, run, replace(options, about=about), tell)
    said = {label: _said(own, submitted[label], run) for label, own in cells.items()}
    labels = {cell.method.label: said[label] for label, own in cells.items() for cell in own}
    with run.held():
        run.keep_about(replace(run.about(), merged={**about.merged, **labels}))
    return said


def _with_method(path: Path, manifest: Manifest, loaded: Loaded, run: RunFolder, registry: Registry) -> Loaded:
    """Return a run's suite with a method, in the place of one that was merged before."""
    entry, label, index, place = manifest.entry, manifest.label, run.index, str(path / FILE)
    own = {cell.method.label for cell in cells_of(loaded.plan, label) if cell.id in index}
    if own - run.about().merged.keys():
        message = f"{run.path} has a method {label} of its own, whose records stay; valid is another label"
        raise InputError(Fault(message, place))
    spec = registry.methods.specs.get(entry.name)
    if wrong := parameter_faults(entry.params, spec.parameters) if spec else []:
        raise InputError([Fault(f"entry: {message}", place) for _, message in wrong])
    others = [one for one in loaded.suite.methods if label_of(one) != label]
    suite = loaded.suite.model_copy(update={"methods": [*others, entry]})
    return load_resolved(resolved_yaml(suite), run.suite_file, registry)


def _components(theirs: RunFolder, cells: Sequence[Cell]) -> Mapping[str, Array]:
    """Return the components that were submitted, by cell.

    Their file is opened in a process of its own, as it is a stranger's.
    """

    def read(_: int) -> dict[str, Array]:
        keys = theirs.index
        held = {cell.id: theirs.loadings(keys[cell.id]) for cell in cells if cell.id in keys}
        return {name: np.asarray(found["components"], dtype=np.float64) for name, found in held.items() if found}

    return within_limits(theirs.file, read) if theirs.there else {}


def _said(cells: Sequence[Cell], submitted: Mapping[str, Array], run: RunFolder) -> str:
    """Say how much was fitted here, and how much of that is unlike what was submitted."""
    differing = 0
    for cell, record in run.records_of(Plan(cells)):
        found = (record and run.loadings(record.key)) or {}
        differing += cell.id in submitted and not _alike(submitted[cell.id], found.get("components"))
    text = f"all {len(cells)} results fitted again here"
    return text + (f", {differing} of them unlike what was submitted" if differing else "")


def _alike(theirs: Array, ours: NDArray[Any] | None) -> bool:
    return ours is not None and theirs.shape == ours.shape and np.allclose(theirs, ours, rtol=0.0, atol=SAME)

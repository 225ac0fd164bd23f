"""Try a submission: fit all its cells here, and compare what comes of it with what was submitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from spcabench.foreign.reader import within_limits
from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run import host
from spcabench.run.cells import SAME
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.specs import Array
from spcabench.store.folder import RunFolder
from spcabench.submission.manifest import FILE, Manifest
from spcabench.suite.load import Loaded, load_resolved, resolved_yaml
from spcabench.suite.models import MethodEntry
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError


def label_of(entry: MethodEntry) -> str:
    """Return what a suite calls a method."""
    return entry.label or entry.name


def cells_of(plan: Plan, label: str) -> Sequence[Cell]:
    """Return the cells of a method, those of all its variants if its parameters span a grid."""
    return [cell for cell in plan.cells if cell.method.name == label or cell.method.name.startswith(f"{label}(")]


class Trial:
    """A submission, beside the run that it is to be merged into.

    Parameters
    ----------
    path : Path
        The submission.
    manifest : Manifest
        What it says of its method.
    loaded, ours : Loaded, RunFolder
        The run.
    registry : Registry
        What provides the method.
    place : RunFolder
        An empty folder for the fits here.

    Raises
    ------
    InputError
        If the run has no results, or such a method of its own, or if its suite is not valid with the method.
    """

    def __init__(
        self, path: Path, manifest: Manifest, loaded: Loaded, ours: RunFolder, registry: Registry, place: RunFolder
    ) -> None:
        self.manifest, self.ours, self.place, self._registry = manifest, ours, place, registry
        self._path = path
        self.loaded = self._with_method(loaded)
        index = ours.index
        begun = {cell.draw.id for cell in loaded.plan.cells if cell.id in index}
        self.cells = [cell for cell in cells_of(self.loaded.plan, manifest.method) if cell.draw.id in begun]
        if not self.cells:
            raise InputError(Fault("it has no results to merge into; run its suite first", str(ours.path)))
        self.differing = 0

    def __str__(self) -> str:
        """Say how much was fitted here, and how much of that is unlike what was submitted."""
        text = f"all {len(self.cells)} results fitted again here"
        return text + (f", {self.differing} of them unlike what was submitted" if self.differing else "")

    def go(self, options: Options, tell: Listener) -> None:
        """Fit every cell, on the draws that the run has, and count those that came to something else."""
        for draw in Plan(self.cells).draws:
            if kept := self.ours.draw_record(draw.id):
                self.place.save_draw(kept, self.ours.samples(draw.id))
        submitted = self._submitted()  # before the fits: what cannot be read is refused at once
        host.run(self.loaded.suite, Plan(self.cells), self._registry, self.place, options, tell)
        for cell, record in self.place.records_of(Plan(self.cells)):
            found = (record and self.place.loadings(record.key)) or {}
            self.differing += cell.id in submitted and not _alike(submitted[cell.id], found.get("components"))

    def _submitted(self) -> Mapping[str, Array]:
        """Return the components that were submitted, by cell.

        Their file is opened in a process of its own, as it is a stranger's.
        """
        theirs = RunFolder(self._path)

        def read(_: int) -> dict[str, Array]:
            keys = theirs.index
            held = {cell.id: theirs.loadings(keys[cell.id]) for cell in self.cells if cell.id in keys}
            return {name: np.asarray(found["components"], dtype=np.float64) for name, found in held.items() if found}

        return within_limits(theirs.file, read) if theirs.there else {}

    def _with_method(self, loaded: Loaded) -> Loaded:
        """Return the run's suite with the method, in the place of one that was merged before."""
        place, label, index = str(self._path / FILE), self.manifest.method, self.ours.index
        own = {cell.method.label for cell in cells_of(loaded.plan, label) if cell.id in index}
        if own - self.ours.about().merged.keys():
            message = f"{self.ours.path} has a method {label} of its own, whose records stay; valid is another label"
            raise InputError(Fault(message, place))
        try:
            entry = MethodEntry.model_validate(self.manifest.entry)
        except ValidationError as error:
            message = "entry is no method of a suite; write the submission again with spcabench submission write"
            raise InputError(Fault(message, place)) from error
        if label_of(entry) != label:
            raise InputError(Fault(f"method is {label!r}; its entry has the label {label_of(entry)!r}", place))
        spec = self._registry.methods.specs.get(entry.name)
        if wrong := parameter_faults(entry.params, spec.parameters) if spec else []:
            raise InputError([Fault(f"entry: {message}", place) for _, message in wrong])
        others = [entry for entry in loaded.suite.methods if label_of(entry) != label]
        suite = loaded.suite.model_copy(update={"methods": [*others, entry]})
        return load_resolved(resolved_yaml(suite), self.ours.suite_file, self._registry)


def _alike(theirs: Array, ours: NDArray[Any] | None) -> bool:
    return ours is not None and theirs.shape == ours.shape and np.allclose(theirs, ours, rtol=0.0, atol=SAME)

"""Merge submissions into a run: all cells are fitted again here, and compared with what was submitted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.check.subjects import Finding
from spcabench.foreign.reader import within_limits
from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run import host
from spcabench.run.cells import SAME
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.run.start import scratch
from spcabench.specs import Array
from spcabench.store.folder import RunFolder
from spcabench.submission.write import FILE, Manifest, cells_of, label_of, plugin_file
from spcabench.suite.load import Loaded, load_resolved, resolved_yaml
from spcabench.suite.plan import Plan
from spcabench.wording import Fault, InputError


def merge(
    submissions: Sequence[tuple[Path, Manifest]],
    loaded: Loaded,
    run: RunFolder,
    registry: Registry,
    options: Options,
    promised: Callable[[str], Sequence[Finding]],
    tell: Listener,
) -> list[Trial]:
    """Merge submissions into a run, all of them or none.

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

    Raises
    ------
    InputError
        With all that is wrong; nothing is merged then.
    """
    with run.held(), scratch(run) as place:
        trials = []
        for number, (path, manifest) in enumerate(submissions):
            trials.append(Trial(path, manifest, loaded, run, registry, RunFolder(place / str(number))))
            loaded = trials[-1].loaded
        if wrong := [fault for trial in trials for fault in _broken(trial.manifest, promised)]:
            raise InputError(wrong)
        for trial in trials:
            trial.go(options, tell)
        for trial, (path, _) in zip(trials, submissions, strict=True):
            _take(trial, path)
        return trials


def _broken(manifest: Manifest, promised: Callable[[str], Sequence[Finding]]) -> list[Fault]:
    """Return a fault for each promise that a method breaks."""
    name = manifest.entry.name
    broken = [finding for finding in promised(name) if finding.verdict == "broken"]
    remedy = f"mend the method until spcabench check {name} finds nothing"
    return [Fault(f"{name} breaks the promise '{one.promise}': {one.reason}; {remedy}") for one in broken]


def _take(trial: Trial, path: Path) -> None:
    """Take the records of a submission that has no fault."""
    run, plan = trial.ours, Plan(trial.cells)
    for cell, record in trial.place.records_of(plan):
        assert record is not None
        run.save(record, trial.place.loadings(record.key))
        run.keep_index({cell.id: record.key})
    for draw in plan.draws:
        kept = trial.place.draw_record(draw.id)
        if kept and run.draw_record(draw.id) is None:
            run.save_draw(kept, trial.place.samples(draw.id))
    labels = dict.fromkeys((cell.method.label for cell in trial.cells), str(trial))
    file = plugin_file(path, trial.manifest)
    plugin = {f"plugin {file}": hashlib.sha256(file.read_bytes()).hexdigest()[:20]} if file else {}
    own = run.about()
    run.keep_about(replace(own, merged={**own.merged, **labels}, environment={**own.environment, **plugin}))
    run.keep_suite(resolved_yaml(trial.loaded.suite))


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
        self.cells = [cell for cell in cells_of(self.loaded.plan, manifest.label) if cell.draw.id in begun]
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
        entry, label, index = self.manifest.entry, self.manifest.label, self.ours.index
        place = str(self._path / FILE)
        own = {cell.method.label for cell in cells_of(loaded.plan, label) if cell.id in index}
        if own - self.ours.about().merged.keys():
            message = f"{self.ours.path} has a method {label} of its own, whose records stay; valid is another label"
            raise InputError(Fault(message, place))
        spec = self._registry.methods.specs.get(entry.name)
        if wrong := parameter_faults(entry.params, spec.parameters) if spec else []:
            raise InputError([Fault(f"entry: {message}", place) for _, message in wrong])
        others = [one for one in loaded.suite.methods if label_of(one) != label]
        suite = loaded.suite.model_copy(update={"methods": [*others, entry]})
        return load_resolved(resolved_yaml(suite), self.ours.suite_file, self._registry)


def _alike(theirs: Array, ours: NDArray[Any] | None) -> bool:
    return ours is not None and theirs.shape == ours.shape and np.allclose(theirs, ours, rtol=0.0, atol=SAME)

"""Merge submissions into a run: all of it is fitted again here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from spcabench.check.subjects import Finding
from spcabench.plugins import Registry
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.store.files import scratch
from spcabench.store.folder import RunFolder
from spcabench.submission.manifest import Manifest, plugin_file
from spcabench.submission.trial import Trial
from spcabench.suite.load import Loaded, resolved_yaml
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
    with run.held(), scratch(run.path) as place:
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
    name = str(manifest.entry["name"])
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

"""A method's results as a folder for others, and such folders merged into a run, where all cells are fitted again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from spcabench.check.subjects import Finding
from spcabench.foreign.reader import within_limits
from spcabench.parameters import parameter_faults, unknown_name
from spcabench.plugins import Registry
from spcabench.run import host
from spcabench.run.cells import SAME
from spcabench.run.environment import describe
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.specs import Array
from spcabench.store.about import About, Kept
from spcabench.store.files import text_of
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.suite.load import Loaded, load_resolved, resolved_yaml
from spcabench.suite.models import MethodEntry
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError, bounded

FILE = "submission.json"
"""What the folder says of the method; it has also the records, and the file of a single-file plugin."""

Promised = Callable[[str], Sequence[Finding]]
"""What tries the promises of a method, by its name."""


@dataclass(frozen=True, kw_only=True)
class Manifest(Kept):
    """What ``submission.json`` holds.

    Parameters
    ----------
    schema : int
        The version of the folder's form.
    entry : MethodEntry
        The method as the suite has it, with every default.
    source : str
        The name of the file of a single-file plugin, which is in the folder; empty of a distribution.
    """

    schema: Literal[5] = 5
    entry: MethodEntry
    source: str

    __pydantic_config__ = ConfigDict(extra="forbid")

    @property
    def label(self) -> str:
        """What the suite calls the method."""
        return label_of(self.entry)


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
        manifest = Manifest.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"it is not what spcabench submission write writes: {bounded(str(error))}; write it again"
        raise InputError(Fault(message, where)) from error
    source = manifest.source
    if source and not (Path(source).name == source and source.endswith(".py") and bool(text_of(folder / source))):
        message = f"source is {bounded(source)!r}; valid is the name of a file in the folder that is no link"
        raise InputError(Fault(message, where))
    return manifest


def plugin_file(folder: Path, manifest: Manifest) -> Path | None:
    """Return the file of a submission's plugin; None if it is of a distribution."""
    return folder / manifest.source if manifest.source else None


def label_of(entry: MethodEntry) -> str:
    """Return what a suite calls a method."""
    return entry.label or entry.name


def cells_of(plan: Plan, label: str) -> Sequence[Cell]:
    """Return the cells of an entry; a run has one for each variant that a grid spans."""
    return [cell for cell in plan.cells if cell.method.name == label]


def see_promises(names: Iterable[str], promised: Promised) -> None:
    """Raise an InputError with each promise that some methods break."""
    wrong = []
    for name in names:
        remedy = f"mend the method until spcabench check {name} finds nothing"
        broken = [one for one in promised(name) if one.verdict == "broken"]
        wrong += [Fault(f"{name} breaks the promise '{one.promise}': {one.reason}; {remedy}") for one in broken]
    if wrong:
        raise InputError(wrong)


def submit(label: str, loaded: Loaded, run: RunFolder, registry: Registry, promised: Promised, output: Path) -> int:
    """Write the submission of a method, and return how many results it has.

    Parameters
    ----------
    label : str
        The method as the suite calls it.
    loaded, run : Loaded, RunFolder
        The run.
    registry : Registry
        What provides the method.
    promised : callable
        Tries the promises of a method, by its name.
    output : Path
        The folder to write; it must not be there, or be empty.

    Raises
    ------
    InputError
        If the suite has no such method, a cell of it has no result, a promise is broken, or there is something in the
        folder.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise InputError(Fault("is there already and not empty; remove it, or choose another folder", str(output)))
    entry, results = _results(label, loaded, run)
    see_promises([entry.name], promised)
    source, origin = _source(entry.name, registry)
    folder = RunFolder(output)
    folder.make()
    for _, record in results:
        about = {**record.about, "plugin": source.name if source else origin}
        folder.save(replace(record, about=about), run.loadings(record.key))
    folder.keep_index({cell.id: record.key for cell, record in results})
    folder.keep_suite(run.suite_text() or "")
    machine = {name: text for name, text in run.about().environment.items() if not name.startswith("plugin ")}
    folder.keep_about(About(environment=machine))
    if source is not None:
        folder.write_bytes(source.name, source.read_bytes())
    manifest = Manifest(entry=entry, source=source.name if source else "")
    folder.write_text(FILE, manifest.dumps())
    folder.close()
    return len(results)


def _results(label: str, loaded: Loaded, run: RunFolder) -> tuple[MethodEntry, Sequence[tuple[Cell, Record]]]:
    """Return a method as the suite of a run has it, and its results: each cell with its record."""
    entries = {label_of(entry): entry for entry in loaded.suite.methods}
    if label not in entries:
        message = f"its suite has no method '{label}'{unknown_name(label, entries)}; to add it to a suite, run it with"
        raise InputError(Fault(f"{message} --set methods.+={label}", str(run.path)))
    kept = list(run.records_of(Plan(cells_of(loaded.plan, label))))
    found = [(cell, record) for cell, record in kept if record is not None and record.status != "interrupted"]
    if len(found) < len(kept):
        first = next(cell for cell, record in kept if record is None or record.status == "interrupted")
        lacking = f"{len(kept) - len(found)} of {len(kept)} cells of {label} have no result, such as {first.title}"
        raise InputError(Fault(f"{lacking}; run the suite again, which resumes", str(run.path)))
    return entries[label], found


def _source(name: str, registry: Registry) -> tuple[Path | None, str]:
    """Return the file of a method's single-file plugin, if it is one, and where the plugin is from."""
    named = registry.methods.origins[name]
    origin = next(p.origin for p in registry.plugins if f"{p.name} ({p.origin})" == named)
    file = Path(origin)
    return (file if file.suffix == ".py" and file.is_file() else None), origin


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

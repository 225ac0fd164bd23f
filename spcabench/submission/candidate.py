"""A submission beside the run that it is to be merged into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run.cells import cell_key
from spcabench.run.code_hash import code_hash
from spcabench.store.about import About
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.submission.manifest import FILE, Manifest
from spcabench.suite.hashed import digest
from spcabench.suite.load import Loaded, load_resolved, resolved_yaml
from spcabench.suite.models import MethodEntry
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError

KIND = ("CPU", "cores")
"""What machines of one kind agree on."""
_SAME = ("method_name", "params", "n_components", "n_nonzero", "seed", "threads")
"""What a record and its cell agree on; labels and data sets may be called something else since."""


def label_of(entry: MethodEntry) -> str:
    """Return what a suite calls a method."""
    return entry.label or entry.name


def cells_of(plan: Plan, label: str) -> Sequence[Cell]:
    """Return the cells of a method, those of all its variants if its parameters span a grid."""
    return [cell for cell in plan.cells if cell.method.name == label or cell.method.name.startswith(f"{label}(")]


def expected_key(cell: Cell, draw: DrawRecord | None) -> str | None:
    """Return the key of the record of a cell, whose code is that at hand; None if its data are not known."""
    if cell.skip:
        return cell_key(cell, None, code_hash)
    return None if draw is None else cell_key(cell, draw, code_hash)


@dataclass(frozen=True)
class Pair:
    """A cell of the run, with the record that was submitted for it.

    Parameters
    ----------
    cell : Cell
        The cell.
    draw : DrawRecord, optional
        What the run knows of its data; None of a cell that the plan skips.
    record : Record
        What was submitted.
    """

    cell: Cell
    draw: DrawRecord | None
    record: Record

    @property
    def fingerprint(self) -> str:
        """The hash of the data that were fitted; empty if they could not be had."""
        return str(self.record.cell.get("fingerprint") or "")

    @property
    def without_data(self) -> bool:
        """Whether the data could not be had where the cell was to be fitted."""
        return self.record.status == "unavailable" and not self.fingerprint


@dataclass(frozen=True)
class Candidate:
    """A submission, and the run as it would be with it.

    Parameters
    ----------
    manifest : Manifest
        What the submission says of its method.
    theirs, ours : RunFolder
        The submission and the run.
    loaded : Loaded
        The run's suite, with the method.
    registry : Registry
        What provides the method.
    pairs : sequence of Pair
        The cells of the method in the run that have a whole record, but for those whose data the run has not drawn.
    lacking : sequence of Cell
        Those that have none.
    unknown : int
        How many submitted records belong to no cell of the run.
    """

    manifest: Manifest
    theirs: RunFolder
    ours: RunFolder
    loaded: Loaded
    registry: Registry
    pairs: Sequence[Pair]
    lacking: Sequence[Cell]
    unknown: int

    @property
    def place(self) -> str:
        """The submission's folder."""
        return str(self.theirs.path)

    @property
    def abouts(self) -> tuple[About, About]:
        """What the submission and the run say of themselves."""
        return self.theirs.about(), self.ours.about()

    @property
    def finished(self) -> list[Pair]:
        """The pairs with loadings and metrics."""
        return [pair for pair in self.pairs if pair.record.finished]


def same_machine(one: About, other: About) -> bool:
    """Return whether two machines are of one kind, so that their times compare as they are."""
    return all(one.environment.get(name) == other.environment.get(name) for name in KIND)


def factor(theirs: About, ours: About) -> float:
    """Return the seconds of our machine for one second of theirs: the ratio of the reference fits.

    On a machine of the same kind it is 1, and where a reference fit was not timed.
    """
    if same_machine(theirs, ours) or theirs.reference is None or ours.reference is None:
        return 1.0
    return ours.reference / theirs.reference


def candidate(path: Path, manifest: Manifest, loaded: Loaded, ours: RunFolder, registry: Registry) -> Candidate:
    """Return a submission beside the run that it is to be merged into.

    Raises
    ------
    InputError
        If the run has such a method of its own, or its suite is not valid with it.
    """
    theirs = RunFolder(path)
    times = factor(theirs.about(), ours.about())
    note = {} if times == 1 else {"note": f"fitted on another machine; times are multiplied by {times:.3g}"}
    with_method = _with_method(str(path / FILE), manifest, loaded, ours, registry, note)
    cells, index = cells_of(with_method.plan, manifest.method), theirs.index
    pairs: list[Pair] = []
    lacking: list[Cell] = []
    for cell in cells:
        draw = None if cell.skip else ours.draw_record(cell.draw.id)
        if draw is None and not cell.skip:
            continue
        record = theirs.record(index[cell.id]) if cell.id in index else None
        if record is not None and _is_of(record, cell) and (not record.finished or theirs.loadings(record.key)):
            pairs.append(Pair(cell, draw, record))
        else:
            lacking.append(cell)
    unknown = len(index.keys() - {cell.id for cell in cells})
    return Candidate(manifest, theirs, ours, with_method, registry, pairs, lacking, unknown)


def _is_of(record: Record, cell: Cell) -> bool:
    """Return whether a record is of the cell that it is submitted for."""
    return digest([record.cell.get(name) for name in _SAME]) == digest([cell.identity[name] for name in _SAME])


def _with_method(
    place: str, manifest: Manifest, loaded: Loaded, ours: RunFolder, registry: Registry, note: Mapping[str, str]
) -> Loaded:
    """Return the run's suite with the method and a note beside it, in the place of one that was merged before."""
    label, merged = manifest.method, ours.about().merged
    if {cell.method.label for cell in cells_of(loaded.plan, label)} - merged.keys():
        message = f"{ours.path} has a method {label} of its own, whose records stay; valid is another label"
        raise InputError(Fault(message, place))
    try:
        entry = MethodEntry.model_validate({**manifest.entry, **note})
    except ValidationError as error:
        message = "entry is no method of a suite; write the submission again with spcabench submission write"
        raise InputError(Fault(message, place)) from error
    spec = registry.methods.specs.get(entry.name)
    if wrong := parameter_faults(entry.params, spec.parameters) if spec else []:
        raise InputError([Fault(f"entry: {message}", place) for _, message in wrong])
    others = [entry for entry in loaded.suite.methods if label_of(entry) != label]
    suite = loaded.suite.model_copy(update={"methods": [*others, entry]})
    return load_resolved(resolved_yaml(suite), ours.suite_file, registry)

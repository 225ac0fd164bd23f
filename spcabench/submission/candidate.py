"""A submission beside the run that it is to be merged into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from spcabench.plugins import Registry
from spcabench.store.about import About
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.gist import agreed, wanted
from spcabench.store.record import Record
from spcabench.submission.expected import cells_of, label_of
from spcabench.submission.machines import factor, noted
from spcabench.submission.manifest import FILE, Manifest
from spcabench.suite.load import Loaded, load_resolved, resolved_yaml
from spcabench.suite.models import MethodEntry
from spcabench.suite.plan import Cell
from spcabench.wording import Fault, InputError


@dataclass(frozen=True)
class Pair:
    """A cell of the run, with what was submitted for it.

    Parameters
    ----------
    cell : Cell
        The cell.
    draw : DrawRecord, optional
        What the run knows of its data; None of a cell that the plan skips.
    record : Record, optional
        What was submitted; None if nothing whole was, or the record of another cell.
    """

    cell: Cell
    draw: DrawRecord | None
    record: Record | None

    @property
    def without_data(self) -> bool:
        """Whether the data could not be had where the cell was to be fitted."""
        return (
            self.record is not None and self.record.status == "unavailable" and not self.record.cell.get("fingerprint")
        )


@dataclass(frozen=True)
class Candidate:
    """A submission, and the run as it would be with it.

    Parameters
    ----------
    manifest : Manifest
        What the submission says of its method.
    theirs, ours : RunFolder
        The submission and the run.
    about, about_ours : About
        What both say of themselves.
    loaded : Loaded
        The run's suite, with the method.
    registry : Registry
        What provides the method.
    pairs : sequence of Pair
        The cells of the method in the run, but for those whose data the run has not drawn.
    unknown : int
        How many submitted records belong to no cell of the run.
    """

    manifest: Manifest
    theirs: RunFolder
    ours: RunFolder
    about: About
    about_ours: About
    loaded: Loaded
    registry: Registry
    pairs: Sequence[Pair]
    unknown: int

    @property
    def place(self) -> str:
        """The submission's folder."""
        return str(self.theirs.path)

    @property
    def finished(self) -> list[Pair]:
        """The pairs with loadings and metrics."""
        return [pair for pair in self.pairs if pair.record is not None and pair.record.finished]


def candidate(path: Path, manifest: Manifest, loaded: Loaded, ours: RunFolder, registry: Registry) -> Candidate:
    """Return a submission beside the run that it is to be merged into.

    Raises
    ------
    InputError
        If the run has such a method of its own, or its suite is not valid with it.
    """
    theirs = RunFolder(path)
    about, about_ours = theirs.about(), ours.about()
    note = noted(factor(about, about_ours))
    with_method = _with_method(path, manifest, loaded, ours, registry, note)
    cells = cells_of(with_method.plan, manifest.method)
    index = theirs.index
    pairs = [_pair(cell, index, theirs, ours) for cell in cells]
    return Candidate(
        manifest=manifest,
        theirs=theirs,
        ours=ours,
        about=about,
        about_ours=about_ours,
        loaded=with_method,
        registry=registry,
        pairs=[pair for pair in pairs if pair.cell.skip or pair.draw is not None],
        unknown=len(index.keys() - {cell.id for cell in cells}),
    )


def _pair(cell: Cell, index: Mapping[str, str], theirs: RunFolder, ours: RunFolder) -> Pair:
    record = theirs.kept(index[cell.id]) if cell.id in index else None
    same = record is not None and agreed(record.cell) == wanted(cell)
    return Pair(cell, None if cell.skip else ours.draw_record(cell.draw.id), record if same else None)


def _with_method(
    path: Path, manifest: Manifest, loaded: Loaded, ours: RunFolder, registry: Registry, note: str
) -> Loaded:
    """Return the run's suite with the method and a note beside it, in the place of one that was merged before."""
    label, merged = manifest.method, ours.about().merged
    there = {cell.method.label for cell in cells_of(loaded.plan, label)}
    if there - merged.keys():
        message = f"{ours.path} has a method {label} of its own, whose records stay; valid is another label"
        raise InputError(Fault(message, str(path / FILE)))
    others = [entry for entry in loaded.suite.methods if label_of(entry) != label]
    try:
        entry = MethodEntry.model_validate(dict(manifest.entry) | ({"note": note} if note else {}))
    except ValidationError as error:
        message = "entry is no method of a suite; write the submission again with spcabench submission write"
        raise InputError(Fault(message, str(path / FILE))) from error
    suite = loaded.suite.model_copy(update={"methods": [*others, entry]})
    return load_resolved(resolved_yaml(suite), ours.suite_file, registry)

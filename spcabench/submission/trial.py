"""Try a submission: fit its cells again while there is time, and compute every metric of the others anew."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import SystemRandom

from pydantic import ValidationError

from spcabench.foreign.reader import within_limits
from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run import host
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.submission.claims import Claim, claim_of
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
        self.fitted = self.differing = 0

    def __str__(self) -> str:
        """Say how much was fitted here, and how much of that is unlike what was submitted."""
        text = f"{self.fitted} of {len(self.cells)} results fitted again here"
        text += f", {self.differing} of them unlike what was submitted" if self.differing else ""
        others = "; the others have the loadings as submitted, and no times"
        return text + (others if self.fitted < len(self.cells) else "")

    def go(self, options: Options, tell: Listener) -> Iterator[Fault]:
        """Fit, compare and compute; yield what keeps the submission from being merged.

        Cells of which nothing is claimed that can be true are fitted first, then those with loadings in an order drawn
        by the system's source of random numbers, so that nobody can know which of them time will leave out.
        """
        claims = self._claims()
        first = sorted(
            (cell for cell in self.cells if isinstance(claims[cell.id], str)), key=lambda cell: not cell.skip
        )
        rest = [cell for cell in self.cells if not isinstance(claims[cell.id], str)]
        SystemRandom().shuffle(rest)
        rest.sort(key=lambda cell: getattr(claims[cell.id], "loadings", None) is None)  # failures gain nobody anything
        self._run([*first, *rest], options, tell)
        fitted = self._fitted()
        left = [cell for cell in self.cells if cell.id not in fitted]
        self.fitted = len(fitted)
        yield from self._lacking(left, claims, options)
        differing = [cell for cell in rest if cell.id in fitted and self._differs(claims[cell.id], fitted[cell.id])]
        self.differing = len(differing)
        if differing and left:
            what = f"{len(differing)} of {len(fitted)} cells came to something else when they were fitted again"
            yield Fault(f"{what}, such as {differing[0].title}; {_all_of_them(options)}", str(self._path))
            return
        self._take([(cell, claims[cell.id]) for cell in left], options, tell)

    def _claims(self) -> Mapping[str, Claim | str]:
        """Return what is claimed of each cell; what the run knows of the data is known to the fits here, too.

        The submission's file is opened in a process of its own, as it is a stranger's.
        """
        theirs, limit = RunFolder(self._path), self.loaded.suite.limits.time
        draws = {draw.id: self.ours.draw_record(draw.id) for draw in Plan(self.cells).draws}
        for name, draw in draws.items():
            if draw is not None:
                self.place.save_draw(draw, self.ours.samples(name))

        def read(_: int) -> dict[str, Claim | str]:
            keys = theirs.index
            return {
                cell.id: claim_of(cell, draws.get(cell.draw.id), theirs, keys.get(cell.id, ""), limit)
                for cell in self.cells
            }

        return within_limits(theirs.file, read) if theirs.there else {cell.id: "no record" for cell in self.cells}

    def _run(self, cells: Sequence[Cell], options: Options, tell: Listener) -> None:
        host.run(self.loaded.suite, Plan(cells), self._registry, self.place, options, tell)

    def _fitted(self) -> Mapping[str, Record]:
        found = {cell.id: record for cell, record in self.place.records_of(Plan(self.cells))}
        return {name: record for name, record in found.items() if record is not None}

    def _lacking(self, left: Sequence[Cell], claims: Mapping[str, Claim | str], options: Options) -> Iterator[Fault]:
        """Yield that cells were neither fitted here nor is anything claimed of them that can be true."""
        wrong = [cell for cell in left if isinstance(claims[cell.id], str)]
        if wrong:
            what = f"{len(wrong)} of {len(self.cells)} cells have no result that can be taken as submitted"
            example = f"such as {wrong[0].title}: {claims[wrong[0].id]}"
            yield Fault(f"{what}, {example}; {_all_of_them(options)}", str(self._path))

    def _differs(self, claim: Claim | str, record: Record) -> bool:
        arrays = self.place.loadings(record.key) or {}
        return isinstance(claim, Claim) and claim.differs(record, arrays.get("components"))

    def _take(self, claimed: Sequence[tuple[Cell, Claim | str]], options: Options, tell: Listener) -> None:
        """Take what is claimed of cells that were not fitted, and compute its metrics."""
        taken = [(cell, claim) for cell, claim in claimed if isinstance(claim, Claim)]
        for cell, claim in taken:
            self.place.save(claim.record, claim.loadings)
            self.place.keep_index({cell.id: claim.record.key})
        self.place.close()
        if finished := [cell for cell, claim in taken if claim.record.finished]:
            self._run(finished, replace(options, rescore=True, seconds=math.inf), tell)

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


def _all_of_them(options: Options) -> str:
    return f"fits had {options.seconds:g} s; with more, such as --seconds {6 * options.seconds + 60:g}, all are fitted"

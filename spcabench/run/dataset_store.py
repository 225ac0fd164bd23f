"""The data sets of a run: what is known of each draw, and drawing it when that is not enough."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from spcabench.run.environment import versions
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import DATA, SAMPLES, DrawTask, Task
from spcabench.run.worker.data_files import arrays_in
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Draw
from spcabench.suite.variants import DatasetVariant
from spcabench.wording import Fault, InputError

UNREADABLE = (OSError, ValueError, EOFError, zipfile.BadZipFile)
"""What NumPy raises at what is no archive of arrays."""


@dataclass(frozen=True)
class KnownDraw:
    """A draw that there is.

    Parameters
    ----------
    record : DrawRecord
        What is known of it.
    place : Path, optional
        The file of its data; None if it was drawn in an earlier run.
    """

    record: DrawRecord
    place: Path | None = None


@dataclass(frozen=True)
class FailedDraw:
    """A draw that could not be made.

    Parameters
    ----------
    reason : str
        Why.
    stand_in : str
        The data set that was tried in its place; empty if none was.
    status : {"error", "unavailable"}
        What becomes of its cells.
    """

    reason: str
    stand_in: str = ""
    status: Literal["error", "unavailable"] = "error"


class DatasetStore:
    """Draws data sets in workers, one at a time, when a cell needs it; removes their arrays when none does.

    Parameters
    ----------
    folder : RunFolder
        Keeps what is known of each draw.
    do : callable
        ``do(name, task)`` has a worker do a task, and returns its outcome.
    stand_ins : bool
        Whether a data set that cannot be had is replaced by its stand-in.
    planned : int
        How many draws the run needs.
    say : callable
        ``say(text, loud)`` reports what goes on.
    code : callable
        Returns the hash of the code of a target, as `spcabench.run.code_hash.code_hash`.
    """

    def __init__(
        self,
        folder: RunFolder,
        do: Callable[[str, Task], Outcome],
        stand_ins: bool,
        planned: int,
        say: Callable[[str, bool], None],
        code: Callable[[str], str],
    ) -> None:
        self._folder, self._do, self._stand_ins, self._planned = folder, do, stand_ins, planned
        self._say, self._code = say, code
        self._known: dict[str, KnownDraw | FailedDraw | None] = {}
        self._numbers: dict[str, int] = {}

    def known(self, draw: Draw) -> KnownDraw | FailedDraw | None:
        """Return what is known of a draw, also from an earlier run if nothing has changed since; else None."""
        if draw.id not in self._known:
            self._known[draw.id] = self._remembered(draw)
        return self._known[draw.id]

    def draw(self, draw: Draw) -> None:
        """Draw a data set, or its stand-in.

        Raises
        ------
        InputError
            If the data cannot be had and no stand-in may be used, or is not what it was in the earlier run that is on
            record.
        """
        variant, name = draw.variant, ""
        outcome = self._drawn(draw, variant)
        if outcome.result.status == "unavailable":
            outcome.discard()
            reason = outcome.result.reason
            if variant.optional:
                self._say(f"{variant.label} cannot be had, and is left out: {reason}", True)
                self._known[draw.id] = FailedDraw(reason, status="unavailable")
                return
            if variant.stand_in is None or not self._stand_ins:
                raise InputError(Fault(reason, f"data set {variant.label}"))
            name = variant.stand_in.spec.name
            self._say(f"STAND-IN: {variant.label} cannot be had, {name} is used in its place: {reason}", True)
            outcome = self._drawn(draw, variant.stand_in)
        before, found = self._known.get(draw.id), self._found(draw, name, outcome)
        if isinstance(before, KnownDraw) and not _same(before, found):
            message = "drawn anew, it is not what is on record; run with --fresh"
            raise InputError(Fault(message, f"data set {before.record.label}"))
        self._known[draw.id] = found

    def release(self, draw: Draw) -> None:
        """Remove the arrays of a draw; it is drawn anew should it be needed after all."""
        known = self._known.get(draw.id)
        if isinstance(known, KnownDraw) and known.place is not None:
            shutil.rmtree(known.place.parent, ignore_errors=True)
            self._known[draw.id] = KnownDraw(known.record)

    def _remembered(self, draw: Draw) -> KnownDraw | None:
        record = self._folder.draw_record(draw.id)
        if record is None or record.stamp != self._stamp(draw) or record.stand_in:
            return None
        return None if any(_changed(*file) for file in record.files) else KnownDraw(record)

    def _drawn(self, draw: Draw, variant: DatasetVariant) -> Outcome:
        """Have a worker draw."""
        number = self._numbers.setdefault(draw.id, len(self._numbers) + 1)
        self._say(f"drawing {variant.label}, seed {draw.seed} ({number} of {self._planned})", False)
        task = DrawTask(
            dataset=variant.spec.name,
            load=variant.spec.load,
            params=dict(variant.params),
            preprocess=variant.preprocess,
            seed=draw.seed if variant.spec.random else 0,
        )
        return self._do(draw.id, task)

    def _found(self, draw: Draw, stand_in: str, outcome: Outcome) -> KnownDraw | FailedDraw:
        """Keep what is known of a draw."""
        result = outcome.result
        if result.data is None:
            outcome.discard()
            return FailedDraw(result.reason, stand_in)
        label = draw.variant.label + (f" [stand-in: {stand_in}]" if stand_in else "")
        record = DrawRecord(**vars(result.data), id=draw.id, label=label, stand_in=stand_in, stamp=self._stamp(draw))
        try:
            samples = arrays_in(outcome.folder / SAMPLES)
        except UNREADABLE as error:
            return FailedDraw(f"its samples cannot be read: {error}", stand_in)
        self._folder.save_draw(record, samples)
        return KnownDraw(record, outcome.folder / DATA)

    def _stamp(self, draw: Draw) -> dict[str, str]:
        """Return what, besides the draw's identity, determines its arrays."""
        return {"code": self._code(draw.variant.spec.load), **versions("numpy", "scikit-learn")}


def _same(before: KnownDraw, found: KnownDraw | FailedDraw) -> bool:
    return isinstance(found, KnownDraw) and found.record.fingerprint == before.record.fingerprint


def _changed(file: str, size: int, mtime: int) -> bool:
    try:
        status = Path(file).stat()
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) != (size, mtime)

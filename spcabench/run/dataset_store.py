"""The data sets of a run: what is known of each draw, and drawing it when that is not enough."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.run.environment import versions
from spcabench.run.executors.contract import Executor, Limits, Outcome
from spcabench.run.messages import DATA, SAMPLES, DrawResult, DrawTask, Failure
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Draw
from spcabench.suite.variants import DatasetVariant
from spcabench.wording import Fault, InputError

UNREADABLE = (OSError, ValueError, EOFError, zipfile.BadZipFile)
"""What NumPy raises at what is no archive of arrays."""


def arrays_in(file: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays that a worker left in an .npz file; none if there is no file."""
    if not file.exists():
        return {}
    with np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


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
    executor : Executor
        Where drawing is done.
    limits : Limits
        What drawing may use.
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
        executor: Executor,
        limits: Limits,
        stand_ins: bool,
        planned: int,
        say: Callable[[str, bool], None],
        code: Callable[[str], str],
    ) -> None:
        self._folder = folder
        self._executor = executor
        self._limits = limits
        self._stand_ins = stand_ins
        self._planned = planned
        self._say = say
        self._code = code
        self._known: dict[str, KnownDraw | FailedDraw | None] = {}
        self._numbers: dict[str, int] = {}
        self._under_way: tuple[Draw, str] | None = None

    @property
    def under_way(self) -> bool:
        """Whether one is being drawn."""
        return self._under_way is not None

    def known(self, draw: Draw) -> KnownDraw | FailedDraw | None:
        """Return what is known of a draw, also from an earlier run if nothing has changed since; else None."""
        if draw.id not in self._known:
            self._known[draw.id] = self._remembered(draw)
        return self._known[draw.id]

    def begin(self, draw: Draw) -> None:
        """Have a worker draw a data set; `take` learns how that ended."""
        self._submit(draw, draw.variant, "")

    def take(self, outcome: Outcome) -> Draw | None:
        """Take what the worker left; return the draw, or None if its stand-in is drawn now.

        Raises
        ------
        InputError
            If the data cannot be had and no stand-in may be used, or is not what it was in the earlier run that is on
            record.
        """
        assert self._under_way is not None
        draw, stand_in = self._under_way
        self._under_way = None
        result = outcome.result
        if isinstance(result, Failure) and result.status == "unavailable" and not stand_in:
            outcome.discard()
            if draw.variant.optional:
                self._say(f"{draw.variant.label} cannot be had, and is left out: {result.reason}", True)
                self._known[draw.id] = FailedDraw(result.reason, status="unavailable")
                return draw
            self._begin_stand_in(draw, result.reason)
            return None
        found = self._found(draw, stand_in, outcome)
        before = self._known.get(draw.id)
        if isinstance(before, KnownDraw) and not _same(before, found):
            message = "drawn anew, it is not what is on record; run with --fresh"
            raise InputError(Fault(message, f"data set {before.record.label}"))
        self._known[draw.id] = found
        return draw

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

    def _begin_stand_in(self, draw: Draw, reason: str) -> None:
        """Draw the stand-in of a data set that cannot be had, for a reason."""
        variant = draw.variant
        if variant.stand_in is None or not self._stand_ins:
            raise InputError(Fault(reason, f"data set {variant.label}"))
        name = variant.stand_in.spec.name
        self._say(f"STAND-IN: {variant.label} cannot be had, {name} is used in its place: {reason}", True)
        self._submit(draw, variant.stand_in, name)

    def _found(self, draw: Draw, stand_in: str, outcome: Outcome) -> KnownDraw | FailedDraw:
        """Keep what is known of a draw."""
        result = outcome.result
        if isinstance(result, DrawResult):
            label = draw.variant.label + (f" [stand-in: {stand_in}]" if stand_in else "")
            record = DrawRecord(
                **vars(result.data), id=draw.id, label=label, stand_in=stand_in, stamp=self._stamp(draw)
            )
            try:
                samples = arrays_in(outcome.folder / SAMPLES)
            except UNREADABLE as error:
                return FailedDraw(f"its samples cannot be read: {error}", stand_in)
            self._folder.save_draw(record, samples)
            return KnownDraw(record, outcome.folder / DATA)
        outcome.discard()
        reason = result.reason if isinstance(result, Failure) else "its worker did something else"
        return FailedDraw(reason, stand_in)

    def _submit(self, draw: Draw, variant: DatasetVariant, stand_in: str) -> None:
        number = self._numbers.setdefault(draw.id, len(self._numbers) + 1)
        self._say(f"drawing {variant.label}, seed {draw.seed} ({number} of {self._planned})", False)
        task = DrawTask(
            dataset=variant.spec.name,
            load=variant.spec.load,
            params=dict(variant.params),
            preprocess=variant.preprocess,
            seed=draw.seed if variant.spec.random else 0,
        )
        self._under_way = draw, stand_in
        self._executor.submit(draw.id, task, self._limits)

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

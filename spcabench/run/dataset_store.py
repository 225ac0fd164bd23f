"""The data sets of a run: what is known of each draw, and drawing it when that is not enough."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from spcabench.run.code_hash import code_hash
from spcabench.run.environment import versions
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import DATA, SAMPLES, DrawTask, Result
from spcabench.run.worker.draw import arrays_in, draw, stamp_of
from spcabench.store.about import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Draw
from spcabench.suite.variants import DatasetVariant
from spcabench.wording import Fault, InputError

UNREADABLE = (OSError, ValueError, EOFError, zipfile.BadZipFile)
"""What NumPy raises at what is no archive of arrays."""


Data = DrawRecord | Result
"""What is known of a draw, or why it could not be made."""


def draw_task(variant: DatasetVariant, seed: int) -> DrawTask:
    """Return the task that draws a data set; the seed is 0 of one that does not depend on it."""
    spec = variant.spec
    params, seed = dict(variant.params), seed if spec.varies(variant.params) else 0
    return DrawTask(dataset=spec.name, load=spec.load, params=params, preprocess=variant.entry.preprocess, seed=seed)


def trial_draw(variant: DatasetVariant, seed: int) -> Result:
    """Draw a data set in this process and keep nothing; the result has the reason if it fails."""
    with TemporaryDirectory() as folder:
        return draw(draw_task(variant, seed), Path(folder))


class DatasetStore:
    """Knows of each draw how to make it and what is known of it; removes its arrays when no cell needs them.

    Parameters
    ----------
    folder : RunFolder
        Keeps what is known of each draw.
    say : callable
        ``say(text, loud)`` reports what goes on.
    """

    def __init__(self, folder: RunFolder, say: Callable[[str, bool], None]) -> None:
        self._folder, self._say = folder, say
        self._known: dict[str, Data | None] = {}
        self._places: dict[str, Path] = {}
        self._standing_in: dict[str, str] = {}  # found once, it is not asked for the original again

    def known(self, draw: Draw) -> Data | None:
        """Return what is known of a draw, also from an earlier run if nothing has changed since; else None."""
        if draw.id not in self._known:
            self._known[draw.id] = self._remembered(draw)
        return self._known[draw.id]

    def recall(self, draw: Draw, failed: Result) -> None:
        """Take in how a draw failed in an earlier run, so that it is not made again."""
        self._known[draw.id] = failed

    def place(self, draw: Draw) -> Path | None:
        """Return the folder of the data of a draw; None if it was drawn in an earlier run, or released."""
        return self._places.get(draw.id)

    def task(self, draw: Draw) -> tuple[str, DrawTask]:
        """Return what is said of making a draw, or its stand-in if this is to be drawn in its place, and the task."""
        stand_in = draw.variant.stand_in if draw.id in self._standing_in else None
        variant = stand_in or draw.variant
        return f"drawing {variant.label}, seed {draw.seed}", draw_task(variant, draw.seed)

    def take(self, draw: Draw, outcome: Outcome) -> bool:
        """Take in how the task of a draw ended; return whether that is all, or its stand-in is to be drawn.

        Raises
        ------
        InputError
            If the data cannot be had and have no stand-in, or are not what they were in the earlier run that is on
            record.
        """
        variant, reason = draw.variant, outcome.result.reason
        stand_in = self._standing_in.get(draw.id, "")
        if outcome.result.status == "unavailable" and not stand_in:
            outcome.discard()
            if variant.entry.optional:
                self._say(f"{variant.label} cannot be had, and is left out: {reason}", True)
                self._known[draw.id] = outcome.result
                return True
            if variant.stand_in is None:
                raise InputError(Fault(reason, f"data set {variant.label}"))
            self._standing_in[draw.id] = name = variant.stand_in.spec.name
            self._say(f"STAND-IN: {variant.label} cannot be had, {name} is used in its place: {reason}", True)
            return False
        before, found = self._known.get(draw.id), self._found(draw, stand_in, outcome)
        if isinstance(before, DrawRecord) and before.fingerprint != getattr(found, "fingerprint", ""):
            other = "drawn anew, it is not what is on record; run into another folder"
            raise InputError(Fault(getattr(found, "reason", "") or other, f"data set {before.label}"))
        self._known[draw.id] = found
        return True

    def release(self, draw: Draw) -> None:
        """Remove the arrays of a draw; it is drawn anew should it be needed after all."""
        place = self._places.pop(draw.id, None)
        if place is not None:
            shutil.rmtree(place.parent, ignore_errors=True)

    def _remembered(self, draw: Draw) -> DrawRecord | None:
        record = self._folder.draw_record(draw.id)
        if record is None or record.stamp != self._stamp(draw) or record.stand_in:
            return None
        return record if all(stamp_of(Path(file[0])) == file for file in record.files) else None

    def _found(self, draw: Draw, stand_in: str, outcome: Outcome) -> Data:
        """Keep what is known of a draw."""
        data = outcome.result.data
        if data is None:
            outcome.discard()
            return replace(outcome.result, status="error")
        label = draw.variant.label + (f" [stand-in: {stand_in}]" if stand_in else "")
        record = DrawRecord(**vars(data), id=draw.id, label=label, stand_in=stand_in, stamp=self._stamp(draw))
        try:
            samples = arrays_in(outcome.folder / SAMPLES)
        except UNREADABLE as error:
            return Result(status="error", reason=f"its samples cannot be read: {error}")
        self._folder.save_draw(record, samples)
        self._places[draw.id] = outcome.folder / DATA
        return record

    def _stamp(self, draw: Draw) -> dict[str, str]:
        """Return what, besides the draw's identity, determines its arrays."""
        return {"code": code_hash(draw.variant.spec.load), **versions("numpy", "scikit-learn")}

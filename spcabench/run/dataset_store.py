"""The data sets of a run: what is known of each draw, and drawing it when that is not enough."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from spcabench.run.environment import versions
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import DATA, SAMPLES, DrawTask, Result, Task
from spcabench.run.worker.data_files import arrays_in
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Draw
from spcabench.suite.variants import DatasetVariant
from spcabench.wording import Fault, InputError

UNREADABLE = (OSError, ValueError, EOFError, zipfile.BadZipFile)
"""What NumPy raises at what is no archive of arrays."""


Data = DrawRecord | Result
"""What is known of a draw, or why it could not be made."""


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
        self._known: dict[str, Data | None] = {}
        self._places: dict[str, Path] = {}
        self._numbers: dict[str, int] = {}

    def known(self, draw: Draw) -> Data | None:
        """Return what is known of a draw, also from an earlier run if nothing has changed since; else None."""
        if draw.id not in self._known:
            self._known[draw.id] = self._remembered(draw)
        return self._known[draw.id]

    def place(self, draw: Draw) -> Path | None:
        """Return the folder of the data of a draw; None if it was drawn in an earlier run, or released."""
        return self._places.get(draw.id)

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
                self._known[draw.id] = outcome.result
                return
            if variant.stand_in is None or not self._stand_ins:
                raise InputError(Fault(reason, f"data set {variant.label}"))
            name = variant.stand_in.spec.name
            self._say(f"STAND-IN: {variant.label} cannot be had, {name} is used in its place: {reason}", True)
            outcome = self._drawn(draw, variant.stand_in)
        before, found = self._known.get(draw.id), self._found(draw, name, outcome)
        if isinstance(before, DrawRecord) and before.fingerprint != getattr(found, "fingerprint", ""):
            message = "drawn anew, it is not what is on record; run with --fresh"
            raise InputError(Fault(message, f"data set {before.label}"))
        self._known[draw.id] = found

    def release(self, draw: Draw) -> None:
        """Remove the arrays of a draw; it is drawn anew should it be needed after all."""
        place = self._places.pop(draw.id, None)
        if place is not None:
            shutil.rmtree(place.parent, ignore_errors=True)

    def _remembered(self, draw: Draw) -> DrawRecord | None:
        record = self._folder.draw_record(draw.id)
        if record is None or record.stamp != self._stamp(draw) or record.stand_in:
            return None
        return None if any(_changed(*file) for file in record.files) else record

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

    def _found(self, draw: Draw, stand_in: str, outcome: Outcome) -> Data:
        """Keep what is known of a draw."""
        data = outcome.result.data
        if data is None:
            outcome.discard()
            return Result(status="error", reason=outcome.result.reason)
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
        return {"code": self._code(draw.variant.spec.load), **versions("numpy", "scikit-learn")}


def _changed(file: str, size: int, mtime: int) -> bool:
    try:
        status = Path(file).stat()
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) != (size, mtime)

"""The draws of a run: what is known of each, and drawing it when that is not enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spcabench.errors import Fault, InputError
from spcabench.run.code_hash import code_hash
from spcabench.run.environment import versions
from spcabench.run.executors.contract import Executor, Limits, Outcome
from spcabench.run.messages import DATA, SAMPLES, DrawResult, DrawTask, Failure
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.inside import Damaged
from spcabench.suite.plan import Draw
from spcabench.suite.variants import DatasetVariant


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
    """

    reason: str
    stand_in: str = ""


class Draws:
    """Draws data sets in workers, each at most once in a run, and only if a cell needs it.

    Parameters
    ----------
    folder : RunFolder
        Keeps what is known of each draw.
    executor : Executor
        Where drawing is done; nothing else may be under way in it.
    limits : Limits
        What drawing may use.
    stand_ins : bool
        Whether a data set that cannot be had is replaced by its stand-in.
    planned : int
        How many draws the run needs.
    say : callable
        ``say(text, loud)`` reports what goes on.
    """

    def __init__(
        self,
        folder: RunFolder,
        executor: Executor,
        limits: Limits,
        stand_ins: bool,
        planned: int,
        say: Callable[[str, bool], None],
    ) -> None:
        self._folder = folder
        self._executor = executor
        self._limits = limits
        self._stand_ins = stand_ins
        self._planned = planned
        self._say = say
        self._known: dict[str, KnownDraw | FailedDraw] = {}

    def __getitem__(self, draw: Draw) -> KnownDraw | FailedDraw:
        """Return what is known of a draw: from an earlier run if nothing has changed since, or by drawing it."""
        if draw.id not in self._known:
            self._known[draw.id] = self._remembered(draw) or self._draw(draw)
        return self._known[draw.id]

    def place(self, draw: Draw) -> Path:
        """Return the file of a draw that has not failed; drawn again if it is not there any more as it was.

        Raises
        ------
        InputError
            If the data is not what it was in the earlier run that is on record.
        """
        known = self[draw]
        assert isinstance(known, KnownDraw)
        if known.place is not None and self._executor.has(known.place):
            return known.place
        again = self._draw(draw)
        if not isinstance(again, KnownDraw) or again.record.fingerprint != known.record.fingerprint:
            message = "drawn anew, it is not what is on record; run with --fresh"
            raise InputError(Fault(message, f"data set {known.record.label}"))
        self._known[draw.id] = again
        assert again.place is not None
        return again.place

    def _remembered(self, draw: Draw) -> KnownDraw | None:
        record = self._folder.draw_record(draw.id)
        if record is None or record.stamp != _stamp(draw) or record.stand_in:
            return None
        if not self._folder.has_samples(record):
            return None
        return None if any(_changed(*file) for file in record.files) else KnownDraw(record)

    def _draw(self, draw: Draw) -> KnownDraw | FailedDraw:
        """Draw a data set, or its stand-in, and keep what is known of it."""
        variant = draw.variant
        label, stand_in = variant.label, ""
        outcome = self._in_worker(variant, draw)
        if isinstance(outcome.result, Failure) and outcome.result.status == "unavailable":
            reason = outcome.result.reason
            outcome.discard()
            if variant.stand_in is None or not self._stand_ins:
                raise InputError(Fault(reason, f"data set {label}"))
            stand_in = variant.stand_in.spec.name
            self._say(f"STAND-IN: {label} cannot be had, {stand_in} is used in its place: {reason}", True)
            label = f"{label} [stand-in: {stand_in}]"
            outcome = self._in_worker(variant.stand_in, draw)
        if isinstance(outcome.result, DrawResult):
            summary = vars(outcome.result.data)
            record = DrawRecord(**summary, id=draw.id, label=label, stand_in=stand_in, stamp=_stamp(draw))
            try:
                return self._kept(record, outcome.folder)
            except Damaged as error:
                return FailedDraw(f"its samples cannot be read: {error}", stand_in)
        outcome.discard()
        reason = outcome.result.reason if isinstance(outcome.result, Failure) else "its worker did something else"
        return FailedDraw(reason, stand_in)

    def _kept(self, record: DrawRecord, place: Path) -> KnownDraw:
        record = self._folder.adopt_samples(record, place / SAMPLES)
        self._folder.save_draw(record)
        return KnownDraw(record, place / DATA)

    def _in_worker(self, variant: DatasetVariant, draw: Draw) -> Outcome:
        known = list(self._known)
        number = known.index(draw.id) if draw.id in known else len(known)
        self._say(f"drawing {variant.label}, seed {draw.seed} ({number + 1} of {self._planned})", False)
        task = DrawTask(
            dataset=variant.spec.name,
            load=variant.spec.load,
            params=dict(variant.params),
            preprocess=variant.preprocess,
            seed=draw.seed if variant.spec.random else 0,
        )
        self._executor.submit(draw.id, task, self._limits)
        while True:
            for outcome in self._executor.wait():
                return outcome


def _stamp(draw: Draw) -> dict[str, str]:
    """Return what, besides the draw's identity, determines its arrays."""
    return {"code": code_hash(draw.variant.spec.load), **versions("numpy", "scikit-learn")}


def _changed(file: str, size: int, mtime: int) -> bool:
    try:
        status = Path(file).stat()
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) != (size, mtime)

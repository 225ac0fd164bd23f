"""The draws of a run: what is known of each, and drawing it when that is not enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spcabench.errors import Fault, InputError
from spcabench.run.code_hash import code_hash
from spcabench.run.environment import versions
from spcabench.run.executor import Executor, Outcome
from spcabench.store.folder import RunFolder
from spcabench.suite.expand import DatasetVariant
from spcabench.suite.plan import Draw

DRAW_LIMIT = 3600.0
"""Seconds that drawing, or downloading, a data set may take."""


@dataclass(frozen=True)
class Drawn:
    """What is known of a draw.

    Parameters
    ----------
    known : dict
        ``label``, ``stand_in`` (name or empty), ``status`` (``ok`` or ``error``), ``reason``, ``facts``,
        ``fingerprint`` and more.
    place : Path, optional
        Where its arrays are; None if it was drawn in an earlier run.
    """

    known: Mapping[str, Any]
    place: Path | None = None

    @property
    def ok(self) -> bool:
        """Whether there is data."""
        return bool(self.known["status"] == "ok")

    @property
    def label(self) -> str:
        """What tables call it; says so where a stand-in is used."""
        return str(self.known["label"])


class Draws:
    """Draws data sets in workers, each at most once in a run, and only if a cell needs it.

    Parameters
    ----------
    folder : RunFolder
        Keeps what is known of each draw.
    executor : Executor
        Where drawing is done; nothing else may be under way in it.
    memory : float
        GiB that drawing may use.
    stand_ins : bool
        Whether a data set that cannot be had is replaced by its stand-in.
    say : callable
        ``say(text, loud)`` tells what goes on.
    """

    def __init__(
        self, folder: RunFolder, executor: Executor, memory: float, stand_ins: bool, say: Callable[[str, bool], None]
    ) -> None:
        self._folder = folder
        self._executor = executor
        self._memory = memory
        self._stand_ins = stand_ins
        self._say = say
        self._drawn: dict[str, Drawn] = {}

    def __getitem__(self, draw: Draw) -> Drawn:
        """Return what is known of a draw: from an earlier run if nothing has changed since, or by drawing it."""
        if draw.id not in self._drawn:
            self._drawn[draw.id] = self._remembered(draw) or self._draw(draw)
        return self._drawn[draw.id]

    def place(self, draw: Draw) -> Path:
        """Return the folder of a draw's arrays.

        Raises
        ------
        InputError
            If the data is not what it was in the earlier run that is on record.
        """
        before = self[draw]
        if before.place is None:
            again = self._draw(draw)
            if again.known.get("fingerprint") != before.known["fingerprint"]:
                message = "drawn anew, it is not what is on record; run with --fresh"
                raise InputError(Fault(message, f"data set {before.label}"))
            self._drawn[draw.id] = again
        place = self._drawn[draw.id].place
        assert place is not None
        return place

    def _remembered(self, draw: Draw) -> Drawn | None:
        known = self._folder.draw(draw.id)
        if known is None or known["stamp"] != _stamp(draw) or known["stand_in"]:
            return None
        if self._folder.has_torn_samples(draw.id):
            return None
        return None if any(_changed(*file) for file in known["files"]) else Drawn(known)

    def _draw(self, draw: Draw) -> Drawn:
        """Draw a data set, or its stand-in, and keep what is known of it."""
        variant = draw.variant
        about: dict[str, Any] = {"label": variant.label, "stand_in": "", "stamp": _stamp(draw)}
        outcome = self._in_worker(variant, draw)
        if outcome.result["status"] == "unavailable":
            reason = outcome.result["reason"]
            outcome.discard()
            if variant.stand_in is None or not self._stand_ins:
                raise InputError(Fault(reason, f"data set {variant.label}"))
            name = variant.stand_in.spec.name
            self._say(f"STAND-IN: {variant.label} cannot be had, {name} is used in its place: {reason}", True)
            about |= {"label": f"{variant.label} [stand-in: {name}]", "stand_in": name}
            outcome = self._in_worker(variant.stand_in, draw)
        if outcome.result["status"] != "ok":
            outcome.discard()
            return Drawn({**about, "status": "error", "reason": outcome.result["reason"], "fingerprint": ""})
        known = {**about, "status": "ok", **outcome.result["meta"]}
        samples = outcome.folder / "samples.npz"
        if samples.exists():
            self._folder.write_bytes(f"draws/{draw.id}.npz", samples.read_bytes())
        self._folder.write_json(f"draws/{draw.id}.json", known)
        return Drawn(known, outcome.folder)

    def _in_worker(self, variant: DatasetVariant, draw: Draw) -> Outcome:
        self._say(f"drawing {variant.label}, seed {draw.seed}", False)
        task = {
            "kind": "draw",
            "load": variant.spec.load,
            "dataset": variant.spec.name,
            "params": dict(variant.params),
            "preprocess": variant.preprocess,
            "seed": draw.seed if variant.spec.random else 0,
        }
        self._executor.submit(draw, task, DRAW_LIMIT, self._memory)
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

"""Run a plan: draw, fit, score, and keep a record of every cell as soon as it is done."""

from __future__ import annotations

import contextlib
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spcabench.plugins import Registry
from spcabench.run.cells import (
    blank_record,
    cell_key,
    described,
    fit_task,
    fitted_record,
    in_time,
    metric_tasks,
    modules,
    score_stamps,
    scored_record,
    timed_record,
    why_not,
)
from spcabench.run.code_hash import code_hash
from spcabench.run.dataset_store import Data, DatasetStore
from spcabench.run.environment import keep_environment, keep_suite
from spcabench.run.executors import choose
from spcabench.run.executors.contract import Executor, Outcome
from spcabench.run.messages import MetricTask, Result, ScoreTask, Task
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.run.state import Need, RunState
from spcabench.store.about import DrawRecord
from spcabench.store.files import scratch
from spcabench.store.folder import Arrays, RunFolder
from spcabench.store.record import Record
from spcabench.suite.models import Suite
from spcabench.suite.plan import Cell, Draw, Plan
from spcabench.wording import InputError, StoreChanged

MOST_FIRST = 50
"""Data sets that are drawn once before the first fit; others are when a cell needs them."""
A_DRAW = 4
"""Tasks that may be under way for each draw that is."""


def run(suite: Suite, plan: Plan, registry: Registry, folder: RunFolder, options: Options, tell: Listener) -> None:
    """Run a suite into a folder; running again resumes.

    Raises
    ------
    InputError
        If a pattern matches nothing, if the folder cannot be written or is held by another run, or if data cannot
        be had and no stand-in may be used.
    StoreChanged
        If what the run wrote is gone, or was changed by something that the run began.
    KeyboardInterrupt
        After the user's Ctrl-C; what was finished is kept.
    """
    chosen = options.chosen(plan)
    code_hash.cache_clear()
    folder.make()
    with folder.held(), scratch(folder.path) as place:
        keep_suite(suite, folder, tell)
        if not options.rescore:
            keep_environment(suite, folder, options, tell)
        metrics = metric_tasks(suite, registry)
        executor = choose(options, place, suite.threads, modules(chosen, metrics), tell)
        try:
            with contextlib.closing(executor):
                host = _Host(suite, chosen, metrics, registry.methods.origins, folder, options, tell, executor)
                host.go()
        finally:
            with contextlib.suppress(InputError, StoreChanged):
                folder.keep_state(None)
        folder.see_kept(host.state.records)


@dataclass(frozen=True)
class _Begun:
    """A cell under way: what is done for it, and its record from before; None of one that is fitted."""

    cell: Cell
    need: Need
    record: Record | None


class _Host:
    """One run: the cells that need something, repeat by repeat."""

    def __init__(
        self,
        suite: Suite,
        plan: Plan,
        metrics: tuple[MetricTask, ...],
        origins: Mapping[str, str],
        folder: RunFolder,
        options: Options,
        tell: Listener,
        executor: Executor,
    ) -> None:
        self._suite, self._cells, self._metrics, self._origins = suite, plan.cells, metrics, origins
        self._folder, self._executor = folder, executor
        self._stamps = score_stamps(metrics)
        self._limits, self._retry = suite.limits, options.retry
        self.state = RunState(suite, plan.cells, self._stamps, folder, options, tell)
        self._datasets = DatasetStore(folder, self.state.say)
        self._begun: dict[str, _Begun] = {}
        self._drawing: dict[str, list[Cell]] = {}
        self._of_draw: dict[str, list[Cell]] = defaultdict(list)
        for cell in plan.cells:
            if not cell.skip:
                self._of_draw[cell.draw.id].append(cell)

    def go(self) -> None:
        """Do all that is needed; on Ctrl-C mark what was in flight."""
        if "error" not in self._retry:
            self._recall_failed()
        self._learn([cell for cell in self._cells if cell.skip or self._datasets.known(cell.draw)])
        self._draw_first()
        waiting = [cell for cell in self._cells if self.state.count(cell) != "nothing"]
        if len(waiting) < len(self._cells):
            self.state.say(f"{len(self._cells) - len(waiting)} of {len(self._cells)} cells are done already")
        try:
            for repeat in range(self._suite.clock.at_most):
                self._pass(waiting, repeat)
                waiting = [cell for cell in waiting if self.state.need(cell) != "nothing"]
        except KeyboardInterrupt:
            for begun in self._begun.values():
                if begun.need == "fit":
                    self._keep_unfitted(begun.cell, Result(status="interrupted", reason="the run was interrupted"))
            raise

    def _recall_failed(self) -> None:
        """See which draws failed by their loaders as these are; one that reads a file of the user's is made again."""
        for cells in self._of_draw.values():
            cell, before = cells[0], self.state.earlier(cells[0])
            if before is None or before.status != "error" or before.by_worker or "path" in cell.draw.variant.params:
                continue  # a Dask worker may have lacked what another has
            if self._datasets.known(cell.draw) is None:
                failed = Result(status="error", reason=before.reason)
                if cell_key(cell, failed) == before.key:
                    self._datasets.recall(cell.draw, failed)

    def _learn(self, cells: Sequence[Cell]) -> None:
        """Compute the keys of cells whose data is known, and see what is on record of them."""
        self.state.learn({cell.id: cell_key(cell, self._data(cell)) for cell in cells})

    def _data(self, cell: Cell) -> Data | None:
        """Return what is known of the data of a cell; None for one that the plan skips."""
        return None if cell.skip else self._datasets.known(cell.draw)

    def _draw_first(self) -> None:
        """Draw the first data sets once each, so that data that cannot be had ends the run before it has begun."""
        firsts: dict[str, Cell] = {}
        for cell in self._cells:
            is_unknown = len(firsts) < MOST_FIRST and not cell.skip and self._data(cell) is None
            if is_unknown and self.state.need(cell) != "nothing":
                firsts.setdefault(cell.draw.variant.label, cell)
        for cell in firsts.values():
            self._draw(cell)
        while self._drawing:
            self._wait()

    def _draw(self, cell: Cell) -> None:
        """Have the data of a cell drawn; it is begun when that is done."""
        if cell.draw.id not in self._drawing:
            self._drawing[cell.draw.id] = []
            self._submit_draw(cell.draw)
        self._drawing[cell.draw.id].append(cell)

    def _submit_draw(self, draw: Draw) -> None:
        text, task = self._datasets.task(draw)
        self.state.begin(draw.id, text, at_once=True)
        self.state.say(text)
        self._executor.submit(draw.id, task, self._limits)

    def _drawn(self, outcome: Outcome) -> list[Cell]:
        """Take in a draw, and see which of its cells are done already; return those that waited for it."""
        self.state.end(outcome.name)
        draw = self._drawing[outcome.name][0].draw
        if not self._datasets.take(draw, outcome):
            self._submit_draw(draw)
            return []
        self._learn(self._of_draw[draw.id])
        for cell in self._of_draw[draw.id]:
            self.state.count(cell)
        self._close(draw)
        return self._drawing.pop(draw.id)

    def _wait(self) -> list[Cell]:
        """Take what ended within a moment; return the cells whose data are there now."""
        ready: list[Cell] = []
        for outcome in self._executor.wait():
            if outcome.name in self._begun:
                self._take(outcome)
            else:
                ready += self._drawn(outcome)
        self.state.beat()
        return ready

    def _close(self, draw: Draw) -> None:
        """Remove the arrays of a draw if none of its cells needs anything more, or is under way."""
        is_there = self._datasets.place(draw) is not None
        if not is_there or any(begun.cell.draw.id == draw.id for begun in self._begun.values()):
            return
        if all(self.state.need(cell) == "nothing" for cell in reversed(self._of_draw[draw.id])):
            self._datasets.release(draw)

    def _pass(self, waiting: Sequence[Cell], repeat: int) -> None:
        """Do what one repeat needs of every waiting cell, so that repeats are interleaved over methods."""
        queue = deque(cell for cell in waiting if self.state.need(cell, repeat) != "nothing")
        capacity = self._executor.capacity
        while queue or self._begun or self._drawing:
            while queue and len(self._begun) + len(self._drawing) < capacity and A_DRAW * len(self._drawing) < capacity:
                self._begin(queue.popleft(), repeat)
            queue.extendleft(reversed(self._wait()))
            capacity = self._executor.capacity

    def _begin(self, cell: Cell, repeat: int) -> None:
        """Submit what a cell needs, or the draw that it waits for, or record at once why it cannot be done."""
        draw = self._data(cell)
        need = self.state.need(cell, repeat)  # a cell with the same key may have done it since
        if need == "nothing":
            self._close(cell.draw)
            return
        failure = None if draw is None and not cell.skip else why_not(cell, draw)
        if failure is not None:
            self._keep_unfitted(cell, failure)
            return
        place = self._datasets.place(cell.draw)
        if not isinstance(draw, DrawRecord) or place is None:
            self._draw(cell)
            return
        record = None if need == "fit" else self._folder.record(self.state.key(cell))
        begun = _Begun(cell, need if record else "fit", record)
        self._begun[cell.id] = begun
        self.state.begin(cell.id, cell.title)
        self._executor.submit(cell.id, self._task(begun, draw, place), self._limits)

    def _task(self, begun: _Begun, draw: DrawRecord, place: Path) -> Task:
        """Return the task that a worker does for a cell."""
        record = begun.record
        if record is None:
            return fit_task(begun.cell, draw, place, self._metrics, self._suite.convergence)
        if begun.need == "time":
            return fit_task(begun.cell, draw, place)
        loadings = self._folder.loadings(record.key) or {}
        return ScoreTask(draw=place, loadings=loadings, facts=record.fit, timing=record.timing, metrics=self._metrics)

    def _take(self, outcome: Outcome) -> None:
        """Turn what a worker left into the cell's record."""
        begun = self._begun.pop(outcome.name)
        before, arrays, contended = begun.record, None, self._executor.contended
        if begun.need != "score":
            outcome = replace(outcome, result=in_time(outcome.result, self._limits.time))
        if before is None:
            record, arrays = fitted_record(self._blank(begun.cell), outcome, self._stamps, contended)
        elif begun.need == "score":
            record = scored_record(before, outcome.result, self._stamps)
        else:
            kept = self._folder.loadings(before.key) or {}
            record = timed_record(before, outcome, kept.get("components"), contended)
        outcome.discard()
        self.state.end(begun.cell.id)
        self._keep(begun.cell, record, arrays)

    def _keep_unfitted(self, cell: Cell, failure: Result) -> None:
        record = replace(self._blank(cell), status=failure.status, reason=failure.reason, fit=failure.facts)
        self._keep(cell, record)

    def _keep(self, cell: Cell, record: Record, arrays: Arrays | None = None) -> None:
        self.state.keep(cell, record, arrays, described(cell, record))
        self._close(cell.draw)

    def _blank(self, cell: Cell) -> Record:
        origin = self._origins.get(cell.method.spec.name, "")
        return blank_record(cell, self.state.key(cell), self._data(cell), origin)

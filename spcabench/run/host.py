"""Run a plan: draw, fit, score, and keep a record of every cell as soon as it is done."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from spcabench.plugins import Registry
from spcabench.run.cell_keys import cell_key
from spcabench.run.cell_records import blank_record, described, fitted_record, scored_record, timed_record
from spcabench.run.cell_tasks import fit_task, metric_tasks, score_stamps, score_task
from spcabench.run.code_hash import code_hash
from spcabench.run.draws import Draws, KnownDraw
from spcabench.run.events import Listener
from spcabench.run.executors.choose import choose
from spcabench.run.executors.contract import Executor, Limits, Outcome
from spcabench.run.forecast import seconds_left
from spcabench.run.ledger import Ledger
from spcabench.run.messages import LOADINGS, Failure, FitTask, MetricTask, ScoreTask
from spcabench.run.options import Options
from spcabench.run.reporter import Reporter
from spcabench.run.skips import why_not
from spcabench.run.start import forget, keep_environment, keep_suite, scratch
from spcabench.run.tally import Need
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.inside import Damaged
from spcabench.store.record import Record
from spcabench.suite.models import Suite
from spcabench.suite.plan import Cell, Plan

MOST_FIRST = 50
"""Data sets that are drawn once before the first fit; others are when a cell needs them."""


def run(suite: Suite, plan: Plan, registry: Registry, folder: RunFolder, options: Options, tell: Listener) -> None:
    """Run a suite into a folder; running again resumes.

    Raises
    ------
    InputError
        If a pattern matches nothing, if the folder cannot be written or is held by another run, or if data cannot
        be had and no stand-in may be used.
    KeyboardInterrupt
        After the user's Ctrl-C; what was finished is kept.
    """
    chosen = options.chosen(plan)
    folder.make()
    with folder.held(), scratch(folder) as place:
        if options.fresh:
            forget(plan, chosen, folder)
        keep_suite(suite, folder, tell)
        if not options.rescore:
            keep_environment(suite, folder, options, tell)
        metrics = metric_tasks(suite, registry)
        executor = choose(options, place, suite.threads, _modules(chosen, metrics), tell)
        with contextlib.closing(executor):
            _Run(suite, chosen, metrics, registry.methods.origins, folder, options, tell, executor).go()


LATE = ("scipy.linalg",)
"""What metrics import when they are computed, which costs each worker 40 ms where the server has not done it."""


def _modules(plan: Plan, metrics: Sequence[MetricTask]) -> list[str]:
    """Name the modules that the tasks of a plan need."""
    targets = {cell.method.spec.estimator for cell in plan.cells if not cell.skip}
    targets |= {metric.compute for metric in metrics}
    return sorted({*LATE, *(target.partition(":")[0] for target in targets)})


@dataclass(frozen=True)
class _Begun:
    """A cell under way: what is done for it, and its record from before; None of one that is fitted."""

    cell: Cell
    need: Need
    record: Record | None


class _Run:
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
        self._end, self._started = time.monotonic() + options.seconds, False
        self._limits = Limits(**dict(suite.limits))
        self._rule = suite.clock
        self._convergence = suite.tracing
        self._cells = plan.cells
        self._metrics = metrics
        self._stamps = score_stamps(metrics)
        self._origins = origins
        self._folder = folder
        self._rescoring = options.rescore
        self._executor = executor
        self._submitted: dict[str, _Begun] = {}
        self._open: dict[str, set[str]] = defaultdict(set)
        self._reporter = Reporter(folder, options, executor, tell, self._seconds_left)
        self._code = cache(code_hash)
        say = self._reporter.say_drawing
        self._draws = Draws(folder, executor, self._limits, options.stand_ins, len(plan.draws), say, self._code)
        self._of_draw: dict[str, list[Cell]] = defaultdict(list)
        self._unseen: set[str] = set()
        for cell in plan.cells:
            if not cell.skip:
                self._of_draw[cell.draw.id].append(cell)
        self._ledger = Ledger(
            folder, options, self._rule, self._stamps, self._reporter.tally, self._convergence is not None
        )
        self._learn([cell for cell in plan.cells if cell.skip or self._draws.known(cell.draw)])
        self._draw_first()
        self._ledger.keep_index(at_once=True)

    def go(self) -> None:
        """Do all that is needed; on Ctrl-C mark what was in flight."""
        for cell in self._cells:
            self._ledger.count(cell)
        for text in self._folder.damages:
            self._reporter.say(text, loud=True)
        waiting = self._waiting(self._cells)
        self._unseen = {cell.draw.id for cell in waiting if not cell.skip and self._draws.known(cell.draw) is None}
        if len(waiting) < len(self._cells):
            undone = {cell.id for cell in waiting}
            self._say_done([cell for cell in self._cells if cell.id not in undone])
        for cell in waiting:
            self._open[cell.draw.id].add(cell.id)
        try:
            for repeat in range(self._rule.at_most):
                self._pass(waiting, repeat)
                waiting = self._waiting(waiting)
        except KeyboardInterrupt:
            for name in self._executor.in_flight:
                begun = self._submitted.get(name)
                if begun is not None and begun.need == "fit":
                    self._keep_unfitted(begun.cell, Failure(status="interrupted", reason="the run was interrupted"))
            raise
        finally:
            self._ledger.keep_index(at_once=True)
            self._folder.settle()

    def _learn(self, cells: Sequence[Cell]) -> None:
        """Compute the keys of cells whose data is known, and see what is on record of them."""
        known = self._draws.known
        self._ledger.learn(
            {cell.id: cell_key(cell, None if cell.skip else known(cell.draw), self._code) for cell in cells}
        )

    def _draw_first(self) -> None:
        """Draw the first data sets once each, so that data that cannot be had ends the run before it has begun."""
        firsts: dict[str, Cell] = {}
        for cell in self._cells:
            if not cell.skip and len(firsts) < MOST_FIRST and self._ledger.need(cell) != "nothing":
                firsts.setdefault(cell.draw.variant.label, cell)
        for cell in firsts.values():
            if self._draws.known(cell.draw) is None:
                self._draws.begin(cell.draw)
                while self._draws.under_way:
                    for outcome in self._executor.wait():
                        self._take(outcome)

    def _waiting(self, cells: Sequence[Cell]) -> list[Cell]:
        """Return the cells that need something still, and remove the data that no such cell has."""
        waiting = []
        for cell in cells:
            if self._ledger.need(cell) != "nothing":
                waiting.append(cell)
            else:
                self._close(cell)
        return waiting

    def _close(self, cell: Cell) -> None:
        """Note that a cell needs nothing more; remove the arrays of its draw with the last that needed them."""
        cells = self._open.get(cell.draw.id)
        if cells:
            cells.discard(cell.id)
            if not cells:
                self._draws.release(cell.draw)

    def _pass(self, waiting: Sequence[Cell], repeat: int) -> None:
        """Do what one repeat needs of every waiting cell, so that repeats are interleaved over methods."""
        queue = deque(cell for cell in waiting if self._ledger.need_before(cell, repeat) != "nothing")
        while queue or self._executor.in_flight:
            if self._started and time.monotonic() > self._end:
                queue.clear()
            while queue and not self._draws.under_way and len(self._executor.in_flight) < self._executor.capacity:
                cell = queue[0]
                need = self._ledger.need_before(cell, repeat)  # a cell with the same key may have done it since
                if need == "nothing" or self._begin(cell, need):
                    queue.popleft()
            for outcome in self._executor.wait():
                self._take(outcome)
            self._ledger.keep_index()
            self._reporter.pulse.beat()

    def _begin(self, cell: Cell, need: Need) -> bool:
        """Submit what a cell needs, or record at once why it cannot be done; return False to draw its data first."""
        draw = None if cell.skip else self._draws.known(cell.draw)
        if draw is None and not cell.skip:
            self._draws.begin(cell.draw)
            return False
        failure = why_not(cell, draw)
        if failure is not None:
            self._keep_unfitted(cell, failure)
            return True
        assert isinstance(draw, KnownDraw)
        if draw.place is None or not self._executor.has(draw.place):
            self._draws.begin(cell.draw)
            return False
        self._reporter.under_way.begin(cell.id, cell.title)
        self._reporter.pulse.beat()
        record = None if need == "fit" else self._ledger.record(cell)
        begun = _Begun(cell, need if record else "fit", record)
        self._started = True
        self._submitted[cell.id] = begun
        self._executor.submit(cell.id, self._task(begun, draw.record, draw.place), self._limits)
        return True

    def _task(self, begun: _Begun, draw: DrawRecord, place: Path) -> FitTask | ScoreTask:
        """Return the task that a worker does for a cell."""
        if begun.record is None:
            return fit_task(begun.cell, draw, place, self._metrics, self._convergence)
        if begun.need == "score":
            return score_task(begun.record, self._folder.loadings_file(begun.record.key), place, self._metrics)
        return fit_task(begun.cell, draw, place)

    def _take(self, outcome: Outcome) -> None:
        """Turn what a worker left into the cell's record, or into what is known of a draw."""
        if outcome.name in self._submitted:
            self._take_cell(outcome)
            return
        draw = self._draws.take(outcome)
        if draw is not None:
            cells = self._of_draw[draw.id]
            self._learn(cells)
            for cell in cells:
                self._ledger.count(cell)
            done = [cell for cell in cells if self._ledger.need(cell) == "nothing"]
            if draw.id in self._unseen and done:
                self._reporter.say(f"{len(done)} of {len(cells)} cells of these data are done already")
            self._unseen.discard(draw.id)

    def _take_cell(self, outcome: Outcome) -> None:
        begun = self._submitted.pop(outcome.name)
        cell, before = begun.cell, begun.record
        if before is None:
            record = fitted_record(self._blank(cell), outcome, self._stamps, self._executor.contended)
            if record.finished:
                record = self._with_loadings(record, outcome)
        elif begun.need == "score":
            record = scored_record(before, outcome, self._stamps)
        else:
            record = timed_record(before, outcome, self._executor.contended)
        outcome.discard()
        self._reporter.under_way.end(cell.id, outcome.result)
        self._keep(cell, record)

    def _with_loadings(self, record: Record, outcome: Outcome) -> Record:
        """Keep the loadings of a fit; one that left none that can be read has crashed."""
        try:
            return self._folder.adopt_loadings(record, outcome.folder / LOADINGS)
        except Damaged as error:
            return replace(
                record, metrics={}, scored={}, status="crashed", reason=f"its loadings cannot be read: {error}"
            )

    def _keep_unfitted(self, cell: Cell, failure: Failure) -> None:
        self._keep(cell, replace(self._blank(cell), status=failure.status, reason=failure.reason))

    def _keep(self, cell: Cell, record: Record) -> None:
        self._ledger.keep(cell, record)
        if self._ledger.need(cell) == "nothing":
            self._close(cell)
        self._reporter.say(described(cell, record), record=record)

    def _blank(self, cell: Cell) -> Record:
        draw = None if cell.skip else self._draws.known(cell.draw)
        return blank_record(cell, self._ledger.key(cell), draw, self._origins.get(cell.method.spec.name, ""))

    def _seconds_left(self) -> float | None:
        """Estimate the seconds left from the fits so far; None if only metrics are computed."""
        if self._rescoring:
            return None
        found = ((cell, self._ledger.gist(cell)) for cell in self._cells)
        return seconds_left(found, self._rule, self._executor.capacity, self._reporter.under_way.beyond)

    def _say_done(self, done: Sequence[Cell]) -> None:
        """Report the cells that are known to be done, and those of which the run cannot know before it has their data.

        Of timeouts on record that had less time than there is now, it says so.
        """
        unseen = sum(len(self._of_draw[draw_id]) for draw_id in self._unseen)
        later = f"; {unseen} more are looked up when their data have been drawn again" if unseen else ""
        self._reporter.say(f"{len(done)} of {len(self._cells)} cells are done already{later}")
        limit = self._limits.time
        timeouts = [g.time_limit for g in map(self._ledger.gist, done) if g is not None and g.status == "timeout"]
        less = [had for had in timeouts if had is not None and had < limit]
        if less:
            most = f"{len(less)} of them are timeouts at {max(less):g} s or less"
            self._reporter.say(f"{most}; the limit is now {limit:g} s: add --retry timeout to fit them again")

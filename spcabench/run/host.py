"""Run a plan: draw, fit, score, and keep a record of every cell as soon as it is done."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from spcabench.plugins import Registry
from spcabench.run.cell_keys import cell_key
from spcabench.run.cell_records import blank_record, described, fitted_record, scored_record, timed_record
from spcabench.run.cell_tasks import fit_task, metric_tasks, score_stamps, score_task
from spcabench.run.draws import Draws, KnownDraw
from spcabench.run.events import Listener
from spcabench.run.executors.choose import choose
from spcabench.run.executors.contract import Executor, Limits, Outcome
from spcabench.run.ledger import Ledger
from spcabench.run.messages import LOADINGS, Failure, FitTask, MetricTask, ScoreTask
from spcabench.run.options import Options
from spcabench.run.reporter import Reporter
from spcabench.run.skips import why_not
from spcabench.run.start import forget, keep_environment, keep_suite, scratch
from spcabench.run.tally import Need
from spcabench.store.folder import RunFolder
from spcabench.store.inside import Damaged
from spcabench.store.record import Record
from spcabench.suite.models import Suite
from spcabench.suite.plan import Cell, Plan


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


def _modules(plan: Plan, metrics: Sequence[MetricTask]) -> list[str]:
    """Name the modules that the tasks of a plan need."""
    targets = {cell.method.spec.estimator for cell in plan.cells if not cell.skip}
    targets |= {metric.compute for metric in metrics}
    return sorted({target.partition(":")[0] for target in targets})


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
        self._limits = Limits(**dict(suite.limits))
        self._repeats = suite.clock.at_most
        self._convergence = suite.tracing
        self._cells = plan.cells
        self._metrics = metrics
        self._stamps = score_stamps(metrics)
        self._origins = origins
        self._folder = folder
        self._executor = executor
        self._submitted: dict[str, tuple[Cell, Need]] = {}
        self._reporter = Reporter(folder, options, executor, tell)
        self._draws = Draws(
            folder, executor, self._limits, options.stand_ins, len(plan.draws), self._reporter.say_drawing
        )
        keys = {cell.id: cell_key(cell, self._draws) for cell in plan.cells}
        folder.keep_index({**folder.index, **keys})
        self._ledger = Ledger(
            folder, keys, options, suite.clock, self._stamps, self._reporter.tally, self._convergence is not None
        )

    def go(self) -> None:
        """Do all that is needed; on Ctrl-C mark what was in flight."""
        for cell in self._cells:
            self._ledger.count(cell)
        for text in self._folder.damages:
            self._reporter.say(text, loud=True)
        waiting = self._waiting(self._cells)
        if len(waiting) < len(self._cells):
            self._reporter.say(f"{len(self._cells) - len(waiting)} of {len(self._cells)} cells are done already")
            undone = {cell.id for cell in waiting}
            self._say_raised_limit([cell for cell in self._cells if cell.id not in undone])
        for cell in waiting:
            if not cell.skip and isinstance(self._draws[cell.draw], KnownDraw):
                self._draws.place(cell.draw)
        try:
            for repeat in range(self._repeats):
                self._pass(waiting, repeat)
                waiting = self._waiting(waiting)
        except KeyboardInterrupt:
            for name in self._executor.in_flight:
                cell, need = self._submitted[name]
                if need == "fit":
                    self._keep_unfitted(cell, Failure(status="interrupted", reason="the run was interrupted"))
            raise
        finally:
            self._folder.settle()

    def _waiting(self, cells: Sequence[Cell]) -> list[Cell]:
        return [cell for cell in cells if self._ledger.need(cell) != "nothing"]

    def _pass(self, waiting: Sequence[Cell], repeat: int) -> None:
        """Do what one repeat needs of every waiting cell, so that repeats are interleaved over methods."""
        queue = [cell for cell in waiting if self._ledger.need_before(cell, repeat) != "nothing"]
        while queue or self._executor.in_flight:
            while queue and len(self._executor.in_flight) < self._executor.capacity:
                cell = queue.pop(0)
                need = self._ledger.need_before(cell, repeat)  # a cell with the same key may have done it since
                if need != "nothing":
                    self._begin(cell, need)
            for outcome in self._executor.wait():
                self._take(outcome)
            self._reporter.pulse.beat()

    def _begin(self, cell: Cell, need: Need) -> None:
        """Submit what a cell needs, or record at once why it cannot be done."""
        draw = None if cell.skip else self._draws[cell.draw]
        failure = why_not(cell, draw)
        if failure is not None:
            self._keep_unfitted(cell, failure)
            return
        assert isinstance(draw, KnownDraw)
        self._reporter.under_way.begin(cell.id, cell.title)
        self._reporter.pulse.beat()
        self._submitted[cell.id] = cell, need
        self._executor.submit(cell.id, self._task(cell, need, draw), self._limits)

    def _task(self, cell: Cell, need: Need, draw: KnownDraw) -> FitTask | ScoreTask:
        """Return the task that a worker does for a cell."""
        place, record = self._draws.place(cell.draw), self._ledger[cell]
        if need == "score" and record is not None:
            return score_task(record, self._folder.loadings_file(record.key), place, self._metrics)
        if need == "time":
            return fit_task(cell, draw.record, place)
        return fit_task(cell, draw.record, place, self._metrics, self._convergence)

    def _take(self, outcome: Outcome) -> None:
        """Turn what a worker left into the cell's record."""
        cell, need = self._submitted.pop(outcome.name)
        before = self._ledger[cell]
        if need == "fit" or before is None:
            record = fitted_record(self._blank(cell), outcome, self._stamps, self._executor.contended)
            if record.finished:
                record = self._with_loadings(record, outcome)
        elif need == "score":
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
        self._reporter.say(described(cell, record), record=record)

    def _blank(self, cell: Cell) -> Record:
        draw = None if cell.skip else self._draws[cell.draw]
        return blank_record(cell, self._ledger.key(cell), draw, self._origins.get(cell.method.spec.name, ""))

    def _say_raised_limit(self, cells: Sequence[Cell]) -> None:
        """Report timeouts on record that had less time than there is now."""
        limit = self._limits.time
        timeouts = [r for r in map(self._ledger.__getitem__, cells) if r is not None and r.status == "timeout"]
        less = [r.fit.time_limit for r in timeouts if r.fit.time_limit is not None and r.fit.time_limit < limit]
        if less:
            most = f"{len(less)} of them are timeouts at {max(less):g} s or less"
            self._reporter.say(f"{most}; the limit is now {limit:g} s: add --retry timeout to fit them again")

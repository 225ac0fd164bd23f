"""Run a plan: draw, fit, score, and keep a record of every cell as soon as it is done."""

from __future__ import annotations

import contextlib
import dataclasses
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from spcabench.plugins import Registry
from spcabench.run.code_hash import code_hash
from spcabench.run.draws import Draws
from spcabench.run.environment import CHANGED, describe, resumed
from spcabench.run.events import Event, Listener
from spcabench.run.executor import Executor, Outcome
from spcabench.run.inprocess import InProcess
from spcabench.run.metrics import metric_tasks, score_stamps
from spcabench.run.options import Options
from spcabench.run.pulse import Pulse, State
from spcabench.run.records import fitted_record, scored_record, timed_record, told, unfitted_record, wants_time
from spcabench.run.seeds import solver_seed
from spcabench.run.tally import Need, Steps, Tally, steps
from spcabench.run.under_way import UnderWay
from spcabench.run.workers import Workers
from spcabench.store.files import writing
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.suite.load import resolved_yaml
from spcabench.suite.models import Suite
from spcabench.suite.plan import Cell, Plan, digest


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
    with folder.held(), _scratch(folder) as scratch:
        if options.fresh:
            _forget(plan, chosen, folder)
        _keep_suite(suite, folder, tell)
        if not options.rescore:
            environment = _environment(suite, folder, options)
            form = {"scale": options.scale, "settings": list(options.settings)}
            folder.write_json("run.json", {"command": options.command, **form, "environment": environment})
            if CHANGED in environment:
                tell(Event(f"the environment {CHANGED}: {environment[CHANGED]}", 0, 0, loud=True))
        with contextlib.closing(_executor(suite, chosen, registry, options, scratch, tell)) as executor:
            _Run(suite, chosen, registry, folder, options, tell, executor).go()


def _forget(plan: Plan, chosen: Plan, folder: RunFolder) -> None:
    """Forget the records of the chosen cells; all that is in the folder if these are all."""
    if len(chosen.cells) == len(plan.cells):
        folder.forget()
        folder.make()
    else:
        index = folder.index
        folder.forget_some({index.get(cell.id, "") for cell in chosen.cells}, {cell.draw.id for cell in chosen.cells})


def _keep_suite(suite: Suite, folder: RunFolder, tell: Listener) -> None:
    """Keep the suite as run, and say so if it is not the one that the folder has."""
    text = resolved_yaml(suite)
    if folder.index and folder.suite_file.is_file() and folder.suite_file.read_text() != text:
        tell(
            Event(
                f"this is not the suite that {folder.path} was last run with; its records are used where they fit", 0, 0
            )
        )
    folder.write_text("suite.yaml", text)


def _environment(suite: Suite, folder: RunFolder, options: Options) -> dict[str, str]:
    """Return the environment of a run, and how it differs from that in which the run began."""
    now = describe(options.plugins) | {"threads of a fit": str(suite.threads)}
    began = (
        {}
        if options.fresh and not (options.only or options.skip)
        else (folder.read_json("run.json") or {}).get("environment")
    )
    return resumed(began, now) if began else now


def _executor(
    suite: Suite, plan: Plan, registry: Registry, options: Options, scratch: Path, tell: Listener
) -> Executor:
    """Choose what does the tasks."""
    if not options.isolation:
        return InProcess(scratch, suite.threads, options.plugins)
    targets = {cell.method.spec.estimator for cell in plan.cells if not cell.skip}
    targets |= {registry.metrics[entry.name].compute for entry in suite.metrics}
    modules = sorted({target.partition(":")[0] for target in targets})
    if options.cluster:
        from spcabench.run.cluster import Cluster

        cluster = Cluster(options.cluster, scratch, suite.threads, modules, options.plugins)
        tell(Event(cluster.about, 0, 0))
        return cluster
    return Workers(scratch, suite.threads, options.jobs, modules, options.plugins)


class _Run:
    """One run: the cells that need something, repeat by repeat."""

    def __init__(
        self,
        suite: Suite,
        plan: Plan,
        registry: Registry,
        folder: RunFolder,
        options: Options,
        tell: Listener,
        executor: Executor,
    ) -> None:
        self._suite = suite
        self._plan = plan
        self._origins = registry.methods.origins
        self._folder = folder
        self._options = options
        self._tell = tell
        self._executor = executor
        self._metrics = metric_tasks(suite, registry)
        self._stamps = score_stamps(self._metrics)
        self._draws = Draws(folder, executor, suite.limits.memory, options.stand_ins, self._say_drawing)
        self._keys: dict[str, str] = {}
        self._records: dict[str, Record | None] = {}
        self._again: set[str] = set()
        self._rule = suite.clock
        self._tally = Tally()
        self._under_way = UnderWay()
        self._pulse = Pulse(folder, self._state)

    def go(self) -> None:
        """Do all that is needed; on Ctrl-C mark what was in flight."""
        chosen = self._plan.cells
        self._keys = {cell.id: self._key(cell) for cell in chosen}
        self._folder.write_json("index.json", {**self._folder.index, **self._keys})
        self._records = {key: self._usable(key) for key in self._keys.values()}
        self._again = {key for key, record in self._records.items() if self._outdated(record)}
        for cell in chosen:
            self._count(cell)
        waiting = [cell for cell in chosen if self._need(cell) != "nothing"]
        if len(waiting) < len(chosen):
            self._say(f"{len(chosen) - len(waiting)} of {len(chosen)} cells are done already")
            self._say_raised_limit([self._records[self._keys[cell.id]] for cell in chosen if cell not in waiting])
        for cell in waiting:
            if not cell.skip and self._draws[cell.draw].ok:
                self._draws.place(cell.draw)
        try:
            for repeat in range(self._rule.at_most):
                self._pass(waiting, repeat)
                waiting = [cell for cell in waiting if self._need(cell) != "nothing"]
        except KeyboardInterrupt:
            for cell, need in self._executor.in_flight:
                if need == "fit":
                    self._keep(cell, self._unfitted(cell, "interrupted", "the run was interrupted"))
            raise
        finally:
            self._folder.settle()

    def _pass(self, waiting: Sequence[Cell], repeat: int) -> None:
        """Do what one repeat needs of every waiting cell, so that repeats are interleaved over methods."""
        queue = [cell for cell in waiting if self._need_before(cell, repeat) != "nothing"]
        while queue or self._executor.in_flight:
            while queue and len(self._executor.in_flight) < self._executor.capacity:
                cell = queue.pop(0)
                need = self._need_before(cell, repeat)  # a cell with the same key may have done it since
                if need != "nothing" and not self._impossible(cell):
                    self._submit(cell, need)
            for outcome in self._executor.wait():
                self._take(outcome)
            self._pulse.beat()

    def _submit(self, cell: Cell, need: Need) -> None:
        limits = self._suite.limits
        self._under_way.begin(cell.id, cell.title)
        self._pulse.beat()
        self._executor.submit((cell, need), self._task(cell, need), limits.time, limits.memory)

    def _need_before(self, cell: Cell, repeat: int) -> Need:
        """Return what a cell needs before it has `repeat` + 1 times on its record."""
        need, record = self._need(cell), self._records[self._keys[cell.id]]
        return "nothing" if need == "time" and record and len(record.timing["fit_time"]) > repeat else need

    def _need(self, cell: Cell) -> Need:
        """Return what a cell needs next."""
        key = self._keys[cell.id]
        record = self._records[key]
        if self._options.rescore:
            return "score" if key in self._again else "nothing"
        if record is None or key in self._again:
            return "fit"
        if not record.finished:
            return "nothing"
        if record.scored != self._stamps:
            return "score"
        return "time" if wants_time(record, self._rule) else "nothing"

    def _outdated(self, record: Record | None) -> bool:
        """Return whether a record is to be made again whatever it says."""
        if record is None:
            return False
        if self._options.rescore:
            return record.finished
        lacking = record.status == "unavailable" and "worker" in record.fit  # the Dask worker's fault
        return lacking or record.status in {*self._options.retry, "interrupted"}

    def _usable(self, key: str) -> Record | None:
        """Return the record of a key; a finished one that lost its loadings counts as none."""
        record = self._folder.record(key)
        return None if record is not None and record.finished and not self._folder.has_loadings(key) else record

    def _count(self, cell: Cell) -> None:
        """Count what a cell is known to need."""
        key, need = self._keys[cell.id], self._need(cell)
        record = self._records[key]
        times = record.timing["fit_time"] if record and record.finished else []
        only_scores = Steps(int(need == "score"), 1)
        self._tally.update(key, only_scores if self._options.rescore else steps(need, times, self._rule))

    def _impossible(self, cell: Cell) -> bool:
        """Record at once a cell that cannot be fitted."""
        if cell.skip:
            self._keep(cell, self._unfitted(cell, "skipped", cell.skip))
            return True
        drawn = self._draws[cell.draw]
        if not drawn.ok:
            self._keep(cell, self._unfitted(cell, drawn.known["status"], drawn.known["reason"]))
            return True
        missing = sorted(cell.method.spec.requires - set(drawn.known["facts"]))
        if missing:
            reason = f"{cell.method.label} requires {', '.join(missing)}, which {drawn.label} does not have"
            self._keep(cell, self._unfitted(cell, "skipped", reason))
        return bool(missing)

    def _task(self, cell: Cell, need: Need) -> dict[str, Any]:
        """Return the task that a worker does for a cell."""
        key, place = self._keys[cell.id], str(self._draws.place(cell.draw))
        if need == "score":
            record = self._records[key]
            assert record is not None
            kept = {"status": record.status, "fit": record.fit, "timing": record.timing}
            loadings = str(self._folder.loadings_file(key))
            return {"kind": "score", "draw": place, "loadings": loadings, "record": kept, "metrics": self._metrics}
        spec, known = cell.method.spec, self._draws[cell.draw].known
        return {
            "kind": "fit",
            "draw": place,
            "estimator": spec.estimator,
            "extra": spec.extra,
            "params": dict(cell.method.params),
            "knob": dataclasses.asdict(spec.knob),
            "n_components": cell.n_components,
            "n_nonzero": list(cell.n_nonzero) if isinstance(cell.n_nonzero, tuple) else cell.n_nonzero,
            "random_state": solver_seed(spec.name, cell.method.params, known["fingerprint"], cell.seed),
            "metrics": self._metrics if need == "fit" else [],
        }

    def _take(self, outcome: Outcome) -> None:
        """Turn what a worker left into the cell's record."""
        cell, need = outcome.name
        key = self._keys[cell.id]
        before = self._records[key]
        if need == "fit" or before is None:
            record = fitted_record(self._unfitted(cell, "", ""), outcome, self._stamps, self._executor.contended)
            if record.finished:
                self._folder.adopt_loadings(key, outcome.folder / "loadings.npz")
        elif need == "score":
            record = scored_record(before, outcome, self._stamps)
        else:
            record = timed_record(before, outcome, self._executor.contended)
        outcome.discard()
        self._under_way.end(cell.id, outcome.result.get("timing") if need != "score" else None)
        self._again.discard(key)
        self._keep(cell, record)

    def _keep(self, cell: Cell, record: Record) -> None:
        self._folder.save(record)
        self._records[record.key] = record
        self._count(cell)
        self._say(told(cell, record), record=record)

    def _unfitted(self, cell: Cell, status: str, reason: str) -> Record:
        known = {} if cell.skip else self._draws[cell.draw].known
        return unfitted_record(cell, self._keys[cell.id], status, reason, known, self._origins)

    def _key(self, cell: Cell) -> str:
        """Hash what determines the result of a cell, and nothing else."""
        identity = {name: cell.identity[name] for name in ("method_name", "params", "n_components", "n_nonzero")}
        identity |= {"seed": cell.seed, "threads": cell.threads, "knob": str(cell.method.spec.knob)}
        if cell.skip:
            return digest([identity, cell.skip, cell.draw.identity])
        known = self._draws[cell.draw].known
        data = known["fingerprint"] or [known["reason"], cell.draw.identity]
        return digest([identity, data, code_hash(cell.method.spec.estimator)])

    def _say(self, text: str, loud: bool = False, record: Record | None = None) -> None:
        tally = self._tally
        self._tell(Event(text, tally.done, tally.total, tally.growing, record, loud))

    def _say_raised_limit(self, records: Sequence[Record | None]) -> None:
        """Report timeouts on record that had less time than there is now."""
        limit = self._suite.limits.time
        given = [r.fit.get("time_limit", limit) for r in records if r is not None and r.status == "timeout"]
        less = [seconds for seconds in given if seconds < limit]
        if less:
            most = f"{len(less)} of them are timeouts at {max(less):g} s or less"
            self._say(f"{most}; the limit is now {limit:g} s: add --retry timeout to fit them again")

    def _say_drawing(self, text: str, loud: bool) -> None:
        """Report what is drawn, also to who looks from elsewhere, since it may take long."""
        self._under_way.begin("draw", text)
        self._pulse.beat_now()
        self._under_way.end("draw")
        self._say(text, loud)

    def _state(self) -> State:
        return State(
            time=time.time(),
            jobs=self._executor.capacity,
            done=self._tally.done,
            total=self._tally.total,
            growing=self._tally.growing,
            under_way=self._under_way.tasks,
            beyond=self._under_way.beyond,
            only=list(self._options.only),
            skip=list(self._options.skip),
            rescoring=self._options.rescore,
        )


@contextlib.contextmanager
def _scratch(folder: RunFolder) -> Iterator[Path]:
    """Return a folder for the workers' files; what a killed run left of it is removed first."""
    place = folder.work
    shutil.rmtree(place, ignore_errors=True)
    with writing(place):
        place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)

"""From the file to the answer: each step once, within the budget, and what it leaves in the folder."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from spcabench.api.making import make
from spcabench.api.results import Results
from spcabench.errors import Fault, InputError, Unwritable
from spcabench.explore.answer import Answer
from spcabench.explore.choice import FEW, LEAD, Choice, choose, kept
from spcabench.explore.completing import Completed, completed
from spcabench.explore.components import describe
from spcabench.explore.dense import directions
from spcabench.explore.outliers import outliers
from spcabench.explore.portfolio import Portfolio, portfolio
from spcabench.explore.prepared import Prepared, prepared
from spcabench.explore.reading import Source, read
from spcabench.explore.refit import steps
from spcabench.explore.runs import Doing, Wanted, at_level, run_curve, run_halves
from spcabench.explore.sparsity import Point, best_index, elbow
from spcabench.explore.stability import LEAST_HALVES, jaccard, matched, stability
from spcabench.explore.understanding import Finding, Understanding, understand
from spcabench.explore.winner import Winner, winner
from spcabench.explore.wishes import Heard, Wishes
from spcabench.explore.writing import write_answer
from spcabench.plugins import Registry
from spcabench.run.progress import Event
from spcabench.specs import Array
from spcabench.store.folder import RunFolder
from spcabench.suite.calls import call_of_fit

CURVE_SHARE, HALVES_SHARE = 0.5, 0.9
"""Of the seconds that are left when they begin."""
MOST_DENSE = 15
UNENDED = Finding("expectation maximisation did not converge", "its last moments are used", "--budget TIME", True)
LEAST_PACE = 0.05
"""Seconds of a fit in a process of its own, at least."""


def try_table(wishes: Wishes, registry: Registry, heard: Heard) -> Answer:
    """Answer which components, which variables and which method, and write it all down.

    Raises
    ------
    InputError
        If the table cannot be used.
    """
    with threadpool_limits(1):  # on a busy machine threads of BLAS wait for each other
        return _Try(wishes, registry, heard).answer()


class _Try:
    """One try: what is known at each step, computed when it is first asked for."""

    def __init__(self, wishes: Wishes, registry: Registry, heard: Heard) -> None:
        self._wishes = wishes
        self._registry = registry
        self._heard = heard
        self._budget = wishes.budget
        self._lead = 0.0  # seconds until the first fit of a run
        self._pace = LEAST_PACE  # and from one to the next

    def answer(self) -> Answer:
        """Do all steps, and write the folder."""
        self._announce()
        self._budget = self._budget.begun()
        found = self._found()
        self._heard.progress("drawing the figures")
        write_answer(found, RunFolder(self._wishes.folder))
        return found

    @cached_property
    def _source(self) -> Source:
        return read(self._wishes.file)

    @cached_property
    def _how(self) -> Understanding:
        w = self._wishes
        return understand(self._source.frame, w.label, w.drop, w.keep, w.missing, w.standardise)

    @cached_property
    def _completed(self) -> Completed | None:
        """The table without missing values by a model of them, if that is wanted."""
        if self._how.missing != "em":
            return None
        table = prepared(self._source.frame, self._how)
        return completed(table, self._portfolio.incomplete, self._wishes.n_components, self._budget)

    @cached_property
    def _table(self) -> Prepared:
        table = self._completed.table if self._completed else prepared(self._source.frame, self._how)
        if len(table.X) < 4:
            raise InputError(f"{len(table.X)} complete rows are left; valid are four or more: --missing em")
        most = min(len(table.X) - 1, table.X.shape[1])
        wanted = self._wishes.n_components
        if wanted is not None and wanted > most:
            raise InputError(Fault(f"{wanted} is too many; the table has at most {most}", "--components"))
        k, d = self._wishes.n_nonzero, table.X.shape[1]
        if k is not None and k > d:
            raise InputError(Fault(f"{k} is too many; the table has {d} variables", "--nonzeros"))
        return table

    @cached_property
    def _findings(self) -> tuple[Finding, ...]:
        ended = self._completed is None or self._completed.converged
        return (*self._source.findings, *self._how.findings, *([] if ended else [UNENDED]))

    def _announce(self) -> None:
        table = self._table
        n, d = table.X.shape
        self._heard.say(f"{self._source.file.name}: {n} rows, {d} variables")
        for finding in self._findings:
            self._heard.say(f"  {'warning: ' if finding.warning else ''}{finding}")

    @cached_property
    def _portfolio(self) -> Portfolio:
        return portfolio()

    @cached_property
    def _matrix(self) -> Path:
        return self._saved("matrix.npy", self._table.X)

    def _saved(self, name: str, values: Array) -> Path:
        """Write an array that the runs read."""
        file = self._wishes.folder / "runs" / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary = file.with_suffix(f".{os.getpid()}.npy")
            np.save(temporary, values)
            temporary.replace(file)
        except OSError as error:
            raise Unwritable(file, error) from error
        return file

    @cached_property
    def _choice(self) -> Choice:
        self._heard.progress("choosing components and nonzeros")
        X, w = self._table.scaled, self._wishes
        told = f"{w.n_components} {w.n_nonzero} {w.budget.seconds} {self._portfolio.selector}"
        key = hashlib.sha256(np.ascontiguousarray(X).tobytes() + told.encode()).hexdigest()
        file = self._matrix.with_name("choice.json")
        selector, r, k = self._portfolio.selector, w.n_components, w.n_nonzero
        return kept(file, key, lambda: choose(X, selector, r, k, self._budget))

    @cached_property
    def _methods(self) -> tuple[str, ...]:
        n, d = self._table.X.shape
        return tuple(entry.name for entry in self._portfolio.suiting(n, d, self._registry))

    def _samples(self, methods: Sequence[str]) -> Wanted:
        choice = self._choice
        preprocess = "standardise" if self._table.standardise else "centre"
        return Wanted({"path": str(self._matrix)}, preprocess, methods, choice.n_components, choice.level)

    def _whole_table(self, methods: Sequence[str]) -> Wanted:
        """Want the samples, or the second moments that were estimated in place of theirs."""
        wanted = self._samples(methods)
        if self._table.moments is None:
            return wanted
        file = self._saved("moments.npy", self._table.moments)
        return replace(wanted, params={"path": str(file), "kind": "covariance"}, preprocess="none")

    def _doing(self, share: float, lead: float) -> Doing:
        """Return how a run is done with a share of what is left after its lead."""
        left = self._budget.left
        seconds = max(lead + share * (left - lead) if left > lead else left, 1.0)
        fit = self._choice.seconds
        return Doing(self._matrix.parent, self._registry, seconds, fit, self._wishes.jobs, self._heard.tell)

    @cached_property
    def _curve(self) -> Results:
        started = time.monotonic()
        how = self._doing(CURVE_SHARE, LEAD * self._budget.start)
        ends: list[float] = []

        def timed(event: Event) -> None:
            if event.record is not None:
                ends.append(time.monotonic() - started)
            how.tell(event)

        wanted = self._whole_table(self._methods)
        curve = run_curve(wanted, self._portfolio.table, self._table.X.shape[1], replace(how, tell=timed))
        if ends:
            self._lead = ends[0]
            self._pace = max((ends[-1] - ends[0]) / max(len(ends) - 1, 1), LEAST_PACE)
        return curve

    @cached_property
    def _whole(self) -> pd.DataFrame:
        whole = at_level(self._curve, self._choice.level)
        if whole.empty:
            raise InputError("no method reached the chosen nonzeros in the budget: give more seconds by --budget")
        return whole

    @cached_property
    def _halves(self) -> Results | None:
        """Fit the methods for which there is time to halves, all of them to each."""
        if len(self._table.X) < FEW:
            return None
        known = set(self._whole["method"])
        left = HALVES_SHARE * self._budget.left - self._lead
        count = int(left / (1.5 * LEAST_HALVES * self._pace))
        affordable = [name for name in self._methods if name in known][: max(count, 0)]
        if not affordable:
            return None
        return run_halves(self._samples(affordable), self._portfolio.halves, self._doing(HALVES_SHARE, self._lead))

    @cached_property
    def _winner(self) -> Winner:
        halves = pd.DataFrame() if self._halves is None else at_level(self._halves, self._choice.level)
        return winner(self._methods, self._whole, halves, self._curve.frame)

    def _loadings(self, method: str) -> Array:
        level = self._choice.level
        target = level if isinstance(level, int) else tuple(level)
        return self._curve.loadings(method, n_nonzero=target).to_numpy().T

    def _half_loadings(self, method: str) -> list[Array]:
        if self._halves is None:
            return []
        cells = at_level(self._halves, self._choice.level)
        seeds = cells.loc[cells["method"] == method, "seed"]
        return [self._halves.loadings(method, seed=int(seed)).to_numpy().T for seed in seeds]

    def _points(self, method: str) -> tuple[Point, ...]:
        frame = self._curve.frame
        rows = frame[(frame["method"] == method) & frame["cpev"].notna()]
        places = zip(rows["fitted_nonzeros"], rows["cpev"], rows["adjusted_variance"], strict=True)
        return tuple(Point(float(k), float(v), float(a)) for k, v, a in sorted(set(places)))

    def _found(self) -> Answer:
        table, choice, chosen = self._table, self._choice, self._winner
        X, r = table.scaled, choice.n_components
        whole = self._loadings(chosen.method)
        dense = directions(X, min(MOST_DENSE, *X.shape))
        total = float(np.sum(X**2))
        share = float(np.sum((X @ dense[:r].T) ** 2) / total)
        if table.moments is not None:
            share = float(np.linalg.eigvalsh(table.moments)[-r:].sum() / np.trace(table.moments))
        found = stability(whole, self._half_loadings(chosen.method))
        tied = [matched(whole, self._loadings(name)) for name in chosen.tied]
        curve = {name: points for name in self._methods if (points := self._points(name))}
        own = curve[chosen.method] if len(curve[chosen.method]) > 2 else max(curve.values(), key=len)
        row = self._whole[self._whole["method"] == chosen.method].iloc[0]
        return Answer(
            source=self._source,
            findings=self._findings,
            table=table,
            choice=choice,
            winner=chosen,
            whole=whole,
            components=describe(X, table.names, whole, dense, found, tied),
            stability=found,
            curve=curve,
            bend=elbow(own),
            index=best_index(own, X.shape[1], share),
            cpev=float(row["cpev"]),
            dense=share,
            outliers=outliers(X, whole, self._fit_of(chosen.method), float(row["fit_time"]), self._budget),
            disagreement=tuple(self._disagreement(whole, chosen.method)),
            steps=steps(self._source, self._how, self._call(chosen.method), self._portfolio.incomplete),
        )

    def _call(self, method: str) -> str:
        spec = self._registry.methods[method]
        call = call_of_fit(spec, spec.params, self._choice.n_components, self._choice.level)
        if self._completed is None:
            return call
        name = self._portfolio.incomplete.partition(":")[2]
        return f"{name}({call}, rank={self._completed.rank}, max_iter={self._completed.max_iter})"

    def _fit_of(self, method: str) -> Callable[[Array], Array]:
        def fit(X: Array) -> Array:
            made: Any = make(method, n_components=self._choice.n_components, n_nonzero=self._choice.level)
            components = np.asarray(made.fit(X).components_, dtype=np.float64)
            norms = np.linalg.norm(components, axis=1, keepdims=True)
            return np.asarray(np.divide(components, norms, out=np.zeros_like(components), where=norms > 0))

        return fit

    def _disagreement(self, whole: Array, method: str) -> list[tuple[str, float]]:
        """Compare the supports of robust methods with the winner's, as a mean over components."""
        robust = {entry.name for entry in self._portfolio.methods if entry.robust}
        names = [name for name in self._whole["method"] if (name in robust) != (method in robust)]
        others = {name: matched(whole, self._loadings(name)) for name in names if name in robust or method in robust}
        return [
            (name, float(np.mean([jaccard(a != 0, b != 0) for a, b in zip(whole, other, strict=True)])))
            for name, other in others.items()
        ]

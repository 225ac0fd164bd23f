"""From the file to the answer: each step once, within the budget, and what it leaves in the folder."""

from __future__ import annotations

import numpy as np
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from spcabench.explore.answer import Answer
from spcabench.explore.choice import Choice, choose
from spcabench.explore.components import describe, directions
from spcabench.explore.document import write_answer
from spcabench.explore.fitting import Fits, Portfolio, fit_all, portfolio
from spcabench.explore.judging import elbow, jaccard, matched, stability, winner
from spcabench.explore.outliers import outliers
from spcabench.explore.prepared import Prepared, completed, prepared
from spcabench.explore.refit import steps
from spcabench.explore.understanding import understand
from spcabench.explore.values import Remark
from spcabench.explore.wishes import LEAST, Heard, Wishes
from spcabench.foreign.reader import Table, read_table
from spcabench.plugins import Registry
from spcabench.specs import Array, MethodSpec
from spcabench.store.folder import RunFolder
from spcabench.suite.making import call_of_fit, make, takes_components
from spcabench.wording import Fault, InputError

MOST_SPARSE = 2000
"""Of a sparse table the columns of largest variance are kept, so many at most."""
MOST_DENSE = 15
"""Principal components that sparse ones are compared with."""


def try_table(wishes: Wishes, registry: Registry, heard: Heard) -> Answer:
    """Answer which components, which variables and which method, and write it all down.

    Raises
    ------
    InputError
        If the table cannot be used.
    """
    with threadpool_limits(1):  # on a busy machine threads of BLAS wait for each other
        answer = _answer(wishes, registry, heard)
        heard.progress("drawing the figures")
        write_answer(answer, RunFolder(wishes.folder))
    return answer


def _answer(wishes: Wishes, registry: Registry, heard: Heard) -> Answer:
    tried = portfolio()
    source, table = _read(wishes, tried)
    remarks = (*(Remark(*note) for note in source.notes), *table.how.remarks, *table.remarks)
    heard.say(f"{source.file.name}: {len(table.X)} rows, {table.X.shape[1]} variables")
    for remark in remarks:
        heard.say(f"  {'warning: ' if remark.warning else ''}{remark}")
    heard.progress("choosing components and nonzeros")
    choice = choose(np.ascontiguousarray(table.scaled), tried.selector, wishes.n_components, wishes.n_nonzero)
    fits = fit_all(table, choice, tried.suiting(table.X, registry), wishes, registry, heard)
    judged = winner(fits.methods, fits.whole, fits.half, fits.curve.frame)
    X, whole = table.scaled, fits.loadings(judged.method)
    dense = directions(X, min(MOST_DENSE, *X.shape))
    share = _dense_share(table, dense[: choice.n_components])
    found = stability(whole, fits.half_loadings(judged.method))
    tied = [matched(whole, fits.loadings(name)) for name in judged.tied]
    best = fits.whole[fits.whole["method"] == judged.method].iloc[0]

    def fit(rows: Array) -> Array:
        fitted = make(judged.method, n_components=choice.n_components, n_nonzero=choice.level).fit(rows)
        return np.asarray(normalize(fitted.components_))

    return Answer(
        source=source,
        remarks=remarks,
        table=table,
        choice=choice,
        winner=judged,
        whole=whole,
        components=describe(X, table.how.features, whole, dense, found, tied),
        stability=found,
        results=fits.emphasising([judged.method, *judged.tied]),
        bend=elbow(max(map(fits.points, (judged.method, *fits.methods)), key=lambda points: min(len(points), 3))),
        cpev=float(best["cpev"]),
        dense=share,
        outliers=outliers(X, whole, fit, float(best["fit_time"]), wishes.budget),
        disagreement=_disagreement(fits, whole, judged.method, {one.name for one in tried.methods if one.robust}),
        steps=steps(source, table.how, _call(registry.methods[judged.method], choice, table, tried), tried.incomplete),
    )


def _read(wishes: Wishes, tried: Portfolio) -> tuple[Table, Prepared]:
    """Read and prepare the table, and check that it has what is wanted of it."""
    source = read_table(wishes.file, widest=MOST_SPARSE, seconds=max(wishes.budget.left, LEAST))
    label = wishes.label or source.label
    how = understand(source.frame, label, wishes.drop, wishes.keep, wishes.missing, wishes.standardise)
    table = prepared(source.frame, how)
    if how.missing == "em":
        table = completed(table, tried.incomplete, wishes.n_components)
    n, d = table.X.shape
    if n < 4:
        raise InputError(f"{n} complete rows are left; valid are four or more: --missing em")
    if wishes.n_components is not None and wishes.n_components > min(n - 1, d):
        fault = f"{wishes.n_components} is too many; the table has at most {min(n - 1, d)}"
        raise InputError(Fault(fault, "--components"))
    if wishes.n_nonzero is not None and wishes.n_nonzero > d:
        raise InputError(Fault(f"{wishes.n_nonzero} is too many; the table has {d} variables", "--nonzeros"))
    return source, table


def _call(spec: MethodSpec, choice: Choice, table: Prepared, tried: Portfolio) -> str:
    """Return the Python that makes the estimator of a method."""
    n_components = choice.n_components if takes_components(spec) else None
    call = call_of_fit(spec, spec.params, n_components, choice.level)
    params = "".join(f", {name}={value}" for name, value in table.model.items())
    return f"{tried.incomplete.partition(':')[2]}({call}{params})" if params else call


def _dense_share(table: Prepared, dense: Array) -> float:
    """Return the share of the variance that as many principal components hold."""
    if table.moments is not None:
        return float(np.linalg.eigvalsh(table.moments)[-len(dense) :].sum() / np.trace(table.moments))
    X = table.scaled
    return float(np.sum((X @ dense.T) ** 2) / np.sum(X**2))


def _disagreement(fits: Fits, whole: Array, method: str, robust: set[str]) -> tuple[tuple[str, float], ...]:
    """Compare the supports of robust methods with the winner's, or others with a robust one's: means of Jaccard's."""
    names = [name for name in fits.whole["method"] if (name in robust) != (method in robust)]
    others = {name: matched(whole, fits.loadings(name)) for name in names}
    return tuple(
        (name, float(np.mean([jaccard(a != 0, b != 0) for a, b in zip(whole, other, strict=True)])))
        for name, other in others.items()
    )

"""From the table to the answer: each step once, the same whatever the machine and its load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from inspect import signature
from pathlib import Path

import yaml
from sklearn import datasets
from threadpoolctl import threadpool_limits

from spcabench.explore.answer import Answer
from spcabench.explore.comparing import Reached, compared
from spcabench.explore.deciding import HALVES, Asker, decide, depends
from spcabench.explore.prepared import Prepared, prepared
from spcabench.explore.refit import script
from spcabench.explore.understanding import understand
from spcabench.explore.values import FEW, Remark, Wishes, without_units
from spcabench.foreign.reader import Table, read_table
from spcabench.wording import Fault, InputError

LEAST = 4
"""Complete rows."""
MOST_SPARSE = 2000
"""Of a sparse table the columns of largest variance are kept, so many at most."""
MORE = 100
"""Half-samples with a budget."""
IN_ORDER = Remark(
    "rows that follow each other are alike, as in a time series or a sorted table",
    "columns are turned, not permuted, to tell what is chance",
    "--independent-rows",
    warning=True,
)


def table_of(place: str | Path) -> Table:
    """Read a table from a file, or one that scikit-learn has by its name, such as ``wine``.

    Raises
    ------
    InputError
        If there is none, or it cannot be read.
    """
    load = None if Path(place).exists() else getattr(datasets, f"load_{place}", None)
    if load is None or "as_frame" not in signature(load).parameters:
        return read_table(place, widest=MOST_SPARSE)
    imports, code = [f"from sklearn.datasets import load_{place}"], f"table = load_{place}(as_frame=True).frame"
    return Table(Path(place), load(as_frame=True).frame, code, imports, named=True, label=None, notes=())


def answered(source: Table, wishes: Wishes, progress: Callable[[str], None] = lambda text: None) -> Answer:
    """Answer which components are in a table, and of which variables.

    Raises
    ------
    InputError
        If the table cannot be used.
    """
    portfolio = yaml.safe_load(resources.files(__package__).joinpath("portfolio.yaml").read_text(encoding="utf-8"))
    methods: tuple[Reached, ...] = ()
    missed: tuple[str, ...] = ()
    with threadpool_limits(1):  # on a busy machine threads of BLAS wait for each other
        source = without_units(source)
        table = _table(source, wishes)
        asker = Asker(
            portfolio["selector"],
            wishes.n_components,
            wishes.n_nonzero,
            table.how.preprocess == "standardise",
            in_order=False,
            halves=(MORE if wishes.budget else HALVES) if len(table.X) >= FEW else 0,
        )
        alike = len(table.X) >= FEW and depends(asker.scaled(table.X), table.classes)
        asker = replace(asker, in_order=alike and not wishes.independent)
        progress("choosing components and variables")
        decision = decide(table.X, asker)
        first = decision.first
        if wishes.budget and len(first.components) and len(table.X) >= FEW:
            progress("comparing methods")
            methods, missed = compared(first.X, first.found.estimator_, portfolio["methods"], wishes.budget)
    remarks = (*(Remark(*note) for note in source.notes), *table.how.remarks, *((IN_ORDER,) if alike else ()))
    return Answer(source, remarks, table, decision, script(source, table, decision), methods, missed)


def _table(source: Table, wishes: Wishes) -> Prepared:
    """Prepare the table, and check that it has what is wanted of it."""
    how = understand(source.frame, replace(wishes, label=wishes.label or source.label))
    table = prepared(source.frame, how, 1 + source.named if "read_csv" in source.code else None)
    n, d = table.X.shape
    if n < LEAST:
        more = ": --missing median keeps those that lack values" if n < len(source.frame) else ""
        raise InputError(f"{n} complete rows are left; valid are four or more{more}")
    if wishes.n_components is not None and wishes.n_components > min(n - 1, d):
        fault = f"{wishes.n_components} is too many; the table has at most {min(n - 1, d)}"
        raise InputError(Fault(fault, "--components"))
    if wishes.n_nonzero is not None and wishes.n_nonzero > d:
        raise InputError(Fault(f"{wishes.n_nonzero} is too many; the table has {d} variables", "--nonzeros"))
    return table

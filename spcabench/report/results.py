"""The results of a run, as Python uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from spcabench.parameters import shown, unknown_name
from spcabench.report import model
from spcabench.report.build import build, call_of_group, outcome
from spcabench.report.export import table_frame
from spcabench.report.figures import FIGURES, Figure
from spcabench.report.groups import Group
from spcabench.report.ranking import wins
from spcabench.report.render.text import tabulated
from spcabench.report.tables import TABLES, WINNERS, main
from spcabench.store.frame import ABOUT_FIT
from spcabench.store.status import FINISHED
from spcabench.suite.values import MAIN
from spcabench.wording import InputError

CHOICES = ("dataset", "method", "n_nonzero", "seed", "start")
"""What chooses a cell."""

BOLD = "<b>{}</b>"

Target = int | Sequence[int]
Call = Callable[[model.Results, Group], str]
"""Writes the Python that makes the estimator of a group."""


class Results:
    """The results of a run: a row for each planned cell, whatever happened to it.

    `spcabench.run`, `spcabench.load` and `spcabench.compare` return it.  Nothing here fits anything.

    Attributes
    ----------
    frame : DataFrame
        A row for each planned cell: data set, method, target, seed, status, costs, and each metric by its name.
    """

    def __init__(self, gathered: model.Results, call: Call = call_of_group, keep: object = None) -> None:
        self._gathered = gathered
        self._call = call
        self._keep = keep  # a temporary folder goes with the last that refers to it

    @property
    def name(self) -> str:
        """The name of the suite."""
        return self._gathered.suite.name

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return self._gathered.folder.path

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each planned cell; ``n_nonzero`` is its target, None where the method has none to reach."""
        frame = self._gathered.frame.drop(columns=list(ABOUT_FIT))
        targets = pd.Series([level.target for level in frame["n_nonzero"]], index=frame.index, dtype=object)
        return frame.assign(n_nonzero=targets)

    def loadings(
        self,
        method: str | None = None,
        *,
        dataset: str | None = None,
        n_nonzero: Target | None = None,
        seed: int | None = None,
        start: str | None = None,
    ) -> pd.DataFrame:
        """Return the loadings of one cell.

        Parameters
        ----------
        method, dataset : str, optional
            Labels, as in `frame`; needed where there are several.
        n_nonzero : int or sequence of int, optional
            The target; needed where there are several.
        seed : int, optional
            Needed where there are several.
        start : str, optional
            Where the method started; by default where main tables have it.

        Returns
        -------
        DataFrame of shape (n_features, n_components)
            Features by components, ``PC1``, ``PC2``, ...; features without a name are ``x0``, ``x1``, ...  Columns are
            unit vectors, or zero.

        Raises
        ------
        InputError
            If no cell that finished is chosen, or more than one is: it names what they differ in.
        """
        target = tuple(map(int, n_nonzero)) if isinstance(n_nonzero, Iterable) else n_nonzero
        wanted = {"dataset": dataset, "method": method, "seed": seed, "start": start, "n_nonzero": target}
        row = self._one(wanted)
        kept = self._gathered.folder.loadings(str(row["key"]))
        if kept is None:
            raise InputError(f"the loadings of {row['method']} cannot be read: run again")
        draw = self._gathered.folder.draw_record(str(row["draw_id"]))
        components = np.asarray(kept["components"])
        names = (draw and draw.feature_names) or tuple(f"x{i}" for i in range(components.shape[1]))
        columns = [f"PC{i + 1}" for i in range(len(components))]
        return pd.DataFrame(components.T, index=pd.Index(names, name="feature"), columns=columns)

    def _one(self, wanted: dict[str, Any]) -> pd.Series[Any]:
        """Return the one cell that finished and is as wanted."""
        frame = self.frame
        if wanted["start"] is None and (main := frame["start"].isin(MAIN)).any():
            frame = frame[main]
        for name, value in wanted.items():
            if value is None:
                continue
            fits = frame[name].map(lambda found, value=value: found == value)
            if not fits.any():
                known = list(dict.fromkeys(map(_shown, frame[name])))
                raise InputError(f"no {name} {_shown(value)} here{unknown_name(_shown(value), known)}")
            frame = frame[fits]
        finished = frame[frame["status"].isin(FINISHED)]
        if finished.empty:
            became = ", ".join(dict.fromkeys(map(str, frame["status"])))
            raise InputError(f"no such cell finished; {'it is' if len(frame) == 1 else 'they are'} {became}")
        if len(finished) > 1:
            differ = {name: list(dict.fromkeys(map(_shown, finished[name]))) for name in CHOICES}
            words = "; ".join(f"{name} is {', '.join(known)}" for name, known in differ.items() if len(known) > 1)
            raise InputError(f"{len(finished)} cells have loadings; choose one: {words}")
        return finished.iloc[0]

    def table(self, name: str = "main") -> pd.DataFrame:
        """Return a table of the report as a data frame, in full precision.

        Parameters
        ----------
        name : str
            ``main``, ``winners``, ``timing``, ``published``, ``claims``, ``unfinished``, ...

        Raises
        ------
        InputError
            If there is no table of that name, or the run has nothing to enter there.
        """
        if name not in TABLES:
            raise InputError(f"no table {shown(name)}{unknown_name(name, TABLES)}")
        table = TABLES[name](self._gathered)
        if table is None:
            raise InputError(f"the run has nothing for the table {name}")
        return table_frame(table)

    def figure(self, name: str) -> Figure:
        """Return a figure of the report, which shows itself in a notebook.

        Parameters
        ----------
        name : str
            ``pareto``, ``cpev_curve``, ``loadings``, ...; ``spcabench list figures`` lists them.

        Raises
        ------
        InputError
            If there is no figure of that name, or the run lacks what it needs.
        """
        if name not in FIGURES:
            raise InputError(f"no figure {shown(name)}{unknown_name(name, FIGURES)}")
        figure = FIGURES[name].figure(self._gathered)
        if figure is None:
            raise InputError(f"the figure {name} needs {FIGURES[name].needs}")
        return figure

    def best(self, metric: str | None = None) -> pd.DataFrame:
        """Return the best methods: by each metric with a good direction, among those with the same nonzeros.

        Parameters
        ----------
        metric : str, optional
            A column of the main table, such as ``cpev`` or ``cpev_test``; all if not given.

        Returns
        -------
        DataFrame
            ``metric``, ``dataset``, ``sparsity``, ``method`` (the best mean), ``mean``, ``sd``, ``seeds`` (how many
            count), ``not_ruled_out`` (other methods that may be the best as far as the seeds show) and ``call`` (the
            Python that makes the estimator).  A cell that failed or missed its target counts as the worst.  Nothing is
            best while a cell of the comparison is pending or was interrupted.

        Raises
        ------
        InputError
            If methods are not ranked by that metric.
        """
        columns = [column for column in self._gathered.ranked if metric in (None, column.name)]
        if metric is not None and not columns:
            known = [column.name for column in self._gathered.ranked]
            raise InputError(f"methods are not ranked by {shown(metric)}{unknown_name(metric, known)}")
        found = [win for column in columns for win in wins(self._gathered, column)]
        names = [field.name for field, _ in WINNERS]
        rows = [[getattr(made := enter(win), "value", made) for _, enter in WINNERS] for win in found]
        calls = [self._call(self._gathered, win.groups[0]) for win in found]
        return pd.DataFrame(rows, columns=names).assign(call=pd.Series(calls, dtype=object))

    def report(self) -> Path:
        """Write ``report.md``, ``report.html``, tables and figures into the run's folder, and return the first."""
        return build(self._gathered)

    def __repr__(self) -> str:
        return f"Results of {self.name}: {outcome(self._gathered)}"

    def _repr_html_(self) -> str:
        """Return the results as HTML; what plugins named is text in it, never markup."""
        suite, table = self._gathered.suite, main(self._gathered)
        parts = [f"<p><b>{escape(suite.title or suite.name)}</b>. {escape(outcome(self._gathered))}</p>"]
        warning = "<p><b>Stand-in data: {}. These are not the results of the real data set.</b></p>"
        parts += [warning.format(escape(name)) for name in self._gathered.stand_ins]
        if table:
            parts.append(tabulated(table, "unsafehtml", escape, BOLD))
            parts.append(f"<p>{escape(table.caption)}</p>")
        return f"<div>{''.join(parts)}</div>"


def _shown(value: object) -> str:
    return "none" if value is None else str(value)

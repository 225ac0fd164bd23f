"""What is fitted: the methods of ``portfolio.yaml`` to the whole table at several sparsities, and to halves of it."""

from __future__ import annotations

import io
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from spcabench.explore.choice import Choice
from spcabench.explore.prepared import Prepared
from spcabench.explore.values import FEW
from spcabench.explore.wishes import Heard, Wishes
from spcabench.plugins import Registry
from spcabench.report import model
from spcabench.report.find_run import gathered
from spcabench.report.results import Results
from spcabench.run import host
from spcabench.run.options import Options
from spcabench.specs import Array
from spcabench.store.files import write_bytes
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_data
from spcabench.wording import InputError

CURVE_SHARE, HALVES_SHARE = 0.5, 0.9
"""Of the seconds that are left when they begin."""
HALVES, LEAST_HALVES = 20, 5
"""Halves of the rows that are fitted if there is time; with fewer than the least nothing is said of them."""
PARTS = 6
"""A fit has at most this part of the seconds of its run."""
MOST_CURVE = 7
"""Cardinalities of the curve beside the chosen one."""


@dataclass(frozen=True)
class Candidate:
    """A method that is tried: its name, whether outlying rows hardly move it, and the largest tables that it is for."""

    name: str
    robust: bool = False
    most_features: float = math.inf
    most_values: float = math.inf


@dataclass(frozen=True)
class Portfolio:
    """What a table is tried with.

    Parameters
    ----------
    selector : str
        ``"module:Class"`` of an estimator that chooses components and nonzeros.
    incomplete : str
        The same of one that fits another to the second moments of samples that lack values.
    table, halves : str
        The data sets that read a matrix whole, and in halves.
    methods : tuple of Candidate
        The most useful first.
    """

    selector: str
    incomplete: str
    table: str
    halves: str
    methods: tuple[Candidate, ...]

    def suiting(self, X: Array, registry: Registry) -> Portfolio:
        """Leave out the methods that are not made for a table of this size, or not registered."""
        suit = [one for one in self.methods if X.shape[1] <= one.most_features and X.size <= one.most_values]
        return replace(self, methods=tuple(one for one in suit if one.name in registry.methods))


def portfolio() -> Portfolio:
    """Read the portfolio."""
    import yaml

    data = yaml.safe_load(resources.files(__package__).joinpath("portfolio.yaml").read_text(encoding="utf-8"))
    return Portfolio(**{**data, "methods": tuple(Candidate(**one) for one in data["methods"])})


@dataclass(frozen=True)
class Fits:
    """What was fitted.

    Parameters
    ----------
    methods : tuple of str
        The most useful first.
    level : int or list of int
        The nonzeros that were chosen.
    curve : model.Results
        Of the whole table.
    halves : model.Results, optional
        Of its halves, if there was time.
    """

    methods: tuple[str, ...]
    level: int | list[int]
    curve: model.Results
    halves: model.Results | None = None

    @property
    def whole(self) -> pd.DataFrame:
        """The fits to the whole table that reached the chosen nonzeros."""
        return _reached(self.curve, self.level)

    @property
    def half(self) -> pd.DataFrame:
        """The fits to halves that did."""
        return pd.DataFrame(columns=["method", "seed"]) if self.halves is None else _reached(self.halves, self.level)

    def loadings(self, method: str) -> Array:
        """Return the loadings of the whole table at the chosen nonzeros."""
        return np.asarray(Results(self.curve).loadings(method, n_nonzero=self.level).to_numpy().T)

    def half_loadings(self, method: str) -> list[Array]:
        """Return those of each half."""
        seeds = [int(seed) for seed in self.half.loc[self.half["method"] == method, "seed"]]
        return [Results(self.halves).loadings(method, seed=seed).to_numpy().T for seed in seeds] if self.halves else []

    def emphasising(self, methods: Sequence[str]) -> model.Results:
        """Return the run on the whole table with these methods in colour."""
        suite = self.curve.suite
        report = suite.report.model_copy(update={"emphasis": list(methods)})
        return replace(self.curve, suite=suite.model_copy(update={"report": report}))

    def points(self, method: str) -> list[tuple[float, float]]:
        """Return the curve of a method: the mean nonzeros of a component, and CPEV."""
        frame = self.curve.frame
        rows = frame[(frame["method"] == method) & frame["cpev"].notna()]
        found = rows[["fitted_nonzeros", "cpev"]].drop_duplicates().astype(float)
        return sorted(found.itertuples(index=False, name=None))


def _reached(results: model.Results, level: int | list[int]) -> pd.DataFrame:
    """Return the cells at the chosen nonzeros that reached them."""
    target = level if isinstance(level, int) else tuple(level)
    frame = results.frame
    fits = frame["n_nonzero"].map(lambda found: found.target == target)
    missed = frame["missed_components"].fillna(0) > 0
    return frame[fits & ~missed & frame["status"].isin(["ok", "not_converged"])]


def fit_all(
    table: Prepared, choice: Choice, portfolio: Portfolio, wishes: Wishes, registry: Registry, heard: Heard
) -> Fits:
    """Fit the methods to the whole table, then as many as there is time for to halves of it.

    Raises
    ------
    InputError
        If no method reached the chosen nonzeros.
    """

    def run(
        name: str, title: str, datasets: Sequence[Any], methods: Sequence[str], seeds: int, share: float
    ) -> model.Results:
        """Run methods on data sets for a share of the seconds that are left."""
        seconds = max(share * wishes.budget.left, 1.0)
        limit = max(1.0, round(seconds / PARTS, 1))
        suite: Mapping[str, Any] = {
            "name": name,
            "title": title,
            "datasets": datasets,
            "methods": list(methods),
            "n_components": choice.n_components,
            "n_nonzero": [choice.level],
            "seeds": seeds,
            "repeats": 1,
            "limits": {"time": limit},
            "metrics": ["cpev"],
        }
        loaded = load_data(suite, registry)
        folder = RunFolder(wishes.folder / "runs" / name)
        options = Options(jobs=wishes.jobs, seconds=max(seconds - limit, 0.0), retry=frozenset({"timeout"}))
        host.run(loaded.suite, loaded.plan, registry, folder, options, heard.tell)
        return gathered(loaded, folder, registry)

    methods = tuple(one.name for one in portfolio.methods)
    samples = {
        "params": {"path": str(saved(wishes.folder, "matrix.npy", table.X))},
        "preprocess": "standardise" if table.standardise else "centre",
    }
    source = samples
    if table.moments is not None:
        path = saved(wishes.folder, "moments.npy", table.moments)
        source = {"params": {"path": str(path), "kind": "covariance"}, "preprocess": "none"}
    levels = [choice.level, *curve_levels(choice.level, table.X.shape[1])]
    data = [{"name": portfolio.table, "label": "the table", "n_nonzero": levels, **source}]
    began = time.monotonic()
    fits = Fits(methods, choice.level, run("curve", "Variance against nonzeros", data, methods, 1, CURVE_SHARE))
    done = int((fits.curve.frame["status"] != "pending").sum())
    if fits.whole.empty:
        raise InputError("no method reached the chosen nonzeros in the budget: give more seconds by --budget")
    pace = (time.monotonic() - began) / max(done, 1)
    count = int(HALVES_SHARE * wishes.budget.left / (LEAST_HALVES * pace))
    known = set(fits.whole["method"])
    affordable = [name for name in methods if name in known][:count]
    if len(table.X) < FEW or not affordable:
        return fits
    data = [{"name": portfolio.halves, "label": "halves", **samples}]
    return replace(fits, halves=run("halves", "Held-out variance", data, affordable, HALVES, HALVES_SHARE))


def saved(folder: Path, name: str, values: Array) -> Path:
    """Write an array that the runs read."""
    content = io.BytesIO()
    np.save(content, values)
    return write_bytes(folder / "runs" / name, content.getvalue())


def curve_levels(level: int | list[int], n_features: int) -> list[int]:
    """Return nonzeros beside the chosen ones that show how the variance grows.

    Examples
    --------
    >>> curve_levels([4, 6], 13)
    [1, 2, 3, 5, 8, 12]
    """
    top = min(n_features - 1, max(2 * int(np.max(level)), 6))
    spread = {max(1, round(top ** (place / (MOST_CURVE - 1)))) for place in range(MOST_CURVE)}
    return sorted(k for k in spread if k != level)

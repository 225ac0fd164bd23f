"""The Python that fits the proposed method again, as a script and as a notebook."""

from __future__ import annotations

import json
import re

from sklearn.base import clone

from spcabench.explore.deciding import Decision
from spcabench.explore.understanding import Prepared
from spcabench.foreign.formats import Table

SHOWN = """# Show the loadings, and the scores of the first rows.
names = [f"PC{j + 1}" for j in range(scores.shape[1])]
loadings = pd.DataFrame(model[-1].components_.T, index=X.columns, columns=names)
print(loadings[loadings.any(axis=1)].round(3).to_string())
print(pd.DataFrame(scores, index=X.index, columns=names).head().round(3).to_string())
"""


def script(source: Table, table: Prepared, decision: Decision) -> str:
    """Return what reads the table, makes its features, fits, and shows the loadings.

    Parameters
    ----------
    source : Table
        The table as read.
    table : Prepared
        What was done to it.
    decision : Decision
        Which rows are left out, or whether ranks were fitted.
    """
    ranks = decision.first.how == "the ranks"
    standardised = table.preprocess == "standardise"
    estimator = clone(decision.first.found.estimator_)
    imports = {*source.imports, "import pandas as pd", "from sklearn.pipeline import make_pipeline"}
    imports |= {"from sklearn.preprocessing import StandardScaler"} if standardised else set()
    imports |= {"from scipy.special import ndtri"} if ranks else set()
    home = type(estimator).__module__.partition(".")[0]
    others = [*table.drop, *([] if table.label is None else [table.label])]
    features = [f"X = table{f'.drop(columns={others!r})' if others else ''}.astype(float)"]
    features += {"drop": ["X = X.dropna()"], "median": ["X = X.fillna(X.median())"]}.get(table.missing, [])
    left_out = table.rows[~decision.first.kept].tolist()
    if left_out:
        features.append(f"X = X.drop(index={left_out!r})  # rows that decide the answer alone")
    if ranks:
        features.append("spread = X.std(ddof=0)")
        features.append("X = ((X.rank() - 0.5) / len(X)).apply(ndtri)  # normal scores, which a few rows hardly move")
        features += [] if standardised else ["X = X / X.std(ddof=0) * spread"]
    parts = [*(["StandardScaler()"] if standardised else []), " ".join(repr(estimator).split())]
    lines = [
        *sorted(imports, key=lambda line: (line.startswith("from"), line)),
        *("", f"from {home} import {type(estimator).__name__}", "", source.code),
        *("", "# Keep the features.", *features),
        *("", "# Fit.", "model = make_pipeline(", *(f"    {part}," for part in parts), ")"),
        *("scores = model.fit_transform(X)", "", SHOWN),
    ]
    return "\n".join(lines)


def notebook(title: str, code: str) -> str:
    """Return a script as a notebook in the format 4.5, with a cell for each step that a comment begins."""
    run: dict[str, object] = {"execution_count": None, "outputs": []}
    steps = re.split(r"\n\n(?=# )", code.rstrip())
    cells = [_cell("markdown", f"# {title}"), *(_cell("code", step) | run for step in steps)]
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    return json.dumps({"cells": numbered, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _cell(kind: str, text: str) -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}

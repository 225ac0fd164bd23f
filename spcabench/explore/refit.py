"""The Python that fits the proposed method again: as a script, and as a notebook."""

from __future__ import annotations

import json
from collections.abc import Mapping

from spcabench.explore.deciding import Decision
from spcabench.explore.prepared import Prepared
from spcabench.foreign.reader import Table

Steps = Mapping[str, str]
"""The steps of the script: what each does, and the lines that do it."""


def steps(source: Table, table: Prepared, decision: Decision, call: str, incomplete: str = "") -> Steps:
    """Return what reads the table, makes its features, fits, and shows the loadings.

    Parameters
    ----------
    source : Table
        The table as read.
    table : Prepared
        What was done to it.
    decision : Decision
        Which rows are left out, or whether ranks were fitted.
    call : str
        Makes the estimator.
    incomplete : str
        ``"module:Class"`` of what fits to samples that lack values, imported if that is to be done.
    """
    how, ranks = table.how, decision.first.how == "ranks"
    before = [
        ("median", how.missing, "from sklearn.impute import SimpleImputer", 'SimpleImputer(strategy="median")'),
        ("standardise", how.preprocess, "from sklearn.preprocessing import StandardScaler", "StandardScaler()"),
    ]
    used = [
        (line, part) for wanted, done, line, part in before if wanted == done and not (ranks and wanted == "median")
    ]
    module, _, name = incomplete.partition(":")
    estimator = decision.first.found.estimator_
    imports = sorted(
        {
            *source.imports,
            "import pandas as pd",
            "from sklearn.pipeline import make_pipeline",
            *(line for line, _ in used),
            *(["from scipy.special import ndtri"] if ranks else []),
        },
        key=lambda line: (line.startswith("from"), line),
    )
    home = type(estimator).__module__.partition(".")[0]
    own = {f"from {home} import {type(estimator).__name__}"} | (
        {f"from {module} import {name}"} if table.model else set()
    )
    others = [*how.drop, *([] if how.label is None else [how.label])]
    features = [f"X = table{f'.drop(columns={others!r})' if others else ''}.astype(float)"]
    if how.missing == "drop":
        features.append("X = X.dropna()")
    left_out = table.rows[~decision.first.kept].tolist()
    if left_out:
        features.append(f"X = X.drop(index={left_out!r})  # rows that decide the answer alone")
    if ranks:
        features += ["X = X.fillna(X.median())"] if how.missing == "median" else []
        features.append("spread = X.std(ddof=0)")
        features.append("X = ((X.rank() - 0.5) / len(X)).apply(ndtri)  # normal scores, which a few rows hardly move")
        features += [] if how.preprocess == "standardise" else ["X = X / X.std(ddof=0) * spread"]
    parts = "".join(f"    {part},\n" for part in (*(part for _, part in used), call))
    return {
        "Read the table.": "\n".join([*imports, "", *sorted(own), "", source.code]),
        "Keep the features.": "\n".join(features),
        "Fit.": f"model = make_pipeline(\n{parts})\nscores = model.fit_transform(X)",
        "Show the loadings, and the scores of the first rows.": (
            'names = [f"PC{j + 1}" for j in range(scores.shape[1])]\n'
            "loadings = pd.DataFrame(model[-1].components_.T, index=X.columns, columns=names)\n"
            "print(loadings[loadings.any(axis=1)].round(3).to_string())\n"
            "print(pd.DataFrame(scores, index=X.index, columns=names).head().round(3).to_string())"
        ),
    }


def script(steps: Steps) -> str:
    """Return the steps as a script."""
    (_, first), *others = steps.items()
    return "\n\n".join([first, *(f"# {says}\n{code}" for says, code in others)]) + "\n"


def notebook(title: str, steps: Steps) -> str:
    """Return the steps as a notebook, in the format 4.5."""
    cells = [_cell("markdown", "title", f"# {title}")]
    for number, (says, code) in enumerate(steps.items()):
        run: dict[str, object] = {"execution_count": None, "outputs": []}
        cells += [_cell("markdown", f"says-{number}", says), _cell("code", f"code-{number}", code) | run]
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _cell(kind: str, name: str, text: str) -> dict[str, object]:
    return {"cell_type": kind, "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}

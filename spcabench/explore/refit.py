"""The Python that fits the proposed method again: as a script, and as a notebook."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from spcabench.explore.reading import Source
from spcabench.explore.understanding import Understanding


@dataclass(frozen=True)
class Step:
    """A step of the script: what it does, and the lines that do it."""

    says: str
    code: str


def steps(source: Source, how: Understanding, call: str, incomplete: str = "") -> tuple[Step, ...]:
    """Return what reads the table, makes its features, fits, and shows the loadings.

    Parameters
    ----------
    source : Source
        The table as read.
    how : Understanding
        What is done to it.
    call : str
        Makes the estimator.
    incomplete : str
        ``"module:Class"`` of what fits to samples that lack values, imported if that is to be done.
    """
    return (
        Step("Read the table.", "\n".join([*_imports(source, how, incomplete), "", source.code])),
        Step("Keep the features.", "\n".join(_features(how))),
        Step("Fit.", "\n".join(_fit(how, call))),
        Step(
            "Show the loadings, and the scores of the first rows.",
            'names = [f"PC{j + 1}" for j in range(scores.shape[1])]\n'
            "loadings = pd.DataFrame(model[-1].components_.T, index=X.columns, columns=names)\n"
            "print(loadings[loadings.any(axis=1)].round(3).to_string())\n"
            "print(pd.DataFrame(scores, index=X.index, columns=names).head().round(3).to_string())",
        ),
    )


def _imports(source: Source, how: Understanding, incomplete: str) -> Iterator[str]:
    needs = {"np.": "import numpy as np", "pd.": "import pandas as pd", "scipy.": "import scipy.sparse"}
    if "anndata." in source.code:
        yield "import anndata"
    for word in ("np.", "pd.", "scipy."):
        if word in source.code or word == "pd.":
            yield needs[word]
    if how.missing == "median":
        yield "from sklearn.impute import SimpleImputer"
    yield "from sklearn.pipeline import make_pipeline"
    if how.preprocess == "standardise":
        yield "from sklearn.preprocessing import StandardScaler"
    yield ""
    yield "import spcabench"
    if how.missing == "em":
        module, _, name = incomplete.partition(":")
        yield f"from {module} import {name}"


def _features(how: Understanding) -> Iterator[str]:
    others = [*how.drop, *([] if how.label is None else [how.label])]
    left = f".drop(columns={others!r})" if others else ""
    yield f"X = table{left}.astype(float)"
    if how.missing == "drop":
        yield "X = X.dropna()"


def _fit(how: Understanding, call: str) -> Iterator[str]:
    parts = [
        *(['SimpleImputer(strategy="median")'] if how.missing == "median" else []),
        *(["StandardScaler()"] if how.preprocess == "standardise" else []),
        call,
    ]
    yield "model = make_pipeline("
    yield from (f"    {part}," for part in parts)
    yield ")"
    yield "scores = model.fit_transform(X)"


def script(steps: tuple[Step, ...]) -> str:
    """Return the steps as a script."""
    first, *others = steps
    return "\n\n".join([first.code, *(f"# {step.says}\n{step.code}" for step in others)]) + "\n"


def notebook(title: str, steps: tuple[Step, ...]) -> str:
    """Return the steps as a notebook, in the format 4.5."""
    cells = [_cell("markdown", "title", f"# {title}")]
    for number, step in enumerate(steps):
        cells += [_cell("markdown", f"says-{number}", step.says), _cell("code", f"code-{number}", step.code)]
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _cell(kind: str, name: str, text: str) -> dict[str, object]:
    cell: dict[str, object] = {
        "cell_type": kind,
        "id": name,
        "metadata": {},
        "source": text.splitlines(keepends=True),
    }
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})

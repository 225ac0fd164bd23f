"""Files beside the pages: every cell, what each question compares, the scores, and a program that computes these."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.metadata import version

import pandas as pd

from spcabench.report.export import csv_text, table_frame
from spcabench.report.model import Results
from spcabench.report.standings import Judged, table
from spcabench.run.code_hash import code_hash

CELLS, QUESTIONS, LEADERBOARD, SCRIPT = "cells.csv.gz", "questions.csv", "leaderboard.csv", "reproduce.py"

LEFT_OUT = ["trace", "worker", "note", "suite_dataset", "own_start"]
"""Columns of the frame that the table of cells lacks."""

VERSIONS = ("python", "numpy", "scipy", "scikit-learn", "numba", "CPU")


def files(board: Sequence[Judged], runs: Sequence[Results], cells: pd.DataFrame) -> dict[str, bytes]:
    """Return the files of a site, by their place.

    Parameters
    ----------
    board : sequence of (Question, Verdicts)
        The questions, judged as one family.
    runs : sequence of Results
        The runs.
    cells : DataFrame
        All their cells, as of `spcabench.report.questions.cells`.
    """
    facts = {run.folder.path.name: run.about.facts for run in runs}
    about = {name: ", ".join(f"{one} {known.get(one, '')}" for one in VERSIONS) for name, known in facts.items()}
    every = cells.drop(columns=[name for name in LEFT_OUT if name in cells])
    every = every.assign(versions=every["run"].map(about), nnz=every["nnz"].map(_listed))
    every = every.assign(cpu_times=every["cpu_times"].map(_listed))
    compared = [
        question.cells.loc[~question.cells["dataset"].isin(question.waiting), ["run", "dataset", "n_components"]]
        .drop_duplicates()
        .assign(
            question=question.name,
            column=question.column.name,
            better=question.column.better,
            relative=question.relative,
            margin=question.margin,
        )
        for question, _ in board
    ]
    return {
        CELLS: gzip.compress(csv_text(every).encode(), mtime=0),
        QUESTIONS: csv_text(pd.concat(compared, ignore_index=True)).encode(),
        LEADERBOARD: csv_text(scores(board, _code(runs, cells))).encode(),
        SCRIPT: resources.files(__package__).joinpath("page", SCRIPT).read_bytes(),
    }


def _code(runs: Sequence[Results], cells: pd.DataFrame) -> dict[str, str]:
    """Return the hash of the code of each method, by its label."""
    specs = {name: spec for run in runs for name, spec in run.by_name.items()}
    named = cells.drop_duplicates("method").set_index("method")["method_name"]
    return {str(label): code_hash(specs[name].estimator) for label, name in named.items() if name in specs}


def scores(board: Sequence[Judged], code: Mapping[str, str]) -> pd.DataFrame:
    """Return a row for each question and method: the columns of the tables of the questions, and the code's hash."""
    parts = []
    for judged in board:
        if shown := table("", judged):
            own = table_frame(shown).drop(columns=[one.name for one in judged.question.beside])
            about = {"question": judged.question.name, "sources_needed": judged.verdicts.needed}
            parts.append(own.assign(**about, code=own["method"].map(code)))
    whole = pd.concat(parts, ignore_index=True).astype({"tier": "Int64"})
    return whole.set_index("question").reset_index()


def _listed(values: object) -> str:
    return " ".join(map(str, values)) if isinstance(values, tuple | list) else ""


def source() -> str:
    """Return the version of the package."""
    return f"spcabench {version('spcabench')}"

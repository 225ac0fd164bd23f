"""Several runs of one suite become one: of each cell the newest record counts, and what does not agree is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from spcabench.report.eligibility import WAITING
from spcabench.report.model import Results
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.status import FINISHED

CELL = ["suite_dataset", "n_components", "n_nonzero", "method", "start", "seed"]
"""What makes two records those of one cell."""


class Folders(RunFolder):
    """The folder of the newest run, which finds the draws of the other runs, too."""

    def __init__(self, newest: RunFolder, others: Sequence[RunFolder]) -> None:
        super().__init__(newest.path)
        self._others = others

    def draw_record(self, draw_id: str) -> DrawRecord | None:
        """Return what is known of a draw, or None."""
        known = super().draw_record(draw_id)
        return known or next(filter(None, (other.draw_record(draw_id) for other in self._others)), None)


def merged(runs: Sequence[Results]) -> tuple[list[Results], list[str]]:
    """Merge the runs that are of one suite, at one scale.

    Parameters
    ----------
    runs : sequence of Results
        Any runs; those of different suites, or scales, stay apart.

    Returns
    -------
    list of Results
        One of each suite, with the newest record of each cell.
    list of str
        Sentences on what does not agree between the runs that were merged.
    """
    by_suite: dict[tuple[str, str], list[Results]] = {(one.suite.name, one.scale): [] for one in runs}
    for results in sorted(
        runs, key=lambda one: max((str(time) for time in one.frame["fitted_at"] if time), default="")
    ):
        by_suite[results.suite.name, results.scale].append(results)
    conflicts: list[str] = []
    return [_merged(some, conflicts) for some in by_suite.values()], conflicts


def _merged(runs: Sequence[Results], conflicts: list[str]) -> Results:
    """Merge runs of one suite, the newest one last."""
    newest = runs[-1]
    if len(runs) == 1:
        return newest
    frame = pd.concat([run.frame.assign(run=place) for place, run in enumerate(runs)], ignore_index=True)
    frame["is open"] = frame["status"].isin(WAITING)
    ordered = frame.sort_values(["is open", "fitted_at", "run"], ascending=[False, True, True], kind="stable")
    kept = ordered.drop_duplicates(CELL, keep="last")
    draws = kept.sort_values("fitted_at").groupby(["suite_dataset", "seed"])["draw_id"].transform("last")
    drawn_alike = kept["draw_id"] == draws.reindex(kept.index)  # a record of an older draw does not count
    conflicts += _about_runs(runs)
    conflicts += _about_draws(runs, kept.loc[~drawn_alike, "suite_dataset"].unique())
    conflicts += _about_cells(newest, frame[frame["status"].isin(FINISHED)])
    kept = kept[drawn_alike].sort_index().drop(columns=["run", "is open"]).reset_index(drop=True)
    folder = Folders(newest.folder, [run.folder for run in reversed(runs[:-1])])
    by_name = {name: spec for run in runs for name, spec in run.by_name.items()}
    return replace(newest, frame=kept, folder=folder, by_name=by_name)


def _about_runs(runs: Sequence[Results]) -> Iterator[str]:
    names = [run.folder.path.name for run in runs]
    merged = f"Runs of the suite {runs[-1].suite.name} are merged: {', then '.join(names)}."
    yield f"{merged}  Of each cell the newest record counts."
    if len({run.folder.suite_text() for run in runs}) > 1:
        yield f"Their suites differ; tracks and metrics are those of the newest run, {names[-1]}."
    machines = list(dict.fromkeys(str(run.about.get("CPU", "")) for run in runs))
    if len(machines) > 1:
        yield f"They are of different machines ({', '.join(machines)}): times cannot be compared between them."


def _about_draws(runs: Sequence[Results], changed: Iterable[str]) -> Iterator[str]:
    for dataset in changed:
        yield f"The data set {dataset} is not drawn alike in all of them: only records of its newest draws count."
    drawn = [dict(run.draws()) for run in runs]
    for dataset in dict.fromkeys(name for known in drawn for name in known):
        found = [known[dataset] for known in drawn if known.get(dataset)]
        if len({one["fingerprint"] for one in found if one["id"] == found[-1]["id"]}) > 1:
            yield f"The data of {dataset} have different fingerprints: its numbers are not of the same data."


def _about_cells(newest: Results, done: pd.DataFrame) -> Iterator[str]:
    """Say in how many cells of several records these are of different programs, or do not agree."""
    several = done[done.duplicated(CELL, keep=False)]
    if several.empty:
        return
    groups = several.groupby(CELL, sort=False)
    apart = pd.Series(False, groups.size().index)
    for column in {newest.column(track.metric) for track in newest.suite.tracks}:
        if column.unit != "s" and column.name in several:
            span = groups[column.name].max() - groups[column.name].min()
            apart |= span > newest.metrics[column.metric].margin
    yield (
        f"{groups.ngroups} cells finished in more than one of them; in {int((groups['key'].nunique() > 1).sum())} the "
        f"method or its parameters changed (the keys of the records differ), and in {int(apart.sum())} a score differs "
        "by more than its margin."
    )

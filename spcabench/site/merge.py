"""Several runs of one suite become one: of each cell the newest record counts, and what does not agree is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from spcabench.report.eligibility import WAITING
from spcabench.report.model import Results
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.status import FINISHED

CELL = ["suite_dataset", "n_components", "n_nonzero", "method", "start", "seed"]
"""What makes two records those of one cell."""

RUN, ROW = "run of the record", "row"


@dataclass(frozen=True)
class Merged:
    """Runs, one of each suite.

    Parameters
    ----------
    runs : tuple of Results
        With the newest record of each cell.
    conflicts : tuple of str
        Sentences on what does not agree between the runs that were merged.
    """

    runs: tuple[Results, ...]
    conflicts: tuple[str, ...]


class Folders(RunFolder):
    """The folder of the newest run, which finds the draws of the other runs, too."""

    def __init__(self, newest: RunFolder, others: Sequence[RunFolder]) -> None:
        super().__init__(newest.path)
        self._others = others

    def draw_record(self, draw_id: str) -> DrawRecord | None:
        """Return what is known of a draw, or None."""
        known = super().draw_record(draw_id)
        return known or next(filter(None, (other.draw_record(draw_id) for other in self._others)), None)


def merged(runs: Sequence[Results]) -> Merged:
    """Merge the runs that are of one suite, at one scale.

    Parameters
    ----------
    runs : sequence of Results
        Any runs; those of different suites, or scales, stay apart.
    """
    by_suite: dict[tuple[str, str], list[Results]] = {}
    for results in runs:
        by_suite.setdefault((results.suite.name, results.scale), []).append(results)
    found, conflicts = [], []
    for several in by_suite.values():
        whole, said = _merged(sorted(several, key=_last_day))
        found.append(whole)
        conflicts.extend(said)
    return Merged(tuple(found), tuple(conflicts))


def _last_day(results: Results) -> str:
    return max((str(time) for time in results.frame["fitted_at"] if time), default="")


def _merged(runs: Sequence[Results]) -> tuple[Results, list[str]]:
    """Merge runs of one suite, the newest one last."""
    newest = runs[-1]
    if len(runs) == 1:
        return newest, []
    frame = pd.concat([run.frame.assign(**{RUN: place}) for place, run in enumerate(runs)], ignore_index=True)
    frame[ROW] = frame.index
    frame["is open"] = frame["status"].isin(WAITING)
    ordered = frame.sort_values(["is open", "fitted_at", RUN], ascending=[False, True, True], kind="stable")
    kept = ordered.drop_duplicates(CELL, keep="last")
    kept, drawn_anew = _of_newest_draws(kept)
    said = [*_about_runs(runs), *_about_draws(runs, drawn_anew), *_about_cells(runs, frame, kept)]
    kept = kept.sort_values(ROW).drop(columns=[RUN, ROW, "is open"]).reset_index(drop=True)
    folder = Folders(newest.folder, [run.folder for run in reversed(runs[:-1])])
    by_name = {name: spec for run in runs for name, spec in run.by_name.items()}
    return replace(newest, frame=kept, folder=folder, by_name=by_name), said


def _of_newest_draws(kept: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Leave out the records of older draws where a data set was changed; return it with the data sets that were."""
    newest = kept.sort_values("fitted_at").groupby(["suite_dataset", "seed"])["draw_id"].last()
    there = pd.MultiIndex.from_frame(kept[["suite_dataset", "seed"]])
    same = kept["draw_id"].to_numpy() == newest.reindex(there).to_numpy()
    return kept[same], list(dict.fromkeys(map(str, kept.loc[~same, "suite_dataset"])))


def _about_runs(runs: Sequence[Results]) -> Iterator[str]:
    names = _names(runs)
    yield f"Runs of the suite {runs[-1].suite.name} are merged: {names}.  Of each cell the newest record counts."
    if len({run.folder.suite_text() for run in runs}) > 1:
        yield f"Their suites differ; tracks and metrics are those of the newest run, {_name(runs[-1])}."
    machines = list(dict.fromkeys(str(run.about.get("CPU", "")) for run in runs))
    if len(machines) > 1:
        yield f"They are of different machines ({', '.join(machines)}): times cannot be compared between them."


def _about_draws(runs: Sequence[Results], changed: Sequence[str]) -> Iterator[str]:
    for dataset in changed:
        yield f"The data set {dataset} is not drawn alike in all of them: only records of its newest draws count."
    drawn = [dict(run.draws()) for run in runs]
    for dataset in dict.fromkeys(name for known in drawn for name in known):
        found = [known[dataset] for known in drawn if known.get(dataset)]
        if len({one["fingerprint"] for one in found if one["id"] == found[-1]["id"]}) > 1:
            yield f"The data of {dataset} have different fingerprints: its numbers are not of the same data."


def _about_cells(runs: Sequence[Results], frame: pd.DataFrame, kept: pd.DataFrame) -> Iterator[str]:
    """Say in how many cells of several records these are of different programs, or do not agree."""
    done = frame[frame["status"].isin(FINISHED)]
    several = done[done.duplicated(CELL, keep=False)]
    if several.empty:
        return
    groups = several.groupby(CELL, sort=False)
    n, programs = groups.ngroups, int((groups["key"].nunique() > 1).sum())
    apart = np.zeros(n, dtype=bool)
    newest = runs[-1]
    for column in {newest.column(track.metric) for track in newest.suite.tracks}:
        if column.unit != "s" and column.name in several:
            margin = newest.metrics[column.metric].margin
            apart |= (groups[column.name].max() - groups[column.name].min()).to_numpy() > margin
    yield (
        f"{n} cells finished in more than one of them; in {programs} the method or its parameters changed (the keys "
        f"of the records differ), and in {int(apart.sum())} a score differs by more than its margin."
    )


def _names(runs: Sequence[Results]) -> str:
    return ", then ".join(map(_name, runs))


def _name(run: Results) -> str:
    return run.folder.path.name

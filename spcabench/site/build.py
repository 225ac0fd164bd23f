"""Write the site of some runs: pages, and files to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path

from spcabench.calibrate import search_penalty
from spcabench.report import tasks
from spcabench.report.model import Results
from spcabench.report.tables import TABLES
from spcabench.report.tasks import Task
from spcabench.site import (
    board_page,
    dataset_page,
    method_page,
    presets,
    run_page,
    scores,
    small_table,
)
from spcabench.site.pages import Page, Places, file_name, renderer
from spcabench.specs import DatasetSpec
from spcabench.store.files import write_bytes
from spcabench.wording import InputError

TITLE, KIND = "Leaderboard of sparse PCA", "spcabench leaderboard"
ADDING, MAKING = "adding.html", "making.html"

REPORTED = ("main", "winners", "best_known", "several", "timing", "unconverged", "unfinished")
"""Tables of the reports, each of whose rows stands on the page of its method or data set, too."""

MOST_FITS: int = signature(search_penalty).parameters["max_fits"].default


@dataclass(frozen=True)
class Site:
    """A site: its pages, and the files beside them.

    Parameters
    ----------
    pages : tuple of Page
        The front page first.
    places : Places
        Where they are.
    files : mapping of str to bytes
        Files to download, by their place.
    words : mapping of str to object
        What the static pages name.
    """

    pages: tuple[Page, ...]
    places: Places
    files: Mapping[str, bytes]
    words: Mapping[str, object]


def site(runs: Sequence[Results], specs: Mapping[str, DatasetSpec], simple: str = "", dense: str = "") -> Site:
    """Return the site of some runs.

    Parameters
    ----------
    runs : sequence of Results
        Whose suites have tracks, or some of them; no two of one suite at one scale.
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    simple, dense : str
        The labels of the controls; see `scores.controls_of`.

    Raises
    ------
    InputError
        If there is nothing to rank, two runs have one name or one suite, or the controls are not there.
    """
    names = [results.folder.path.name for results in runs]
    if len(set(names)) < len(names):
        raise InputError("two runs have folders of one name, so their pages would be one: rename a folder")
    if len({(run.suite.name, run.scale) for run in runs}) < len(runs):
        raise InputError(
            "two runs are of one suite at one scale, so each cell would count twice: give the newer one; a method that "
            "was run elsewhere is added by spcabench submission merge"
        )
    found = [task for results in runs for task in tasks.tasks(results)]
    if not found:
        raise InputError(
            "no run has results in a track: a suite with the key tracks, such as leaderboard, has some when it is run"
        )
    finished = [task for task in found if not task.open] or found
    controls = scores.controls_of(runs, simple, dense)
    boards = list(presets.presets(runs, finished, controls))
    places = {
        "board": {preset.title: f"{preset.name}.html" for preset in boards},
        "static": {"How to add a method": ADDING, "How the numbers are made": MAKING},
        "method": {row.method: f"methods/{file_name(row.method)}.html" for row in boards[0].board.rows},
        "data set": {task.dataset: f"datasets/{file_name(task.dataset)}.html" for task in found},
        "run": {name: f"runs/{file_name(name)}/index.html" for name in names},
    }

    def pages() -> Iterator[Page]:
        board, waiting = boards[0].board, left_out(found)
        made_from, shown = run_page.runs_table(runs), board_page.table_of(board)
        reported = {name: [table for run in runs if (table := TABLES[name](run))] for name in REPORTED}
        for preset in boards:
            yield board_page.page(preset, TITLE, made_from, waiting)
        for label, path in places["method"].items():
            yield method_page.page(label, path, board, shown, runs, reported)
        for label, path in places["data set"].items():
            yield dataset_page.page(label, path, found, runs, reported, specs)
        yield from (run_page.page(run, places["run"][run.folder.path.name]) for run in runs)
        easy = "A method is a class with fit and components_; one file makes it a row of this page."
        yield Page(ADDING, KIND, "How to add a method", easy, template="adding")
        from_records = "Each number comes from the records of the runs; nothing is fitted for the page."
        yield Page(MAKING, KIND, "How the numbers are made", from_records, template="making")

    files = {small_table.FILE: small_table.text(boards, runs, small_table.source()).encode()}
    for run in runs:
        files |= run_page.files(run, places["run"][run.folder.path.name])
    words = {"controls": controls, "suite": runs[0].suite.name, "scores": scores, "presets": presets, "tasks": tasks}
    return Site(tuple(pages()), places, files, words | {"most_fits": MOST_FITS})


def left_out(found: Sequence[Task]) -> str:
    """Say which data sets do not count yet, if any."""
    waiting = list(dict.fromkeys(task.dataset for task in found if task.open))
    if not waiting:
        return ""
    if all(task.open for task in found):
        return "No data set is finished yet: all numbers are of the cells that are."
    return f"Not finished yet, and so not counted: {', '.join(waiting)}."


def write(made: Site, output: Path, about: str) -> Path:
    """Write a site into a folder, and return its front page.

    Parameters
    ----------
    made : Site
        The site.
    output : Path
        The folder; it is made if need be, and other files in it stay.
    about : str
        When the site was made, and with what: the foot of each page.

    Raises
    ------
    Unwritable
        If there is no room, or no right.
    """
    html = renderer(made.places, TITLE, about, made.words)
    for name, content in made.files.items():
        write_bytes(output / name, content)
    for page in made.pages:
        write_bytes(output / page.path, html(page).encode())
    return output / made.pages[0].path

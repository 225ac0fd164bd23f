"""Write the site of some runs: pages, and files to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from inspect import signature
from io import BytesIO
from pathlib import Path

import pandas as pd

from spcabench.calibrate import search_penalty
from spcabench.report.model import Results
from spcabench.report.questions import cells, questions
from spcabench.report.standings import judged
from spcabench.report.tables import TABLES
from spcabench.site import board_page
from spcabench.site.files import CELLS, LEADERBOARD, files, source
from spcabench.site.pages import Page, Places, file_name, renderer
from spcabench.site.subjects import REPORT, dataset_page, method_page, run_files, run_folder, runs_table
from spcabench.specs import DatasetSpec
from spcabench.store.files import write_bytes
from spcabench.suite.models import TRACKS
from spcabench.wording import InputError

TITLE, KIND = "Leaderboard of sparse PCA", board_page.KIND
ADDING, MAKING, CHANGES = "adding.html", "making.html", "changes.html"

REPORTED = ("main", "winners", "timing", "unfinished")
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


def site(runs: Sequence[Results], specs: Mapping[str, DatasetSpec], earlier: pd.DataFrame | None = None) -> Site:
    """Return the site of some runs.

    Parameters
    ----------
    runs : sequence of Results
        Whose suites have tracks, or some of them; no two of one suite at one scale.
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    earlier : DataFrame, optional
        The scores of an earlier site, which a page sets beside these.

    Raises
    ------
    InputError
        If there is nothing to rank, two runs have one name or one suite, or the earlier scores lack a column.
    """
    names = [results.folder.path.name for results in runs]
    if len(set(names)) < len(names):
        raise InputError("two runs have folders of one name, so their pages would be one: rename a folder")
    if len({(run.suite.name, run.about.scale) for run in runs}) < len(runs):
        raise InputError(
            "two runs are of one suite at one scale, so each cell would count twice: give the newer one; a method that "
            "was run elsewhere is added by spcabench submission merge"
        )
    board = judged(questions(runs))
    if not any(one.verdicts.contest.methods for one in board):
        raise InputError(
            "no run has results in a track: a suite with the key tracks, such as leaderboard, has some when data sets "
            "are finished"
        )
    every = pd.concat([cells(run) for run in runs], ignore_index=True)
    beside = files(board, runs, every)
    for run in runs:
        beside |= run_files(run)
    reports = {run.folder.path.name: f"{run_folder(run)}/{REPORT}" for run in runs}
    asked = [one.question for one in board]
    methods = dict.fromkeys(label for one in asked for label in one.cells["method"])
    datasets = dict.fromkeys(label for one in asked for label in one.cells["dataset"])
    places = {
        "board": {"all": "index.html"},
        "question": {str(one.name): board_page.question_path(one.name) for one in asked},
        "static": {"How to add a method": ADDING, "How the numbers are made": MAKING},
        "method": {label: f"methods/{file_name(label)}.html" for label in methods},
        "data set": {label: f"datasets/{file_name(label)}.html" for label in datasets},
        "report": {name: path for name, path in reports.items() if path in beside},
    }
    if earlier is not None:
        places["static"]["What changed"] = CHANGES
    waiting = list(dict.fromkeys(label for one in asked for label in one.waiting))
    left_out = f"Not finished yet, and so not counted: {', '.join(waiting)}." if waiting else ""
    cite = f"Cite as: {TITLE}, {source()}; cells with SHA-256 {sha256(beside[CELLS]).hexdigest()}."

    def pages() -> Iterator[Page]:
        reported = {name: [table for run in runs if (table := TABLES[name](run))] for name in REPORTED}
        yield board_page.front(board, every, TITLE, runs_table(runs), left_out, cite)
        yield from map(board_page.question_page, board)
        for label, path in places["method"].items():
            yield method_page(label, path, board, runs, reported)
        for label, path in places["data set"].items():
            yield dataset_page(label, path, runs, reported, specs)
        easy = "A method is a class with fit and components_; one file makes it a row of this page."
        yield Page(ADDING, KIND, "How to add a method", easy, template="adding")
        from_records = "Each number comes from the records of the runs; nothing is fitted for the page."
        yield Page(MAKING, KIND, "How the numbers are made", from_records, template="making")
        if earlier is not None:
            yield board_page.changes_page(CHANGES, earlier, pd.read_csv(BytesIO(beside[LEADERBOARD])))

    words = {"suite": runs[0].suite.name, "tracks": TRACKS, "most_fits": MOST_FITS}
    return Site(tuple(pages()), places, beside, words)


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

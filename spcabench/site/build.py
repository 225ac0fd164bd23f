"""Write the site of some runs: pages, and files to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spcabench.report.export import EXPORTS, table_text
from spcabench.report.model import Results
from spcabench.site import (
    board_page,
    certainty,
    dataset_page,
    method_page,
    presets,
    run_page,
    scores,
    small_table,
    tasks,
)
from spcabench.site.convergence import endings
from spcabench.site.merge import Merged, merged
from spcabench.site.pages import Page, Places, file_name, renderer
from spcabench.site.presets import Preset
from spcabench.site.ranks import meetings
from spcabench.site.tasks import Task
from spcabench.specs import DatasetSpec
from spcabench.store.files import write_bytes
from spcabench.wording import InputError

TITLE, KIND = "Leaderboard of sparse PCA", "spcabench leaderboard"
CERTAIN, ADDING, MAKING = "certainty.html", "adding.html", "making.html"
COPIED = ("tables", "figures")
"""Folders of a run that its page needs."""


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
        Whose suites have tracks, or some of them; those of one suite are merged (`spcabench.site.merge`).
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    simple, dense : str
        The labels of the controls; see `scores.controls_of`.

    Raises
    ------
    InputError
        If there is nothing to rank, two runs have one name, or the controls are not there.
    """
    names = [results.folder.path.name for results in runs]
    if len(set(names)) < len(names):
        raise InputError("two runs have folders of one name, so their pages would be one: rename a folder")
    whole = merged(runs)
    found = [task for results in whole.runs for task in tasks.tasks(results)]
    if not found:
        raise InputError(
            "no run has results in a track: a suite with the key tracks, such as leaderboard, has some when it is run"
        )
    finished = [task for task in found if not task.open] or found
    controls = scores.controls_of(whole.runs, simple, dense)
    boards = list(presets.presets(whole.runs, finished, controls))
    places = Places(
        {row.method: f"methods/{file_name(row.method)}.html" for row in boards[0].board.rows},
        {task.dataset: f"datasets/{file_name(task.dataset)}.html" for task in found},
        {name: f"runs/{file_name(name)}/index.html" for name in names},
        {preset.title: f"{preset.name}.html" for preset in boards},
        {"What is certain": CERTAIN, "How to add a method": ADDING, "How the numbers are made": MAKING},
    )
    pages = tuple(_pages(runs, whole, found, boards, places, specs))
    words = {"controls": controls, "suite": runs[0].suite.name, "scores": scores, "presets": presets, "tasks": tasks}
    return Site(pages, places, dict(_files(runs, boards, places)), words)


def _pages(
    runs: Sequence[Results],
    whole: Merged,
    found: Sequence[Task],
    boards: Sequence[Preset],
    places: Places,
    specs: Mapping[str, DatasetSpec],
) -> Iterator[Page]:
    made_from, waiting = run_page.runs_table(runs), left_out(found)
    yield from (board_page.page(preset, TITLE, made_from, whole.conflicts, waiting) for preset in boards)
    board, reported = boards[0].board, dataset_page.reported_by(whole.runs)
    met, ended = meetings(board.tasks), endings(whole.runs)
    for label, path in places.methods.items():
        yield method_page.page(label, path, board, runs, reported["main"], met.get(label, ()), ended)
    for label, path in places.datasets.items():
        yield dataset_page.page(label, path, found, whole.runs, reported, specs)
    yield from (run_page.page(results, places.runs[results.folder.path.name]) for results in runs)
    yield certainty.page(CERTAIN, board, whole.runs)
    easy = "A method is a class with fit and components_; one file makes it a row of this page."
    yield Page(ADDING, KIND, "How to add a method", easy, (), "adding")
    from_records = "Each number comes from the records of the runs; nothing is fitted for the page."
    yield Page(MAKING, KIND, "How the numbers are made", from_records, (), "making")


def left_out(found: Sequence[Task]) -> str:
    """Say which data sets do not count yet, if any."""
    waiting = list(dict.fromkeys(task.dataset for task in found if task.open))
    if not waiting:
        return ""
    if all(task.open for task in found):
        return "No data set is finished yet: all numbers are of the cells that are."
    return f"Not finished yet, and so not counted: {', '.join(waiting)}."


def _files(runs: Sequence[Results], boards: Sequence[Preset], places: Places) -> Iterator[tuple[str, bytes]]:
    for preset in boards:
        yield f"{preset.name}.csv", table_text(board_page.table_of(preset.board)).encode()
    yield small_table.FILE, small_table.text(boards, runs, small_table.source()).encode()
    for results in runs:
        run = results.folder.path
        folder = places.runs[run.name].rpartition("/")[0]
        yield f"{folder}/{run_page.RECORDS}", EXPORTS["csv"](results)
        pages = [run / name for name in run_page.REPORT]
        beside = [file for name in COPIED for file in sorted((run / name).glob("*"))]
        for file in (*pages, *beside):
            if file.is_file() and not file.is_symlink():
                yield f"{folder}/{file.relative_to(run).as_posix()}", file.read_bytes()


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

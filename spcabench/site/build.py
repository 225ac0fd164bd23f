"""Write the site of some runs: pages, and files to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spcabench.report.export import EXPORTS
from spcabench.report.model import Results
from spcabench.report.render.csv import table_text
from spcabench.site import board_page, certainty, dataset_page, method_page, run_page, small_table, words
from spcabench.site.controls import controls_of
from spcabench.site.convergence import endings
from spcabench.site.dataset_page import Reported
from spcabench.site.meetings import meetings
from spcabench.site.merge import Merged, merged
from spcabench.site.pages import Page, Places, file_name
from spcabench.site.presets import Preset, presets
from spcabench.site.render import renderer
from spcabench.site.source import source
from spcabench.site.tasks import Task, tasks
from spcabench.specs import DatasetSpec
from spcabench.store.files import write_bytes
from spcabench.wording import InputError

TITLE = "Leaderboard of sparse PCA"
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
    """

    pages: tuple[Page, ...]
    places: Places
    files: Mapping[str, bytes]


def site(runs: Sequence[Results], specs: Mapping[str, DatasetSpec], simple: str = "", dense: str = "") -> Site:
    """Return the site of some runs.

    Parameters
    ----------
    runs : sequence of Results
        Whose suites have tracks, or some of them; those of one suite are merged (`spcabench.site.merge`).
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    simple, dense : str
        The labels of the controls; see `controls_of`.

    Raises
    ------
    InputError
        If there is nothing to rank, two runs have one name, or the controls are not there.
    """
    names = [results.folder.path.name for results in runs]
    if len(set(names)) < len(names):
        raise InputError("two runs have folders of one name, so their pages would be one: rename a folder")
    whole = merged(runs)
    found = [task for results in whole.runs for task in tasks(results)]
    if not found:
        raise InputError(
            "no run has results in a track: a suite with the key tracks, such as leaderboard, has some when it is run"
        )
    finished = [task for task in found if not task.open] or found
    boards = list(presets(whole.runs, finished, controls_of(whole.runs, simple, dense)))
    places = _places(boards, found, names)
    pages = tuple(_pages(runs, whole, found, boards, places, specs))
    return Site(pages, places, dict(_files(runs, boards, places)))


def _places(boards: Sequence[Preset], found: Sequence[Task], runs: Sequence[str]) -> Places:
    datasets = dict.fromkeys(task.dataset for task in found)
    return Places(
        {row.method: f"methods/{file_name(row.method)}.html" for row in boards[0].board.rows},
        {label: f"datasets/{file_name(label)}.html" for label in datasets},
        {name: f"runs/{file_name(name)}/index.html" for name in runs},
        {preset.title: f"{preset.name}.html" for preset in boards},
        {"What is certain": CERTAIN, "How to add a method": ADDING, "How the numbers are made": MAKING},
    )


def _pages(
    runs: Sequence[Results],
    whole: Merged,
    found: Sequence[Task],
    boards: Sequence[Preset],
    places: Places,
    specs: Mapping[str, DatasetSpec],
) -> Iterator[Page]:
    made_from = board_page.MadeFrom(run_page.table(runs), whole.conflicts, left_out(found))
    yield from (board_page.page(preset, TITLE, made_from) for preset in boards)
    board, reported = boards[0].board, Reported.of(whole.runs)
    met, ended = meetings(board.tasks), endings(whole.runs)
    for label, path in places.methods.items():
        yield method_page.page(label, path, board, runs, reported.main, met.get(label, ()), ended)
    for label, path in places.datasets.items():
        yield dataset_page.page(label, path, found, whole.runs, reported, specs)
    yield from (run_page.page(results, places.runs[results.folder.path.name]) for results in runs)
    yield certainty.page(CERTAIN, board, whole.runs)
    yield words.adding(ADDING, runs[0].suite.name)
    yield words.making(MAKING, board)


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
        if table := board_page.table(preset.board):
            yield f"{preset.name}.csv", table_text(table).encode()
    yield small_table.FILE, small_table.text(boards, runs, source()).encode()
    for results in runs:
        folder = places.runs[results.folder.path.name].rpartition("/")[0]
        yield f"{folder}/{run_page.RECORDS}", EXPORTS["csv"](results)
        for file in _report(results.folder.path):
            yield f"{folder}/{file.relative_to(results.folder.path).as_posix()}", file.read_bytes()


def _report(folder: Path) -> Iterator[Path]:
    """Yield the files of a run's report."""
    pages = [folder / name for name in run_page.REPORT]
    beside = [file for name in COPIED for file in sorted((folder / name).glob("*"))]
    yield from (file for file in (*pages, *beside) if file.is_file() and not file.is_symlink())


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
    html = renderer(made.places, TITLE, about)
    for name, content in made.files.items():
        write_bytes(output / name, content)
    for page in made.pages:
        write_bytes(output / page.path, html(page).encode())
    return output / made.pages[0].path

"""What a run of many cells costs when it is looked at again; ``pytest tests/perf/test_sizes.py`` shows it."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "run"))
from many_cells import ODD, many_cells, planned

from spcabench.plugins import load_registry
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame

pytestmark = pytest.mark.benchmark(group="sizes")

CELLS = 20_000
MANY = 1_000_000


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a finished run of many cells, with its suite."""
    place = tmp_path_factory.mktemp("many")
    folder = many_cells(place, CELLS)
    return planned(place, CELLS)[0], folder.path


def test_resume(benchmark, finished):
    """A run that finds nothing to do, from its planned cells on."""
    loaded, path = finished
    registry, said = load_registry([ODD]), []
    options = Options(plugins=[ODD])
    benchmark.pedantic(
        lambda: run(loaded.suite, loaded.plan, registry, RunFolder(path), options, said.append),
        rounds=3,
        warmup_rounds=1,
    )
    assert f"{CELLS} of {CELLS} cells are done already" in said[-1].text


def test_status(benchmark, finished):
    loaded, path = finished
    found = benchmark.pedantic(lambda: list(RunFolder(path).summaries_of(loaded.plan)), rounds=3)
    assert all(summary.status == "ok" for _, summary in found)


def test_frame(benchmark, finished):
    loaded, path = finished
    frame = benchmark.pedantic(lambda: results_frame(RunFolder(path), loaded.plan), rounds=1)
    assert (frame.status == "ok").all()


def test_commit(benchmark, finished, tmp_path):
    """A record and its loadings, each in a transaction of its own."""
    folder = RunFolder(finished[1])
    record = next(folder.records())
    loadings, mine = folder.loadings(record.key), RunFolder(tmp_path)
    keys = iter(range(10**9))
    benchmark(lambda: mine.save(replace(record, key=str(next(keys))), loadings))


def test_the_look_up_of_a_million_records(benchmark, tmp_path):
    folder = RunFolder(tmp_path)
    body = '{"key":"","cell":{},"status":"error","reason":"' + 800 * "." + '"}'
    rows = ((f"{n:020d}", "ok", "", "0" * 20, "0.01", 0, 0, 0, body) for n in range(MANY))
    folder._database.write((f"INSERT INTO records VALUES ({', '.join('?' * 9)})", rows))
    folder.keep_index({f"cell{n:016d}": f"{n:020d}" for n in range(MANY)})
    folder.close()

    def look():
        found = RunFolder(tmp_path)
        return found.summaries(), found.index

    summaries, index = benchmark.pedantic(look, rounds=3)
    assert len(summaries) == len(index) == MANY

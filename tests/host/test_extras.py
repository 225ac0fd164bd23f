"""What needs an extra says which; the rest works without; the lowest versions are those of pyproject.toml."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import spcabench_methods
from spcabench_datasets.files import load_file

import spcabench
from spcabench.report.figures import lacking

ROOT = Path(__file__).parents[2]
LIGHT = ("altair", "vl_convert", "distributed", "dask", "pyarrow", "openpyxl", "pytest_benchmark")
"""What the extras bring."""
BLOCKED = f"import sys; sys.modules.update(dict.fromkeys({LIGHT}))\n"
RUN = "sys.argv = ['spcabench', 'run', 'suite.yaml', '-o', 'run']; from spcabench.cli import main; main()"
TRY = "sys.modules.pop('pyarrow'); " + RUN.replace("'run', 'suite.yaml'", "'try', 'wine'")


@pytest.fixture
def without(monkeypatch):
    """Return a function that makes modules look as if they were not installed."""

    def remove(*names):
        for name in names:
            monkeypatch.setitem(sys.modules, name, None)

    return remove


def test_what_draws_is_asked_for_by_name(without):
    assert not lacking()
    without("vl_convert")
    assert lacking().endswith("pip install 'spcabench[report]'")


def test_a_drawn_path_names_the_extra(without):
    X = np.random.default_rng(0).standard_normal((20, 4))
    path = spcabench_methods.COPPCA(1).fit(X).path_[0]
    without("altair")
    with pytest.raises(ImportError, match=re.escape("pip install 'spcabench[report]'")):
        path.plot()


def test_parquet_names_the_extra(without, tmp_path):
    (tmp_path / "data.parquet").write_bytes(b"")
    without("pyarrow")
    with pytest.raises(spcabench.DataUnavailable, match=re.escape("pip install 'spcabench[parquet]'")):
        load_file(np.random.default_rng(0), str(tmp_path / "data.parquet"))


@pytest.mark.nightly
@pytest.mark.parametrize("words", [RUN, TRY], ids=["run", "try"])
def test_without_extras_there_are_tables_and_pages(suite_file, place, words):
    suite_file(report={})
    path = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED + words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    needed = "figures take vl-convert: pip install"
    assert f"no figure is drawn: {needed} 'spcabench[report]'" in ended.stderr
    assert not (place / "run" / "figures").exists()
    assert f"Not drawn: {needed}" in (place / "run" / "report.md").read_text(encoding="utf-8")
    assert "take vl-convert" in (place / "run" / "report.html").read_text(encoding="utf-8")
    assert list((place / "run" / "tables").glob("*.tex"))


def test_the_lowest_versions_are_those_that_are_declared():
    """tests/lowest.txt is what a job of the workflow tests with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = [
        *project["dependencies"],
        *(need for name in ("report", "dask", "parquet", "xlsx", "test") for need in extras[name]),
    ]
    lowest = {tuple(need.split(">=")) for need in declared if not need.startswith("spcabench[")}
    lines = (ROOT / "tests" / "lowest.txt").read_text(encoding="utf-8").splitlines()
    assert {tuple(line.split("==")) for line in lines if not line.startswith("#")} == lowest

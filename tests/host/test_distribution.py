"""What a user installs: the wheel's contents, a run from it in a fresh environment, and what uninstalling leaves."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.parser import BytesParser
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LIBRARY = "plugins/spcabench_methods"
PACKAGES = {"spcabench", "spcabench_methods", "spcabench_datasets", "spcabench_peers"}
SUITE = """
name: small
datasets: [pitprops]
methods: [st]
n_components: 2
n_nonzero: [4]
metrics: [cpev]
"""


def said(*command, **options):
    """Run a command and return what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the source distribution, and the wheel from it alone."""
    folder = tmp_path_factory.mktemp("dist")
    said(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder), cwd=ROOT)
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    unpacked = folder / source.name.removesuffix(".tar.gz")
    said(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=unpacked)
    (wheel,) = folder.glob("*.whl")
    return unpacked, wheel


@pytest.mark.nightly
def test_the_wheel_holds_the_packages_and_nothing_else_and_the_source_what_tests_need(built):
    unpacked, wheel = built
    needed = {"CHANGELOG.md", "LICENSE", "README.md", "plugins", "pyproject.toml", "reports", "suites", "tests"}
    assert {path.name for path in unpacked.iterdir()} >= {*needed, "spcabench"}
    with zipfile.ZipFile(wheel) as archive:
        names = [Path(name) for name in archive.namelist()]
    assert wheel.name.endswith("-py3-none-any.whl")
    assert {name.parts[0] for name in names if not name.parts[0].endswith(".dist-info")} == PACKAGES
    kept = {str(name) for name in names}
    plugins = [f"plugins/{name}" for name in sorted(PACKAGES - {"spcabench"})]
    tracked = said("git", "ls-files", "spcabench", *plugins, f":!{LIBRARY}/pyproject.toml", cwd=ROOT)
    ours = {name.removeprefix("plugins/") for name in tracked.splitlines()}
    suites = {str(path.relative_to(ROOT)).replace("suites", "spcabench/_suites", 1) for path in ROOT.glob("suites/*")}
    assert {name for name in kept if Path(name).parts[0] in PACKAGES} == ours | suites


@pytest.mark.nightly
def test_the_library_is_a_wheel_of_its_own_from_the_same_files(tmp_path):
    said(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=ROOT / LIBRARY)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = BytesParser().parsebytes(archive.read(next(name for name in names if name.endswith("METADATA"))))
    tracked = said("git", "ls-files", LIBRARY, f":!{LIBRARY}/specs", f":!{LIBRARY}/pyproject.toml", cwd=ROOT)
    ours = {name.removeprefix("plugins/") for name in tracked.splitlines()}
    assert {name for name in names if ".dist-info/" not in name} == ours | {"spcabench_methods/LICENSE"}
    assert metadata["Version"] == version("spcabench")
    needed = [Requirement(line) for line in metadata.get_all("Requires-Dist")]
    whole = [Requirement(line) for line in requires("spcabench")]
    assert {need.name for need in needed} == {"numpy", "scipy", "scikit-learn", "numba"}
    assert all(need in whole for need in needed)  # the same oldest versions


@pytest.mark.weekly
def test_the_wheel_installs_runs_and_leaves_nothing(built, tmp_path):
    _, wheel = built
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    said(str(python), "-m", "pip", "install", "--no-deps", "--no-index", str(wheel))
    dependencies = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    other = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": dependencies,
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    suite = tmp_path / "small.yaml"
    suite.write_text(SUITE, encoding="utf-8")
    script = str(tmp_path / "env" / "bin" / "spcabench")
    where = said(str(python), "-c", "import spcabench; print(spcabench.__file__)", cwd=tmp_path, env=other)
    assert Path(where.strip()).is_relative_to(site)
    assert "1 cell: 1 ok." in said(script, "run", str(suite), cwd=tmp_path, env=other)
    assert "BASE" in said(f"{script}-perf", "compare", "--help", cwd=tmp_path, env=other)
    said(str(python), "-m", "pip", "uninstall", "-y", "spcabench")
    left = [path for name in PACKAGES for path in site.glob(f"{name}*")]
    assert left == []

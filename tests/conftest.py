"""What all tests share: a thread a process, the command line, a browser, and which tests begin."""

from __future__ import annotations

import os
import shutil
import sys

import pytest
import scipy.linalg  # noqa: F401  a limit holds for the libraries that are loaded
from threadpoolctl import threadpool_limits

LONGEST = ("submission", "run", "published", "host")
"""Folders whose tests take longest, and wait for processes while others may compute."""

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items):
    """Begin with the folders of the longest tests, so that no process of pytest-xdist waits for another at the end."""
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)


def pytest_xdist_auto_num_workers():
    """Begin one process more than there are cores: while some tests wait for programs, others compute."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Limit BLAS to one thread, as the workers of a run do: processes of pytest-xdist share the cores."""
    with threadpool_limits(1, user_api="blas"):
        yield


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def plugins_here():
    """Find the installed plugins, once; what takes `load_registry` by its name is imported before it is replaced."""
    from spcabench.api import comparing, running  # noqa: F401
    from spcabench.plugins import load_registry
    from spcabench.suite import making  # noqa: F401

    return load_registry()


@pytest.fixture
def command(request, monkeypatch, capfd):
    """Run the command line in this process, on the installed plugins as found once; return code, stdout and stderr."""
    from spcabench import cli, plugins

    load = plugins.load_registry
    if "installed" not in request.fixturenames:
        kept = request.getfixturevalue("plugins_here")
        monkeypatch.setattr(plugins, "load_registry", lambda files=(): load(files) if files else kept)

    def run(*args):
        monkeypatch.setattr(sys, "argv", ["spcabench", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capfd.readouterr()
        return ended.value.code, out, err

    return run


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Start Chromium without a window."""
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium or chromedriver is not installed: pages were not tried in a browser")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()

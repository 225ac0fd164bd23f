"""The code that a result depends on, read by several threads."""

from __future__ import annotations

import gc
import inspect
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from spcabench.run import host
from spcabench.run.code_hash import _imports


@pytest.fixture
def often_interrupted():
    """Let another thread go on whenever garbage is collected, which is often."""
    threshold = gc.get_threshold()

    def pause(*_):
        time.sleep(0.0)

    gc.callbacks.append(pause)
    gc.set_threshold(50)
    yield
    gc.set_threshold(*threshold)
    gc.callbacks.remove(pause)


@pytest.mark.usefixtures("often_interrupted")
def test_sources_are_parsed_by_several_threads():
    """Two Dask workers in threads of one process do; CPython 3.11 then raises SystemError unless they take turns."""
    source = inspect.getsource(host).encode()
    with ThreadPoolExecutor(4) as threads:
        named = list(threads.map(lambda _: _imports(source, "spcabench.run.host", False, "spcabench.run"), range(12)))
    assert all("spcabench.run.options" in names for names in named)

"""A machine without data, and addresses to fetch them from."""

import functools
import http.server
import threading

import pytest


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """Be on a machine without SPCABENCH_DATA, whose cache is empty."""
    monkeypatch.delenv("SPCABENCH_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def served(tmp_path):
    """Serve a folder; yield it and its address."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()

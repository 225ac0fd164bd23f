"""What names a Dask cluster, and what does not."""

import contextlib
import os
import re
import socket
import sys
import threading

import pytest

from spcabench.wording import InputError

pytest.importorskip("distributed", reason="takes pip install 'spcabench[dask]'")


@pytest.mark.nightly
def test_a_file_may_define_the_cluster(ran, place):
    file = place / "mine.py"
    file.write_text(
        "from distributed import LocalCluster\n"
        "cluster = LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)\n"
    )
    frame, _, _ = ran({"cluster": str(file)}, seeds=3)
    assert (frame.status == "ok").all()
    assert frame.contended.all()
    file.write_text("mine = None\n")
    with pytest.raises(InputError, match=r"mine.py: defines no 'cluster'"):
        ran({"cluster": str(file)})
    with pytest.raises(InputError, match=r"none.py: no such file"):
        ran({"cluster": "none.py"})


@pytest.mark.nightly
def test_what_is_no_address_is_said(ran):
    for where in ("foo", "tcp://foo", "mine.txt:cluster"):
        with pytest.raises(InputError, match=rf"--cluster {where}: no address; valid is tcp://HOST:PORT"):
            ran({"cluster": where})


@pytest.fixture
def mute():
    """Return the address of a port that takes what it is sent and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def another_tongue():
    """Return the address of a server that says something else than Dask does."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            with contextlib.suppress(OSError):  # the server was closed
                while True:
                    caller, _ = server.accept()
                    caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("who", ["nobody", "mute", "another_tongue"])
@pytest.mark.nightly
def test_what_is_no_scheduler_ends_in_one_line(who, request, cli, suite_file, place):
    (place / "sitecustomize.py").write_text("import spcabench.run.executors.dask_cluster as c\nc.PATIENCE = 0.5\n")
    where = "tcp://127.0.0.1:9" if who == "nobody" else request.getfixturevalue(who)
    path = os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")]))
    ended = cli("run", suite_file(), "-o", "out", "--cluster", where, PYTHONPATH=path)
    out, err = ended.communicate(timeout=60)
    assert (ended.returncode, out) == (2, "")
    planned, line = err.splitlines()
    assert planned.startswith("odd: ")
    assert line.startswith(f"error: {where}: no Dask scheduler answers: ")


@pytest.mark.nightly
def test_without_dask_it_says_what_to_install(ran, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=re.escape("pip install 'spcabench[dask]'")):
        ran({"cluster": "tcp://127.0.0.1:9"})

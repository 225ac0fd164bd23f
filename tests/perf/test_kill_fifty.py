"""SIGKILL the host at fifty random moments of one run; run by ``pytest tests/perf/test_kill_fifty.py``."""

import random
import signal
import sys
import time
from pathlib import Path

import psutil

sys.path.append(str(Path(__file__).parents[1] / "run"))
from after_runs import outlived, results
from conftest import cli, place, suite_file  # noqa: F401  (fixtures)

KILLS = 50


def test_fifty_kills_lose_nothing(cli, suite_file, place):  # noqa: F811
    pauses = [0.02 + 0.001 * step for step in range(20)]
    suite = suite_file(
        methods=[{"name": "axes", "params": {"pause": pauses}}], seeds=10, metrics=["cpev", "mean_nnz", "nor"]
    )
    whole = cli("run", suite, "-o", "whole")
    assert whole.wait(300) == 0, whole.stderr.read()
    moments, log = random.Random(0), place / "killed.log"
    records, loadings = place / "killed" / "records", place / "killed" / "loadings"
    kept, fitted = {}, 0
    for kill in range(KILLS):
        host = cli("run", suite, "-o", "killed", ODD_LOG=str(log))
        if moments.random() < 0.2:
            time.sleep(3 * moments.random())  # perhaps before the first fit
        else:
            wanted = fitted + moments.randint(1, 8)
            deadline = time.monotonic() + 60
            while host.poll() is None and (len(log.read_text().split()) if log.exists() else 0) < wanted:
                assert time.monotonic() < deadline
                time.sleep(0.002)
            time.sleep(0.06 * moments.random())
        family = psutil.Process(host.pid).children(recursive=True) if host.poll() is None else []
        host.send_signal(signal.SIGKILL)
        host.communicate()
        assert not outlived(family, 1), "a worker or the server outlived the host"
        now = {file.name: file.read_bytes() for file in records.glob("*.json")}
        assert {name: now.get(name) for name in kept} == kept, "a finished cell was lost or fitted again"
        assert {Path(name).stem for name in now} <= {file.stem for file in loadings.glob("*.npz")}
        kept, fitted = now, len(log.read_text().split()) if log.exists() else 0
        print(f"kill {kill + 1}: {len(kept)} kept, {fitted} fits", flush=True)
    last = cli("run", suite, "-o", "killed", ODD_LOG=str(log))
    assert last.wait(300) == 0, last.stderr.read()
    assert {name: (records / name).read_bytes() for name in kept} == kept
    fits = log.read_text().split()
    assert len(set(fits)) == 200
    assert len(fits) - 200 <= KILLS, "each kill may cost the one cell in flight"
    assert results(place / "killed") == results(place / "whole")
    print(f"{KILLS} kills, {len(fits) - 200} fits done twice")

"""Kill, stop, hang up and interrupt runs at random moments: nothing is lost, and nothing finished is fitted twice.

The nightly tests do a few; ``KILLS=100 pytest -n 0 -s -m nightly tests/run/test_kills.py`` does a hundred on one
machine and a fifth of that on Dask.  KILLS_SEED repeats a series as far as the machine's own timing lets it.
"""

import os
import random
import signal
import time

import psutil
import pytest
from after_runs import outlived
from disturbed import PAUSES, Disturbed, stopped
from loopback_dask import Dask

from spcabench.run.executors.dask_cluster import LEAST_QUEUE

pytestmark = pytest.mark.nightly

KILLS = int(os.environ.get("KILLS", 4))
SEED = int(os.environ.get("KILLS_SEED", random.randrange(10**9)))
JOBS = 2
MOST_SECONDS = 1.5
"""How long a run is stopped at most."""
PER_KILL = 20
"""Cells for each disturbance, so that the run does not end before the last."""


@pytest.fixture
def disturbed(cli, suite_file, place):
    """Return a run to disturb so many times, and the folder of the same run undisturbed."""

    def make(kills):
        seeds = -(-kills * PER_KILL // len(PAUSES))
        methods = [{"name": "axes", "params": {"pause": PAUSES}}]
        suite = suite_file(methods=methods, seeds=seeds, metrics=["cpev", "mean_nnz", "nor"], report={})
        whole = cli("run", suite, "-o", "whole", "--jobs", str(JOBS))
        _, said = whole.communicate(timeout=900)
        assert whole.returncode == 0, said
        return Disturbed(cli, suite, seeds * len(PAUSES), SEED), place / "whole"

    return make


def test_kills_stops_hang_ups_and_interrupts_with_two_jobs_lose_nothing(disturbed):
    run, whole = disturbed(KILLS)

    def end(codes, *signs):
        for sign in signs:
            run.host.send_signal(sign)
            time.sleep(0.1 * run.moments.random() if len(signs) > 1 else 0)
        run.ended((0, *codes))

    def stop():
        host = run.process()
        stopped(run.moments.choice((host, [*host, *run.family()])), MOST_SECONDS * run.moments.random())

    ways = {
        "killed": lambda: end([-signal.SIGKILL], signal.SIGKILL),
        "hung up": lambda: end([-signal.SIGHUP], signal.SIGHUP),
        "interrupted twice": lambda: end([130, -signal.SIGINT], signal.SIGINT, signal.SIGINT),
        "stopped": stop,
    }
    for _ in range(KILLS):
        kind = run.moments.choice(sorted(ways))
        run.disturb(kind, ways[kind], "--jobs", str(JOBS))
    run.finish(whole, JOBS * (KILLS - run.kinds["stopped"]), "--jobs", str(JOBS))


@pytest.fixture
def cluster(place):
    """Return a Dask cluster whose workers log their fits, and what starts another in its place."""
    pytest.importorskip("distributed", reason="takes pip install 'spcabench[dask]'")
    clusters = []

    def another():
        folder = place / f"dask-{len(clusters)}"
        folder.mkdir()
        clusters.append(Dask(folder))
        for name in [clusters[-1].add(**logged) for _ in range(JOBS)]:
            clusters[-1].ready(name)
        return clusters[-1]

    logged = {"ODD_LOG": str(place / "fits.log")}
    yield another
    for one in clusters:
        one.close()


def test_dask_workers_schedulers_and_hosts_that_are_killed_lose_nothing(disturbed, cluster):
    kills = max(2, KILLS // 5)
    run, whole = disturbed(kills)
    dask = cluster()

    def kill_worker():
        one = run.moments.randrange(JOBS)
        family = psutil.Process(dask.workers[-1 - one].pid).children(recursive=True)
        dask.workers[-1 - one].kill()
        dask.workers.append(dask.workers.pop(-1 - one))
        dask.ready(dask.add(ODD_LOG=str(run.log)))
        dask.workers.insert(0, dask.workers.pop(-2))
        assert not outlived(family, 20), "a fit outlived its Dask worker"

    def kill_scheduler():
        nonlocal dask
        dask.scheduler.kill()
        said = run.ended((0, 2))
        words = ("the scheduler is gone; what was finished is kept", "no Dask scheduler answers")
        assert run.host.returncode == 0 or any(word in said for word in words), said
        dask.close()
        dask = cluster()

    def kill_host():
        run.host.kill()
        run.ended((0, -signal.SIGKILL))

    ways = {"Dask worker killed": kill_worker, "scheduler killed": kill_scheduler, "host killed": kill_host}
    for _ in range(kills):
        kind = run.moments.choice(sorted(ways))
        run.disturb(kind, ways[kind], "--cluster", dask.address)
    run.finish(whole, LEAST_QUEUE * kills, "--cluster", dask.address)

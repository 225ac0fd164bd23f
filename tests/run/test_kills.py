"""Kill, stop, hang up and interrupt runs at random moments: nothing is lost, and nothing finished is fitted twice.

The nightly tests do a few; ``KILLS=100 pytest -n 0 -s -m nightly tests/run/test_kills.py`` does a hundred.
KILLS_SEED repeats a series as far as the machine's own timing lets it.
"""

import os
import random
import signal
import time

import pytest
from disturbed import PAUSES, Disturbed, stopped

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
    """Return a run to disturb, and the folder of the same run undisturbed."""
    seeds = -(-KILLS * PER_KILL // len(PAUSES))
    methods = [{"name": "axes", "params": {"pause": PAUSES}}]
    suite = suite_file(methods=methods, seeds=seeds, metrics=["cpev", "mean_nnz", "nor"], report={})
    whole = cli("run", suite, "-o", "whole", "--jobs", str(JOBS))
    _, said = whole.communicate(timeout=900)
    assert whole.returncode == 0, said
    return Disturbed(cli, suite, seeds * len(PAUSES), SEED), place / "whole"


def test_kills_stops_hang_ups_and_interrupts_with_two_jobs_lose_nothing(disturbed):
    run, whole = disturbed

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

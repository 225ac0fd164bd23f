"""How far methods are below the best of a data set."""

from dataclasses import replace

import numpy as np
from boards import board_cell, board_run

from spcabench.site.differences import figures
from spcabench.site.tasks import tasks


def test_the_caption_names_whom_more_draws_would_tell_from_the_best(make):
    noise = np.random.default_rng(0).standard_normal(8)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    below = {"best": 0.0 * noise, "near": 0.0001 + 0.002 * noise, "alike": 0.00001 * noise, "far": 0.1 + 0.002 * noise}
    cells = [
        board_cell(make, name, 0.7 - one, seed=seed)
        for name, draws in below.items()
        for seed, one in enumerate(draws.tolist())
    ]
    results = board_run(make, cells, datasets=["a"])
    (task,) = tasks(results)
    task = replace(task, metric=replace(task.metric, margin=0.001))
    (figure,) = figures(task, results)
    assert figure.caption.endswith("Not told apart from the best yet, and the draws that would decide: near (46).")

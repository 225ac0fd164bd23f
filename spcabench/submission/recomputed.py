"""A sample of the metrics of a submission, computed again from its loadings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np

from spcabench.run.cells import metric_tasks
from spcabench.run.messages import DrawTask, MetricTask
from spcabench.run.worker.data_files import fingerprint
from spcabench.run.worker.draw import drawn
from spcabench.run.worker.score import score
from spcabench.specs import Dataset, DataUnavailable
from spcabench.store.record import Record
from spcabench.submission.candidate import Candidate, Pair
from spcabench.wording import Fault

SAMPLE = 8
"""How many fits are looked at."""
RELATIVE, ABSOLUTE = 1e-6, 1e-9
"""How far a metric may be from what it is here: other processors round differently."""
CLOCKED = "time_limit"
"""A metric with such a parameter ends by the clock, and is not the same twice."""


def unaltered(found: Candidate) -> Iterator[Fault]:
    """Yield what of a sample of the records does not follow from the loadings."""
    metrics = [
        task
        for task in metric_tasks(found.loaded.suite, found.registry)
        if CLOCKED not in task.params and found.registry.metrics[task.name].unit != "s"
    ]
    by_draw: dict[str, list[Pair]] = {}
    for pair in sample(found.finished):
        by_draw.setdefault(pair.cell.draw.id, []).append(pair)
    for pairs in by_draw.values():
        if (data := _data(pairs[0])) is None:
            continue
        for record in (pair.record for pair in pairs):
            for message in _differences(record, found, data, metrics):
                remedy = "valid are the records and loadings of the run, unchanged: submit again"
                yield Fault(f"{message}; {remedy}", found.theirs.place_of(record.key))


def sample(pairs: Sequence[Pair]) -> list[Pair]:
    """Return a few pairs, of as many data sets as there are, in the order of the hashes that name their records."""
    by_dataset: dict[str, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair.record.key):
        by_dataset.setdefault(pair.cell.draw.variant.label, []).append(pair)
    turns = zip_longest(*by_dataset.values())
    return [pair for turn in turns for pair in turn if pair is not None][:SAMPLE]


def _data(pair: Pair) -> Dataset | None:
    """Return the data of a cell, drawn again; None if they cannot be had here, or are not those of the run."""
    assert pair.draw is not None
    variant = pair.cell.draw.variant
    if pair.draw.stand_in and variant.stand_in:
        variant = variant.stand_in
    task = DrawTask(
        dataset=variant.spec.name,
        load=variant.spec.load,
        params=dict(variant.params),
        preprocess=variant.preprocess,
        seed=pair.cell.draw.seed if variant.spec.random else 0,
    )
    try:
        dataset = drawn(task)
    except DataUnavailable:
        return None
    return dataset if fingerprint(dataset) == pair.draw.fingerprint else None


def _differences(record: Record, found: Candidate, dataset: Dataset, metrics: Sequence[MetricTask]) -> Iterator[str]:
    """Yield how a record differs from what its loadings make of it."""
    loadings = found.theirs.loadings(record.key)
    wanted = (record.cell["n_components"], dataset.n_features)
    if loadings is None or loadings["components"].shape != wanted:
        shape = "not there" if loadings is None else f"of shape {loadings['components'].shape}"
        yield f"its loadings are {shape}; valid is {wanted}"
        return
    counts = tuple(int(n) for n in np.count_nonzero(loadings["components"], axis=1))
    if counts != record.fit.nnz:
        yield f"it has {list(record.fit.nnz)} nonzeros; its loadings have {list(counts)}"
    for scored in score(metrics, dataset, loadings, record.fit, record.timing):
        for name, value in scored.values.items():
            kept = record.metrics.get(name, math.nan)
            if not np.isclose(kept, value, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True):
                yield f"its {name} is {kept:.6g}; from its loadings it is {value:.6g}"

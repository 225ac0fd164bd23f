"""Made-up runs with tracks."""

from spcabench.report.tasks import tasks
from spcabench.site.board import board
from spcabench.site.scores import controls_of

DATASETS = ("a", "b", "c")


def track(name="span", metric="cpev", datasets=DATASETS):
    return {"name": name, "metric": metric, "datasets": list(datasets)}


def board_cell(make, method, value, dataset="a", **changes):
    """Return a cell with a target; the method dense has none."""
    dense = method == "dense"
    about = {
        "n_nonzero": None if dense else 4,
        "knob": "none" if dense else "cardinality",
        "nnz": (4, 4, 4),
        "cpev": value,
        "total_time": 1.0,
        "key": f"{dataset}-{method}-{changes.get('seed', 0)}",
    }
    return make.cell(method, dataset=dataset, **{**about, **changes})


def board_run(make, values, seeds=1, datasets=DATASETS, tracks=(), **changes):
    """Return a run on some data sets.

    Values are by method: a number, or what its cells have, or a function of data set and seed that returns either.
    """
    cells = []
    for dataset in datasets:
        for seed in range(seeds):
            for method, value in values.items():
                own = value(dataset, seed) if callable(value) else value
                own = own if isinstance(own, dict) else {"cpev": own}
                cells.append(board_cell(make, method, 0.5, dataset, seed=seed, **changes | own))
    return make(cells, datasets=list(datasets), tracks=list(tracks) or [track(datasets=datasets)])


def three(make, **methods):
    """Return a run on three data sets, on each of which a method has one value."""
    return board_run(make, methods)


def of(results):
    """Return the leaderboard of a run."""
    return board([results], list(tasks(results)), controls_of([results]))


def row(results, method):
    """Return the row of a method."""
    return next(one for one in of(results).rows if one.method == method)


def score(results, method, name="span"):
    """Return the points of a method in a track."""
    return row(results, method).scores[name].value

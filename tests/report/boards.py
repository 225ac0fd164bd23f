"""Made-up runs with tracks."""

from spcabench.report.questions import questions
from spcabench.report.standings import judged

DATASETS = ("a", "b", "c")
MANY = tuple("abcdefghijklmnopqrstuvwxy")


def track(name="span", metric="cpev", datasets=DATASETS, **more):
    return {"name": name, "metric": metric, "datasets": list(datasets), **more}


def board_cell(make, method, value, dataset="a", **changes):
    """Return a cell with a target; the method dense has none."""
    dense = method == "dense"
    about = {
        "n_nonzero": None if dense else 4,
        "knob": "none" if dense else "cardinality",
        "nnz": (4, 4, 4),
        "cpev": value,
        "repeats": 1,
        "total_time": 1.0,
        "key": f"{dataset}-{method}-{changes.get('seed', 0)}",
    }
    return make.cell(method, dataset=dataset, **{**about, **changes})


def board_run(make, values, seeds=1, datasets=DATASETS, tracks=(), entries=(), **changes):
    """Return a run on some data sets, each a source of its own unless `entries` say more.

    Values are by method: a number, or what its cells have, or a function of data set and seed that returns either.
    """
    cells = []
    for dataset in datasets:
        for seed in range(seeds):
            for method, value in values.items():
                own = value(dataset, seed) if callable(value) else value
                own = own if isinstance(own, dict) else {"cpev": own}
                cells.append(board_cell(make, method, 0.5, dataset, seed=seed, **changes | own))
    named = list(entries) or [{"name": label} for label in dict.fromkeys(one.partition("(")[0] for one in datasets)]
    return make(
        cells, datasets=named, tracks=list(tracks) or [track(datasets=[one.get("label", one["name"]) for one in named])]
    )


def of(*results):
    """Return the questions of some runs, judged."""
    return judged(questions(results))


def tiers(found):
    """Return the tier of each method."""
    return dict(zip(found.verdicts.contest.methods, found.verdicts.tiers, strict=True))


def ranks(found):
    """Return the mean rank of each method."""
    return dict(zip(found.verdicts.contest.methods, found.verdicts.contest.mean_ranks, strict=True))

"""The plugin of all that does harm on purpose."""

import harm_by_clocks  # noqa: F401  each import registers what it has
import harm_by_datasets  # noqa: F401
import harm_by_metrics  # noqa: F401
import harm_by_processes  # noqa: F401
import harm_by_results  # noqa: F401
import harm_to_data  # noqa: F401
from harm import DATASETS, ESTIMATORS, METRICS

import spcabench
from spcabench import CARDINALITY, DatasetSpec, Either, ListOf, MethodSpec, MetricSpec, Parameter, Whole

PARAMETERS = {
    "n_components": Parameter(1, Whole(1)),
    "n_nonzero": Parameter(1, Either(Whole(1), ListOf(Whole(1)))),
}


@spcabench.hookimpl
def spcabench_methods():
    return [
        MethodSpec(name=name, estimator=estimator, knob=CARDINALITY, parameters=PARAMETERS)
        for name, estimator in ESTIMATORS.items()
    ]


@spcabench.hookimpl
def spcabench_metrics():
    return [MetricSpec(name=name, compute=f"harm_by_metrics:{name}", on="once") for name in METRICS]


@spcabench.hookimpl
def spcabench_datasets():
    return [DatasetSpec(name=name, load=f"harm_by_datasets:{name}") for name in DATASETS]

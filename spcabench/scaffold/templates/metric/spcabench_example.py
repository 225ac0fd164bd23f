"""A metric, and its registration."""

import numpy as np

import spcabench


def compute(evaluation: spcabench.Evaluation) -> float:
    """Return the share of features that some component uses: put your metric in place of it.

    `evaluation.fitted.components` has the loadings, a row for each component; `evaluation.moments` the mean and the
    variances of the samples in question; `evaluation.dataset` what is known of the data.
    """
    return float(np.any(evaluation.fitted.components != 0, axis=0).mean())


@spcabench.hookimpl
def spcabench_metrics() -> list[spcabench.MetricSpec]:
    """Return the metrics of this plugin."""
    return [
        spcabench.MetricSpec(
            name="example",  # what a suite calls it
            compute="spcabench_example:compute",
            title="share of the features that are used",
            formula="|{i: some w_j has a nonzero at i}| / d",
            range=(0.0, 1.0),
            unit="share",
            better="neither",  # higher, lower or neither: what the report takes for good
            on="once",  # each: a value for the training, the clean and the held-out samples
            sparsity=True,  # it counts nonzeros; methods are compared at equal ones, so that it is not ranked
            requires=frozenset(),  # facts of the data that it needs, such as labels
            source="this plugin",
        )
    ]

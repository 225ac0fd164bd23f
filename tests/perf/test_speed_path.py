"""The whole path of COP-PCA against GPower l0 run once for each cardinality."""

from __future__ import annotations

import numpy as np
import pytest
from claims import PATH
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from problems import SIZES, samples
from spcabench_methods import COPPCA, GPower
from spcabench_methods.core.moments import second_moments
from spcabench_methods.core.starts import max_variance
from spcabench_methods.power.ascent import penalised_ascent
from spcabench_methods.truncations.hard import hard

FEW = 12
"""Beyond 200 features GPower runs at so many cardinalities, evenly spaced, that stand for all."""


def ascend(moments, rho):
    return penalised_ascent(moments, hard, hard.of_penalty(rho), max_variance(moments, 1), 1e-6, 1000)


@cpu
@pytest.mark.parametrize("size", SIZES)
def test_whole_path(benchmark, size):
    X = samples(size)
    d = X.shape[1]
    cop = COPPCA(n_components=1, n_steps=10 * d, n_nonzero=1).fit(X)
    cardinalities = np.arange(1, d + 1) if d <= 200 else ((np.arange(FEW) + 0.5) * d / FEW).astype(int)
    moments = second_moments(X, X.mean(axis=0))
    gpowers = [GPower(1, int(k), penalty="l0", init="max_variance", polish=False) for k in cardinalities]
    penalties = [fit.fit(X).calibrated_params_["rho"][0] for fit in gpowers]

    def gpower():
        for rho in penalties:
            ascend(moments, rho)

    benchmark.pedantic(cop.fit, args=(X,), rounds=3)
    once = seconds(lambda: second_moments(X, X.mean(axis=0)), 3)
    many = once + seconds(gpower, 3) * d / len(cardinalities)
    ours = benchmark.stats.stats.min
    assert cop.path_[0].nnz[-1] == 1
    conclude(
        benchmark,
        PATH,
        many / ours,
        size=size,
        **{
            "cop s": ours,
            "gpower s": many,
            "cardinalities": d,
            "of these timed": len(cardinalities),
        },
    )

"""The loadings themselves, for comparison with those in a paper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.parameters import NOTHING, Either, ListOf, Whole

Features = Annotated[Iterable[int] | None, Either(NOTHING, ListOf(Whole(1)))]
metrics = Metrics()


@metrics(
    formula="w_ji, component j and feature i counted from 1, the largest |w_ji| of a component positive",
    range=(-1.0, 1.0),
    better="neither",
    source="Zhao, Meng and Xu 2014 (RSPCA), tables 2 and 3",
    exempt={
        "sign": "it shows the loadings, whose signs the host has fixed",
        "refitted": "it shows the loadings as the method returned them",
    },
)
def loading(evaluation: Evaluation, features: Features = None) -> dict[str, float]:
    """Entry of a component at a feature.

    Entries of the components, largest magnitude positive; ``1.5`` is the first component at the fifth feature.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    features : sequence of int, optional
        Features, counted from 1; null: all of them.
    """
    components = evaluation.fitted.components
    d = components.shape[1]
    wanted = sorted({feature for feature in (features or range(1, d + 1)) if feature <= d})
    return {f"{j}.{i}": float(w[i - 1]) for j, w in enumerate(components, 1) for i in wanted}


spcabench_metrics = metrics.spcabench_metrics

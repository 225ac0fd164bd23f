"""The methods of the family power, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl
from spcabench_methods.specs._truncations import fixed, of_methods
from spcabench_methods.truncations import thresholds, truncations

_method = partial(
    MethodSpec,
    family="power",
    sparse="weights",
    knob=CARDINALITY,
    starts="init",
    iterations="max_iter",
    tolerance="tol",
)


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    gpower = [
        _method(
            name=f"gpower_{penalty.symbol}",
            estimator="spcabench_methods.power.gpower:GPower",
            title=f"Generalised power method, single unit, {penalty.symbol} penalty",
            params={"penalty": penalty.symbol},
            reference=f"Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithms 2 and 3; "
            f"{penalty.source}",
        )
        for penalty in of_methods("gpower", thresholds())
    ]
    tpower = _method(
        name="tpower",
        estimator="spcabench_methods.power.tpower:TPower",
        title="Truncated power method",
        reference="Yuan and Zhang, Journal of Machine Learning Research 14, 2013, 899-925, algorithm 1",
    )
    rsvd = [
        _method(
            name=f"rsvd_{penalty.symbol}",
            estimator="spcabench_methods.power.rsvd:RSVD",
            title=f"Regularised singular value decomposition, {penalty.symbol} penalty",
            sparse="loadings",
            params={"penalty": penalty.symbol},
            reference=f"Shen and Huang, Journal of Multivariate Analysis 99, 2008, 1015-1034, algorithm 1; "
            f"{penalty.source}",
        )
        for penalty in of_methods("rsvd", thresholds())
    ]
    rsvdgp = [
        _method(
            name=f"rsvdgp_{truncation.symbol}",
            estimator="spcabench_methods.power.rsvd_gp:RSVDGP",
            title=f"Power method with relative truncation, {truncation.words}",
            params=fixed(truncation, "n_nonzero"),
            reference=f"Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 2; {truncation.source}",
        )
        for truncation in of_methods("rsvdgp", truncations())
    ]
    inverse_power = _method(
        name="inverse_power",
        estimator="spcabench_methods.power.inverse_power:InversePower",
        title="Inverse power method of a ratio of norms",
        reference="Hein and Bühler, Advances in Neural Information Processing Systems 23, 2010, 847-855, section 5",
    )
    return [*gpower, tpower, *rsvd, *rsvdgp, inverse_power]

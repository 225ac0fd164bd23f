"""Power methods: multiply by S, truncate, repeat; one component after another, with projection deflation."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    CARDINALITY,
    FLAG,
    NOTHING,
    Anything,
    Either,
    ListOf,
    MethodSpec,
    Number,
    Parameter,
    Whole,
    hookimpl,
)
from spcabench_methods.core.declared import (
    COVARIANCE,
    DEFLATION,
    EXCHANGES,
    N_COMPONENTS,
    N_NONZERO,
    POLISH,
    REFIT,
    deflation,
    iterations,
    n_nonzero,
    tolerance,
)
from spcabench_methods.core.declared_jobs import n_jobs
from spcabench_methods.core.declared_starts import SEVERAL, starts
from spcabench_methods.truncations import (
    declared,
    fixed,
    level_parameters,
    of_methods,
    thresholds,
    truncations,
    without,
)

TPOWER_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "refit": Parameter(False, FLAG, REFIT),
    **starts(
        "several",
        "published",
        "top_variance",
        "decreasing",
        words=f"{SEVERAL}; published: the first feature of largest variance; top_variance: the n_nonzero of largest "
        "variance; decreasing: runs with more nonzeros",
    ),
    "n_jobs": n_jobs("random starts"),
    "polish": POLISH,
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

GROUP_TPOWER_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_groups": Parameter(
        None,
        Either(NOTHING, Whole(1), ListOf(Whole(1))),
        "groups of a component, one number or one per component; null: the square root of their number, rounded up",
    ),
    "groups": Parameter(None, Anything(), "the label of the group of each feature; null: each is a group"),
    "polish": Parameter(True, FLAG, "exchange groups as long as that explains more"),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

_RHO = Number(0.0, 1.0, high_open=True)

GPOWER_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "penalty": declared(thresholds(), "l1"),
    "n_nonzero": n_nonzero("rho decides"),
    "rho": Parameter(
        None,
        Either(NOTHING, _RHO, ListOf(_RHO)),
        "penalty, relative to one that leaves nothing; one, or one per component; null: what leaves n_nonzero, or 0.1",
    ),
    **starts("several", "published", words=f"{SEVERAL}; published: the first feature of largest variance"),
    "n_jobs": n_jobs("random starts with a given rho"),
    "polish": POLISH,
    "refit": Parameter(True, FLAG, REFIT),
    "tol": tolerance(1e-6),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

RSVD_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "penalty": declared(thresholds(), "l1"),
    "n_nonzero": N_NONZERO,
    "lam": Parameter(None, Either(NOTHING, Number(0.0)), "the threshold on X'u/sqrt(n), instead of n_nonzero nonzeros"),
    "refit": Parameter(False, FLAG, REFIT),
    **starts(
        "several",
        "published",
        "top_variance",
        words=f"{SEVERAL}; published: pca; top_variance: the n_nonzero of largest variance",
    ),
    "polish": POLISH,
    "tol": tolerance(1e-6),
    "max_iter": iterations(500),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

RSVDGP_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    **level_parameters(each=True),
    "refit": Parameter(False, FLAG, REFIT),
    "polish": EXCHANGES,
    **starts("max_variance", "published", words="published: of those that tie the first"),
    "n_jobs": n_jobs("random starts"),
    "tol": Parameter(1e-6, Number(0.0), "iterations stop when a loading moves by no more than this"),
    "max_iter": iterations(1000),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

_GAMMA = Number(0.0, 1.0)

INVERSE_POWER_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "gamma": Parameter(
        None,
        Either(NOTHING, _GAMMA, ListOf(_GAMMA)),
        "weight of the l1 norm against the l2 norm, one or one per component, instead of n_nonzero nonzeros",
    ),
    **starts("max_variance"),
    "refit": Parameter(True, FLAG, REFIT),
    "tol": tolerance(1e-5),
    "max_iter": iterations(100),
    "deflation": deflation("schur"),
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    gpower = [
        MethodSpec(
            name=f"gpower_{penalty.symbol}",
            estimator="spcabench_methods.power.gpower:GPower",
            iterations="max_iter",
            tolerance="tol",
            title=f"Generalised power method, single unit, {penalty.symbol} penalty",
            family="power",
            sparse="weights",
            knob=CARDINALITY,
            parameters=without(GPOWER_PARAMETERS, ["penalty"]),
            params={"penalty": penalty.symbol},
            starts="init",
            reference=f"Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithms 2 and 3; "
            f"{penalty.source}",
        )
        for penalty in of_methods("gpower", thresholds())
    ]
    tpower = MethodSpec(
        name="tpower",
        estimator="spcabench_methods.power.tpower:TPower",
        iterations="max_iter",
        tolerance="tol",
        title="Truncated power method",
        family="power",
        sparse="weights",
        knob=CARDINALITY,
        parameters=TPOWER_PARAMETERS,
        starts="init",
        reference="Yuan and Zhang, Journal of Machine Learning Research 14, 2013, 899-925, algorithm 1",
    )
    rsvd = [
        MethodSpec(
            name=f"rsvd_{penalty.symbol}",
            estimator="spcabench_methods.power.rsvd:RSVD",
            iterations="max_iter",
            tolerance="tol",
            title=f"Regularised singular value decomposition, {penalty.symbol} penalty",
            family="power",
            sparse="loadings",
            knob=CARDINALITY,
            parameters=without(RSVD_PARAMETERS, ["penalty"]),
            params={"penalty": penalty.symbol},
            starts="init",
            reference=f"Shen and Huang, Journal of Multivariate Analysis 99, 2008, 1015-1034, algorithm 1; "
            f"{penalty.source}",
        )
        for penalty in of_methods("rsvd", thresholds())
    ]
    rsvdgp = [
        MethodSpec(
            name=f"rsvdgp_{truncation.symbol}",
            estimator="spcabench_methods.power.rsvd_gp:RSVDGP",
            iterations="max_iter",
            tolerance="tol",
            title=f"Power method with relative truncation, {truncation.words}",
            family="power",
            sparse="weights",
            knob=CARDINALITY,
            parameters=without(RSVDGP_PARAMETERS, fixed(truncation, "n_nonzero")),
            params=fixed(truncation, "n_nonzero"),
            starts="init",
            reference=f"Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 2; {truncation.source}",
        )
        for truncation in of_methods("rsvdgp", truncations())
    ]
    inverse_power = MethodSpec(
        name="inverse_power",
        estimator="spcabench_methods.power.inverse_power:InversePower",
        iterations="max_iter",
        tolerance="tol",
        title="Inverse power method of a ratio of norms",
        family="power",
        sparse="weights",
        knob=CARDINALITY,
        parameters=INVERSE_POWER_PARAMETERS,
        starts="init",
        reference="Hein and Bühler, Advances in Neural Information Processing Systems 23, 2010, 847-855, section 5",
    )
    return [*gpower, tpower, *rsvd, *rsvdgp, inverse_power]

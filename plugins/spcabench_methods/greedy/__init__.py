"""Combinatorial methods: they search for a support, and return the best loading on it."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, MethodSpec, Number, OneOf, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, DEFLATION, N_COMPONENTS, N_NONZERO, POLISH, REFIT
from spcabench_methods.core.declared_starts import SEVERAL, starts

_WHOLE_PATH = Parameter(False, FLAG, "follow the path over all cardinalities, or stop at n_nonzero")

PATHSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "search": Parameter("approximate", OneOf("approximate", "full"), "rank features by a gradient, or by eigenvalues"),
    **starts(
        "several",
        "published",
        words=f"the path begins with its largest entry; {SEVERAL}; published: the first feature of largest variance",
    ),
    "polish": POLISH,
    "whole_path": _WHOLE_PATH,
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

GSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "direction": Parameter(
        "both", OneOf("forward", "backward", "both"), "add features, remove them, or the better of both"
    ),
    "polish": Parameter(
        None,
        POLISH.valid,
        "true: exchange single features until no exchange explains more; null: cheap exchanges alone",
    ),
    "whole_path": _WHOLE_PATH,
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

ROW_TRUNCATION_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "refit": Parameter(False, FLAG, REFIT),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

EXACT_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "tol": Parameter(1e-9, Number(1e-12), "the search ends at this relative gap to the upper bound"),
    "max_iter": Parameter(10_000, Whole(1), "the most nodes of a component"),
    "time_limit": Parameter(
        None, Either(NOTHING, Number(0.0, low_open=True)), "seconds for a component; null: no limit"
    ),
    "warm_start": Parameter(False, FLAG, "start also from the components of the last fit of the same estimator"),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

SPLICING_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    **starts(
        "several",
        "both",
        "top_variance",
        words=f"{SEVERAL}; top_variance: the n_nonzero of largest variance; both: the better end of pca and "
        "top_variance",
    ),
    "max_exchange": Parameter(
        None, Either(NOTHING, Whole(1)), "the most features exchanged at once; null: the whole support"
    ),
    "polish": POLISH,
    "max_iter": Parameter(20, Whole(1), "the most exchanges of a component"),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}

LEAST_SQUARES_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "variant": Parameter(
        "uncorrelated",
        OneOf("uncorrelated", "correlated", "projection"),
        "scores uncorrelated, or not, or the scores of PCA projected on the features",
    ),
    "search": Parameter(
        "regression",
        OneOf("regression", "variance"),
        "add features that predict a score of PCA, or by what they explain",
    ),
    "covariance": COVARIANCE,
}

_PATHSPCA = "d'Aspremont, Bach and El Ghaoui, Journal of Machine Learning Research 9, 2008, 1269-1294"
_MEROLA = "Merola, Australian and New Zealand Journal of Statistics 57, 2015, 391-429"
_MEROLA_CHEN = "Merola and Chen, Journal of Multivariate Analysis 173, 2019, 366-382"
_LI_XIE = "Li and Xie, INFORMS Journal on Computing, 2024, doi:10.1287/ijoc.2022.0372"
_GSPCA = "Moghaddam, Weiss and Avidan, Advances in Neural Information Processing Systems 18, 2006, 915-922"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    pathspca = [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.greedy.pathspca:PathSPCA",
            title=title,
            family="greedy",
            sparse="weights",
            knob=CARDINALITY,
            parameters=_but("search", PATHSPCA_PARAMETERS),
            params={"search": search},
            starts="init",
            reference=f"{_PATHSPCA}, section {section}",
        )
        for name, title, search, section in (
            ("pathspca", "Approximate greedy path", "approximate", "3.2"),
            ("pathspca_full", "Full greedy path", "full", "3.1"),
        )
    ]
    gspca = [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.greedy.gspca:GSPCA",
            title=title,
            family="greedy",
            sparse="weights",
            knob=CARDINALITY,
            parameters=_but("direction", GSPCA_PARAMETERS),
            params={"direction": direction},
            reference=_GSPCA,
        )
        for name, title, direction in (
            ("gspca_forward", "Greedy sparse PCA, forward", "forward"),
            ("gspca_backward", "Greedy sparse PCA, backward", "backward"),
            ("gspca", "Greedy sparse PCA, forward and backward", "both"),
        )
    ]
    local_search = MethodSpec(
        name="local_search",
        estimator="spcabench_methods.greedy.gspca:GSPCA",
        title="Exchanges of single features, from the greedy support",
        family="greedy",
        sparse="weights",
        knob=CARDINALITY,
        parameters=_but("polish", _but("direction", GSPCA_PARAMETERS)),
        params={"direction": "forward", "polish": True},
        reference=_LI_XIE,
    )
    truncation = MethodSpec(
        name="row_truncation",
        estimator="spcabench_methods.greedy.row_truncation:RowTruncation",
        title="The best of the truncated rows of the covariance",
        family="greedy",
        sparse="weights",
        knob=CARDINALITY,
        parameters=ROW_TRUNCATION_PARAMETERS,
        reference=_LI_XIE,
    )
    exact = MethodSpec(
        name="exact",
        estimator="spcabench_methods.greedy.branch_and_bound:ExactSPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Branch and bound, each component certified",
        family="greedy",
        sparse="weights",
        knob=CARDINALITY,
        parameters=EXACT_PARAMETERS,
        reference="Berk and Bertsimas, Mathematical Programming Computation 11, 2019, 381-420",
    )
    splicing = MethodSpec(
        name="splicing",
        estimator="spcabench_methods.greedy.splicing:Splicing",
        iterations="max_iter",
        title="Splicing of supports",
        family="greedy",
        sparse="weights",
        knob=CARDINALITY,
        parameters=SPLICING_PARAMETERS,
        starts="init",
        reference="Zhu et al., Proceedings of the National Academy of Sciences 117, 2020, 33117-33123",
    )
    least_squares = [
        MethodSpec(
            name=f"lsspca_{variant}",
            estimator="spcabench_methods.greedy.least_squares:LeastSquaresSPCA",
            title=f"Least squares sparse PCA, {words}",
            family="greedy",
            sparse="weights",
            knob=CARDINALITY,
            parameters=_but("variant", LEAST_SQUARES_PARAMETERS),
            params={"variant": variant},
            reference=reference,
        )
        for variant, words, reference in (
            ("uncorrelated", "uncorrelated scores", _MEROLA),
            ("correlated", "correlated scores", _MEROLA),
            ("projection", "projected scores of PCA", _MEROLA_CHEN),
        )
    ]
    return [*pathspca, *gspca, local_search, truncation, exact, splicing, *least_squares]


def _but(fixed: str, parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    return {name: parameter for name, parameter in parameters.items() if name != fixed}

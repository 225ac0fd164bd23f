"""The methods of the family greedy, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(MethodSpec, family="greedy", sparse="weights", knob=CARDINALITY)

_PATHSPCA = "d'Aspremont, Bach and El Ghaoui, Journal of Machine Learning Research 9, 2008, 1269-1294"
_MEROLA = "Merola, Australian and New Zealand Journal of Statistics 57, 2015, 391-429"
_MEROLA_CHEN = "Merola and Chen, Journal of Multivariate Analysis 173, 2019, 366-382"
_LI_XIE = "Li and Xie, INFORMS Journal on Computing, 2024, doi:10.1287/ijoc.2022.0372"
_GSPCA = "Moghaddam, Weiss and Avidan, Advances in Neural Information Processing Systems 18, 2006, 915-922"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    pathspca = [
        _method(
            name=name,
            estimator="spcabench_methods.greedy.pathspca:PathSPCA",
            title=title,
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
        _method(
            name=name,
            estimator="spcabench_methods.greedy.gspca:GSPCA",
            title=title,
            params={"direction": direction},
            reference=_GSPCA,
        )
        for name, title, direction in (
            ("gspca_forward", "Greedy sparse PCA, forward", "forward"),
            ("gspca_backward", "Greedy sparse PCA, backward", "backward"),
            ("gspca", "Greedy sparse PCA, forward and backward", "both"),
        )
    ]
    local_search = _method(
        name="local_search",
        estimator="spcabench_methods.greedy.gspca:GSPCA",
        title="Exchanges of single features, from the greedy support",
        params={"direction": "forward", "polish": True},
        reference=_LI_XIE,
    )
    truncation = _method(
        name="row_truncation",
        estimator="spcabench_methods.greedy.row_truncation:RowTruncation",
        title="The best of the truncated rows of the covariance",
        reference=_LI_XIE,
    )
    exact = _method(
        name="exact",
        estimator="spcabench_methods.greedy.branch_and_bound:ExactSPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Branch and bound, each component certified",
        reference="Berk and Bertsimas, Mathematical Programming Computation 11, 2019, 381-420",
    )
    splicing = _method(
        name="splicing",
        estimator="spcabench_methods.greedy.splicing:Splicing",
        iterations="max_iter",
        title="Splicing of supports",
        starts="init",
        reference="Zhu et al., Proceedings of the National Academy of Sciences 117, 2020, 33117-33123",
    )
    least_squares = [
        _method(
            name=f"lsspca_{variant}",
            estimator="spcabench_methods.greedy.least_squares:LeastSquaresSPCA",
            title=f"Least squares sparse PCA, {words}",
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

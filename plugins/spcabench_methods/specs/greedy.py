"""Searches for supports: of the families greedy, path, reduction, random_projections, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(MethodSpec, sparse="weights", knob=CARDINALITY)
_greedy = partial(_method, family="greedy")
_votes = partial(
    _method, family="random_projections", exempt={"column_order": "its projections are drawn feature by feature"}
)

_PATHSPCA = "d'Aspremont, Bach and El Ghaoui, Journal of Machine Learning Research 9, 2008, 1269-1294"
_MEROLA = "Merola, Australian and New Zealand Journal of Statistics 57, 2015, 391-429"
_MEROLA_CHEN = "Merola and Chen, Journal of Multivariate Analysis 173, 2019, 366-382"
_LI_XIE = "Li and Xie, INFORMS Journal on Computing, 2024, doi:10.1287/ijoc.2022.0372"
_GATARIC = "Gataric, Wang and Samworth, Journal of the Royal Statistical Society B 82, 2020, 329-359"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of these families."""
    pathspca = [
        _greedy(
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
        _greedy(
            name=name,
            estimator="spcabench_methods.greedy.gspca:GSPCA",
            title=title,
            params={"direction": direction},
            reference="Moghaddam, Weiss and Avidan, Advances in Neural Information Processing Systems 18, 2006, "
            "915-922",
        )
        for name, title, direction in (
            ("gspca_forward", "Greedy sparse PCA, forward", "forward"),
            ("gspca_backward", "Greedy sparse PCA, backward", "backward"),
            ("gspca", "Greedy sparse PCA, forward and backward", "both"),
        )
    ]
    least_squares = [
        _greedy(
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
    return [
        *pathspca,
        *gspca,
        _greedy(
            name="local_search",
            estimator="spcabench_methods.greedy.gspca:GSPCA",
            title="Exchanges of single features, from the greedy support",
            params={"direction": "forward", "polish": True},
            reference=_LI_XIE,
        ),
        _greedy(
            name="row_truncation",
            estimator="spcabench_methods.greedy.row_truncation:RowTruncation",
            title="The best of the truncated rows of the covariance",
            reference=_LI_XIE,
        ),
        _greedy(
            name="exact",
            estimator="spcabench_methods.greedy.branch_and_bound:ExactSPCA",
            iterations="max_iter",
            tolerance="tol",
            title="Branch and bound, each component certified",
            reference="Berk and Bertsimas, Mathematical Programming Computation 11, 2019, 381-420",
        ),
        _greedy(
            name="splicing",
            estimator="spcabench_methods.greedy.splicing:Splicing",
            iterations="max_iter",
            title="Splicing of supports",
            starts="init",
            reference="Zhu et al., Proceedings of the National Academy of Sciences 117, 2020, 33117-33123",
        ),
        *least_squares,
        _method(
            name="cop",
            estimator="spcabench_methods.path.cop:COPPCA",
            title="Coordinate-pairwise path",
            family="path",
            params={"whole_path": False},
            settable=frozenset({"whole_path"}),
            starts="init",
            reference="Meng, Cui, Xu and Jing, Data and Knowledge Engineering 88, 2013, 25-36, algorithm 1",
        ),
        _method(
            name="block_diag",
            estimator="spcabench_methods.reduction.block_diagonal:BlockDiagonal",
            title="The best block of a thresholded covariance, by branch and bound",
            family="reduction",
            reference="Del Pia, Zhou and Zhu, International Conference on Learning Representations, 2025, "
            "arXiv:2410.14092",
        ),
        _votes(
            name="spcavrp",
            estimator="spcabench_methods.random_projections.spcavrp:SPCAvRP",
            title="Sparse PCA via random projections, orthogonal components",
            reference=f"{_GATARIC}, algorithms 1 and 3",
        ),
        _votes(
            name="spcavrp_subspace",
            estimator="spcabench_methods.random_projections.subspace:SPCAvRPSubspace",
            title="Sparse PCA via random projections, components on one support",
            reference=f"{_GATARIC}, algorithm 2",
        ),
    ]

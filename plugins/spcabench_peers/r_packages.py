"""R packages that do sparse PCA, as methods; ``programs/peer.R`` calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from spcabench import CARDINALITY, NOTHING, Either, Knob, MethodSpec, Number, OneOf, Parameter, Whole, hookimpl
from spcabench_peers.peer import N_COMPONENTS, N_NONZERO, PENALTY, SAMPLES, Peer, program, searched

RIDGE = Parameter(1e-6, Number(0.0), "the squared l2 penalty")
MAX_ITER = "the most iterations"
TOL = "iterations stop at a change below it"
SEED = Parameter(None, Either(NOTHING, Whole(0, 2**31 - 1)), "the seed of R's generator")
SHARED = {"n_components": N_COMPONENTS, "program": program("Rscript")}


class RPackage(Peer):
    """A package of R."""

    script = "peer.R"
    remedy = "install R, on Debian with: apt-get install r-base-core"


@dataclass(eq=False, repr=False)
class Elasticnet(RPackage):
    """`elasticnet::spca` with ``sparse="varnum"``: each component has the given number of nonzeros."""

    package = "elasticnet"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    ridge: float = 1e-6
    max_iter: int = 200
    tol: float = 1e-3
    program: str = "Rscript"


@dataclass(eq=False, repr=False)
class PMA(RPackage):
    """`PMA::SPC`, one component at a time of what the others leave.

    Its ``sumabsv`` goes from the square root of the number of features (`penalty` 0) to 1 (`penalty` 1).  Without a
    `penalty`, the script searches the mildest of each component that leaves `n_nonzero`.
    """

    package = "PMA"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    penalty: float | Sequence[float] | None = None
    max_iter: int = 20
    program: str = "Rscript"


@dataclass(eq=False, repr=False)
class PcaPP(RPackage):
    """`pcaPP::sPCAgrid`; `penalty` is its ``lambda``.

    Without a `penalty`, the script searches the mildest of each component that leaves `n_nonzero`.
    """

    package = "pcaPP"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    penalty: float | Sequence[float] | None = None
    method: str = "sd"
    max_iter: int = 10
    split_circle: int = 25
    program: str = "Rscript"


@dataclass(eq=False, repr=False)
class SparsePCAInR(RPackage):
    """`sparsepca::spca` of R; `alpha` and `beta` are its penalties."""

    package = "sparsepca"

    n_components: int = 2
    alpha: float = 1e-4
    beta: float = 1e-4
    max_iter: int = 1000
    tol: float = 1e-5
    program: str = "Rscript"


@dataclass(eq=False, repr=False)
class Nsprcomp(RPackage):
    """`nsprcomp::nsprcomp` without its constraint of signs: expectation maximisation with thresholds, from restarts."""

    package = "nsprcomp"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    n_restart: int = 5
    max_iter: int = 100
    tol: float = 1e-3
    random_state: int | None = None
    program: str = "Rscript"


@dataclass(eq=False, repr=False)
class Rospca(RPackage):
    """`rospca::rospca` with ``grid=FALSE, sparse="varnum"``: the elastic net on the samples that distances leave."""

    package = "rospca"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    share: float = 0.75
    ridge: float = 1e-6
    random_state: int | None = None
    program: str = "Rscript"


_method = partial(MethodSpec, family="peers", knob=CARDINALITY, requires=SAMPLES)


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods that are packages of R."""
    return [
        _method(
            name="r_elasticnet",
            estimator="spcabench_peers.r_packages:Elasticnet",
            title="R package elasticnet: sparse PCA by regression, elastic net with given cardinalities",
            iterations="max_iter",
            tolerance="tol",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "ridge": RIDGE,
                "max_iter": Parameter(200, Whole(1), MAX_ITER),
                "tol": Parameter(1e-3, Number(0.0), TOL),
            },
            reference="Zou, Hastie and Tibshirani, JCGS 15, 2006, 265-286",
        ),
        _method(
            name="r_pma",
            estimator="spcabench_peers.r_packages:PMA",
            title="R package PMA: penalised matrix decomposition",
            iterations="max_iter",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "penalty": searched(Number(0.0, 1.0), "0: no bound on the l1 norm; 1: one nonzero"),
                "max_iter": Parameter(20, Whole(1), MAX_ITER),
            },
            reference="Witten, Tibshirani and Hastie, Biostatistics 10, 2009, 515-534",
        ),
        _method(
            name="r_pcapp",
            estimator="spcabench_peers.r_packages:PcaPP",
            title="R package pcaPP: sparse projection pursuit on a grid",
            iterations="max_iter",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "penalty": searched(Number(0.0), "of the l1 norm"),
                "method": Parameter("sd", OneOf("sd", "mad", "qn"), "the measure of spread"),
                "max_iter": Parameter(10, Whole(1), MAX_ITER),
                "split_circle": Parameter(25, Whole(1), "directions of a grid"),
            },
            reference="Croux, Filzmoser and Fritz, Technometrics 55, 2013, 202-214",
        ),
        _method(
            name="r_sparsepca",
            estimator="spcabench_peers.r_packages:SparsePCAInR",
            title="R package sparsepca: sparse PCA by variable projection",
            knob=Knob("penalty", "alpha"),
            iterations="max_iter",
            tolerance="tol",
            parameters={
                **SHARED,
                "alpha": Parameter(1e-4, Number(0.0), "the l1 penalty"),
                "beta": Parameter(1e-4, Number(0.0), "the squared l2 penalty"),
                "max_iter": Parameter(1000, Whole(1), MAX_ITER),
                "tol": Parameter(1e-5, Number(0.0), TOL),
            },
            reference="Erichson, Zheng, Manohar, Brunton, Kutz and Aravkin, SIAM J. Appl. Math. 80, 2020, 977-1002",
            exempt=PENALTY,
        ),
        _method(
            name="r_nsprcomp",
            estimator="spcabench_peers.r_packages:Nsprcomp",
            title="R package nsprcomp: expectation maximisation with given cardinalities",
            iterations="max_iter",
            tolerance="tol",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "n_restart": Parameter(5, Whole(0), "random restarts"),
                "max_iter": Parameter(100, Whole(1), MAX_ITER),
                "tol": Parameter(1e-3, Number(0.0), TOL),
                "random_state": SEED,
            },
            reference="Sigg and Buhmann, ICML 2008, 960-967",
        ),
        _method(
            name="r_rospca",
            estimator="spcabench_peers.r_packages:Rospca",
            title="R package rospca: robust sparse PCA of the samples that distances leave",
            parameters={
                **SHARED,
                "n_nonzero": N_NONZERO,
                "share": Parameter(0.75, Number(0.5, 1.0), "the share of the samples that are taken for clean"),
                "ridge": RIDGE,
                "random_state": SEED,
            },
            reference="Hubert, Reynkens, Schmitt and Verdonck, Technometrics 58, 2016, 424-434",
        ),
    ]

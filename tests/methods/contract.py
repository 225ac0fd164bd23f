"""The methods that the contract is held against: every registered one, with arguments that suit small data.

The registry decides what is here.  The fast set has one configuration of a class, and a second one where that class
reads its data in another way; the weekly set has all registered names and the variants below.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import spcabench_methods as library
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

from spcabench.check.script import Trial
from spcabench.importing import resolve
from spcabench.plugins import load_registry
from spcabench.specs import DENSE, MethodSpec

PACKAGE = "spcabench_methods."

ABSOLUTE = "its penalties are in units of the data"
SORTED = "its components are sorted after they are found"
JOINT = "all its components take part in each iteration"

EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "scale": {"RSVD(lam=0.1)": ABSOLUTE, "DSPCA(lam=0.5)": ABSOLUTE, "SPCA(l1=0.5)": ABSOLUTE},
    "column_order": {
        "PCAL1(init='random', n_init=3, random_state=0)": "its starts are drawn feature by feature",
        "RSPCA(init='multi', n_nonzero=1, p=0.5, random_state=0)": "its starts are drawn feature by feature",
        "GPowerBlock(init='random', penalty='l0', random_state=0)": "its starts are drawn feature by feature",
    },
    "column_sign": {
        "PCAL1(init='random', n_init=3, random_state=0)": "its starts are drawn feature by feature",
        "RSPCA(init='multi', n_nonzero=1, p=0.5, random_state=0)": "its starts are drawn feature by feature",
        "GPowerBlock(init='random', penalty='l0', random_state=0)": "its starts are drawn feature by feature",
        "TPower(init='top_variance')": "the start of the authors' program has positive entries",
    },
    "order of equal variances": {
        "GPowerBlock(init='random', penalty='l0', random_state=0)": "its starts are drawn feature by feature",
        "DSPCA": "it sweeps over the features in their order, and stops after so many sweeps",
        "TPower(init='top_variance')": "the start of the authors' program, of features that tie the first",
        "spcagrid_sd": "its penalty leaves one feature of each component, and all of equal variance are as good",
        "multi_disjoint": "its rounds begin with random starts, and features of equal variance are as good",
        "GeoSPCA": "it stops before it has proved its choice, and meets features of equal variance in their order",
        "ITSPCA": "it starts from features of large variance, and rounding chooses where all are equal",
    },
    "cardinalities": {"ROSPCA": SORTED, "SPCAGrid": SORTED},
    "pca": {
        "EESPCA": "its loadings are nearly eigenvectors only",
        "Rotation": "it finds another basis of the same span",
        "SCA": "it finds another basis of the same span",
        "empca_nonneg": "its loadings have one sign",
        "spca_card": "its regressions on dependent features settle slowly",
        "multi_disjoint": "its loadings share no feature",
    },
    "rank": {
        "SPCAGrid": "its directions are those of a grid, in which something is left",
        "varpro_robust": "what it takes for outliers has directions of its own",
        "ThresholdedOja": "it reads the samples once, in their order",
    },
    "more iterations than one": {
        "ExactSPCA": "one node often proves the optimum",
        "MultiExactSPCA": "one node often proves the optimum",
        "Splicing": "it often begins where it ends",
    },
    "iterations": {"GeoSPCA": JOINT, "MultiExactSPCA": JOINT, "OrthogonalSPCA": JOINT, "VarProSPCA": JOINT},
}
"""Promises that a class, a registered name or an option does not make, beside those that its specification exempts."""

ARGUMENTS: Mapping[str, Mapping[str, object]] = {
    "ExactSPCA": {"max_iter": 300},
    "FirstOrderDSPCA": {"tol": 0.02, "max_iter": 21},
    "GeoSPCA": {"max_iter": 2},
    "ITSPCA": {"gamma": 0.1},
    "MultiExactSPCA": {"max_iter": 4},
    "OrthogonalSPCA": {"max_iter": 20},
    "SPCAvRP": {"n_groups": 20, "n_draws": 7},
    "SPCAvRPSubspace": {"n_groups": 20, "n_draws": 7},
    "VarProSPCA": {"alpha": 0.01},
}
"""What a class needs beside its registered arguments to fit small data quickly."""

VARIANTS: Sequence[BaseEstimator] = [
    library.SimpleThresholding(n_nonzero=2),
    library.TPower(init="pca"),
    library.TPower(init="top_variance"),
    library.TPower(init="decreasing", deflation="schur"),
    library.GPower(n_nonzero=2),
    library.GPower(n_nonzero=2, penalty="l0"),
    library.RSVD(lam=0.1),
    library.RSVDGP(n_nonzero=2, truncation="l1"),
    library.RSVDGP(n_nonzero=2, truncation="sp", init="pca"),
    library.GPowerBlock(penalty="l0", init="random", random_state=0),
    library.Rotation(n_nonzero=3),
    library.Rotation(criterion="quartimax", scaled=True),
    library.COPPCA(n_candidates=None, refit=False),
    library.COPPCA(rank="amended"),
    library.PathSPCA(search="full", polish=True),
    library.GSPCA(deflation="gsd"),
    library.Splicing(n_nonzero=4, init="top_variance", polish=True),
    library.LeastSquaresSPCA(variant="correlated", search="variance"),
    library.LeastSquaresSPCA(variant="projection", n_nonzero=4),
    library.SCoTLASS(bound=1.5, orth="exact"),
    library.SPCA(l1=0.5),
    library.SPCA(bound=1.5, stop="mean"),
    library.PMD(bound=1.5, deflation="schur"),
    library.EMPCA(nonnegative=True, n_init=1, random_state=0),
    library.EMPCA(deflation="schur", n_init=0, random_state=0),
    library.ALSPCA(max_correlation=0.1),
    library.DSPCA(lam=0.5),
    library.AMGPower(form="penalised", rho=0.2, random_state=0),
    library.AMGPower(sparsity="l1", form="penalised", refit=True, random_state=0),
    library.VarProSPCA(alpha=0.001, penalty="l0"),
    library.PCAL1(init="random", n_init=3, random_state=0),
    library.PCAL1(init="pca", random_state=0),
    library.R1PCA(weight="cauchy"),
    library.RSPCA(n_nonzero=1, p=0.5, init="multi", random_state=0),
    library.SPCAGrid(scale="qn", lam=0.2),
    library.SPCAGrid(lam=0.0, centre="median"),
]
"""Options that no registered name fixes."""


@dataclass(frozen=True)
class Configuration:
    """An estimator under a name, and what its registration says of it."""

    name: str
    estimator: BaseEstimator
    takes_covariance: bool = True
    spec: MethodSpec | None = None

    @property
    def kind(self) -> str:
        """The name of the class."""
        return type(self.estimator).__name__

    @property
    def counts(self) -> bool:
        """Whether the wanted number of nonzeros sets the sparsity."""
        return self.spec is not None and self.spec.knob.kind == "cardinality"

    @property
    def counts_each(self) -> bool:
        """Whether it is set for each component."""
        return self.counts and len(self.estimator._parameter_constraints["n_nonzero"]) > 2

    @property
    def takes_sparse(self) -> bool:
        """Whether sparse samples are taken."""
        return bool(get_tags(self.estimator).input_tags.sparse)

    @property
    def draws(self) -> bool:
        """Whether there are random numbers to seed."""
        return bool(self.known(random_state=0))

    def promises(self, what: str) -> bool:
        """Whether it makes a promise that others of `EXCEPTIONS` do not."""
        exempt = self.spec.exempt if self.spec else exempt_of(self.kind)
        return what not in exempt and not {self.kind, self.name} & EXCEPTIONS.get(what, {}).keys()

    def new(self, **params: Any) -> BaseEstimator:
        """Return an unfitted estimator with some parameters changed."""
        return clone(self.estimator).set_params(**params)

    def dense(self, n_features: int, **params: Any) -> BaseEstimator:
        """Return an unfitted estimator that truncates nothing of so many features."""
        knob = self.spec.knob if self.spec else DENSE
        least = {"cardinality": n_features, "penalty": knob.low}
        nothing = {knob.parameter: least[knob.kind]} if knob.kind in least else {}
        return self.new(**nothing, **params)

    def known(self, **params: Any) -> dict[str, Any]:
        """Return those parameters that the class has."""
        return {name: value for name, value in params.items() if name in self.estimator.get_params()}

    def on_covariance(self, n_samples: int = 30, **params: Any) -> BaseEstimator:
        """Return an unfitted estimator that takes the covariance of so many samples."""
        return self.new(covariance="precomputed", **self.known(n_samples=n_samples), **params)


def configured(spec: MethodSpec) -> Configuration:
    """Return a registered method with the arguments that its class needs; what can be drawn is seeded."""
    estimator = resolve(spec.estimator)(**spec.params)
    known = estimator.get_params()
    seed = {"random_state": 0} if "random_state" in known else {}
    estimator.set_params(**{**ARGUMENTS.get(type(estimator).__name__, {}), **seed})
    return Configuration(spec.name, estimator, "covariance" in known and "covariance" not in spec.params, spec)


def own(specs: Mapping[str, MethodSpec]) -> Iterator[MethodSpec]:
    """Yield the methods of this package; those of other libraries make no promises."""
    return (spec for spec in specs.values() if spec.estimator.startswith(PACKAGE))


@functools.cache
def registered() -> Mapping[str, Configuration]:
    """Return every registered method of this package by its name."""
    return {spec.name: configured(spec) for spec in own(load_registry().methods.specs)}


def exempt_of(kind: str) -> set[str]:
    """Return what the registered methods of a class cannot promise."""
    return {promise for c in registered().values() if c.kind == kind and c.spec for promise in c.spec.exempt}


def variants() -> Iterator[Configuration]:
    """Yield the options that no registered name fixes."""
    takes = {c.kind: c.takes_covariance for c in reversed(registered().values())}
    for estimator in VARIANTS:
        yield Configuration(repr(estimator), estimator, takes_covariance=takes[type(estimator).__name__])


def data_path(configuration: Configuration) -> tuple[str, bool, bool]:
    """Return what decides how the data are read: configurations with the same value share that code."""
    return configuration.kind, configuration.takes_covariance, configuration.takes_sparse


def fast() -> set[str]:
    """Return the first registered name of each data path."""
    return set({data_path(c): c.name for c in reversed(registered().values())}.values())


def every(
    where: Callable[[Configuration], bool] = lambda configuration: True,
    also: Sequence[Configuration] = (),
    first: Sequence[pytest.MarkDecorator] = (),
) -> pytest.MarkDecorator:
    """Parametrise a test over the configurations for which a predicate holds; all but the fast ones are weekly.

    Those in `also` are fast too.  `first` are other marks of the fast ones.
    """
    chosen = fast() | {c.name for c in also}
    cases = [
        pytest.param(c, id=c.name, marks=first if c.name in chosen else pytest.mark.weekly)
        for c in [*registered().values(), *variants(), *also]
        if where(c)
    ]
    return pytest.mark.parametrize("method", cases)


def trial(method: Configuration) -> Trial:
    """Return a method on samples of as many features as `samples`, as `spcabench check` tries it."""
    spec = method.spec or MethodSpec(name="variant", estimator=PACKAGE)
    return Trial(spec, method.new, (f"new = {method.estimator!r}.set_params",), n_samples=30, n_features=8)

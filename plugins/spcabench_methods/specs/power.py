"""Schemes that combine with truncations: of the families power, block and rotation, as a benchmark knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TypeVar

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl
from spcabench_methods.truncations import Truncation, thresholds, truncations

T = TypeVar("T", bound=Truncation)

_method = partial(MethodSpec, iterations="max_iter", tolerance="tol", starts="init")
_power = partial(_method, family="power", sparse="weights", knob=CARDINALITY)
_block = partial(_method, family="block", sparse="weights")
_rotation = partial(_method, family="rotation", sparse="loadings")

_JOURNEE = "Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithms"
_HU = "Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm"


def _of(name: str, found: Mapping[str, T]) -> Iterator[T]:
    """Yield the truncations that a benchmark knows the methods `name` with."""
    return (t for t in found.values() if t.methods is None or name in t.methods)


def _fixed(truncation: Truncation, *free: str) -> dict[str, object]:
    """Return the parameters that a method with one truncation fixes: those that others take, but for `free` ones."""
    others = {t.level.name for t in truncations().values()} - {truncation.level.name, *free}
    return {"truncation": truncation.symbol, **dict.fromkeys(sorted(others))}


def _knob(truncation: Truncation) -> Knob:
    """Return how the level of a truncation sets the sparsity."""
    level = truncation.level.name
    return CARDINALITY if level == CARDINALITY.parameter else Knob("penalty", level, high=1.0)


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of these families."""
    gpower = [
        _power(
            name=f"gpower_{penalty.symbol}",
            estimator="spcabench_methods.power.gpower:GPower",
            title=f"Generalised power method, single unit, {penalty.symbol} penalty",
            params={"penalty": penalty.symbol},
            reference=f"{_JOURNEE} 2 and 3; {penalty.source}",
        )
        for penalty in _of("gpower", thresholds())
    ]
    gpower_block = [
        _block(
            name=f"gpower_{penalty.symbol}m",
            estimator="spcabench_methods.block.gpower_block:GPowerBlock",
            title=f"Generalised power method, block, {penalty.symbol} penalty",
            knob=Knob("penalty", "rho", high=1.0),
            params={"penalty": penalty.symbol, **({"refit": False} if penalty.selects else {})},
            reference=f"{_JOURNEE} 4 and 5; {penalty.source}",
        )
        for penalty in _of("gpower", thresholds())
    ]
    rsvd = [
        _power(
            name=f"rsvd_{penalty.symbol}",
            estimator="spcabench_methods.power.rsvd:RSVD",
            title=f"Regularised singular value decomposition, {penalty.symbol} penalty",
            sparse="loadings",
            params={"penalty": penalty.symbol},
            reference=f"Shen and Huang, Journal of Multivariate Analysis 99, 2008, 1015-1034, algorithm 1; "
            f"{penalty.source}",
        )
        for penalty in _of("rsvd", thresholds())
    ]
    rsvdgp = [
        _power(
            name=f"rsvdgp_{truncation.symbol}",
            estimator="spcabench_methods.power.rsvd_gp:RSVDGP",
            title=f"Power method with relative truncation, {truncation.words}",
            params=_fixed(truncation, "n_nonzero"),
            reference=f"{_HU} 2; {truncation.source}",
        )
        for truncation in _of("rsvdgp", truncations())
    ]
    rsvdgpb = [
        _block(
            name=f"rsvdgpb_{truncation.symbol}",
            estimator="spcabench_methods.block.rsvd_gpb:RSVDGPB",
            title=f"Block power method with relative truncation, {truncation.words}",
            sparse="loadings",
            knob=_knob(truncation),
            params=_fixed(truncation),
            reference=f"{_HU} 3; {truncation.source}",
        )
        for truncation in _of("rsvdgpb", truncations())
    ]
    spcart = [
        _rotation(
            name=f"spcart_{truncation.symbol}",
            estimator="spcabench_methods.rotation.spcart:SPCArt",
            title=f"Sparse PCA via rotation and truncation, {truncation.words}",
            knob=_knob(truncation),
            params=_fixed(truncation),
            reference=f"{_HU} 1; {truncation.source}",
        )
        for truncation in _of("spcart", truncations())
    ]
    rotated = [
        _rotation(
            name=criterion,
            estimator="spcabench_methods.rotation.varimax:Rotation",
            title=f"Rotated eigenvectors, {criterion} criterion, thresholded",
            knob=CARDINALITY,
            params={"criterion": criterion},
            reference="Jolliffe, Journal of Applied Statistics 22, 1995, 29-35",
        )
        for criterion in ("varimax", "quartimax")
    ]
    sca = [
        _rotation(
            name=f"sca_{truncation}",
            estimator="spcabench_methods.rotation.sca:SCA",
            title=f"Sparse component analysis, {words}",
            knob=Knob("penalty", "shrinkage", high=1.0),
            params={"truncation": truncation},
            starts=None,
            exempt=exempt,
            reference="Chen and Rohe, Journal of Computational and Graphical Statistics 33, 2023, 421-434",
        )
        for truncation, words, exempt in (
            ("l1", "one soft threshold", {"knob": "at the least budget of its model several small entries may stay"}),
            ("l0", "largest entries of all loadings", {}),
        )
    ]
    return [
        *gpower,
        _power(
            name="tpower",
            estimator="spcabench_methods.power.tpower:TPower",
            title="Truncated power method",
            reference="Yuan and Zhang, Journal of Machine Learning Research 14, 2013, 899-925, algorithm 1",
        ),
        _power(
            name="rtpm",
            estimator="spcabench_methods.power.rtpm:RTPM",
            title="Truncated power method from every coordinate",
            starts=None,
            reference="Kumar, Sarkar, Tian and Zhang, ICML 2026, arXiv:2603.02607, algorithm 1",
        ),
        *rsvd,
        *rsvdgp,
        _power(
            name="inverse_power",
            estimator="spcabench_methods.power.inverse_power:InversePower",
            title="Inverse power method of a ratio of norms",
            reference="Hein and Bühler, Advances in Neural Information Processing Systems 23, 2010, 847-855, section 5",
        ),
        *rsvdgpb,
        *gpower_block,
        _block(
            name="itspca",
            estimator="spcabench_methods.block.itspca:ITSPCA",
            title="Iterative thresholding of a subspace",
            knob=Knob("penalty", "gamma"),
            params={"n_samples": None},
            requires=frozenset({"samples"}),
            reference="Ma, Annals of Statistics 41, 2013, 772-801, algorithms 1 and 2",
            exempt={"dense_limit": "its default tolerance is one over the number of samples"},
        ),
        *rotated,
        *spcart,
        *sca,
    ]

"""The methods of the family robust, as a benchmark knows them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(MethodSpec, family="robust", requires=frozenset({"samples"}))

_ROBUST_GRID = {"knob": "the angles of its grid lead to exact zeros", "dense_limit": "it maximises a robust scale"}
_SWERVING = {"planted_support": "as its penalty grows the count rises and falls, and a search for it may miss"}
_GRID: Mapping[str, Mapping[str, str]] = {"sd": {}, "mad": _ROBUST_GRID, "qn": _ROBUST_GRID | _SWERVING}

_SCALES = {"sd": "standard deviation", "mad": "median absolute deviation", "qn": "Qn"}


_L1 = "it maximises the l1 norm of the scores"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    spca_grid = [
        _method(
            name=f"spcagrid_{scale}",
            estimator="spcabench_methods.robust.spca_grid:SPCAGrid",
            title=f"Sparse projection pursuit on a grid, {title}",
            sparse="weights",
            knob=CARDINALITY,
            params={"scale": scale},
            starts="init",
            reference="Croux, Filzmoser and Fritz, Technometrics 55, 2013, 202-214",
            exempt=_GRID[scale],
        )
        for scale, title in _SCALES.items()
    ]
    return [
        _method(
            name="pca_l1",
            estimator="spcabench_methods.robust.pca_l1:PCAL1",
            iterations="max_iter",
            tolerance="tol",
            title="Principal component analysis of largest l1 variance",
            starts="init",
            reference="Kwak, IEEE TPAMI 30, 2008, 1672-1680",
            exempt={"dense_limit": _L1},
        ),
        _method(
            name="rspca",
            estimator="spcabench_methods.robust.rspca:RSPCA",
            iterations="max_iter",
            tolerance="tol",
            title="Robust sparse PCA: l1 variance under an l_p constraint",
            sparse="weights",
            knob=CARDINALITY,
            starts="init",
            reference="Zhao, Meng and Xu, Science China Information Sciences 57, 2014, 092115, algorithm 1",
            exempt={"dense_limit": _L1},
        ),
        *spca_grid,
        _method(
            name="rospca",
            estimator="spcabench_methods.robust.rospca:ROSPCA",
            title="Robust sparse PCA of the samples that distances leave",
            sparse="weights",
            knob=CARDINALITY,
            reference="Hubert, Reynkens, Schmitt and Verdonck, Technometrics 58, 2016, 424-434",
            exempt={"dense_limit": "it leaves out what it takes for outliers"},
        ),
    ]

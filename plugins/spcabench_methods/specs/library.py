"""The methods of the family library, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import Knob, MethodSpec, hookimpl

_method = partial(
    MethodSpec,
    family="library",
    sparse="loadings",
    knob=Knob("penalty", "alpha"),
    iterations="max_iter",
    tolerance="tol",
    requires=frozenset({"samples"}),
)

_MAIRAL = "Mairal, Bach, Ponce and Sapiro, ICML 2009, 689-696; Jenatton, Obozinski and Bach, AISTATS 2010, 366-373"


_BATCHES = "it ends when some batches bring no improvement, after few or many"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        _method(
            name="sklearn_spca",
            estimator="sklearn.decomposition:SparsePCA",
            title="scikit-learn: dictionary learning with sparse loadings",
            reference=_MAIRAL,
            exempt={"scale": "its penalty is in units of the data"},
        ),
        _method(
            name="sklearn_minibatch",
            estimator="sklearn.decomposition:MiniBatchSparsePCA",
            title="scikit-learn: online dictionary learning with sparse loadings",
            reference=_MAIRAL,
            exempt={
                "column_order": "its batches are of features, in their order",
                "scale": "its penalty is in units of the data",
                "dense_limit": _BATCHES,
                "growth": _BATCHES,
            },
        ),
    ]

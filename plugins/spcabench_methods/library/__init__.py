"""Sparse PCA of other libraries, as baselines."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import NOTHING, Either, Knob, MethodSpec, Number, OneOf, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import N_COMPONENTS
from spcabench_methods.core.declared_random import random_state

_SHARED: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "alpha": Parameter(1, Number(0.0), "the l1 penalty; for equal sparsity it grows as the root of the sample size"),
    "ridge_alpha": Parameter(0.01, Number(0.0), "the squared l2 penalty of the scores, in transform alone"),
    "max_iter": Parameter(1000, Whole(1), "the most iterations"),
    "method": Parameter("lars", OneOf("lars", "cd"), "least angles, or coordinate descent"),
    "random_state": random_state("for the start"),
}

SPARSE_PCA_PARAMETERS: Mapping[str, Parameter] = {
    **_SHARED,
    "tol": Parameter(1e-8, Number(0.0), "iterations stop at a smaller change of the objective"),
}

MINIBATCH_PARAMETERS: Mapping[str, Parameter] = {
    **_SHARED,
    "batch_size": Parameter(3, Whole(1), "how many features are treated at a time"),
    "tol": Parameter(1e-3, Number(0.0), "iterations stop at a smaller relative change of the loadings"),
    "max_no_improvement": Parameter(
        10, Either(NOTHING, Whole(0)), "iterations stop after so many batches without a smaller objective"
    ),
}

_MAIRAL = "Mairal, Bach, Ponce and Sapiro, ICML 2009, 689-696; Jenatton, Obozinski and Bach, AISTATS 2010, 366-373"


_BATCHES = "it ends when some batches bring no improvement, after few or many"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="sklearn_spca",
            estimator="sklearn.decomposition:SparsePCA",
            iterations="max_iter",
            tolerance="tol",
            title="scikit-learn: dictionary learning with sparse loadings",
            family="library",
            sparse="loadings",
            knob=Knob("penalty", "alpha"),
            parameters=SPARSE_PCA_PARAMETERS,
            requires=frozenset({"samples"}),
            reference=_MAIRAL,
            exempt={"scale": "its penalty is in units of the data"},
        ),
        MethodSpec(
            name="sklearn_minibatch",
            estimator="sklearn.decomposition:MiniBatchSparsePCA",
            iterations="max_iter",
            tolerance="tol",
            title="scikit-learn: online dictionary learning with sparse loadings",
            family="library",
            sparse="loadings",
            knob=Knob("penalty", "alpha"),
            parameters=MINIBATCH_PARAMETERS,
            requires=frozenset({"samples"}),
            reference=_MAIRAL,
            exempt={
                "column_order": "its batches are of features, in their order",
                "scale": "its penalty is in units of the data",
                "dense_limit": _BATCHES,
                "growth": _BATCHES,
            },
        ),
    ]

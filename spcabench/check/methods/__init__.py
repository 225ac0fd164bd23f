"""Hold a method to its promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from time import process_time

from spcabench.check.findings import Attempt
from spcabench.check.methods.declaration import constructor, resolves
from spcabench.check.methods.invariances import column_order, row_order, scale, shift, sign
from spcabench.check.methods.loadings import finite, shape, unit_rows
from spcabench.check.methods.moments import covariance
from spcabench.check.methods.refusals import bad_input
from spcabench.check.methods.repeats import deterministic, global_state, pickled, samples_untouched
from spcabench.check.methods.sparsity import knob
from spcabench.check.methods.starting import starts
from spcabench.check.methods.times import growth
from spcabench.check.methods.trial import Trial, trial_of
from spcabench.check.methods.truth import dense_limit, planted_support
from spcabench.specs import MethodSpec

SIZES = ((6, 4, 1, 2), (30, 8, 2, 3), (60, 12, 2, 4), (10, 50, 2, 5))
"""Samples, features, components and nonzeros of the problems, the smallest first."""

PATIENCE = 5.0
"""Processor seconds of a check, after which no larger problem is begun."""

FITTED: Mapping[str, Callable[[Trial], object]] = {
    "shape": shape,
    "finite": finite,
    "unit_rows": unit_rows,
    "deterministic": deterministic,
    "samples_untouched": samples_untouched,
    "global_state": global_state,
    "pickle": pickled,
    "sign": sign,
    "shift": shift,
    "row_order": row_order,
    "column_order": column_order,
    "scale": scale,
    "knob": knob,
    "dense_limit": dense_limit,
    "planted_support": planted_support,
    "bad_input": bad_input,
    "covariance": covariance,
    "starts": starts,
}
"""The checks of a fit, each made on all problems until one shows a fault."""


def attempts(spec: MethodSpec) -> dict[str, Attempt]:
    """Return what tries each promise of a method, by the promise's name."""
    return {
        "resolves": partial(resolves, spec),
        "constructor": partial(constructor, spec),
        **{name: partial(_on_problems, check, spec) for name, check in FITTED.items()},
        "growth": partial(_on_a_problem, growth, spec),
    }


def _on_problems(check: Callable[[Trial], object], spec: MethodSpec) -> None:
    """Make a check on one problem after another; a slow method, or one that may be, is spared the larger ones."""
    begin = process_time()
    for size in SIZES[:2] if "growth" in spec.exempt else SIZES:
        if process_time() - begin < PATIENCE:
            check(trial_of(spec, *size))


def _on_a_problem(check: Callable[[Trial], object], spec: MethodSpec) -> None:
    check(trial_of(spec, *SIZES[0]))

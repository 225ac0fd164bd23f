"""Declarations of the parameters that many methods share.  The pages of the families import them: keep them light."""

from __future__ import annotations

from spcabench import NOTHING, Either, ListOf, Number, OneOf, Parameter, Whole

N_COMPONENTS = Parameter(2, Whole(1), "how many components")
REFIT = "replace each loading by the leading eigenvector on its support"
POLISH = Parameter(
    None,
    OneOf(None, True, False),
    "true: exchange single features until no exchange explains more; null: cheap exchanges, if init is 'several'",
)
EXCHANGES = Parameter(
    False,
    OneOf(False, True, None),
    "true: exchange single features until no exchange explains more; null: cheap exchanges; false: none",
)
"""The exchanges of a method that makes none by default."""
COVARIANCE = Parameter(None, OneOf(None, "precomputed"), "'precomputed': fit takes the covariance matrix, not samples")


def n_nonzero(default: str) -> Parameter:
    """Declare the nonzeros of a component; `default` says what None stands for."""
    return Parameter(
        None,
        Either(NOTHING, Whole(1), ListOf(Whole(1))),
        f"nonzeros of a component, one number or one per component; n_features or more: no truncation; null: {default}",
    )


N_NONZERO = n_nonzero("the square root of n_features, rounded up, unless another parameter sets the sparsity")


def tolerance(default: float) -> Parameter:
    """Declare the relative change at which iterations stop."""
    return Parameter(default, Number(0.0), "iterations stop at a relative change below it")


def iterations(default: int) -> Parameter:
    """Declare the most iterations a component may take."""
    return Parameter(default, Whole(1), "the most iterations of a component")


def deflation(default: str) -> Parameter:
    """Declare how a component is removed."""
    return Parameter(
        default,
        OneOf("projection", "schur", "gsd"),
        "what of a component is removed before the next: its loading, all that its score explains, or the part of its "
        "loading orthogonal to earlier ones",
    )


DEFLATION = deflation("projection")

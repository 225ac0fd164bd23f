"""The methods of the family block, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import Knob, MethodSpec, hookimpl
from spcabench_methods.specs._truncations import fixed, knob_of, of_methods
from spcabench_methods.truncations import Threshold, thresholds, truncations
from spcabench_methods.truncations.hard import hard

_method = partial(MethodSpec, family="block", sparse="weights", starts="init", iterations="max_iter", tolerance="tol")


def _gpower_block(penalty: Threshold) -> dict[str, object]:
    """Return what the method with one penalty fixes; a refit is of no use where nothing was shrunk."""
    return {"penalty": penalty.symbol, **({"refit": False} if penalty is hard else {})}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    rsvdgpb = [
        _method(
            name=f"rsvdgpb_{truncation.symbol}",
            estimator="spcabench_methods.block.rsvd_gpb:RSVDGPB",
            title=f"Block power method with relative truncation, {truncation.words}",
            sparse="loadings",
            knob=knob_of(truncation),
            params=fixed(truncation),
            reference=f"Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890, algorithm 3; {truncation.source}",
        )
        for truncation in of_methods("rsvdgpb", truncations())
    ]
    gpower = [
        _method(
            name=f"gpower_{penalty.symbol}m",
            estimator="spcabench_methods.block.gpower_block:GPowerBlock",
            title=f"Generalised power method, block, {penalty.symbol} penalty",
            knob=Knob("penalty", "rho", high=1.0),
            params=_gpower_block(penalty),
            reference=f"Journée, Nesterov, Richtárik and Sepulchre, JMLR 11, 2010, 517-553, algorithms 4 and 5; "
            f"{penalty.source}",
        )
        for penalty in of_methods("gpower", thresholds())
    ]
    itspca = _method(
        name="itspca",
        estimator="spcabench_methods.block.itspca:ITSPCA",
        title="Iterative thresholding of a subspace",
        knob=Knob("penalty", "gamma"),
        params={"n_samples": None},
        requires=frozenset({"samples"}),
        reference="Ma, Annals of Statistics 41, 2013, 772-801, algorithms 1 and 2",
        exempt={"dense_limit": "its default tolerance is one over the number of samples"},
    )
    return [*rsvdgpb, *gpower, itspca]

"""The order of the seconds of Table 4 of the RSPCA paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from published_checks.estimators import drawn, fit

from published_reasons.registry import Variant, reason

CONTAMINATION = {"kind": "outliers", "fraction": 0.506928}
SECONDS = {"pca_l1": 936.77, "rsvd_l0": 1222.25, "gpower_l1": 221.17, "gpower_l0": 143.29, "rspca": 560.30}
PENALTIES = {"gpower_l1": 0.0052, "gpower_l0": 4.4e-5}


@reason(
    "order_of_seconds",
    "Zhao, Meng, Xu 2014 (RSPCA), Table 4, outlier case",
    "steps for 100 components, seed 0, and the published seconds over them; a step of each takes two products with "
    "the samples, X w and X' of what becomes of it",
    "seconds: " + ", ".join(f"{name} {seconds:g}" for name, seconds in SECONDS.items()),
)
def order_of_seconds() -> Iterator[Variant]:
    X = drawn("mnist", 0, digit=6, split="train", contamination=CONTAMINATION).X

    def counted(name: str, **params: Any) -> Variant:
        steps = int(fit(name, X, n_components=100, **params).n_iter_per_component_.sum())
        how = ", ".join([name, *(f"{key} = {value:g}" for key, value in params.items() if key != "init")])
        start = f", from {params['init']}" if "init" in params else ""
        return Variant(how + start, f"about {round(steps, -2)} steps, {1000 * SECONDS[name] / steps:.0f} ms a step")

    for init in ("max_norm", "ones", "pca"):
        yield counted("pca_l1", init=init)
    for tol in (1e-10, 1e-4, 1e-2):
        yield counted("rspca", n_nonzero=400, p=0, tol=tol)
    for tol in (1e-6, 1e-10):
        yield counted("rsvd_l0", n_nonzero=400, tol=tol)
    for name, rho in PENALTIES.items():
        for tol in (1e-4, 1e-6):
            yield counted(name, rho=rho, tol=tol)

"""The methods of the family relaxation, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(
    MethodSpec, family="relaxation", sparse="weights", knob=CARDINALITY, iterations="max_iter", tolerance="tol"
)


_FPS = "Vu, Cho, Lei and Rohe, Advances in Neural Information Processing Systems 26, 2013, 2670-2678, algorithm 1"
_GRADIENT = "Qiu, Lei and Roeder, Biometrika 110, 2023, 339-360"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    fps = [
        _method(
            name=name,
            estimator="spcabench_methods.relaxation.fps:FPS",
            title=f"Fantope projection and selection, {words}",
            params=fixed,
            reference=reference,
        )
        for name, words, fixed, reference in (
            ("fps", "one component at a time", {"solver": "admm", "step": 0.5}, _FPS),
            ("grad_fps", "by gradient steps", {"solver": "gradient"}, f"{_GRADIENT}; {_FPS}"),
        )
    ]
    subspace = _method(
        name="fps_joint",
        estimator="spcabench_methods.relaxation.subspace:SubspaceFPS",
        title="Fantope projection and selection of a subspace",
        reference=_FPS,
    )
    return [
        _method(
            name="dspca",
            estimator="spcabench_methods.relaxation.dspca:DSPCA",
            title="Semidefinite relaxation, block coordinate ascent",
            reference="d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007, 434-448; "
            "Zhang and El Ghaoui, NIPS 2011, 532-539, algorithm 1",
        ),
        _method(
            name="dspca_fo",
            estimator="spcabench_methods.relaxation.first_order:FirstOrderDSPCA",
            title="Semidefinite relaxation, first-order method",
            reference="d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007, 434-448",
            exempt={"knob": "loadings that its tolerance does not resolve are zero"},
        ),
        *fps,
        subspace,
    ]

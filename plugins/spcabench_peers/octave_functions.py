"""A function of Octave, given by its file, as a method; ``programs/peer.m`` calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spcabench import CARDINALITY, NOTHING, Either, ExistingFile, MethodSpec, MethodUnavailable, Parameter, hookimpl
from spcabench_peers.peer import N_COMPONENTS, N_NONZERO, SAMPLES, Peer, program


@dataclass(eq=False, repr=False)
class OctaveFunction(Peer):
    """``loadings = NAME(X, n_components, n_nonzero)`` of the file NAME.m, with one column for each component.

    `n_nonzero` is a row of numbers, one for each component.
    """

    script = "peer.m"
    remedy = "install Octave, on Debian with: apt-get install octave"

    n_components: int = 2
    n_nonzero: int | Sequence[int] = 4
    path: str | None = None
    program: str = "octave-cli"

    def called(self) -> Sequence[str]:
        """Return Octave, our script for it, and the file of the function."""
        if self.path is None:
            raise MethodUnavailable("octave needs the file of a function; name it in the suite: params: {path: mine.m}")
        interpreter, script, _ = super().called()
        return (interpreter, "--norc", script, self.path)

    def options(self) -> Mapping[str, object]:
        """Return the parameters that the function gets."""
        return {"n_components": self.n_components, "n_nonzero": self.n_nonzero}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the method that is a function of Octave."""
    return [
        MethodSpec(
            name="octave",
            estimator="spcabench_peers.octave_functions:OctaveFunction",
            title="A function of Octave, given by its file",
            family="peers",
            knob=CARDINALITY,
            parameters={
                "n_components": N_COMPONENTS,
                "n_nonzero": N_NONZERO,
                "path": Parameter(
                    None, Either(NOTHING, ExistingFile()), "NAME.m with: function loadings = NAME(X, r, nonzeros)"
                ),
                "program": program("octave-cli"),
            },
            requires=SAMPLES,
        )
    ]

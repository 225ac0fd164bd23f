"""What the methods of all languages share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from spcabench import NOTHING, Either, ListOf, Number, Parameter, ProgramMethod, Text, Whole

PROGRAMS = Path(__file__).parent / "programs"

N_COMPONENTS = Parameter(2, Whole(1), "how many components")
N_NONZERO = Parameter(4, Either(Whole(1), ListOf(Whole(1))), "nonzeros of a component, one number or one per component")
SAMPLES = frozenset({"samples"})
PENALTY = {"scale": "its penalty is in units of the data"}


def program(default: str) -> Parameter:
    """Declare the program that runs a package."""
    return Parameter(default, Text(), "the program that runs it, a name or a path")


def searched(valid: Number, meaning: str) -> Parameter:
    """Declare penalties that are searched for the wanted nonzeros unless they are given."""
    ways = Either(NOTHING, valid, ListOf(valid))
    return Parameter(None, ways, f"{meaning}, one number or one per component; null: searched for n_nonzero")


class Peer(ProgramMethod):
    """A package that a script of ours calls.

    Its parameters but `program` are passed on to the script.
    """

    program: str
    script: str = ""
    package: str = ""

    def called(self) -> Sequence[str]:
        """Return the program, our script for it, and the package."""
        return (self.program, str(PROGRAMS / self.script), self.package)

    def options(self) -> Mapping[str, object]:
        """Return the parameters but for the program."""
        return {name: value for name, value in super().options().items() if name != "program"}

"""Methods and data sets with every parameter settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from spcabench.parameters import in_yaml
from spcabench.specs import DatasetSpec, MethodSpec
from spcabench.suite.hashed import text
from spcabench.suite.starts import MAIN, OWN, PUBLISHED, Start, from_start


@dataclass(frozen=True)
class MethodVariant:
    """A method with its parameters, and where it starts.

    Parameters
    ----------
    name : str
        What tables call it.
    spec : MethodSpec
        The method.
    params : mapping
        Its parameters.
    own_sparsity : bool
        Whether these set its sparsity, in place of a target.
    start : str
        Where it starts.
    note : str
        What the main table says beside it.
    """

    name: str
    spec: MethodSpec
    params: Mapping[str, Any]
    own_sparsity: bool
    start: Start = OWN
    note: str = ""

    @cached_property
    def label(self) -> str:
        """What names it among all methods and starts of the suite."""
        return from_start(self.name, self.start)

    @cached_property
    def params_text(self) -> str:
        """Its parameters as text."""
        return text(dict(self.params))

    @property
    def own_start(self) -> str:
        """Where it starts if the suite does not say; empty if that is unknown, or it has no start to choose."""
        parameter = self.spec.starts
        if parameter is None:
            return ""
        set_here = self.params if self.start in MAIN else {}
        declared = self.spec.parameters.get(parameter)
        return str(set_here.get(parameter, declared.default if declared else ""))

    @property
    def refused(self) -> str:
        """Why it cannot start there; empty if it can."""
        declared = self.spec.parameters.get(self.spec.starts or "")
        if self.start in MAIN or declared is None or declared.valid.accepts(self.start):
            return ""
        return f"{self.name} does not start from {self.start}; valid is {in_yaml(declared.valid)}"

    def from_each(self, starts: Sequence[Start]) -> list[MethodVariant]:
        """Return it from each of the starts; itself alone if it has no start to choose, or its parameters set it."""
        parameter = self.spec.starts
        if parameter is None or parameter in self.params:
            return [self]
        return [self._from(start, parameter) for start in starts]

    def _from(self, start: Start, parameter: str) -> MethodVariant:
        """Return it from a start; its parameters are those of its own start where that is the same."""
        declared = self.spec.parameters.get(parameter)
        unsaid = start == PUBLISHED and (declared is None or not declared.valid.accepts(start))
        same = start in (OWN, self.own_start) or unsaid
        return replace(self, start=start, params=self.params if same else {**self.params, parameter: start})


@dataclass(frozen=True)
class DatasetVariant:
    """A data set with its parameters, and what stands in for it."""

    label: str
    spec: DatasetSpec
    params: Mapping[str, Any]
    preprocess: str
    stand_in: DatasetVariant | None = None
    n_nonzero: Sequence[int | Sequence[int]] = ()
    n_components: Sequence[int] = ()
    seeds: Sequence[int] = ()
    optional: bool = False

    @property
    def n_features(self) -> int | None:
        """How many features it has; None if that is not known before it is drawn."""
        declared = self.spec.n_features
        found = self.params.get(declared) if isinstance(declared, str) else declared
        return found if isinstance(found, int) and self.stand_in is None else None

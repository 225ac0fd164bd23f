"""The names in a suite, checked while pydantic reads it, so that each fault has its place in the file.

Methods, data sets and metrics are looked up in the registry; labels and columns among the entries read so far, which
stand before all that refers to them.  What is read without `Names` for its context is not checked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from spcabench.parameters import nearest, parameter_faults, shown, unknown_name
from spcabench.plugins import Catalogue, Registry
from spcabench.specs import MethodSpec
from spcabench.suite.columns import column_of, empty
from spcabench.suite.values import Label, named
from spcabench.suite.variants import MAX_VARIANTS, Faults, grid_faults, spread

Kind = Literal["method", "data set", "metric"]
KINDS: tuple[Kind, ...] = ("method", "data set", "metric")

FAULT = "fault"
"""The type of the errors whose words are complete."""
MOST_LISTED = 10
"""How many repeated labels of an entry are listed; the rest is only counted."""


def fault(words: str) -> PydanticCustomError:
    """Return an error of a value in these words."""
    return PydanticCustomError(FAULT, "{words}", {"words": words})


def faults_within(found: Faults) -> ValidationError:
    """Return an error of several faults within a value, each at its path from there."""
    return ValidationError.from_exception_data(
        FAULT, [InitErrorDetails(type=fault(words), loc=path, input=None) for path, words in found]
    )


@dataclass(frozen=True)
class Names:
    """What a suite may name.

    Parameters
    ----------
    registry : Registry
        Everything that the plugins provide.
    as_run : bool
        Whether a run keeps the suite: its methods are settled, and their parameters are not looked at again.
    labels : dict
        The labels of the entries so far, by kind.
    stems : set
        The labels of the data sets before their grids are spread.
    lost : dict
        How the labels of the entries at fault begin, by kind; None for an entry that does not say.
    """

    registry: Registry
    as_run: bool = False
    labels: dict[Kind, dict[str, None]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    stems: set[str] = field(default_factory=set)
    lost: dict[Kind, list[Any]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def catalogue(self, kind: Kind) -> Catalogue[Any]:
        """Return what the plugins provide of a kind."""
        return next(catalogue for catalogue in self.registry.catalogues if catalogue.kind == kind)

    def add(self, kind: Kind, entry: Any) -> None:
        """Take in the labels of an entry.

        Raises
        ------
        ValidationError
            If there are too many, or some are taken.
        """
        stem = getattr(entry, "label", None) or entry.name
        is_settled = kind == "metric" or (kind == "method" and self.as_run)
        grid = [({}, "")] if is_settled else spread(entry.params, self.catalogue(kind)[entry.name].parameters)
        taken = self.labels[kind]
        total = len(taken) + len(grid)
        if total > MAX_VARIANTS:
            raise faults_within([((), f"{kind}s: {total} up to here; valid is up to {MAX_VARIANTS}")])
        repeated = []
        for label in [stem + suffix for _, suffix in grid]:
            if label in taken:
                repeated.append(label)
            taken[label] = None
        if kind == "data set":
            self.stems.add(stem)
        remedy = "" if kind == "metric" else "; choose distinct labels by 'label'"
        words = [f"the {kind} {shown(label)} occurs twice{remedy}" for label in repeated[:MOST_LISTED]]
        if len(repeated) > MOST_LISTED:
            words.append(f"{len(repeated) - MOST_LISTED} more labels occur twice")
        if words:
            raise faults_within([((), one) for one in words])

    def unknown(self, kind: Kind, label: str) -> str:
        """Return the fault of a label that no entry has; nothing if it may be of an entry that is at fault."""
        known, lost = self.labels[kind], self.lost[kind]
        may_be_lost = any(stem is None or label == stem or label.startswith(f"{stem}(") for stem in lost)
        if label in known or may_be_lost or not (known or lost):
            return ""
        words = "the suite has no metric" if kind == "metric" else f"no {kind} of this suite is labelled"
        return f"{words} {shown(label)}{unknown_name(label, known)}"

    def unknown_of(self, kind: Kind, name: str) -> str:
        """Return the fault of a name that no plugin has; nothing if one has it.

        If no known name is similar, it may belong to a plugin that was not loaded.  A metric with an aspect, such as
        ``cpev_test``, is a column of the metric without it.
        """
        catalogue = self.catalogue(kind)
        if name in catalogue:
            return ""
        column = column_of(name, self.registry.metrics.specs)
        if kind == "metric" and column.metric in catalogue:
            if reason := empty(column, catalogue[column.metric]):
                return f"{shown(name)} does not exist: {reason}"
            return (
                f"{shown(name)} is a column of the metric '{column.metric}', not a metric; ask for '{column.metric}', "
                "and choose columns in report.columns"
            )
        hint = "" if nearest(name, catalogue) else "; load your own with --plugin FILE"
        return f"unknown {kind} {shown(name)}{unknown_name(name, catalogue)}{hint}{self.registry.hint}"


def entry(kind: Kind, written: Any) -> WrapValidator:
    """Read an entry, of which a bare name may stand for the whole, and take in its labels; `written` is either."""

    def read(value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        names = info.context
        try:
            found = handler(named(value))
            if isinstance(names, Names):
                names.add(kind, found)
        except ValidationError:
            if isinstance(names, Names):
                said = named(value)
                names.lost[kind].append(said.get("label") or said.get("name") if isinstance(said, dict) else None)
            raise
        return found

    return WrapValidator(read, json_schema_input_type=written)


def _provided(kind: Kind) -> AfterValidator:
    """Check that a name is that of a plugin's."""

    def check(name: str, info: ValidationInfo) -> str:
        if isinstance(info.context, Names) and (words := info.context.unknown_of(kind, name)):
            raise fault(words)
        return name

    return AfterValidator(check)


def _settable(kind: Kind, grid: bool) -> AfterValidator:
    """Check the parameters of an entry by its name, which stands before them; whether they may span a `grid`."""

    def check(params: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        names, name = info.context, info.data.get("name")
        if not isinstance(names, Names) or name is None or (kind == "method" and names.as_run):
            return params
        spec = names.catalogue(kind)[name]
        found = [] if kind != "method" else _set_by_suite(spec, params, info.data.get("sparsity"))
        given = {key: value for key, value in params.items() if (key,) not in dict(found)}
        if grid:
            found += grid_faults(given, spec.parameters)
        else:
            found += [((key,), words) for key, words in parameter_faults(given, spec.parameters)]
        if found:
            raise faults_within(found)
        return params

    return AfterValidator(check)


def _set_by_suite(spec: MethodSpec, params: dict[str, Any], sparsity: str | None) -> Faults:
    """Report the parameters that the suite sets, and not an entry."""
    knob = spec.knob.parameter
    hints = {"n_components": "", "random_state": ""}
    if sparsity == "target" and knob:
        hints[knob] = "; say 'sparsity: own' to set it here"
    return [
        ((name,), f"{name} is set by the suite, not by a method's params{hint}")
        for name, hint in sorted(hints.items())
        if name in params
    ]


def _labelled(kind: Kind, or_stem: bool = False) -> AfterValidator:
    """Check that an entry of the suite has a label; `or_stem`: that of a whole grid will do."""

    def check(label: str, info: ValidationInfo) -> str:
        names = info.context
        if not isinstance(names, Names) or (or_stem and label in names.stems):
            return label
        found = column_of(label, names.registry.metrics.specs).metric if kind == "metric" else label
        if words := names.unknown(kind, found):
            raise fault(words)
        return label

    return AfterValidator(check)


OF_KIND = "x-name-of"
"""Marks in the schema of suites a name of which the plugins have a list."""
MethodName = Annotated[Label, _provided("method"), WithJsonSchema({OF_KIND: "method"})]
DatasetName = Annotated[Label, _provided("data set"), WithJsonSchema({OF_KIND: "data set"})]
MetricName = Annotated[Label, _provided("metric"), WithJsonSchema({OF_KIND: "metric"})]
MethodParams = Annotated[dict[str, Any], _settable("method", grid=True)]
DatasetParams = Annotated[dict[str, Any], _settable("data set", grid=True)]
StandInParams = Annotated[dict[str, Any], _settable("data set", grid=False)]
MetricParams = Annotated[dict[str, Any], _settable("metric", grid=False)]
MethodLabel = Annotated[Label, _labelled("method")]
DatasetLabel = Annotated[Label, _labelled("data set")]
TrackDataset = Annotated[Label, _labelled("data set", or_stem=True)]
ColumnName = Annotated[str, _labelled("metric")]
"""A column of results; its metric is among those of the suite."""

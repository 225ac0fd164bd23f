"""The values that a suite is written in: names, labels, counts, ranges, levels, seeds and starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    Tag,
    ValidationError,
    WithJsonSchema,
)

from spcabench.parameters import nearest, shown

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
Name = Annotated[str, Field(pattern=NAME_PATTERN, max_length=80)]
MAX_LABEL = 80
Label = Annotated[str, Field(min_length=1, max_length=MAX_LABEL, pattern=r"^[^\x00-\x1f\x7f]+$")]
OF_KIND = "x-name-of"
"""Marks in the schema of suites a name of which the plugins have a list."""
MethodName = Annotated[Label, WithJsonSchema({OF_KIND: "method"})]
DatasetName = Annotated[Label, WithJsonSchema({OF_KIND: "data set"})]
MetricName = Annotated[Label, WithJsonSchema({OF_KIND: "metric"})]
MAX_COUNT = 1_000_000
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
MAX_VALUES = 5_000_000
"""Numbers that a range has at most, and the most cells of a plan; more is a slip of the pen."""
WRITTEN = 100
"""Seeds that are written one by one at most, where a run keeps them."""
RANGE_KEYS = ("from", "to", "step")

OWN: Literal["own"] = "own"
"""The start that a method has if the suite does not say."""
PUBLISHED: Literal["published"] = "published"
"""The start of the paper of a method; its own one, if it does not tell the two apart."""
MAIN = (OWN, PUBLISHED)
"""The starts that main tables, ranks and figures show; a suite has one of them."""
OtherStart = Literal["ones", "pca", "max_variance", "random"]
Start = Literal["own", "published", OtherStart]
"""The own start of each method; that of its paper; equal entries; leading eigenvectors; features of largest variance;
random entries."""


class Model(BaseModel):
    """A strict model: no coercion, no unknown keys, no change after it is read."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Range(Model):
    """Whole numbers, both ends included."""

    first: int = Field(alias="from")
    to: int
    step: int = Field(1, ge=1)


def named(value: Any) -> Any:
    """Read a bare name as an entry with that name and defaults."""
    return {"name": value} if isinstance(value, str) else value


def is_range(value: Any) -> bool:
    """Return whether a value is a range such as ``{from: 1, to: 60, step: 10}``: a mapping with ``from`` or ``to``."""
    return isinstance(value, Mapping) and ("from" in value or "to" in value)


def range_values(value: Mapping[str, Any]) -> list[int]:
    """Return the numbers of a range.

    Parameters
    ----------
    value : mapping
        With ``from`` and ``to``, whole numbers that are both included, and ``step``, 1 if left out.
        ``to`` is left out where the steps miss it.

    Raises
    ------
    ValueError
        If it is no range; the words follow "valid is".
    """
    try:
        found = Range.model_validate(dict(value))
    except ValidationError:
        odd = next((key for key in value if key not in RANGE_KEYS), "")
        guess = nearest(odd, RANGE_KEYS)
        raise ValueError(f"a range of whole numbers: from, to, and a step of at least 1{guess}") from None
    first, last, step = found.first, found.to, found.step
    if last < first:
        raise ValueError(f"a range whose to is not below its from; {shown(last)} is below {shown(first)}")
    count = (last - first) // step + 1
    if count > MAX_VALUES:
        raise ValueError(f"a range of at most {MAX_VALUES} values; it has {shown(count)}")
    return list(range(first, last + 1, step))


def _listed(value: Any) -> Any:
    """Let one number stand for a list of one, and a range for the list of its numbers."""
    if is_range(value):
        return range_values(value)
    return [value] if type(value) is int else value


def _counted(value: Any) -> Any:
    """Let a number of seeds stand for the seeds 0, 1, ..., and a range for the list of its numbers."""
    if type(value) is int and not 1 <= value <= MAX_VALUES:
        raise ValueError(f"a list of seeds, or how many, from 1 to {MAX_VALUES}")
    return list(range(value)) if type(value) is int else _listed(value)


def _as_range(seeds: list[int]) -> Any:
    """Write many seeds that follow one another as a range."""
    is_long = len(seeds) > WRITTEN and seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    return {"from": seeds[0], "to": seeds[-1]} if is_long else seeds


def distinct(values: list[Any]) -> list[Any]:
    """Refuse a value that occurs twice, as its cells would be the same, and a name of an entry that does."""
    kept = {tuple(value) if isinstance(value, list) else getattr(value, "name", value) for value in values}
    if len(kept) < len(values):
        raise ValueError("a list without repeats")
    return values


def _with_main(starts: list[Start]) -> list[Start]:
    """Refuse starts unless one is for the main tables: without it they would be empty, with two ambiguous."""
    if sum(start in MAIN for start in starts) != 1:
        raise ValueError(f"a list with either {OWN} or {PUBLISHED} in it, which main tables and figures show")
    return starts


_Each = Annotated[list[Count], Field(min_length=1)]
_Level = Annotated[
    Annotated[Count, Tag("all")] | Annotated[_Each, Tag("each")],
    Discriminator(lambda value: "each" if isinstance(value, list) else "all"),
]
_Seed = Annotated[int, Field(ge=0, le=2**32 - 1)]
Counts = Annotated[
    list[Count], BeforeValidator(_listed, json_schema_input_type=list[Count] | Count | Range), AfterValidator(distinct)
]
"""Numbers of components."""
Levels = Annotated[
    list[_Level],
    BeforeValidator(_listed, json_schema_input_type=list[_Level] | Count | Range),
    AfterValidator(distinct),
]
"""Target cardinalities of a component, of all alike or of each."""
Seeds = Annotated[
    list[_Seed],
    BeforeValidator(_counted, json_schema_input_type=list[_Seed] | Annotated[int, Field(ge=1, le=MAX_VALUES)] | Range),
    AfterValidator(distinct),
    PlainSerializer(_as_range),
]
Starts = Annotated[list[Start], AfterValidator(distinct), AfterValidator(_with_main)]


def from_start(name: str, start: str) -> str:
    """Label a method by its name and where it starts.

    Examples
    --------
    >>> from_start("rspca", "own"), from_start("rspca", "published"), from_start("rspca", "ones")
    ('rspca', 'rspca', 'rspca from ones')
    """
    return name if start in MAIN else f"{name} from {start}"

"""The suite: what a YAML file may say, as strict models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from spcabench.analysis.times import spread
from spcabench.suite.claims import Claim, Published
from spcabench.suite.preprocessing import Preprocess
from spcabench.suite.values import (
    OWN,
    Count,
    Counts,
    DatasetName,
    Label,
    Levels,
    MethodName,
    MetricName,
    Model,
    Name,
    OtherStart,
    Seeds,
    Starts,
    distinct,
    named,
)

DEFAULT = "default"
QUICK = "quick"
"""The scales that every suite has: its form as written, and the one that takes minutes."""
ENTRIES = ("datasets", "methods", "metrics")
"""The lists of a suite in which a bare name may stand for an entry."""
MAX_REPEATS = 1000
MOST_SECONDS = 10_000_000
TIMES = frozenset({"fit_time", "total_time"})
"""The metrics by which a suite ranks times."""
TIMED = 3
"""Fits of a cell where a suite ranks times and does not say how many."""
Figure = Literal[
    "err_curve",
    "accuracy_curve",
    "loadings",
    "reconstructions",
    "loading_bars",
    "pareto",
    "metric_bars",
    "cpev_curve",
    "nor_cpev",
    "sparsity_balance",
    "scaling",
    "convergence",
    "parameter_curve",
    "solution_path",
    "path_curves",
]
"""The figures a report can draw; `spcabench.report.figures` says what each shows."""

TrackName = Literal["one", "wide", "span", "adjusted", "recovery", "robustness", "prediction", "cost"]
"""What methods are compared in, a question each: `TRACKS` says which."""

TRACKS: dict[TrackName, str] = {
    "one": "one component: how near its variance is to the largest at so many nonzeros",
    "wide": "one component where there are many more features than samples",
    "span": "several components: the variance that their loadings span",
    "adjusted": "several components: the variance of their scores, each without what the earlier ones have",
    "recovery": "whether the true supports are found",
    "robustness": "what of the clean samples is explained where others are contaminated",
    "prediction": "what the components are worth on held-out samples",
    "cost": "how long a warm fit takes, the search of its penalty apart",
}


def _not_default(scales: dict[str, Any]) -> dict[str, Any]:
    """Refuse a scale that has the name of the suite's form as written."""
    if DEFAULT in scales:
        raise ValueError(f"a mapping without '{DEFAULT}', which is the suite as written")
    return scales


class StandIn(Model):
    """A data set that replaces one that is not available; the run and its report say so."""

    name: DatasetName
    params: dict[str, Any] = Field({})


class DatasetEntry(Model):
    """A data set of a suite; lists and ranges in ``params`` span a grid."""

    name: DatasetName
    label: Label | None = Field(None, description="what tables call it; with a grid, the start of it")
    params: dict[str, Any] = Field({}, description="parameters; a list or a range {from, to, step} spans a grid")
    preprocess: Preprocess = Field(
        "none",
        description="log1p, sqrt or clr, then centred or standardised by means and scales of the training samples",
    )
    stand_in: Annotated[StandIn, BeforeValidator(named, json_schema_input_type=StandIn | DatasetName)] | None = None
    n_nonzero: Levels = Field([], description="target cardinalities on this data set; none: those of the suite")
    n_components: Counts = Field([], description="numbers of components on this data set; none: that of the suite")
    seeds: Seeds = Field([], description="seeds on this data set, or how many; none: those of the suite")
    source: Label | None = Field(
        None,
        description="where it comes from, by default its name; methods are compared over the means of sources",
    )
    optional: bool = Field(
        False, description="whether the run goes on without it if it cannot be had; its cells are then unavailable"
    )


class MethodEntry(Model):
    """A method of a suite; lists and ranges in ``params`` span a grid."""

    name: MethodName
    label: Label | None = Field(None, description="what tables call it; with a grid, the start of it")
    sparsity: Literal["target", "own"] = Field(
        "target", description="target: the suite's cardinalities; own: what its parameters set, once"
    )
    params: dict[str, Any] = Field(
        {}, description="parameters; a list or a range spans a grid: p: [0, 0.5, 1] makes three"
    )
    starts: list[OtherStart] = Field([], description="where it starts too, beside the starts of the suite")
    note: Label | None = Field(None, description="what the main table says beside it")
    published: bool = Field(
        False, description="whether it follows the protocol of its paper: a leaderboard tells it from the default's row"
    )


class MetricEntry(Model):
    """A metric of a suite."""

    name: MetricName
    params: dict[str, Any] = Field({})


class Limits(Model):
    """The limits of a cell: of its draw, its fit and its metrics."""

    time: float = Field(600.0, gt=0, le=MOST_SECONDS, description="wall seconds of one fit, its search included")
    memory: float = Field(8.0, gt=0, le=1_000_000, description="GiB of resident memory of one fit")
    draw: float = Field(3600.0, gt=0, le=MOST_SECONDS, description="wall seconds of a draw, its download included")
    score: float = Field(300.0, gt=0, le=MOST_SECONDS, description="wall seconds of all metrics of one fit")


class Repeats(Model):
    """When to stop timing a cell: its median time is known, or the budget is spent."""

    at_least: int = Field(10, ge=1, le=MAX_REPEATS, description="fits before the spread is checked")
    at_most: int = Field(50, ge=1, le=MAX_REPEATS, description="the largest number of fits")
    spread: float = Field(
        0.05,
        gt=0,
        le=1,
        description="ends it: half-width of the interval of the median time (91 to 95 %), as a share of the median",
    )
    budget: float = Field(60.0, gt=0, le=MOST_SECONDS, description="wall seconds of timed fits that end it, too")

    @model_validator(mode="after")
    def _in_order(self) -> Repeats:
        if self.at_most < self.at_least:
            raise ValueError(f"an at_most that is not below at_least; {self.at_most} is below {self.at_least}")
        return self

    def __str__(self) -> str:
        if self.at_least == self.at_most:
            return str(self.at_least)
        return f"{self.at_least} to {self.at_most}"

    def wants_more(self, times: Sequence[float]) -> bool:
        """Return whether a cell with these times, in seconds, should be fitted once more.

        The spread is computed after every fit, and the first that is small enough ends the repeats: its interval holds
        the true median less often than that of a fixed number of times.  Simulated with 4000 runs of lognormal times of
        3, 5 and 10 % standard deviation, for the rule as it is by default it does so in 94.6, 94.2 and 91.4 % of runs
        (after 10, 10 and 23 fits in the median); with a spread of 0.02 in 92.2, 90.9 and 94.6 % (14, 35 and 50 fits).
        """
        if not times:
            return True
        if len(times) >= self.at_most or sum(times) >= self.budget:
            return False
        return len(times) < self.at_least or spread(times) > self.spread


class ReportEntry(Model):
    """What the report shows."""

    columns: list[str] = Field([], description="metrics of the main table, in order; all if empty")
    figures: list[Figure] = Field([], description="figures to draw; those that fit the data if empty")
    emphasis: list[Label] = Field(
        [],
        description="methods that figures colour, by label: the first ten; the first ten of the suite if empty",
    )
    names: dict[Label, str] = Field({}, description="what readers call methods, by label")
    marks: dict[str, float] = Field(
        {}, description="places to mark on an axis that is a parameter of the data, by what they are"
    )


class TrackEntry(Model):
    """What methods are compared in: some data sets of the suite, and the metric that ranks on them."""

    name: TrackName
    metric: str = Field(description="the column that ranks; its metric must be among those of the suite")
    relative: bool = Field(False, description="whether a value is what it lacks of the best of any method on the draw")
    beside: list[str] = Field([], description="columns that are shown beside it, and do not rank")
    datasets: list[Label] = Field(min_length=1, description="labels of data sets; with a grid, of each variant")
    bounds: dict[Label, float] = Field(
        {},
        description="by data set: what no orthogonal loadings of its one target exceed, as is proved elsewhere",
    )


class Suite(Model):
    """A benchmark: data sets x methods x sparsity levels x seeds, metrics, limits, and what its report shows."""

    name: Name
    title: str = ""
    description: str = ""
    source: str = Field("", description="the table or figure it reproduces")
    minutes: float | None = Field(
        None, gt=0, le=1_000_000, description="minutes that it takes on an idle machine, roughly, one cell at a time"
    )
    datasets: list[
        Annotated[DatasetEntry, BeforeValidator(named, json_schema_input_type=DatasetEntry | DatasetName)]
    ] = Field(min_length=1)
    methods: list[Annotated[MethodEntry, BeforeValidator(named, json_schema_input_type=MethodEntry | MethodName)]] = (
        Field(min_length=1)
    )
    n_components: Count
    n_nonzero: Annotated[Levels, Field(min_length=1)] = Field(
        description="target cardinalities of a component; an inner list has one per component",
    )
    seeds: Annotated[Seeds, Field(min_length=1)] = Field(
        [0], description="a list of seeds, or how many: 3 stands for [0, 1, 2]"
    )
    starts: Starts = Field(
        [OWN], description="where methods start that have a choice: each method runs once from each of these"
    )
    repeats: (
        Annotated[
            Annotated[int, Field(ge=1, le=MAX_REPEATS), Tag("plain")] | Annotated[Repeats, Tag("model")],
            Discriminator(lambda value: "model" if isinstance(value, dict | Model) else "plain"),
        ]
        | None
    ) = Field(
        None,
        description="fits of each cell, for the clock alone: a number, or when they are enough; by default "
        f"{TIMED} if the suite ranks times, and otherwise 1",
    )
    convergence: bool = Field(False, description="trace how each method comes near its own limit, outside its clock")
    threads: int = Field(1, ge=1, le=1024, description="BLAS threads of a fit")
    limits: Limits = Limits()
    metrics: list[Annotated[MetricEntry, BeforeValidator(named, json_schema_input_type=MetricEntry | MetricName)]] = (
        Field(min_length=1)
    )
    report: ReportEntry = ReportEntry()
    tracks: Annotated[list[TrackEntry], AfterValidator(distinct)] = Field(
        [], description="what methods are compared in; the report has the standings of each"
    )
    published: list[Published] = Field([])
    claims: list[Claim] = Field([], description="what a paper says of these results, each with its test")
    scales: Annotated[dict[Name, dict[str, Any]], AfterValidator(_not_default)] = Field(
        {},
        exclude=True,
        description="other sizes of the suite by name; each sets values by dotted path, such as limits.time: 60 or "
        "methods.0.params.p: 1, as --set does",
    )

    @property
    def settled_repeats(self) -> int | Repeats:
        """The repeats as the suite has them, or what they are by default."""
        if self.repeats is not None:
            return self.repeats
        return TIMED if any(metric.name in TIMES for metric in self.metrics) else 1

    @property
    def clock(self) -> Repeats:
        """The rule for the number of fits of a cell; a number of repeats means exactly that many."""
        rule = self.settled_repeats
        return rule if isinstance(rule, Repeats) else Repeats(at_least=rule, at_most=rule, budget=MOST_SECONDS)

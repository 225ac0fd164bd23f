"""Arguments and options that several verbs take."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from spcabench.cli.complete import complete_scale, complete_suite

F = TypeVar("F", bound=Callable[..., Any])


def suite_argument(function: F) -> F:
    """Add the argument ``suite``, a name or a path."""
    return click.argument("suite", shell_complete=complete_suite)(function)


def setting_option(function: F) -> F:
    """Add the option ``--set``, which overrides values of the suite."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="Override a value of the suite, e.g. n_components=10, limits.time=60, datasets.0.params.n=100 or "
        "methods.rspca.params.p=0 (an entry by index, label or name; methods.+=NAME adds one); may be repeated.",
    )(function)


def scale_option(function: F) -> F:
    """Add the options ``--scale`` and ``--quick``, as the argument ``scale``."""

    @click.option(
        "--scale",
        default="default",
        metavar="NAME",
        shell_complete=complete_scale,
        help="A scale that the suite declares, such as quick or full; --set comes after it.  "
        "[default: the suite as written]",
    )
    @click.option(
        "--quick",
        is_flag=True,
        help="Short for --scale quick.  Where a suite declares no quick scale, its default form is the quick one.",
    )
    @functools.wraps(function)
    def with_scale(*args: Any, scale: str, quick: bool, **others: Any) -> Any:
        if quick and scale != "default":
            raise click.UsageError("--quick and --scale exclude each other")
        return function(*args, scale="quick" if quick else scale, **others)

    return cast(F, with_scale)


def choice_options(function: F) -> F:
    """Add the options ``--only`` and ``--skip``, patterns of the labels of methods and data sets."""
    only = click.option(
        "--only",
        multiple=True,
        metavar="PATTERN",
        help="Run only the cells whose method or data set has a label that matches, such as 'rspca*'.  Name an axis "
        "to choose by both, as in --only 'method=cop,dataset=hastie*'.  May be repeated: it runs the cells that match "
        "any PATTERN.",
    )
    skip = click.option(
        "--skip",
        multiple=True,
        metavar="PATTERN",
        help="Leave out the cells that match; the patterns are as for --only.",
    )
    return only(skip(function))


def output_option(function: F) -> F:
    """Add the option ``--output``, the folder of the run."""
    return click.option(
        "--output",
        "-o",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="The run's folder.  [default: reports/SUITE, or reports/SUITE-SCALE for a scale]",
    )(function)

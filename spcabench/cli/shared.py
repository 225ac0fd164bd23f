"""What several verbs take: arguments, options, their completion, and the registry and the run that these name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from spcabench.plugins import Registry

F = TypeVar("F", bound=Callable[..., Any])


def files_of(ctx: click.Context) -> list[Path]:
    """Return the single-file plugins that the command line and the environment name."""
    from spcabench.plugins import plugin_files

    return plugin_files(ctx.find_root().obj or ())


def registry_of(ctx: click.Context) -> Registry:
    """Load the registry with the plugin files named on the command line."""
    from spcabench.plugins import load_registry

    return load_registry(files_of(ctx))


def _starting(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in sorted(set(words)) if word.startswith(incomplete)]


def complete_suite(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of suites, and files."""
    from spcabench.suite.yaml_source import suite_files

    return _starting(suite_files(), incomplete) or [CompletionItem(incomplete, type="file")]


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of methods, data sets, metrics and suites."""
    from spcabench.suite.yaml_source import suite_files

    registry = registry_of(ctx)
    return _starting([*registry.methods, *registry.datasets, *registry.metrics, *suite_files()], incomplete)


run_argument = click.argument("run", metavar="RUN", shell_complete=complete_suite)
"""The argument ``run``, a run's folder or its suite's name."""

setting_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Override a value of the suite, e.g. n_components=10, limits.time=60, datasets.0.params.n=100 or "
    "methods.rspca.params.p=0 (an entry by index or label; methods.+=NAME adds one); may be repeated.",
)
"""The option ``--set``, which overrides values of the suite."""


def output_option(metavar: str, text: str, required: bool = False, **kind: Any) -> Callable[[F], F]:
    """Return the option ``--output``, where to write; `kind` is what `click.Path` takes."""
    place: click.Path[Path] = click.Path(path_type=Path, **kind)
    return click.option("--output", "-o", type=place, metavar=metavar, help=text, required=required)


def jobs_option(function: F) -> F:
    """Add the option ``--jobs``."""
    kind = click.IntRange(1, 1024)
    return click.option("--jobs", "-j", default=1, show_default=True, type=kind, help="Fits at once.")(function)


def scale_option(function: F) -> F:
    """Add the options ``--scale`` and ``--quick``, as the argument ``scale``; the last of them counts."""
    scale = click.option(
        "--scale",
        default="default",
        metavar="NAME",
        help="A scale that the suite declares, such as quick or full; --set comes after it.  "
        "[default: the suite as written]",
    )
    quick = click.option(
        "--quick",
        "scale",
        flag_value="quick",
        help="Short for --scale quick.  Where a suite declares no quick scale, its default form is the quick one.",
    )
    return quick(scale(function))


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

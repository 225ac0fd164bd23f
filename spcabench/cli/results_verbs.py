"""The verbs of what was found: report, compare, export, cite, site and certify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, complete_suite, files_of, output_option, registry_of, run_argument
from spcabench.cli.terminal import say, show, table
from spcabench.report.find_run import existing_run, gathered

if TYPE_CHECKING:
    from spcabench.check.certify import Proof
    from spcabench.specs import Array

runs_argument = click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=complete_suite)


@click.command("report", epilog="Example: spcabench report reports/mnist_outlier")
@runs_argument
@click.option("--rescore", is_flag=True, help="Compute the metrics anew from the loadings first; nothing is fitted.")
@click.pass_context
def report_verb(ctx: click.Context, runs: tuple[str, ...], rescore: bool) -> None:
    """Make the report of each RUN (a run's folder, or its suite's name) again, from its records alone.

    To report other columns or figures, change the suite and run it again: what is fitted stays.
    """
    from spcabench.cli.run_verbs import execute
    from spcabench.report.build import build
    from spcabench.run.options import Options

    registry = registry_of(ctx)
    well = True
    for run in runs:
        loaded, folder = existing_run(run, registry)
        if rescore:
            well &= execute(loaded, folder, registry, Options(rescore=True, plugins=files_of(ctx)))
        else:
            page = build(gathered(loaded, folder, registry), say)
            show(f"report: {page}, {page.with_suffix('.html').name}")
    if not well:
        ctx.exit(1)


@click.command("compare", epilog="Example: spcabench compare reports/before reports/after")
@click.argument("run_a", metavar="RUN_A", shell_complete=complete_suite)
@click.argument("run_b", metavar="RUN_B", shell_complete=complete_suite)
@click.pass_context
def compare_verb(ctx: click.Context, run_a: str, run_b: str) -> None:
    """Show what changed from RUN_A to RUN_B (runs' folders, or their suites' names).

    Cells are paired by data set, method, components, nonzeros and seed.  A metric that differs by less than 1e-9
    of its size is unchanged; a time is called changed only if that is beyond noise, for all methods at once.
    """
    from spcabench.report.compare import changes
    from spcabench.report.render.markdown import markdown_page

    registry = registry_of(ctx)
    a, b = (gathered(*existing_run(run, registry), registry) for run in (run_a, run_b))
    show(markdown_page(changes(a, b)))


@click.command(
    "export",
    epilog="Examples: spcabench export mnist_outlier -o results.csv; spcabench export cop_pitprops -o table.tex",
)
@run_argument
@output_option(
    "FILE",
    "The file to write, which ends in .csv, .parquet, .json or .tex.",
    required=True,
    dir_okay=False,
)
@click.pass_context
def export_verb(ctx: click.Context, run: str, output: Path) -> None:
    """Write the results of RUN (a run's folder, or its suite's name): a row per cell, or the main table in LaTeX."""
    from spcabench.report.export import EXPORTS
    from spcabench.store.files import write_bytes

    ending = output.suffix.lower()
    if ending not in EXPORTS:
        raise click.UsageError(f"{output}: ends in none of {', '.join(EXPORTS)}")
    registry = registry_of(ctx)
    content = EXPORTS[ending](gathered(*existing_run(run, registry), registry))
    show(f"export: {write_bytes(output, content)}")


@click.command("cite", epilog="Examples: spcabench cite mnist_outlier; spcabench cite pitprops > methods.bib")
@run_argument
@click.pass_context
def cite_verb(ctx: click.Context, run: str) -> None:
    """Print the BibTeX entries of spcabench and of the methods of RUN (a run's folder, or its suite's name)."""
    from spcabench.report.bibliography import SOFTWARE, cited, known_entries, written

    registry = registry_of(ctx)
    loaded, _ = existing_run(run, registry)
    methods = {cell.method.spec.name: cell.method.spec for cell in loaded.plan.cells if not cell.skip}
    known = known_entries(registry.methods.specs.values())
    parts = [written("spcabench", **SOFTWARE)]
    parts += [f"% {', '.join(names)}\n{entry}" for entry, names in cited(methods.values(), known).items()]
    parts += [f"% {name} names no source" for name, spec in methods.items() if not spec.reference]
    show("\n\n".join(parts))


@click.command("site", epilog="Example: spcabench site reports/leaderboard --output site")
@runs_argument
@output_option("FOLDER", "Where to write the site; other files there stay.", required=True, file_okay=False)
@click.option("--earlier", metavar="FILE", help="The leaderboard.csv of an earlier site: a page says what changed.")
@click.pass_context
def site_verb(ctx: click.Context, runs: tuple[str, ...], output: Path, earlier: str | None) -> None:
    """Make a static leaderboard of each RUN (a run's folder, or its suite's name), from its records alone.

    The suites must have tracks.  The site has a page for each question, method and data set, the reports of the runs,
    and needs no network.  Beside them are all cells as one table, the scores, and a program that computes
    these from those.
    """
    from spcabench.foreign.reader import read_table
    from spcabench.site.build import site, write
    from spcabench.site.files import source

    registry = registry_of(ctx)
    results = [gathered(*existing_run(run, registry), registry) for run in runs]
    made = site(results, registry.datasets.specs, read_table(earlier).frame if earlier else None)
    days = sorted({day for one in results for day in one.dates})
    fitted = f", of records of {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    front = write(made, output, f"Made with {source()}{fitted}.")
    show(f"site: {front}, {len(made.pages)} pages")


@click.command(
    "certify",
    epilog="Examples: spcabench certify w.npy pitprops --by exact; "
    "spcabench certify w.npy file --by exact --set path=S.npz --set kind=covariance; "
    "spcabench certify reports/smoke --by exact",
)
@click.argument("loading", metavar="LOADING|RUN", type=click.Path(exists=True, path_type=Path))
@click.argument("data", metavar="[DATASET]", required=False, shell_complete=complete_name)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the data set.")
@click.option("--component", default=1, show_default=True, type=click.IntRange(1), help="Which row of LOADING.")
@click.option("--by", required=True, metavar="METHOD", help="The method that proves the bound, such as exact.")
@click.option("--tol", default=1e-7, show_default=True, help="The gap that counts as none.")
@click.pass_context
def certify_verb(
    ctx: click.Context, loading: Path, data: str | None, settings: tuple[str, ...], component: int, by: str, tol: float
) -> None:
    """Prove how far a component can be from the best one with as many nonzeros.

    LOADING is a .npy or .npz file of components in rows.  DATASET is the name of a data set.  Of RUN, the folder of a
    run, each fit is a row of a table; its data are drawn anew.
    """
    from spcabench.check.certify import certified_run, loaded_dataset, prover, read_loading
    from spcabench.suite.yaml_source import read_yaml

    registry = registry_of(ctx)
    spec = registry.methods[by]
    if loading.is_dir() and not (data or settings):
        loaded, folder = existing_run(str(loading), registry)
        found = certified_run(spec, tol, folder, loaded.plan, component)
        rows = [(one.draw.variant.label, one.seed, one.method.label, *_proved(w, proof)) for one, w, proof in found]
    elif data is None:
        raise click.UsageError("valid is LOADING with the name of a DATASET, or the folder of a RUN")
    else:
        sides = [setting.partition("=") for setting in settings]
        parameters = {key: read_yaml(text.encode(), f"--set {key}").data for key, _, text in sides}
        dataset = loaded_dataset(registry, data, parameters)
        w = read_loading(loading, component, dataset.n_features)
        proof = prover(dataset, spec, tol)(w)
        rows = [(data, 0, loading.name, *_proved(w, proof))]
        if proof.status == "improvable":
            features = " ".join(str(i + 1) for i in proof.best.nonzero()[0])
            show(f"better: {proof.best_value:.9g} on the features {features}")
    table(rows, ("data set", "seed", "method", "nonzeros", "value", "bound", "gap", "status"))


def _proved(w: Array, proof: Proof | str) -> tuple[object, ...]:
    """Return what is proved of a loading as the end of a row; of one of which nothing is, the reason."""
    n_nonzero = int((w != 0).sum())
    if isinstance(proof, str):
        return (n_nonzero, "", "", "", proof)
    return (n_nonzero, f"{proof.value:.9g}", f"{proof.bound:.9g}", f"{proof.gap:.3g}", proof.status)

"""The verb certify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, registry_of
from spcabench.cli.terminal import show, table
from spcabench.report.find_run import existing_run

if TYPE_CHECKING:
    from spcabench.check.certify import Proof
    from spcabench.specs import Array
    from spcabench.suite.plan import Cell


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

    registry = registry_of(ctx)
    spec = registry.methods[by]
    if loading.is_dir() and not (data or settings):
        loaded, folder = existing_run(str(loading), registry)
        rows = [_row(*one) for one in certified_run(spec, tol, folder, loaded.plan, component)]
        table(rows, ("data set", "seed", "nonzeros", "method", "value", "bound", "gap", "status"))
        return
    if data is None:
        raise click.UsageError("valid is LOADING with the name of a DATASET, or the folder of a RUN")
    dataset = loaded_dataset(registry, data, _parameters(settings))
    w = read_loading(loading, component, dataset.n_features)
    _show(prover(dataset, spec, tol)(w), int((w != 0).sum()), by)


def _parameters(settings: tuple[str, ...]) -> dict[str, object]:
    """Read parameters in the words of YAML."""
    from spcabench.suite.yaml_source import read_yaml

    sides = [setting.partition("=") for setting in settings]
    return {key: read_yaml(text.encode(), f"--set {key}").data for key, _, text in sides}


def _row(cell: Cell, w: Array, proof: Proof | str) -> tuple[object, ...]:
    """Return a fit as a row of the table; one of which nothing is proved says why."""
    about = (cell.draw.variant.label, cell.seed, int((w != 0).sum()), cell.method.label)
    if isinstance(proof, str):
        return (*about, "", "", "", proof)
    return (*about, f"{proof.value:.6g}", f"{proof.bound:.6g}", f"{proof.gap:.2g}", proof.status)


def _show(proof: Proof, n_nonzero: int, by: str) -> None:
    show(f"value   {proof.value:.9g} with {n_nonzero} nonzeros")
    show(f"bound   {proof.bound:.9g}, proved by {by}")
    show(f"gap     {proof.gap:.3g}")
    show(f"status  {proof.status}")
    if proof.status == "improvable":
        features = " ".join(str(i + 1) for i in proof.best.nonzero()[0])
        show(f"better  {proof.best_value:.9g} on the features {features}")

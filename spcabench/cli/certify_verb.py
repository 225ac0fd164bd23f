"""The verb certify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.complete import complete_name
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.specs import Array, Dataset


@click.command(
    "certify",
    epilog="Examples: spcabench certify w.npy pitprops --by exact; "
    "spcabench certify w.npy npz --by exact --set path=S.npz --set kind=covariance; "
    "spcabench certify reports/smoke --by exact",
)
@click.argument("loading", metavar="LOADING|RUN", type=click.Path(exists=True))
@click.argument("data", metavar="[DATASET]", required=False, shell_complete=complete_name)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the data set.")
@click.option("--component", default=1, show_default=True, type=click.IntRange(1), help="Which row of LOADING.")
@click.option("--by", required=True, metavar="METHOD", help="The method that proves the bound, such as exact.")
@click.option("--tol", default=1e-7, show_default=True, help="The gap that counts as none.")
@click.pass_context
def command(
    ctx: click.Context, loading: str, data: str | None, settings: tuple[str, ...], component: int, by: str, tol: float
) -> None:
    """Prove how far a component can be from the best one with as many nonzeros.

    LOADING is a .npy or .npz file of components in rows, such as a file in the folder loadings of a run.  DATASET is
    the name of a data set.  Of RUN, the folder of a run, each fit is a row of a table; its data are drawn anew.
    """
    import numpy as np

    from spcabench.cli.certify_run import certify_run
    from spcabench.cli.proofs import best_loading, judged
    from spcabench.errors import InputError

    registry = registry_of(ctx)
    if Path(loading).is_dir():
        if data or settings:
            raise InputError("a run has its own data sets; valid is RUN without DATASET and without --set")
        certify_run(registry, loading, component, by, tol)
        return
    if data is None:
        raise InputError(f"{loading} is a file; valid is LOADING with the name of a DATASET, or the folder of a RUN")
    dataset = _dataset(registry, data, settings)
    w = _loading(loading, component, dataset.n_features)
    proof = judged(dataset, w, *best_loading(registry, by, dataset, int(np.count_nonzero(w))), tol)
    show(f"value   {proof.value:.9g} with {np.count_nonzero(w)} nonzeros")
    show(f"bound   {proof.bound:.9g}, proved by {by}")
    show(f"gap     {proof.gap:.3g}")
    show(f"status  {proof.status}")
    if proof.status == "improvable":
        features = " ".join(str(i + 1) for i in np.flatnonzero(proof.best))
        show(f"better  {proof.best_value:.9g} on the features {features}")


def _dataset(registry: Registry, name: str, settings: tuple[str, ...]) -> Dataset:
    """Load a data set with parameters in the words of YAML."""
    import numpy as np

    from spcabench.errors import InputError
    from spcabench.parameters import parameter_faults, unknown_name
    from spcabench.specs import DataUnavailable
    from spcabench.suite.yaml_source import read_yaml
    from spcabench.targets import resolve

    if name not in registry.datasets:
        raise InputError(f"no data set '{name}'{unknown_name(name, registry.datasets)}")
    spec = registry.datasets[name]
    sides = [setting.partition("=") for setting in settings]
    given = {key: read_yaml(text.encode(), f"--set {key}").data for key, _, text in sides}
    if faults := parameter_faults(given, spec.parameters):
        raise InputError("; ".join(message for _, message in faults))
    params = {key: parameter.default for key, parameter in spec.parameters.items()} | given
    try:
        loaded: Dataset = resolve(spec.load)(np.random.default_rng(0), **params)
    except (DataUnavailable, ValueError, OSError) as reason:
        raise InputError(str(reason)) from reason
    return loaded


def _loading(file: str, component: int, n_features: int) -> Array:
    """Return one row of a file of components, as a unit vector."""
    import numpy as np

    from spcabench.errors import InputError

    try:
        held = np.load(file, allow_pickle=False)
        W = np.atleast_2d(np.asarray(held if isinstance(held, np.ndarray) else held["components"], dtype=np.float64))
    except (ValueError, OSError, EOFError, KeyError) as reason:
        raise InputError(f"{file} holds no components: valid is a .npy file, or .npz with an array of that name") from (
            reason
        )
    if component > len(W) or W.shape[1] != n_features:
        raise InputError(f"{file} has the shape {W.shape}; wanted is row {component}, and {n_features} features")
    w = W[component - 1]
    if not np.isfinite(w).all() or not w.any():
        raise InputError(f"{file}: component {component} is zero or not finite")
    return np.asarray(w / np.linalg.norm(w))

"""What a run left, gathered from its folder for reports, exports and notebooks."""

from __future__ import annotations

from spcabench.plugins import Registry
from spcabench.report.model import Results
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import Loaded


def gathered(loaded: Loaded, folder: RunFolder, registry: Registry) -> Results:
    """Gather what a report is made from."""
    about = folder.about()
    return Results(
        suite=loaded.suite,
        folder=folder,
        frame=results_frame(folder, loaded.plan),
        metrics={entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics},
        command=about.command,
        form=about.form,
        scale=about.scale,
        about={**about.environment, **{f"merged {label}": str(one) for label, one in about.merged.items()}},
        by_name=registry.methods.specs,
    )

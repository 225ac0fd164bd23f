"""Whether the knob turns sparsity all the way."""

from __future__ import annotations

from spcabench.check.findings import NotApplicable
from spcabench.check.methods.trial import Trial

SWERVE = 10
"""As a penalty grows, the count may rise again by the features over this."""


def knob(trial: Trial) -> None:
    """Count nonzeros over the range of the knob."""
    kind = trial.spec.knob.kind
    if kind == "none":
        raise NotApplicable("it has no knob")
    (_counts if kind == "cardinality" else _penalties)(trial)


def _counts(trial: Trial) -> None:
    d, name = trial.n_features, trial.spec.knob.parameter
    script = trial.script()
    asked = sorted({k for k in (1, 2, 3, d // 2, d - 1, d) if 1 <= k <= d})
    script.run(
        f"asked = {asked}",
        f"found = [np.count_nonzero(new(n_components=1, {name}=k).fit(X).components_) for k in asked]",
    )
    counts = script.names["found"]
    script.want(
        "found == sorted(found)", f"where {asked} nonzeros are asked for, there are {counts}: fewer follow more"
    )
    script.want("found[0] == 1", f"where one nonzero is asked for, there are {counts[0]}")
    script.want(f"found[-1] == {d}", f"where all {d} nonzeros are asked for, there are {counts[-1]}")


def _penalties(trial: Trial) -> None:
    d, name, low = trial.n_features, trial.spec.knob.parameter, trial.spec.knob.low
    script = trial.script()
    script.run(
        f"penalties = {trial.penalties}",
        f"found = [np.count_nonzero(new(n_components=1, {name}=p).fit(X).components_) for p in penalties]",
    )
    counts = [int(count) for count in script.names["found"]]
    script.want(f"found[0] == {d}", f"at {name}={low:g} there are {counts[0]} nonzeros; nothing was to be truncated")
    script.want("found[-1] <= 1", f"at the largest {name} there are {counts[-1]} nonzeros; at most one was to be left")
    least = f"np.minimum.accumulate(found)[:-1] + {d // SWERVE}"
    script.want(f"np.all(found[1:] <= {least})", f"{counts} nonzeros as {name} grows: more follow fewer")

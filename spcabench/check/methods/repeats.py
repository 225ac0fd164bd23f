"""Whether a fit can be repeated, and touches nothing but itself."""

from __future__ import annotations

from spcabench.check.methods.trial import Trial
from spcabench.check.script import SEEDED, STATE, Script


def deterministic(trial: Trial) -> None:
    """Fit twice, the global generators seeded before each fit as the host seeds them."""
    script = trial.script()
    script.run("import random")
    for name in "WV":
        script.run("random.seed(0); np.random.seed(0)", f"{name} = new().fit(X).components_")
    script.want("np.array_equal(V, W)", "two fits with the same seed have different loadings")


def samples_untouched(trial: Trial) -> None:
    """Fit to samples, and to samples that are read-only, as the host hands them over."""
    script = trial.script()
    script.run("before = X.copy()", "new().fit(X)")
    script.want("np.array_equal(X, before)", "fit changes the samples")
    script.run("X.flags.writeable = False", "new().fit(X)")


def global_state(trial: Trial) -> None:
    """Compare the states of the global generators before and after a fit."""
    script = trial.script()
    script.run(*SEEDED, "new().fit(X)")
    script.want(f"{STATE} == state", "fit draws from a global random generator, or seeds it; take random_state instead")


def pickled(trial: Trial) -> Script:
    """Compare a fitted estimator with what a pickle of it becomes, and return the script."""
    script = trial.script()
    script.run("import pickle", "fitted = new().fit(X)", "again = pickle.loads(pickle.dumps(fitted))")
    script.want("np.array_equal(again.components_, fitted.components_)", "a pickled estimator has other loadings")
    return script

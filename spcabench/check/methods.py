"""Hold a method to its promises: each a short script on small problems."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from spcabench.check.script import SEEDED, STATE, Broken, NotApplicable, Script, Trial, trial_of
from spcabench.run.worker.loadings import UNIT
from spcabench.specs import MethodSpec

SIZES = ((6, 4, 1, 2), (30, 8, 2, 3), (60, 12, 2, 4), (10, 50, 2, 5))
"""Samples, features, components and nonzeros of the problems, the smallest first."""
PATIENCE = 5.0
"""Seconds of a check, after which no larger problem is begun; those of a program are counted too."""
SWERVE = 10
"""As a penalty grows, the count may rise again by the features over this."""
SHARE = 0.999
"""The share of the variance of PCA's components that dense components must explain."""
STARTS = ("ones", "pca", "max_variance")
"""The starts that all methods with a start share, as `MethodSpec.starts` says."""
_ACCEPTS = """\
def accepts(samples):
    try:
        new().fit(samples)
    except Exception:
        return False
    return True"""


def trials(spec: MethodSpec) -> Iterator[Trial]:
    """Yield one problem after another; a slow method is spared the larger ones."""
    begin = monotonic()
    for size in SIZES:
        if monotonic() - begin < PATIENCE:
            yield trial_of(spec, *size)


def shape(trial: Trial) -> None:
    """Compare the shape of the loadings with what is asked for.

    After fit, components_ has a row for each component and a column for each feature.
    """
    script = trial.script()
    for r in sorted({1, trial.n_components}):
        script.run(f"W = new(n_components={r}).fit(X).components_")
        W, wanted = script.names["W"], (r, trial.n_features)
        script.want("isinstance(W, np.ndarray)", f"components_ is a {type(W).__name__}; an array of NumPy is wanted")
        script.want(f"W.shape == {wanted}", f"components_ has shape {W.shape}; wanted is {wanted}")
        script.want("W.dtype.kind in 'fiu'", f"components_ holds {W.dtype}; real numbers are wanted")


def finite(trial: Trial) -> None:
    """Look for loadings that are not finite.

    The loadings are finite.
    """
    script = trial.script("W = np.asarray(new().fit(X).components_)")
    script.want("np.isfinite(W).all()", "components_ holds values that are not finite")


def unit_rows(trial: Trial) -> None:
    """Compare the lengths of the rows with 1.

    Each row of components_ has length 1, or is zero.
    """
    script = trial.script("W = np.asarray(new().fit(X).components_)", "lengths = np.linalg.norm(W, axis=1)")
    lengths = ", ".join(f"{length:.6g}" for length in script.names["lengths"])
    message = f"rows of components_ have the lengths {lengths}; valid is 1"
    script.want(f"np.allclose(lengths, W.any(axis=1), atol={UNIT})", message)


def deterministic(trial: Trial) -> None:
    """Fit twice, the global generators seeded before each fit as the host seeds them.

    The same seed leads to the same loadings, to the last bit.
    """
    script = trial.script("import random")
    for name in "WV":
        script.run("random.seed(0); np.random.seed(0)", f"{name} = new().fit(X.copy()).components_")
    script.want("np.array_equal(V, W)", "two fits with the same seed have different loadings")


def samples_untouched(trial: Trial) -> None:
    """Fit to samples, and to samples that are read-only, as the host hands them over.

    It does not write to the samples, and takes samples that cannot be written to.
    """
    script = trial.script("before = X.copy()", "new().fit(X)")
    script.want("np.array_equal(X, before)", "fit changes the samples")
    script.run("X.flags.writeable = False", "new().fit(X)")


def global_state(trial: Trial) -> None:
    """Compare the states of the global generators before and after a fit.

    It leaves the global random generators alone.
    """
    script = trial.script(*SEEDED, "new().fit(X)")
    script.want(f"{STATE} == state", "fit draws from a global random generator, or seeds it; take random_state instead")


def pickle(trial: Trial) -> Script:
    """Compare a fitted estimator with what a pickle of it becomes, and return the script.

    A fitted estimator can be pickled and keeps its loadings.
    """
    script = trial.script("import pickle", "fitted = new().fit(X)", "again = pickle.loads(pickle.dumps(fitted))")
    script.want("np.array_equal(again.components_, fitted.components_)", "a pickled estimator has other loadings")
    return script


# What must not change the loadings

SETUP = {
    "order": "order = np.random.default_rng(0).permutation(X.shape[1])",
    "first": "first = np.where(np.arange(X.shape[1]) == 0, -1, 1)",
    "half": "half = np.where(np.arange(X.shape[1]) % 2, 1, -1)",
}
"""Lines that define what expressions of other samples use."""


def sign(trial: Trial) -> None:
    """Turn the samples round.

    The loadings of -X are those of X.
    """
    _compare(trial, {"-X": "W"}, "X and -X have different loadings")


def column_sign(trial: Trial) -> None:
    """Turn one feature round, and half of them.

    Where features change their signs, the loadings do, and nothing else.
    """
    turned = {"first * X": "first * W", "half * X": "half * W"}
    _compare(trial, turned, "the loadings depend on the signs of single features")


def shift(trial: Trial) -> None:
    """Add a constant to the samples.

    The loadings do not depend on the mean of the samples.
    """
    message = "the loadings change when a constant is added to the samples: they are not centred"
    _compare(trial, {"X + 3.0": "W"}, message)


def row_order(trial: Trial) -> None:
    """Take the samples from the last to the first.

    The loadings do not depend on the order of the samples.
    """
    _compare(trial, {"X[::-1]": "W"}, "the loadings depend on the order of the samples")


def column_order(trial: Trial) -> None:
    """Shuffle the features.

    The loadings do not depend on the order of the features.
    """
    _compare(trial, {"X[:, order]": "W[:, order]"}, "the loadings depend on the order of the features")


def scale(trial: Trial) -> None:
    """Take samples in a unit that is far larger, and in one far smaller.

    The loadings do not depend on the unit of the samples.
    """
    scaled = {"1000.0 * 2.0**200 * X": "W", "2.0**-220 * X": "W"}
    _compare(trial, scaled, "the loadings depend on the unit of the samples")


def _compare(trial: Trial, others: Mapping[str, str], message: str) -> None:
    """Compare the loadings of other samples, as expressions, with what those of X become."""
    script = trial.script("W = new().fit(X).components_")
    for samples, loadings in others.items():
        script.run(*(line for name, line in SETUP.items() if name in samples))
        script.run(f"V = new().fit({samples}).components_")
        script.want(f"alike(V, {loadings})", message)


# Sparsity, and what is known to be there


def knob(trial: Trial) -> None:
    """Count nonzeros over the range of the knob.

    The more nonzeros are asked for, or the less is penalised, the more there are, from one to all.
    """
    kind, name, d = trial.spec.knob.kind, trial.spec.knob.parameter, trial.n_features
    if kind == "none":
        raise NotApplicable("it has no knob")
    count = f"np.count_nonzero(new(n_components=1, {name}=k).fit(X).components_)"
    asked = sorted({k for k in (1, 2, 3, d // 2, d - 1, d) if 1 <= k <= d})
    values = str(asked) if kind == "cardinality" else trial.penalties
    script = trial.script(f"asked = {values}", f"found = [{count} for k in asked]")
    counts = [int(count) for count in script.names["found"]]
    if kind == "cardinality":
        known = f"where {asked} nonzeros are asked for, there are {counts}: fewer follow more"
        script.want("found == sorted(found)", known)
        script.want("found[0] == 1", f"where one nonzero is asked for, there are {counts[0]}")
        script.want(f"found[-1] == {d}", f"where all {d} nonzeros are asked for, there are {counts[-1]}")
        return
    low = f"at {name}={trial.spec.knob.low:g} there are {counts[0]} nonzeros; nothing was to be truncated"
    script.want(f"found[0] == {d}", low)
    script.want("found[-1] <= 1", f"at the largest {name} there are {counts[-1]} nonzeros; at most one was to be left")
    least = f"np.minimum.accumulate(found)[:-1] + {d // SWERVE}"
    script.want(f"np.all(found[1:] <= {least})", f"{counts} nonzeros as {name} grows: more follow fewer")


def dense_limit(trial: Trial) -> None:
    """Compare the variance that dense components explain with that of PCA's.

    Where nothing is truncated, the components explain as much variance as those of PCA.
    """
    script = trial.script(
        f"W = new({trial.dense}).fit(X).components_",
        "A = X - X.mean(axis=0)",
        "found = np.linalg.norm(A @ np.linalg.qr(W.T)[0]) ** 2",
        f"best = (np.linalg.svd(A)[1][:{trial.n_components}] ** 2).sum()",
    )
    share = script.names["found"] / script.names["best"]
    script.want(f"found >= {SHARE} * best", f"dense components explain {share:.4g} of what those of PCA explain")


def planted_support(trial: Trial) -> None:
    """Look for the features of a direction that stands out of noise.

    It finds the features of one strong sparse direction.
    """
    knob, d = trial.spec.knob, trial.n_features
    n, k = max(40, 4 * d), min(trial.n_nonzero, d - 1)
    if knob.kind == "none":
        raise NotApplicable("it has no knob")
    counted = knob.kind == "cardinality"
    script = trial.script(
        f"X[:, {d - k}:] += 5 * np.random.default_rng(1).standard_normal(({n}, 1))",
        f"planted = {{*range({d - k}, {d})}}",
        f"values = {[k] if counted else trial.penalties}",
        f"fits = [new(n_components=1, {knob.parameter}=v).fit(X).components_ for v in values]",
        "found = [{*np.flatnonzero(W)} for W in fits]",
        data=f"np.random.default_rng(0).standard_normal(({n}, {d}))",
    )
    only = f"it finds {sorted(map(int, script.names['found'][0]))}"
    said = only if counted else "no value of the knob finds them"
    script.want("planted in found", f"the direction is on the features {d - k} to {d - 1}; {said}")


# What is taken and refused


def bad_input(trial: Trial) -> None:
    """Fit to what is no matrix of finite samples.

    It refuses samples that are not finite, and what is no matrix.
    """
    for value in ("nan", "inf"):
        script = trial.script(_ACCEPTS, f"X[0, 0] = np.{value}")
        script.want("not accepts(X)", f"samples with {value} are accepted; scikit-learn's check_array refuses them")
    trial.script(_ACCEPTS).want("not accepts(X[0])", "a vector is accepted where a matrix is wanted")


def covariance(trial: Trial) -> None:
    """Compare a fit to samples with one to their covariance.

    Unless it requires samples, it takes a covariance and finds the same loadings.
    """
    if "samples" in trial.spec.requires:
        raise NotApplicable("it requires samples")
    script = trial.script("A = X - X.mean(axis=0)", "S = A.T @ A / len(A)", "estimator = new()")
    if "covariance" not in inspect.signature(type(script.names["estimator"])).parameters:
        reason = "it takes no covariance; declare requires=frozenset({'samples'}), or take covariance='precomputed'"
        raise Broken(reason, f"{script.example}\nnew(covariance='precomputed').fit(S)")
    script.run("W = new().fit(X).components_", "V = new(covariance='precomputed').fit(S).components_")
    script.want("alike(V, W, atol=1e-6)", "a fit to the covariance of the samples has other loadings")


def starts(trial: Trial) -> None:
    """Fit from each start that a suite may ask for.

    Its start can be chosen by the words ones, pca and max_variance.
    """
    name = trial.spec.starts
    if name is None:
        raise NotApplicable("it has no start")
    for word in STARTS:
        script = trial.script(f"W = new({name}={word!r}).fit(X).components_")
        script.want("np.isfinite(W).all()", f"the loadings from the start {word!r} are not finite")


_CHECKS: tuple[Callable[[Trial], object], ...] = (
    *(shape, finite, unit_rows, deterministic, samples_untouched, global_state, pickle),
    *(sign, column_sign, shift, row_order, column_order, scale),
    *(knob, dense_limit, planted_support, bad_input, covariance, starts),
)
FITTED = {check.__name__: check for check in _CHECKS}
"""The checks of a fit, each made on all problems until one shows a fault."""
